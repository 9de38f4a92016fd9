/** Imports a feed: bytes → lines → records → batches in the database. */

import type { Recording } from "../access/audit-event.ts"
import { createEvent, tallyPerHour } from "../access/audit-operations.ts"
import { chunk } from "../platform/collections.ts"
import type { Message } from "../platform/problem.ts"
import type { TimeZone } from "../platform/time.ts"
import { untilNextTurn, withTimeout } from "../platform/timers.ts"
import { type Allowance, isWithin } from "./allowance.ts"
import { isRevoking, type MassLimits, sumOf } from "./batch-changes.ts"
import type { PrepareKey, Verdict } from "./feed-record.ts"
import { createFullSync, type FullSyncOptions } from "./full-sync.ts"
import {
  emptyOutcome,
  type FeedOrigin,
  type FeedStore,
  type FeedWriter,
  type Quiet,
  type RunRemarks,
} from "./import-run.ts"
import { createLineSplitter, type Line } from "./lines.ts"
import { type ChooseAsOf, findShortIdentity, type ParsedLine, parseLine } from "./parse-line.ts"
import { createRejectionGroups, type LineProblems, type RejectedLine } from "./rejections.ts"

export type FeedImport = FeedOrigin &
  Quiet &
  Readonly<{
    feed: FeedStore
    prepareKey: PrepareKey
    bytes: AsyncIterable<Uint8Array>
    /** `batches` saves the valid lines, `dry run` nothing. */
    mode: "batches" | "dry run"
    timeZone?: TimeZone | null
    chooseAsOf: ChooseAsOf
    fullSync: FullSyncOptions | null
    /** Up to this many rejected lines, the run counts as successful. Default: 0. */
    rejectedMax?: Allowance
    /** Default: false. */
    isByHand?: boolean
    /** How many records the feed may delete and revoke. Default: the standard limits. */
    limits?: MassLimits
    batchRecords: number
    now(): Date
    /** Called in the order of the lines, deletions and revocations last. `bytes` is the line, or null if it was too long. */
    onRejected: (rejected: RejectedLine, bytes: Uint8Array | null) => void
    onDefaulted: (defaulted: LineProblems) => void
    onProgress: (progress: FeedProgress) => void
  }>

export type FeedProgress = Readonly<{
  accepted: number
  rejected: number
  removed: number
  bytes: number
  keys: number
}>

type FeedOutcome = Awaited<ReturnType<typeof run>>

const neededListedMax = 10
/** When a slow pipe sends nothing for this long, an incomplete batch is written. */
const idleMs = 100

/** A batch is also full at this size, to limit memory. */
const batchBytesMax = 4 * 1024 ** 2

/** Parsing yields to the write in progress after this many lines, about a third of a millisecond. */
const linesPerTurn = 32

export async function importFeed(options: FeedImport): Promise<FeedOutcome> {
  const { feed, source, via, isQuiet, limits } = options
  if (options.mode === "batches")
    return run(options, await feed.openBatches({ source, via, isQuiet, limits }))
  const dryRun = await feed.openDryRun({ limits })
  try {
    return await run(options, dryRun)
  } finally {
    await dryRun.close()
  }
}

type StrictImport = Omit<FeedImport, "bytes" | "mode"> &
  Readonly<{
    /** Called twice: the whole feed is validated before the first line is written. */
    readBytes: () => AsyncIterable<Uint8Array>
  }>

/**
 * Imports all lines or none, in batches. After an interruption, importing the same feed again completes it. If
 * `isApplied` is false, validation failed and nothing was written. If it is true, lines are rejected only because
 * another program changed the database after the validation; the other lines were saved.
 */
export async function importStrictly(options: StrictImport): Promise<FeedOutcome> {
  const validated = await importFeed({ ...options, bytes: options.readBytes(), mode: "dry run" })
  const { removalProblem, stopped } = validated
  const { rejected } = validated.counts
  if (rejected > 0 || removalProblem !== null || stopped !== null) {
    const { ahead, repeated } = validated.remarks
    const counts = { ...emptyOutcome.counts, rejected }
    const nothing = { counts, remarks: { ahead, repeated }, needed: [], isApplied: false }
    return { ...validated, ...nothing, isRefusalAllowed: false }
  }
  return importFeed({
    ...options,
    bytes: options.readBytes(),
    mode: "batches",
    // The validation reported them.
    onDefaulted: () => {},
  })
}

