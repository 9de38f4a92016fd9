/** Writes feeds, for every database: what a batch mentions is read, decided and written in one transaction. */

import type { NewEvent } from "../../../domain/events/event.ts"
import {
  arrivalsOf,
  type Changes,
  type Decision,
  type Found,
  listChangedWords,
  recordOf,
} from "../../../domain/feed/batch.ts"
import { countChanges } from "../../../domain/feed/count-changes.ts"
import type {
  DryRun,
  FeedRecord,
  FeedStore,
  FeedWriter,
  Verdict,
} from "../../../domain/feed/feed.ts"
import type { FeedOrigin, RunOutcome } from "../../../domain/feed/import-run.ts"
import type { MassGuardOptions } from "../../../domain/feed/mass-changes.ts"
import { openMassGuard } from "../../../domain/feed/mass-guard.ts"
import { mentionsOf } from "../../../domain/feed/mentions.ts"
import { listPurchaseNews } from "../../../domain/feed/purchase-news.ts"
import { decideBatch } from "../../../domain/feed/rules.ts"
import {
  addTally,
  countBefore,
  type KindCounts,
  noTally,
  type Tally,
} from "../../../domain/feed/tally.ts"
import {
  type Need,
  releasedRecords,
  type WaitingRecord,
  waitingRecordsMax,
} from "../../../domain/feed/waiting-record.ts"
import { divide } from "../../../domain/values/divide.ts"
import type { Message } from "../../../domain/values/problems/problem.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import type { Query, SqlDatabase, Transaction } from "../database.ts"
import {
  purchaseEventsOf,
  readSoldItems,
  writeEvents,
  writeEventsOfBatches,
} from "../events/write-events.ts"
import { writeChanges } from "./changes.ts"
import { listWaiting, readFound } from "./found.ts"
import {
  createImportRuns,
  failureOf,
  finishRun,
  forgetEveryRuns,
  forgetOldRuns,
  recordLine,
} from "./import-runs.ts"
import {
  batchRecords,
  countOlder,
  countRecords,
  forgetTombstones,
  listOlder,
  removalOf,
} from "./older-records.ts"
import {
  countWaitingOfRun,
  countWaitingRecords,
  type NeededRow,
  neededByRun,
  readWaiting,
  toNeeded,
  type WaitingCount,
} from "./waiting.ts"

export type FeedDatabase = Readonly<{
  read: SqlDatabase["read"]
  /** No other feed writes until the transaction ends. */
  transaction: SqlDatabase["transaction"]
  /** Called in the last transaction, with the number of lines. */
  settle(tx: Transaction, lines: number): Promise<void>
}>

/** One transaction, or a copy of the database: `close` throws every change away. */
export type DryRunDatabase = Transaction &
  Readonly<{
    /** For a query that reads every row. */
    scan: Query
    close(): Promise<void>
  }>

export const createFeed = (
  db: SqlDatabase,
  feeds: FeedDatabase,
  openDryRunDatabase: () => Promise<DryRunDatabase>,
  openSnapshot: FeedStore["openSnapshot"],
): FeedStore => ({
  openBatches: async ({ source, via, isQuiet = false, ...limits }) =>
    openBatches(feeds, { source, via }, isQuiet, limits),
  openDryRun: async (limits = {}) => openDryRun(await openDryRunDatabase(), limits),
  ...createImportRuns(db),
  readWaiting: (groupsMax) => readWaiting(db, groupsMax),
  openSnapshot,
  forgetTombstones: (beforeMs, rowsMax) => forgetTombstones(db, beforeMs, rowsMax),
})

/** The writer of an import, without locks on what is only read, and without a run of its own. */
function openDryRun(db: DryRunDatabase, limits: MassGuardOptions): DryRun {
  async function transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    await db.query("SAVEPOINT batch")
    try {
      const result = await work(db)
      await db.query("RELEASE SAVEPOINT batch")
      return result
    } catch (error) {
      // A connection that broke has rolled back already.
      await db.query("ROLLBACK TO SAVEPOINT batch").catch(() => {})
      throw error
    }
  }
  const feeds = { read: db.scan, transaction, settle: async () => {} }
  const writer = openBatches(feeds, { source: "dry run", via: "file" }, true, limits, true)
  return { ...writer, countKeys: () => 0, async finish() {}, close: db.close }
}

