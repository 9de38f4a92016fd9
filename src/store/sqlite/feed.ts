import type { FeedRecord, FeedStore, Verdict } from "../../domain/feed.ts"
import { decideBatch, mentionsOf } from "../../domain/feed-rules.ts"
import type { FeedOrigin, RunOutcome } from "../../domain/import-run.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import {
  findLastFinish,
  findLastRun,
  findRun,
  finishRun,
  forgetOldRuns,
  listImportCounts,
  listRuns,
  recordLine,
} from "../import-runs.ts"
import type { Connection } from "./connection.ts"
import type { Client, Database } from "./database.ts"
import { prepareChangeWriter } from "./feed-changes.ts"
import { prepareFoundReader } from "./feed-found.ts"
import { openJudge } from "./feed-judge.ts"
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
      }
    },
    openJudge: async () => openJudge(openOwn()),
    findLastRun: (source) => findLastRun(db, source),
    findRun: (id) => findRun(db, id),
    listRuns: (limit) => listRuns(db, limit),
    findLastFinish: () => findLastFinish(db),
    listImportCounts: (limit) => listImportCounts(db, limit),
    openSnapshot: async () => openSnapshot(openOwn()),
  }
}

function createBatches({ prepare }: Database, origin: FeedOrigin) {
  const readFound = prepareFoundReader(prepare)
  const writeChanges = prepareChangeWriter(prepare)
  const newRun = { ...origin, startedAt: formatTimestamp(new Date()) }
  let runId: number | null = null

  function put(client: Client, records: readonly FeedRecord[], line: number): readonly Verdict[] {
    const found = readFound(mentionsOf(records))
    const { verdicts, changes } = decideBatch(records, found)
    writeChanges(client, changes, found.rowids)
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
    put,
    finish(client: Client, outcome: RunOutcome): void {
      // An empty feed has no batch that recorded it.
      const id = runId ?? record(client, 0)
      client.query(...finishRun(id, formatTimestamp(new Date()), outcome))
      client.query(...forgetOldRuns(origin))
    },
  }
}
