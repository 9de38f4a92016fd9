/** Writes feeds, for every database: what a batch mentions is read, decided and written in one transaction. */

import {
  arrivalsOf,
  type ChangedWords,
  type Changes,
  type Decision,
  type Found,
  listChangedWords,
  recordOf,
} from "../../../domain/feed/batch.ts"
import {
  type FeedRecord,
  type FeedStore,
  type FeedWriter,
  noSecrets,
  type Verdict,
} from "../../../domain/feed/feed.ts"
import type { FeedOrigin, RunOutcome } from "../../../domain/feed/import-run.ts"
import { type Mentions, mentionsOf } from "../../../domain/feed/mentions.ts"
import { decideBatch } from "../../../domain/feed/rules.ts"
import { addSecrets } from "../../../domain/feed/secrets.ts"
import {
  type Need,
  releasedRecords,
  type WaitingRecord,
  waitingRecordsMax,
} from "../../../domain/feed/waiting-record.ts"
import { formatTimestamp } from "../../../domain/values/time/timestamp.ts"
import { ask, type SqlDatabase, type Steps, type Value } from "../database.ts"
import {
  findLastRun,
  findRun,
  finishRun,
  forgetOldRuns,
  listImportCounts,
  listLastFinishes,
  listRuns,
  recordLine,
} from "./import-runs.ts"
import { batchesOf, countOlder, forgetTombstones, listOlder, removalOf } from "./older-records.ts"
import {
  countWaitingOfRun,
  countWaitingRecords,
  readWaiting,
  type WaitingCount,
} from "./waiting.ts"

/** What each database reads and writes in its own way. `V`: the values that it takes. */
export type FeedTables<F extends Found, V> = Readonly<{
  /** Until the transaction ends, no other feed changes what was found. */
  readFound(mentions: Mentions): Steps<F, V>
  writeChanges(changes: Changes, found: F, writing: Writing): Steps<void, V>
  /** At most `limit` records that wait for one of these. */
  listWaiting(needs: readonly Need[], limit: number): Steps<readonly WaitingRecord[], V>
  /** After the last of so many lines. */
  settle(lines: number): Steps<void, V>
}>

export type Writing = Readonly<{
  /** The import that records wait since; null for one that lets none wait. */
  runId: number | null
  /** Of the feed. */
  source: string
  words: ChangedWords
}>

/** SQL conditions for rows `i` and `p` that an earlier batch of a dry run changed: their state no longer counts. */
export type Outdated = Readonly<{ item: string; purchase: string }>
export const nothingOutdated: Outdated = { item: "false", purchase: "false" }

export type FeedDatabase<F extends Found, V> = Readonly<{
  /** Called for each import. */
  openTables(): FeedTables<F, V>
  read: SqlDatabase["read"]
  /** All of the steps or none. */
  change<T>(steps: () => Steps<T, V | Value>): Promise<T>
  /** The same for what a power cut may undo. */
  changeUnsynced<T>(steps: () => Steps<T, V | Value>): Promise<T>
}>

export const createFeed = <F extends Found, V>(
  db: SqlDatabase,
  feeds: FeedDatabase<F, V>,
  { openDryRun, openSnapshot }: Pick<FeedStore, "openDryRun" | "openSnapshot">,
): FeedStore => ({
  openBatches: async ({ source, via }) => openBatches(feeds, { source, via }),
  openDryRun,
  findLastRun: (source) => findLastRun(db, source),
  findRun: (id) => findRun(db, id),
  listRuns: (limit, via) => listRuns(db, limit, via),
  listLastFinishes: () => listLastFinishes(db),
  listImportCounts: (limit) => listImportCounts(db, limit),
  readWaiting: (groupsMax) => readWaiting(db, groupsMax),
  openSnapshot,
  forgetTombstones: (beforeMs, rowsMax) => forgetTombstones(db, beforeMs, rowsMax),
})

function openBatches<F extends Found, V>(
  { openTables, read, change, changeUnsynced }: FeedDatabase<F, V>,
  origin: FeedOrigin,
): FeedWriter {
  const tables = openTables()
  const newRun = { ...origin, startedAt: formatTimestamp(new Date()) }
  let runId: number | null = null
  let secrets = noSecrets
  let lastLine = 0

  type Stepped<T> = Steps<T, V | Value>

  function* decide(records: readonly FeedRecord[]): Stepped<Decision & Pick<Found, "hasWaiting">> {
    const found = yield* tables.readFound(mentionsOf(records))
    const decision = yield* decideWithin(records, found)
    const { changes } = decision
    const words = listChangedWords(found, changes)
    yield* tables.writeChanges(changes, found, { runId, source: origin.source, words })
    secrets = addSecrets(secrets, changes)
    return { ...decision, hasWaiting: found.hasWaiting || changes.waiting.inserted.length > 0 }
  }
  function* record(line: number): Stepped<number> {
    const [run] = yield* ask<{ id: number }>(...recordLine(runId, newRun, line))
    if (run === undefined) throw new Error("a run without a row")
    runId = run.id
    lastLine = line
    return runId
  }
  function* put(records: readonly FeedRecord[], line: number): Stepped<readonly Verdict[]> {
    yield* record(line)
    const { verdicts, changes, hasWaiting } = yield* decide(records)
    if (hasWaiting) {
      yield* release(changes, (needs) => tables.listWaiting(needs, releasedRecords), decide)
    }
    return verdicts
  }
  function* finish(outcome: RunOutcome): Stepped<void> {
    // An empty feed has no batch that recorded it.
    const id = runId ?? (yield* record(0))
    yield* ask(...finishRun(id, formatTimestamp(new Date()), outcome))
    yield* ask(...forgetOldRuns(origin))
    yield* tables.settle(lastLine)
  }
  return {
    put: (records, line) => change(() => put(records, line)),
    // A power cut may undo it: the run is then unfinished, and its records are still kept.
    finish: (outcome) => changeUnsynced(() => finish(outcome)),
    async countWaiting() {
      const [row] = await read<WaitingCount>(countWaitingOfRun, [runId])
      return row?.records ?? 0
    },
    countSecrets: () => secrets,
    countOlder: (beforeMs) => countOlder(read, beforeMs),
    async removeOlder(beforeMs) {
      const deletions = await listOlder(read, beforeMs)
      const verdicts = await change(function* () {
        const decided: (readonly Verdict[])[] = []
        for (const batch of batchesOf(deletions)) decided.push((yield* decide(batch)).verdicts)
        return decided.flat()
      })
      return removalOf(deletions, verdicts)
    },
  }
}

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
export function* release<V>(
  changes: Changes,
  list: (needs: readonly Need[]) => Steps<readonly WaitingRecord[], V>,
  decide: (records: readonly FeedRecord[]) => Steps<Decision, V>,
): Steps<void, V> {
  const arrived = [...arrivalsOf(changes)]
  while (arrived.length > 0) {
    const waiting = yield* list(arrived.slice(0, needsAtOnce))
    const decision = waiting.length === 0 ? null : yield* decide(waiting.map(recordOf))
    // A record that cannot be taken even now stays, and is not tried for ever.
    if (decision?.verdicts.includes(null)) arrived.push(...arrivalsOf(decision.changes))
    else arrived.splice(0, needsAtOnce)
  }
}
