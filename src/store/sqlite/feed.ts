import type { FeedRecord, FeedStore, Verdict } from "../../domain/feed.ts"
import { mentionsOf } from "../../domain/feed-mentions.ts"
import { decideBatch } from "../../domain/feed-rules.ts"
import type { FeedOrigin, RunOutcome } from "../../domain/import-run.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import {
  findLastRun,
  findRun,
  finishRun,
  forgetOldRuns,
  listImportCounts,
  listLastFinishes,
  listRuns,
  recordLine,
} from "../import-runs.ts"
import { batchesOf, countOlder, listOlder, removalOf } from "../older-records.ts"
import type { Connection } from "./connection.ts"
import type { Client, Database } from "./database.ts"
import { prepareChangeWriter } from "./feed-changes.ts"
import { prepareFoundReader } from "./feed-found.ts"
import { openJudge } from "./feed-judge.ts"
import { remove } from "./remove.ts"
import { openSnapshot } from "./snapshot.ts"

/** `openOwn` opens a connection for one judge or snapshot, which closes it. */
export function sqliteFeed(db: Database, openOwn: () => Connection): FeedStore {
  return {
    async openBatches({ source, via }) {
      const batches = createBatches(db, { source, via })
      return {
        put: (records, line) => db.transact((client) => batches.put(client, records, line)),
        // A power cut may undo it: the run is then unfinished, and its records are still kept.
        finish: (outcome) => db.transactUnsynced((client) => batches.finish(client, outcome)),
        countOlder: (beforeMs) => countOlder(db.read, beforeMs),
        async removeOlder(beforeMs) {
          const deletions = await listOlder(db.read, beforeMs)
          const verdicts = await db.transact((client) =>
            [...batchesOf(deletions)].flatMap((batch) => batches.decide(client, batch)),
          )
          return removalOf(deletions, verdicts)
        },
      }
    },
    openJudge: async () => openJudge(openOwn()),
    findLastRun: (source) => findLastRun(db, source),
    findRun: (id) => findRun(db, id),
    listRuns: (limit, via) => listRuns(db, limit, via),
    listLastFinishes: () => listLastFinishes(db),
    listImportCounts: (limit) => listImportCounts(db, limit),
    openSnapshot: async () => openSnapshot(openOwn()),
    forgetTombstones: (beforeMs, rowsMax) =>
      remove(
        db,
        `DELETE FROM tombstones WHERE (kind, identity) IN
           (SELECT kind, identity FROM tombstones WHERE as_of < $1 LIMIT $2)`,
        [beforeMs, rowsMax],
      ),
  }
}

function createBatches({ prepare }: Database, origin: FeedOrigin) {
  const readFound = prepareFoundReader(prepare)
  const writeChanges = prepareChangeWriter(prepare)
  const newRun = { ...origin, startedAt: formatTimestamp(new Date()) }
  let runId: number | null = null

  function decide(client: Client, records: readonly FeedRecord[]): readonly Verdict[] {
    const found = readFound(mentionsOf(records))
    const { verdicts, changes } = decideBatch(records, found, Date.now())
    writeChanges(client, changes, found.rowids)
    return verdicts
  }
  function put(client: Client, records: readonly FeedRecord[], line: number): readonly Verdict[] {
    const verdicts = decide(client, records)
    record(client, line)
    return verdicts
  }
  function record(client: Client, line: number): number {
    const [run] = client.query<{ id: number }>(...recordLine(runId, newRun, line))
    if (run === undefined) throw new Error("a run without a row")
    runId = run.id
    return runId
  }
  return {
    decide,
    put,
    finish(client: Client, outcome: RunOutcome): void {
      // An empty feed has no batch that recorded it.
      const id = runId ?? record(client, 0)
      client.query(...finishRun(id, formatTimestamp(new Date()), outcome))
      client.query(...forgetOldRuns(origin))
    },
  }
}
