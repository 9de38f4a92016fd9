import { type FeedRecord, type FeedStore, noSecrets, type Verdict } from "../../domain/feed.ts"
import { createArrivals, recordOf } from "../../domain/feed-arrivals.ts"
import { mentionsOf } from "../../domain/feed-mentions.ts"
import { type Decision, decideBatch, type Found } from "../../domain/feed-rules.ts"
import { addSecrets } from "../../domain/feed-secrets.ts"
import { listChangedWords } from "../../domain/feed-words.ts"
import type { FeedOrigin, RunOutcome } from "../../domain/import-run.ts"
import { formatTimestamp } from "../../domain/timestamp.ts"
import { releasedRecords, waitingRecordsMax } from "../../domain/waiting-record.ts"
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
import { batchesOf, countOlder, forgetTombstones, listOlder, removalOf } from "../older-records.ts"
import {
  countWaitingOfRun,
  countWaitingRecords,
  readWaiting,
  type WaitingCount,
} from "../waiting.ts"
import type { Connection } from "./connection.ts"
import type { Client, Database } from "./database.ts"
import { prepareChangeWriter } from "./feed-changes.ts"
import { prepareFoundReader, prepareWaitingList } from "./feed-found.ts"
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
        async countWaiting() {
          const [row] = await db.read<WaitingCount>(countWaitingOfRun, [batches.runId()])
          return row?.records ?? 0
        },
        countSecrets: batches.countSecrets,
        countOlder: (beforeMs) => countOlder(db.read, beforeMs),
        async removeOlder(beforeMs) {
          const deletions = await listOlder(db.read, beforeMs)
          const verdicts = await db.transact((client) =>
            [...batchesOf(deletions)].flatMap((batch) => batches.decide(client, batch).verdicts),
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
    readWaiting: (groupsMax) => readWaiting(db, groupsMax),
    openSnapshot: async () => openSnapshot(openOwn()),
    forgetTombstones: (beforeMs, rowsMax) => forgetTombstones(db, beforeMs, rowsMax),
  }
}

type HasWaiting = Pick<Found, "hasWaiting">

function createBatches({ prepare }: Database, origin: FeedOrigin) {
  const readFound = prepareFoundReader(prepare)
  const writeChanges = prepareChangeWriter(prepare)
  const listWaiting = prepareWaitingList(prepare)
  const newRun = { ...origin, startedAt: formatTimestamp(new Date()) }
  let runId: number | null = null
  let secrets = noSecrets

  function decide(client: Client, records: readonly FeedRecord[]): Decision & HasWaiting {
    const found = readFound(mentionsOf(records))
    const decision = decideWithin(client, records, found)
    writeChanges(client, decision.changes, {
      rowids: found.rowids,
      runId,
      source: origin.source,
      words: listChangedWords(found, decision.changes),
    })
    secrets = addSecrets(secrets, decision.changes)
    const { inserted } = decision.changes.waiting
    return { ...decision, hasWaiting: found.hasWaiting || inserted.length > 0 }
  }
  /** Counts those that wait only where more would. */
  function decideWithin(client: Client, records: readonly FeedRecord[], found: Found): Decision {
    const nowMs = Date.now()
    const decision = decideBatch(records, found, nowMs)
    const { inserted } = decision.changes.waiting
    if (inserted.length === 0) return decision
    const [row] = client.query<WaitingCount>(countWaitingRecords)
    const room = waitingRecordsMax - (row?.records ?? 0)
    return inserted.length <= room ? decision : decideBatch(records, found, nowMs, room)
  }
  function put(client: Client, records: readonly FeedRecord[], line: number): readonly Verdict[] {
    record(client, line)
    const decision = decide(client, records)
    if (decision.hasWaiting) release(client, decision)
    return decision.verdicts
  }
  /** Takes the records that wait for what has arrived, and those that wait for them. */
  function release(client: Client, { changes }: Decision): void {
    const arrivals = createArrivals(changes)
    for (let needs = arrivals.next(); needs.length > 0; needs = arrivals.next()) {
      const waiting = listWaiting(needs, releasedRecords)
      arrivals.settle(waiting.length === 0 ? null : decide(client, waiting.map(recordOf)))
    }
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
    runId: () => runId,
    countSecrets: () => secrets,
    finish(client: Client, outcome: RunOutcome): void {
      // An empty feed has no batch that recorded it.
      const id = runId ?? record(client, 0)
      client.query(...finishRun(id, formatTimestamp(new Date()), outcome))
      client.query(...forgetOldRuns(origin))
    },
  }
}
