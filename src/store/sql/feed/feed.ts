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
import type { FeedRecord, FeedStore, FeedWriter, Verdict } from "../../../domain/feed/feed.ts"
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
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { ask, type SqlDatabase, type Steps } from "../database.ts"
import {
  purchaseEventsOf,
  readSoldItems,
  writeEvents,
  writeEventsOfBatches,
} from "../events/write-events.ts"
import { writeChanges } from "./changes.ts"
import { type FeedTables, listWaiting, readFound } from "./found.ts"
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
import { openPurchaseCounts, recountPurchases } from "./purchase-counts.ts"
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
  /** Called for each import. */
  openTables(): FeedTables
  /** After the last of so many lines. */
  settle(lines: number): Steps<void>
  read: SqlDatabase["read"]
  /** All of the steps or none. Until they end, no other feed changes what they find. */
  change: SqlDatabase["change"]
  /** The same for what a power cut may undo. */
  changeUnsynced: SqlDatabase["changeUnsynced"]
  /** The same, but other feeds may write meanwhile. */
  finish: SqlDatabase["changeUnsynced"]
}>

export const createFeed = (
  db: SqlDatabase,
  feeds: FeedDatabase,
  { openDryRun, openSnapshot }: Pick<FeedStore, "openDryRun" | "openSnapshot">,
): FeedStore => ({
  openBatches: async ({ source, via, isQuiet = false, ...limits }) =>
    openBatches(feeds, { source, via }, isQuiet, limits),
  openDryRun,
  ...createImportRuns(db),
  readWaiting: (groupsMax) => readWaiting(db, groupsMax),
  recountPurchases: (after, accountsMax) =>
    feeds.changeUnsynced(() => recountPurchases(db, after, accountsMax)),
  openSnapshot,
  forgetTombstones: (beforeMs, rowsMax) => forgetTombstones(db, beforeMs, rowsMax),
})

