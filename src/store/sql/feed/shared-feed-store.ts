/** Imports feeds. Each batch is read, decided and written in one transaction. */

import type { NewEvent } from "../../../domain/events/event.ts"
import {
  arrivalsOf,
  type Changes,
  type Decision,
  type ExistingRecords,
  listOverriddenChanges,
  recordOf,
} from "../../../domain/feed/batch.ts"
import {
  addTally,
  countBefore,
  countChanges,
  type KindCounts,
  listPurchaseChanges,
  type MassGuardOptions,
  noTally,
  openMassGuard,
  type Tally,
} from "../../../domain/feed/batch-changes.ts"
import { decideBatch } from "../../../domain/feed/batch-rules.ts"
import {
  type FeedRecord,
  pendingRecordsMax,
  releasedRecords,
  type Verdict,
} from "../../../domain/feed/feed-record.ts"
import type {
  DryRun,
  FeedOrigin,
  FeedStore,
  FeedWriter,
  RunOutcome,
} from "../../../domain/feed/feed-store.ts"
import { mentionsOf } from "../../../domain/feed/mentions.ts"
import { chunk } from "../../../domain/values/chunk.ts"
import type { Message } from "../../../domain/values/problems/problem.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import {
  purchaseEventsOf,
  readSoldItems,
  writeEvents,
  writeEventsOfBatches,
} from "../events/write-events.ts"
import type { Query, SqlDatabase, Transaction } from "../sql-database.ts"
import { listPendingRecords, readExistingRecords } from "./existing-records.ts"
import {
  createImportRuns,
  deleteOldRuns,
  failureOf,
  finishRun,
  recordLine,
  runsPerCleanup,
} from "./import-run-store.ts"
import {
  batchRecords,
  countOlder,
  countRecords,
  deleteOldTombstones,
  listOlder,
  removalOf,
} from "./older-records.ts"
import { type NeededRow, neededByRun, readPending, toNeeded } from "./pending-queries.ts"
import { writeChanges } from "./write-changes.ts"

export type FeedDatabase = Readonly<{
  read: SqlDatabase["read"]
  /** No other feed writes until the transaction ends. */
  transaction: SqlDatabase["transaction"]
  /** Called in the last transaction with the number of lines. */
  complete(tx: Transaction, lines: number): Promise<void>
}>

/** One transaction, or a copy of the database. `close` discards all changes. */
export type DryRunDatabase = Transaction &
  Readonly<{
    /** For a query that reads every row. */
    scan: Query
    close(): Promise<void>
  }>

export const createFeedStore = (
  db: SqlDatabase,
  feeds: FeedDatabase,
  openDryRunDatabase: () => Promise<DryRunDatabase>,
  openSnapshot: FeedStore["openSnapshot"],
): FeedStore => ({
  openBatches: async ({ source, via, isQuiet = false, ...limits }) =>
    openBatches(feeds, { source, via }, isQuiet, limits),
  openDryRun: async (limits = {}) => openDryRun(await openDryRunDatabase(), limits),
  ...createImportRuns(db),
  readPending: (groupsMax) => readPending(db, groupsMax),
  openSnapshot,
  deleteOldTombstones: (beforeMs, rowsMax) => deleteOldTombstones(db, beforeMs, rowsMax),
})

/** Imports without locking rows, without recording a run and without events. */
function openDryRun(db: DryRunDatabase, limits: MassGuardOptions): DryRun {
  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await db.query("SAVEPOINT batch")
    try {
      const result = await work(db)
      await db.query("RELEASE SAVEPOINT batch")
      return result
    } catch (error) {
      // A broken connection is already rolled back.
      await db.query("ROLLBACK TO SAVEPOINT batch").catch(() => {})
      throw error
    }
  }
  const feeds = { read: db.scan, transaction, complete: async () => {} }
  const writer = openBatches(feeds, { source: "dry run", via: "file" }, true, limits, true)
  return { ...writer, countKeys: () => 0, async finish() {}, close: db.close }
}

