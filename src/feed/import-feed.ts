/** Bytes → lines → records → batches in the store. */
import type {
  FeedSecrets,
  FeedStore,
  FeedWriter,
  Quiet,
  Verdict,
} from "../domain/feed/feed-record.ts"
import {
  type FeedOrigin,
  noCounts,
  noRemarks,
  type RunOutcome,
  type RunRemarks,
} from "../domain/feed/import-run.ts"
import { type MassLimits, standardLimits, TooManyChanges } from "../domain/feed/mass-changes.ts"
import type { Needed } from "../domain/feed/pending-record.ts"
import { sumOf, type Tally } from "../domain/feed/tally.ts"
import { type Allowance, isWithin } from "../domain/values/allowance.ts"
import type { Message } from "../domain/values/problems/problem.ts"
import type { TimeZone } from "../domain/values/time/local-time.ts"
import { withTimeout } from "../domain/values/time/timers.ts"
import { untilNextTurn } from "../domain/values/work-queue.ts"
import { createFullSync, type FullSyncOptions } from "./full-sync.ts"
import { createLineSplitter, type Line } from "./lines/split-lines.ts"
import { type ChooseAsOf, findShortIdentity, type ParsedLine, parseLine } from "./parse-line.ts"
import {
  createRejectionGroups,
  type DefaultedLine,
  type RejectedLine,
  type RejectionGroups,
} from "./rejection-groups.ts"

export type FeedImport = FeedOrigin &
  Quiet &
  Readonly<{
    feed: FeedStore
    secrets: FeedSecrets
    bytes: AsyncIterable<Uint8Array>
    /** `batches` keeps the good lines; `dry run` nothing. */
    mode: "batches" | "dry run"
    /** Where times without a zone are read; they are rejected if left out. */
    timeZone?: TimeZone | null
    chooseAsOf: ChooseAsOf
    /** For a feed that is everything; null for any other. */
    fullSync: FullSyncOptions | null
    /** So many refused lines are no trouble; none if left out. */
    rejectedMax?: Allowance
    /** How many records it may delete and revoke; the standard limits if left out. */
    limits?: MassLimits
    batchRecords: number
    /** In the order of the lines. `bytes` are those of the line; null for one that was too long to be kept. */
    onRejected: (refused: RejectedLine, bytes: Uint8Array | null) => void
    onDefaulted: (defaulted: DefaultedLine) => void
    onProgress: (progress: FeedProgress) => void
  }>

export type FeedProgress = Readonly<{
  accepted: number
  rejected: number
  removed: number
  bytes: number
  /** API keys that it added; none in a dry run. */
  keys: number
}>

/** In whole seconds; null if no record was ahead. */
const describeAhead = ({ records, ms }: Tally["ahead"]): RunRemarks["ahead"] =>
  records === 0 ? null : { records, seconds: Math.round(ms / 1000) }

/**
 * `outdated`: accepted records that changed nothing, because the store has newer states of them. `defaulted`:
 * accepted records with members that could not be taken.
 */
type RareCounts = Readonly<{ outdated: number; defaulted: number }>
type OptionalCounts = RareCounts & Pick<RunRemarks, "ahead" | "repeated">
type FeedOutcome = RunOutcome &
  RareCounts &
  Readonly<{
    /** Why it was stopped for too many changes; null if it was not. The batches before that are kept. */
    stopped: Message | null
    /** The missing accounts and items, the most needed first. */
    needed: readonly Needed[]
    lastLine: number
  }>

/** More do not fit on a screen. */
const neededListedMax = 10
const repeatedListedMax = 5

/** A summary has these members only where there are any. */
export const optionalSummaryFields = ({
  outdated,
  defaulted,
  ahead,
  repeated,
}: OptionalCounts) => ({
  ...(outdated > 0 ? { outdated } : {}),
  ...(defaulted > 0 ? { defaulted } : {}),
  ...(ahead === null ? {} : { ahead }),
  ...(repeated === null ? {} : { repeated: repeated.records }),
})

/** A batch from a slow pipe is written after this time, however small it is. */
const idleMs = 100

/** A batch is also full at this size, so that long lines do not use more memory. */
const batchBytesMax = 4 * 1024 ** 2

/** A third of a millisecond of checking, then the write under way gets a turn. */
const linesPerTurn = 32