function openBatches(
  { openTables, settle, read, change, finish: changeAtEnd }: FeedDatabase,
  origin: FeedOrigin,
  isQuiet: boolean,
  limits: MassGuardOptions,
): FeedWriter {
  const tables = openTables()
  const guard = openMassGuard(limits, async () => atStart(await countRecords(read)))
  const atStart = (now: KindCounts) => countBefore(now, guard.kept())
  const newRun = { ...origin, startedAt: formatTimestamp(new Date()) }
  let runId: number | null = null
  const counts = openPurchaseCounts(tables)
  let keys = 0
  let told = 0
  let lastLine = 0

  /** Adds to `made`. Its events are written as the last step of the transaction. */
  function* decide(
    records: readonly FeedRecord[],
    made: Made,
  ): Steps<Decision & Pick<Found, "hasWaiting">> {
    const found = yield* readFound(tables, mentionsOf(records))
    const decision = yield* decideWithin(records, found)
    const { changes } = decision
    made.tally = addTally(made.tally, countChanges(found, decision))
    guard.check(made.tally)
    const words = listChangedWords(found, changes)
    const isTold = found.toldSince !== null && !isQuiet
    const news = isTold ? listPurchaseNews(found, changes, found.toldSince) : []
    const ofRemoved = news.filter(({ isRemoved }) => isRemoved)
    const removed = yield* readSoldItems(tables, ofRemoved)
    yield* counts.countRemoved(changes)
    yield* writeChanges(tables, changes, { runId, source: origin.source, words })
    yield* counts.countAdded(found, changes)
    if (news.length > 0) {
      const sold = yield* readSoldItems(tables, news)
      made.events.push(purchaseEventsOf(news, new Map([...removed, ...sold])))
    }
    keys += changes.keys.inserted.length
    told += news.length
    return { ...decision, hasWaiting: found.hasWaiting || changes.waiting.inserted.length > 0 }
  }
  function* record(line: number): Steps<number> {
    const [run] = yield* ask<{ id: number }>(...recordLine(runId, newRun, line))
    if (run === undefined) throw new Error("a run without a row")
    runId = run.id
    lastLine = line
    return runId
  }
  /** Decides and writes within the limits of the run. `steps` are those of one transaction. */
  async function changeWithin<T>(
    records: readonly FeedRecord[],
    steps: (made: Made) => Steps<T>,
  ): Promise<T> {
    await guard.prepare(records)
    const before = [runId, lastLine] as const
    try {
      const [result, tally] = await change(function* () {
        const made: Made = { events: [], tally: noTally }
        const result = yield* steps(made)
        yield* writeEventsOfBatches(tables, made.events)
        return [result, made.tally] as const
      })
      guard.keep(tally)
      return result
    } catch (error) {
      // The row of a new run is rolled back with its first batch.
      ;[runId, lastLine] = before
      throw error
    }
  }
  function* put(
    records: readonly FeedRecord[],
    line: number,
    made: Made,
  ): Steps<readonly Verdict[]> {
    yield* record(line)
    const { verdicts, changes, hasWaiting } = yield* decide(records, made)
    if (hasWaiting) {
      yield* release(
        changes,
        (needs) => listWaiting(tables, needs, releasedRecords),
        (released) => decide(released, made),
      )
    }
    return verdicts
  }
  function* finish(outcome: RunOutcome, problem: string | null): Steps<void> {
    // An empty feed has no batch that recorded it.
    const id = runId ?? (yield* record(0))
    yield* counts.flush()
    const at = formatTimestamp(new Date())
    yield* ask(...finishRun(id, origin.via, at, outcome, problem))
    if (id % forgetEveryRuns === 0) yield* ask(...forgetOldRuns)
    yield* settle(lastLine)
    const failure = problem ?? outcome.removalProblem
    if (failure !== null) yield* writeEvents(tables, [failureOf(origin, at, failure)])
  }
  return {
    put: (records, line) => changeWithin(records, (made) => put(records, line, made)),
    // A power cut may undo it: the run is then unfinished, and its records are still kept.
    finish: (outcome, problem = null) => changeAtEnd(() => finish(outcome, problem)),
    async countWaiting() {
      const [row] = await read<WaitingCount>(countWaitingOfRun, [runId])
      return row?.records ?? 0
    },
    async listNeeded(max) {
      return (await read<NeededRow>(neededByRun, [runId, max])).map(toNeeded)
    },
    countKeys: () => keys,
    countNews: () => told,
    countChanges: guard.kept,
    countAgainstLimits: guard.counted,
    async countOlder(beforeMs) {
      const { totals, older } = await countOlder(read, beforeMs)
      return { totals: atStart(totals), older }
    },
    async removeOlder(beforeMs) {
      const deletions = await listOlder(read, beforeMs)
      const verdicts = await changeWithin(deletions, function* (made) {
        const decided: (readonly Verdict[])[] = []
        for (const batch of divide(deletions, batchRecords)) {
          decided.push((yield* decide(batch, made)).verdicts)
        }
        return decided.flat()
      })
      return removalOf(deletions, verdicts)
    },
  }
}

/** What one transaction has made so far. */
type Made = { events: (readonly NewEvent[])[]; tally: Tally }

/** Counts those that wait only where more would. */
function* decideWithin(records: readonly FeedRecord[], found: Found): Steps<Decision> {
  const nowMs = Date.now()
  const decision = decideBatch(records, found, nowMs)
  const { inserted } = decision.changes.waiting
  if (inserted.length === 0) return decision
  const [row] = yield* ask<WaitingCount>(countWaitingRecords)
  const room = waitingRecordsMax - (row?.records ?? 0)
  return inserted.length <= room ? decision : decideBatch(records, found, nowMs, room)
}

/** Some needs at a time: those who wait for a great many are then listed without listing all needs anew. */
const needsAtOnce = 100

/** Takes the records that wait for what has arrived, and those that wait for them. */
export function* release(
  changes: Changes,
  list: (needs: readonly Need[]) => Steps<readonly WaitingRecord[]>,
  decide: (records: readonly FeedRecord[]) => Steps<Decision>,
): Steps<void> {
  const arrived = [...arrivalsOf(changes)]
  while (arrived.length > 0) {
    const waiting = yield* list(arrived.slice(0, needsAtOnce))
    const decision = waiting.length === 0 ? null : yield* decide(waiting.map(recordOf))
    // A record that cannot be taken even now stays, and is not tried for ever.
    if (decision?.verdicts.includes(null)) arrived.push(...arrivalsOf(decision.changes))
    else arrived.splice(0, needsAtOnce)
  }
}
