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
import type { StoreUse } from "../use.ts"
import {
  countWaitingOfRun,
  countWaitingRecords,
  readWaiting,
  type WaitingCount,
} from "../waiting.ts"
import type { PoolOptions } from "./connection.ts"
import { type Client, type Database, longMsMax } from "./database.ts"
import { writeChanges } from "./feed-changes.ts"
import { listWaiting, readFound, toWrite, useIndexes } from "./feed-found.ts"
import { openJudge } from "./feed-judge.ts"
import { openSnapshot, snapshotMode } from "./snapshot.ts"

/** Any number, the same on every node: the node that holds the lock writes its feed. */
export const feedLock = 7_243_002

/** A push of a few sales does not change the statistics of the planner. */
const analyzedFromLine = 10_000

/** A push that waits longer for the lock answers 503; an import may wait for another import. */
const turnMsMax: Readonly<Record<StoreUse, number>> = { serve: 5_000, command: longMsMax }

export const feedPool: PoolOptions = {
  connectionsMax: 2,
  connectMsMax: turnMsMax.serve,
  statementMsMax: longMsMax,
  queryMsMax: longMsMax,
}

/** `feeds` is a pool of its own: a feed that waits must not block other requests. */
export function postgresFeed(db: Database, feeds: Database, use: StoreUse): FeedStore {
  /**
   * One batch at a time on all nodes: two imports that change the same rows cannot deadlock, and no
   * other feed writes between reading and writing a batch.
   */
  const takeTurn = `${useIndexes}; SET LOCAL lock_timeout = ${turnMsMax[use]};
    SELECT pg_advisory_xact_lock(${feedLock})`
  return {
    async openBatches({ source, via }) {
      const batches = createBatches({ source, via }, takeTurn)
      return {
        put: (records, line) => feeds.transactLong((client) => batches.put(client, records, line)),
        finish: (outcome) => feeds.transactLong((client) => batches.finish(client, outcome)),
        async countWaiting() {
          const [row] = await feeds.read<WaitingCount>(countWaitingOfRun, [batches.runId()])
          return row?.records ?? 0
        },
        countSecrets: batches.countSecrets,
        countOlder: (beforeMs) => countOlder(feeds.read, beforeMs),
        async removeOlder(beforeMs) {
          const deletions = await listOlder(feeds.read, beforeMs)
          const verdicts = await feeds.transactLong(async (client) => {
            const decided: (readonly Verdict[])[] = []
            for (const batch of batchesOf(deletions)) {
              decided.push((await batches.decide(client, batch)).verdicts)
            }
            return decided.flat()
          })
          return removalOf(deletions, verdicts)
        },
      }
    },
    openJudge: async () => openJudge(await feeds.beginLong("")),
    findLastRun: (source) => findLastRun(db, source),
    findRun: (id) => findRun(db, id),
    listRuns: (limit, via) => listRuns(db, limit, via),
    listLastFinishes: () => listLastFinishes(db),
    listImportCounts: (limit) => listImportCounts(db, limit),
    readWaiting: (groupsMax) => readWaiting(db, groupsMax),
    openSnapshot: async () => openSnapshot(await db.beginLong(snapshotMode)),
    forgetTombstones: (beforeMs, rowsMax) => forgetTombstones(db, beforeMs, rowsMax),
  }
}

function createBatches(origin: FeedOrigin, takeTurn: string) {
  const newRun = { ...origin, startedAt: formatTimestamp(new Date()) }
  let runId: number | null = null
  let secrets = noSecrets
  let lastLine = 0

  async function decide(
    client: Client,
    records: readonly FeedRecord[],
  ): Promise<Decision & Pick<Found, "hasWaiting">> {
    await client.query(takeTurn)
    const found = await readFound(client, mentionsOf(records), toWrite)
    const decision = await decideWithin(client, records, found)
    await writeChanges(client, decision.changes, {
      runId,
      source: origin.source,
      words: listChangedWords(found, decision.changes),
    })
    secrets = addSecrets(secrets, decision.changes)
    const { inserted } = decision.changes.waiting
    return { ...decision, hasWaiting: found.hasWaiting || inserted.length > 0 }
  }
  /** Counts those that wait only where more would. */
  async function decideWithin(
    client: Client,
    records: readonly FeedRecord[],
    found: Found,
  ): Promise<Decision> {
    const nowMs = Date.now()
    const decision = decideBatch(records, found, nowMs)
    const { inserted } = decision.changes.waiting
    if (inserted.length === 0) return decision
    const [row] = await client.query<WaitingCount>(countWaitingRecords)
    const room = waitingRecordsMax - (row?.records ?? 0)
    return inserted.length <= room ? decision : decideBatch(records, found, nowMs, room)
  }
  async function put(
    client: Client,
    records: readonly FeedRecord[],
    line: number,
  ): Promise<readonly Verdict[]> {
    await record(client, line)
    const decision = await decide(client, records)
    if (decision.hasWaiting) await release(client, decision)
    return decision.verdicts
  }
  /** Takes the records that wait for what has arrived, and those that wait for them. */
  async function release(client: Client, { changes }: Decision): Promise<void> {
    const arrivals = createArrivals(changes)
    for (let needs = arrivals.next(); needs.length > 0; needs = arrivals.next()) {
      const waiting = await listWaiting(client, needs, releasedRecords)
      arrivals.settle(waiting.length === 0 ? null : await decide(client, waiting.map(recordOf)))
    }
  }
  async function record(client: Client, line: number): Promise<number> {
    const [run] = await client.query<{ id: number }>(...recordLine(runId, newRun, line))
    if (run === undefined) throw new Error("a run without a row")
    runId = run.id
    lastLine = line
    return runId
  }
  return {
    decide,
    put,
    runId: () => runId,
    countSecrets: () => secrets,
    async finish(client: Client, outcome: RunOutcome): Promise<void> {
      // A power cut may undo it: the run is then unfinished, and its records are still kept.
      await client.query("SET LOCAL synchronous_commit = off")
      // An empty feed has no batch that recorded it.
      const id = runId ?? (await record(client, 0))
      await client.query(...finishRun(id, formatTimestamp(new Date()), outcome))
      await client.query(...forgetOldRuns(origin))
      // Without fresh statistics the planner scans tables instead of using indexes, five times slower.
      if (lastLine >= analyzedFromLine)
        await client.query("ANALYZE accounts, api_keys, items, purchases")
    },
  }
}