/** `stopped` is set if there were too many deletions or revocations: none of them was saved, everything else was. */
async function run(options: FeedImport, writer: FeedWriter) {
  const { batchRecords, now, onProgress, rejectedMax = { count: 0 } } = options
  const full = options.fullSync && createFullSync(options.fullSync, options.now)
  const parseOptions = {
    ...options,
    timeZone: options.timeZone ?? null,
    chooseAsOf: full?.chooseAsOf ?? options.chooseAsOf,
    onEnd: full?.addEnd ?? (() => {}),
  }
  const splitter = createLineSplitter()
  let nextBatch: ParsedLine[] = []
  let nextBatchBytes = 0
  let [lastLine, bytes] = [0, 0]
  const lineCounts = createLineCounts()
  const groups = createRejectionGroups()
  /** Deletions and revocations: first all of them are counted. `first` revoke a row of a pull, which may repeat. */
  const deferred = { first: [] as Line[], others: [] as Line[] }
  let stopped: Message | null = null
  /** One batch is written while the next is parsed. */
  let writing: Promise<void> = Promise.resolve()

  function reportProgress(): void {
    const { accepted, rejected } = lineCounts
    const removed = sumOf(writer.countChanges().removed)
    onProgress({ accepted, rejected, removed, bytes, keys: writer.countKeys() })
  }
  async function write(batch: readonly ParsedLine[], line: number): Promise<void> {
    const verdicts = await writer.put(now(), recordsOf(batch), line)
    const report = reportBatch(options, groups, batch, verdicts, lineCounts)
    for (const each of report.rejected) full?.keep(each)
    // After a stop, further lines are only counted.
    if (stopped === null && report.deferred.length > 0) {
      for (const { line, record } of report.deferred) {
        const isFirst = record?.asOf?.isOfRun === true && isRevoking(record)
        // A copy, because the bytes are a part of a large chunk.
        deferred[isFirst ? "first" : "others"].push({ ...line, bytes: new Uint8Array(line.bytes) })
      }
      stopped = await writer.findExcess()
    }
    await full?.writeMentions(writer, line, batchRecords)
    reportProgress()
  }

  async function writeDeferred(): Promise<void> {
    for (const lines of chunk([...deferred.first, ...deferred.others], batchRecords)) {
      const batch = lines.flatMap((line) => parseLine(line, parseOptions) ?? [])
      const verdicts = await writer.putDeferred(now(), recordsOf(batch))
      const { rejected } = reportBatch(options, groups, batch, verdicts, lineCounts)
      for (const each of rejected) full?.keep(each)
      reportProgress()
    }
  }
  async function flush(): Promise<void> {
    await writing
    writing = write(nextBatch, lastLine)
    // Suppress the unhandled rejection; the next `await writing` rethrows.
    writing.catch(() => {})
    nextBatch = []
    nextBatchBytes = 0
  }

  async function addLines(lines: Iterable<Line>): Promise<void> {
    for (const line of lines) {
      if (line.number % linesPerTurn === 0) await untilNextTurn()
      const parsed = parseLine(line, parseOptions)
      if (parsed === null) continue
      full?.add(parsed)
      nextBatch.push(parsed)
      nextBatchBytes += line.bytes.length
      lastLine = line.number
      const isFull = nextBatch.length >= batchRecords || nextBatchBytes >= batchBytesMax
      if (isFull) await flush()
    }
  }

  async function addAll(): Promise<void> {
    try {
      for await (const chunk of withPauses(options.bytes)) {
        if (chunk === null) {
          if (nextBatch.length > 0) await flush()
          await writing
        } else {
          bytes += chunk.length
          await addLines(splitter.push(chunk))
        }
      }
      await addLines(splitter.end())
      if (nextBatch.length > 0) await flush()
    } finally {
      // The writer must not be closed during a write, even after an error.
      await writing
    }
  }

  let removalProblem: Message | null = null
  await addAll()
  if (stopped === null) {
    await writeDeferred()
    removalProblem = (await full?.removeOthers(writer, lastLine)) ?? null
  } else stopped = await writer.findExcess()
  reportProgress()
  const { adjusted, waiting: waited, rejected, outdated, defaulted, repeated } = lineCounts
  // A later line of the feed may contain the account or item that a pending record needs.
  const waiting = waited === 0 ? 0 : Math.min(waited, await writer.countPending())
  const accepted = lineCounts.accepted + waited - waiting
  const { removed, revoked, restored, ahead } = writer.countChanges()
  const remarks: RunRemarks = {
    outdated: outdated || undefined,
    defaulted: defaulted || undefined,
    ahead:
      ahead.records > 0
        ? { records: ahead.records, seconds: Math.round(ahead.ms / 1000) }
        : undefined,
    repeated: repeated || undefined,
  }
  const outcome = {
    counts: { accepted, adjusted, waiting, rejected, removed: sumOf(removed), revoked, restored },
    rejections: groups.summarize(),
    removalProblem,
    isByHand: options.isByHand ?? false,
    isRefusalAllowed: isWithin(rejectedMax, rejected, accepted + waiting + rejected),
    isApplied: true,
    remarks,
  }
  await writer.finish(now(), outcome, stopped)
  const needed = waiting === 0 ? [] : await writer.listNeeded(neededListedMax)
  const movedKeys = writer.listMovedKeys()
  return { ...outcome, stopped, needed, movedKeys, lastLine }
}

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
    // Not awaited, because a source that waits for data would delay the error.
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