function openBatches(
  { read, transaction, complete }: FeedDatabase,
  origin: FeedOrigin,
  isQuiet: boolean,
  limits: MassGuardOptions,
  isDryRun = false,
): FeedWriter {
  const guard = openMassGuard(limits, async () => atStart(await countRecords(read)))
  const atStart = (now: KindCounts) => countBefore(now, guard.kept())
  const newRun = { ...origin, startedAt: formatTimestamp(new Date()) }
  let runId: number | null = null
  let keys = 0
  let lastLine = 0

  /** Adds to `batch`. Its events are written as the last step of the transaction. */
  async function decide(
    tx: Transaction,
    records: readonly FeedRecord[],
    batch: BatchResult,
  ): Promise<Decision & Pick<ExistingRecords, "hasPending">> {
    const found = await readExistingRecords(tx, mentionsOf(records), !isDryRun)
    const decision = await decideWithin(tx, records, found)
    const { changes } = decision
    batch.tally = addTally(batch.tally, countChanges(found, decision))
    guard.check(batch.tally)
    const overridden = listOverriddenChanges(found, changes)
    const hasListeners = found.oldestEndpointAt !== null && !isQuiet
    const purchaseChanges = hasListeners
      ? listPurchaseChanges(found, changes, found.oldestEndpointAt)
      : []
    const deleted = purchaseChanges.filter(({ isRemoved }) => isRemoved)
    const removed = await readSoldItems(tx, deleted)
    // A dry run does not need the versions of lists, and their rows would stay locked.
    const written = isDryRun ? { ...changes, changedLists: new Set<string>() } : changes
    await writeChanges(tx, written, { runId, source: origin.source, overridden })
    if (purchaseChanges.length > 0) {
      const sold = await readSoldItems(tx, purchaseChanges)
      batch.events.push(purchaseEventsOf(purchaseChanges, new Map([...removed, ...sold])))
    }
    batch.keys += changes.keys.inserted.length
    return { ...decision, hasPending: found.hasPending || changes.pending.inserted.length > 0 }
  }
  async function record(tx: Transaction, line: number): Promise<number> {
    const [run] = await tx.query<{ id: number }>(...recordLine(runId, newRun, line))
    if (run === undefined) throw new Error("recording the import run returned no row")
    return run.id
  }
  async function changeWithin<T>(
    records: readonly FeedRecord[],
    work: (tx: Transaction, batch: BatchResult) => Promise<T>,
  ): Promise<T> {
    await guard.prepare(records)
    const before = [runId, lastLine] as const
    try {
      const [result, batch] = await transaction(async (tx) => {
        // A retry of the first batch must insert the row of the run again.
        ;[runId, lastLine] = before
        const batch: BatchResult = { events: [], tally: noTally, keys: 0 }
        const result = await work(tx, batch)
        await writeEventsOfBatches(tx, batch.events)
        return [result, batch] as const
      })
      guard.keep(batch.tally)
      keys += batch.keys
      return result
    } catch (error) {
      ;[runId, lastLine] = before
      throw error
    }
  }
  async function put(
    tx: Transaction,
    records: readonly FeedRecord[],
    line: number,
    batch: BatchResult,
  ): Promise<readonly Verdict[]> {
    runId = await record(tx, line)
    lastLine = line
    const { verdicts, changes, hasPending } = await decide(tx, records, batch)
    if (hasPending) await release(tx, changes, batch)
    return verdicts
  }
  /** Imports the pending records that need the new records, then those that need them. */
  async function release(tx: Transaction, changes: Changes, batch: BatchResult): Promise<void> {
    const arrived = [...arrivalsOf(changes)]
    while (arrived.length > 0) {
      const needs = arrived.slice(0, needsPerQuery)
      const pending = await listPendingRecords(tx, needs, releasedRecords)
      const decision = pending.length === 0 ? null : await decide(tx, pending.map(recordOf), batch)
      // A record that is still rejected stays pending and is not retried.
      if (decision?.verdicts.includes(null)) arrived.push(...arrivalsOf(decision.changes))
      else arrived.splice(0, needsPerQuery)
    }
  }
  async function finish(
    tx: Transaction,
    outcome: RunOutcome,
    problem: Message | null,
  ): Promise<void> {
    // An empty feed has no batch that inserted the run.
    const id = runId ?? (await record(tx, 0))
    const at = formatTimestamp(new Date())
    await tx.query(...finishRun(id, at, outcome, problem))
    if (id % runsPerCleanup === 0) await tx.query(...deleteOldRuns)
    await complete(tx, lastLine)
    const failure = problem ?? outcome.removalProblem
    if (failure !== null) await writeEvents(tx, [failureOf(origin, at, failure)])
  }
  return {
    put: (records, line) => changeWithin(records, (tx, batch) => put(tx, records, line, batch)),
    finish: (outcome, problem = null) => transaction((tx) => finish(tx, outcome, problem)),
    async countPending() {
      const count = "SELECT count(*) AS records FROM waiting WHERE run_id = $1"
      const [row] = await read<{ records: number }>(count, [runId])
      return row?.records ?? 0
    },
    async listNeeded(max) {
      return (await read<NeededRow>(neededByRun, [runId, max])).map(toNeeded)
    },
    countKeys: () => keys,
    countChanges: guard.kept,
    countAgainstLimits: guard.counted,
    async countOlder(beforeMs) {
      const { totals, older } = await countOlder(read, beforeMs)
      return { totals: atStart(totals), older }
    },
    async removeOlder(beforeMs) {
      const deletions = await listOlder(read, beforeMs)
      const verdicts = await changeWithin(deletions, async (tx, batch) => {
        const decided: (readonly Verdict[])[] = []
        for (const some of chunk(deletions, batchRecords)) {
          decided.push((await decide(tx, some, batch)).verdicts)
        }
        return decided.flat()
      })
      return removalOf(deletions, verdicts)
    },
  }
}

type BatchResult = { events: (readonly NewEvent[])[]; tally: Tally; keys: number }

/** Counts pending records only if the batch adds some. */
async function decideWithin(
  tx: Transaction,
  records: readonly FeedRecord[],
  found: ExistingRecords,
): Promise<Decision> {
  const nowMs = Date.now()
  const decision = decideBatch(records, found, nowMs)
  const { inserted } = decision.changes.pending
  if (inserted.length === 0) return decision
  const count = "SELECT count(*) AS records FROM waiting"
  const [row] = await tx.query<{ records: number }>(count)
  const room = pendingRecordsMax - (row?.records ?? 0)
  return inserted.length <= room ? decision : decideBatch(records, found, nowMs, room)
}

/** Bounds the repeated queries while many records need the same record. */
const needsPerQuery = 100