export async function importFeed(options: FeedImport): Promise<FeedOutcome> {
  const { feed, source, via, isQuiet, limits } = options
  // A push is no repetition of the one before it.
  const last = via === "push" ? null : await feed.findLastRun(source)
  const guarded = { limits, before: last?.outcome?.stoppedAt ?? undefined }
  if (options.mode === "batches") {
    return run(options, await feed.openBatches({ source, via, isQuiet, ...guarded }))
  }
  const dryRun = await feed.openDryRun(guarded)
  try {
    return await run(options, dryRun)
  } finally {
    await dryRun.close()
  }
}

type StrictImport = Omit<FeedImport, "bytes" | "mode"> &
  Readonly<{
    /** Called twice: the whole feed is judged before the first line of it is written. */
    readBytes: () => AsyncIterable<Uint8Array>
  }>

/**
 * Without `isApplied` a line, the removal or too many changes were refused and nothing was written. With it, a refused line was good
 * when the feed was judged, and another program has changed the store since; the other lines are kept.
 */
type StrictOutcome = FeedOutcome & Readonly<{ isApplied: boolean }>

/** Imports all lines or none. Writes in ordinary batches; after an interruption, importing the same feed completes it. */
export async function importStrictly(options: StrictImport): Promise<StrictOutcome> {
  const judged = await importFeed({ ...options, bytes: options.readBytes(), mode: "dry run" })
  const { counts, removalProblem, stopped } = judged
  if (counts.rejected > 0 || removalProblem !== null || stopped !== null) {
    const none = { ...noCounts, rejected: counts.rejected }
    const { ahead, repeated } = judged
    const nothing = { outdated: 0, defaulted: 0, needed: [], ...noRemarks, ahead, repeated }
    return { ...judged, ...nothing, counts: none, isApplied: false }
  }
  const applied = await importFeed({
    ...options,
    bytes: options.readBytes(),
    mode: "batches",
    // They were told when the feed was judged.
    onDefaulted: () => {},
  })
  return { ...applied, isApplied: true }
}

async function run(options: FeedImport, writer: FeedWriter): Promise<FeedOutcome> {
  const { batchRecords, onProgress, limits = standardLimits, rejectedMax = { count: 0 } } = options
  const full = options.fullSync && createFullSync(options.fullSync, limits)
  const judging = {
    ...options,
    timeZone: options.timeZone ?? null,
    chooseAsOf: full?.chooseAsOf ?? options.chooseAsOf,
    onEnd: full?.addEnd ?? (() => {}),
  }
  const cutter = createLineSplitter()
  let pending: ParsedLine[] = []
  let pendingBytes = 0
  let [lastLine, bytes] = [0, 0]
  const taken = {
    accepted: 0,
    adjusted: 0,
    waiting: 0,
    rejected: 0,
    outdated: 0,
    defaulted: 0,
    repeated: { records: 0, firstLines: [] as number[] },
  }
  const groups = createRejectionGroups()
  /** One batch is written while the next is judged. */
  let writing: Promise<void> = Promise.resolve()

  function tellProgress(): void {
    const { accepted, rejected } = taken
    const removed = sumOf(writer.countChanges().removed)
    onProgress({ accepted, rejected, removed, bytes, keys: writer.countKeys() })
  }
  async function write(batch: readonly ParsedLine[], line: number): Promise<void> {
    const records = batch.flatMap(({ record }) => record ?? [])
    const verdicts = await writer.put(records, line)
    for (const refused of report(options, groups, batch, verdicts, taken)) full?.keep(refused)
    await full?.writeKept(writer, line, batchRecords)
    tellProgress()
  }

  async function flush(): Promise<void> {
    await writing
    writing = write(pending, lastLine)
    // Suppress the unhandled rejection; the next `await writing` rethrows.
    writing.catch(() => {})
    pending = []
    pendingBytes = 0
  }

  async function takeLines(lines: readonly Line[]): Promise<void> {
    for (const line of lines) {
      if (line.number % linesPerTurn === 0) await untilNextTurn()
      const judged = parseLine(line, judging)
      if (judged === null) continue
      full?.add(judged)
      pending.push(judged)
      pendingBytes += line.bytes.length
      lastLine = line.number
      const isFull = pending.length >= batchRecords || pendingBytes >= batchBytesMax
      if (isFull) await flush()
    }
  }

  async function takeAll(): Promise<void> {
    try {
      for await (const chunk of withPauses(options.bytes)) {
        if (chunk === null) {
          if (pending.length > 0) await flush()
          await writing
        } else {
          bytes += chunk.length
          await takeLines(cutter.push(chunk))
        }
      }
      await takeLines(cutter.end())
      if (pending.length > 0) await flush()
    } finally {
      // The writer must not be closed during a write, whatever ended the import.
      await writing
    }
  }

  let removalProblem: Message | null = null
  let stopped: Message | null = null
  try {
    await takeAll()
    removalProblem = (await full?.removeOthers(writer, lastLine)) ?? null
  } catch (error) {
    if (!(error instanceof TooManyChanges)) throw error
    stopped = error.problem
  }
  tellProgress()
  const { adjusted, waiting: waited, rejected, outdated, defaulted } = taken
  // A later line of the feed may have brought the account or item that they waited for.
  const waiting = waited === 0 ? 0 : Math.min(waited, await writer.countPending())
  const accepted = taken.accepted + waited - waiting
  const { removed, revoked, restored, ahead } = writer.countChanges()
  const outcome = {
    counts: { accepted, adjusted, waiting, rejected, removed: sumOf(removed), revoked, restored },
    rejections: groups.summarise(),
    removalProblem,
    isRefusalAllowed: isWithin(rejectedMax, rejected, accepted + waiting + rejected),
    stoppedAt: stopped === null ? null : writer.countAgainstLimits(),
    ahead: describeAhead(ahead),
    repeated: taken.repeated.records === 0 ? null : taken.repeated,
  }
  await writer.finish(outcome, stopped)
  const needed = waiting === 0 ? [] : await writer.listNeeded(neededListedMax)
  return { ...outcome, outdated, defaulted, stopped, needed, lastLine }
}