const createLineCounts = () => ({
  ...{ accepted: 0, adjusted: 0, waiting: 0, rejected: 0 },
  ...{ outdated: 0, defaulted: 0, repeated: 0 },
})

const recordsOf = (batch: readonly ParsedLine[]) => batch.flatMap(({ record }) => record ?? [])

function reportBatch(
  options: FeedImport,
  groups: ReturnType<typeof createRejectionGroups>,
  batch: readonly ParsedLine[],
  verdicts: readonly Verdict[],
  counts: ReturnType<typeof createLineCounts>,
) {
  const remaining = verdicts.values()
  const rejectedLines: ParsedLine[] = []
  const deferred: ParsedLine[] = []
  for (const parsed of batch) {
    const { line, record, isNormalized, defaulted } = parsed
    const verdict = record === null ? null : (remaining.next().value ?? null)
    if (verdict === "deferred") {
      deferred.push(parsed)
      continue
    }
    if (verdict === "outdated") counts.outdated += 1
    if (verdict === "repeated") counts.repeated += 1
    const problems =
      verdict === null || typeof verdict === "string" ? parsed.problems : ([verdict] as const)
    const describeLine = () => ({ line: line.number, ...findShortIdentity(line) })
    if (problems === null) {
      if (verdict === "pending") counts.waiting += 1
      else counts.accepted += 1
      if (isNormalized) counts.adjusted += 1
      const [first, ...others] = defaulted
      if (first === undefined) continue
      counts.defaulted += 1
      options.onDefaulted({ ...describeLine(), problems: [first, ...others] })
      continue
    }
    rejectedLines.push(parsed)
    // An oversize line has several pieces, but is one rejection.
    if (line.isEnd) {
      counts.rejected += 1
      const rejected = groups.add({ ...describeLine(), problems })
      options.onRejected(rejected, line.isOversize ? null : line.bytes)
    }
  }
  return { rejected: rejectedLines, deferred }
}

/** `pushed` is the number of records, null for a feed that was not pushed; `keys` the API keys that it added. */
export async function recordFeed(recording: Recording, pushed: number | null, keys: number) {
  if (pushed !== null)
    await tallyPerHour(
      recording,
      createEvent(recording, { kind: "feed", action: "pushed" }, pushed),
    )
  if (keys > 0)
    await tallyPerHour(recording, createEvent(recording, { kind: "feed", action: "keys" }, keys))
}