function openBatches(
  { read, transaction, settle }: FeedDatabase,
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

  /** Adds to `made`. Its events are written as the last step of the transaction. */
  async function decide(
    tx: Transaction,
    records: readonly FeedRecord[],
    made: Made,
  ): Promise<Decision & Pick<Found, "hasWaiting">> {
    const found = await readFound(tx, mentionsOf(records), !isDryRun)
    const decision = await decideWithin(tx, records, found)
    const { changes } = decision
    made.tally = addTally(made.tally, countChanges(found, decision))
    guard.check(made.tally)
    const words = listChangedWords(found, changes)
    const isTold = found.toldSince !== null && !isQuiet
    const news = isTold ? listPurchaseNews(found, changes, found.toldSince) : []
    const ofRemoved = news.filter(({ isRemoved }) => isRemoved)
    const removed = await readSoldItems(tx, ofRemoved)
    // No verdict depends on the version of a list, and its row would stay locked.
    const written = isDryRun ? { ...changes, changedLists: new Set<string>() } : changes
    await writeChanges(tx, written, { runId, source: origin.source, words })
    if (news.length > 0) {
      const sold = await readSoldItems(tx, news)
      made.events.push(purchaseEventsOf(news, new Map([...removed, ...sold])))
    }
    made.keys += changes.keys.inserted.length
    return { ...decision, hasWaiting: found.hasWaiting || changes.waiting.inserted.length > 0 }
  }
  async function record(tx: Transaction, line: number): Promise<number> {
    const [run] = await tx.query<{ id: number }>(...recordLine(runId, newRun, line))
    if (run === undefined) throw new Error("a run without a row")
    return run.id
  }
  /** Decides and writes in one transaction, within the limits of the run. */
  async function changeWithin<T>(
    records: readonly FeedRecord[],
    work: (tx: Transaction, made: Made) => Promise<T>,
  ): Promise<T> {
    await guard.prepare(records)
    const before = [runId, lastLine] as const
    try {
      const [result, made] = await transaction(async (tx) => {
        // The row of a new run is rolled back with its first batch, which may run again.
        ;[runId, lastLine] = before
        const made: Made = { events: [], tally: noTally, keys: 0 }
        const result = await work(tx, made)
        await writeEventsOfBatches(tx, made.events)
        return [result, made] as const
      })
      guard.keep(made.tally)
      keys += made.keys
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
    made: Made,
  ): Promise<readonly Verdict[]> {
    runId = await record(tx, line)
    lastLine = line
    const { verdicts, changes, hasWaiting } = await decide(tx, records, made)
    if (hasWaiting) {
      await release(
        changes,
        (needs) => listWaiting(tx, needs, releasedRecords),
        (released) => decide(tx, released, made),
      )
    }
    return verdicts
  }
  async function finish(
    tx: Transaction,
    outcome: RunOutcome,
    problem: Message | null,
  ): Promise<void> {
    // An empty feed has no batch that recorded it.
    const id = runId ?? (await record(tx, 0))
    const at = formatTimestamp(new Date())
    await tx.query(...finishRun(id, at, outcome, problem))
    if (id % forgetEveryRuns === 0) await tx.query(...forgetOldRuns)
    await settle(tx, lastLine)
    const failure = problem ?? outcome.removalProblem
    if (failure !== null) await writeEvents(tx, [failureOf(origin, at, failure)])
  }
  return {
    put: (records, line) => changeWithin(records, (tx, made) => put(tx, records, line, made)),
    finish: (outcome, problem = null) => transaction((tx) => finish(tx, outcome, problem)),
    async countWaiting() {
      const [row] = await read<WaitingCount>(countWaitingOfRun, [runId])
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
      const verdicts = await changeWithin(deletions, async (tx, made) => {
        const decided: (readonly Verdict[])[] = []
        for (const batch of divide(deletions, batchRecords)) {
          decided.push((await decide(tx, batch, made)).verdicts)
        }
        return decided.flat()
      })
      return removalOf(deletions, verdicts)
    },
  }
}

/** What one transaction has made so far. */
type Made = { events: (readonly NewEvent[])[]; tally: Tally; keys: number }

/** Counts those that wait only where more would. */
async function decideWithin(
  tx: Transaction,
  records: readonly FeedRecord[],
  found: Found,
): Promise<Decision> {
  const nowMs = Date.now()
  const decision = decideBatch(records, found, nowMs)
  const { inserted } = decision.changes.waiting
  if (inserted.length === 0) return decision
  const [row] = await tx.query<WaitingCount>(countWaitingRecords)
  const room = waitingRecordsMax - (row?.records ?? 0)
  return inserted.length <= room ? decision : decideBatch(records, found, nowMs, room)
}

/** Some needs at a time: those who wait for a great many are then listed without listing all needs anew. */
const needsAtOnce = 100

/** Takes the records that wait for what has arrived, and those that wait for them. */
async function release(
  changes: Changes,
  list: (needs: readonly Need[]) => Promise<readonly WaitingRecord[]>,
  decide: (records: readonly FeedRecord[]) => Promise<Decision>,
): Promise<void> {
  const arrived = [...arrivalsOf(changes)]
  while (arrived.length > 0) {
    const waiting = await list(arrived.slice(0, needsAtOnce))
    const decision = waiting.length === 0 ? null : await decide(waiting.map(recordOf))
    // A record that cannot be taken even now stays, and is not tried for ever.
    if (decision?.verdicts.includes(null)) arrived.push(...arrivalsOf(decision.changes))
    else arrived.splice(0, needsAtOnce)
  }
}