/** Yields the chunks, and null when none came for a while. */
async function* withPauses(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  const source = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = source.next()
      if (await isSlow(next)) yield null
      const { done, value } = await next
      if (done) return
      yield value
    }
  } finally {
    // Not awaited: a source that waits for data would delay the error.
    source.return?.().catch(() => {})
  }
}

function isSlow(next: Promise<unknown>): Promise<boolean> {
  const isHere = next.then(
    () => false,
    () => false,
  )
  return withTimeout(isHere, idleMs, () => true)
}

type LineCounts = Record<
  "accepted" | "adjusted" | "waiting" | "rejected" | keyof RareCounts,
  number
> &
  Readonly<{ repeated: { records: number; firstLines: number[] } }>

/** Reports the refused lines in order and returns them. Adds to `taken`. */
function report(
  options: FeedImport,
  groups: RejectionGroups,
  batch: readonly ParsedLine[],
  verdicts: readonly Verdict[],
  taken: LineCounts,
): readonly ParsedLine[] {
  const left = verdicts.values()
  const refusedLines: ParsedLine[] = []
  for (const judged of batch) {
    const { line, record, isNormalized } = judged
    const verdict = record === null ? null : (left.next().value ?? null)
    if (verdict === "outdated") taken.outdated += 1
    if (verdict === "repeated") {
      taken.repeated.records += 1
      if (taken.repeated.records <= repeatedListedMax) taken.repeated.firstLines.push(line.number)
    }
    const decided = typeof verdict === "string" ? null : verdict
    const refusal = decided === null ? judged.problems : ([decided] as const)
    if (refusal === null) {
      if (verdict === "pending") taken.waiting += 1
      else taken.accepted += 1
      if (isNormalized) taken.adjusted += 1
      if (judged.defaulted.length === 0) continue
      taken.defaulted += 1
      options.onDefaulted({
        line: line.number,
        ...findShortIdentity(line),
        problems: judged.defaulted,
      })
      continue
    }
    refusedLines.push(judged)
    // Only the last piece of an oversize line counts, so that it is one refusal.
    if (line.isEnd) {
      taken.rejected += 1
      const because = groups.findCause(decided?.missing)
      const refused = { line: line.number, ...findShortIdentity(line), problems: refusal, because }
      groups.add(refused)
      options.onRejected(refused, line.isOversize ? null : line.bytes)
    }
  }
  return refusedLines
}
