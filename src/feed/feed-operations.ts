/** Imports a feed: bytes → lines → records → batches in the database. */

import type { Recording } from "../access/audit-event.ts"
import { createEvent, tallyPerHour } from "../access/audit-operations.ts"
import { chunk } from "../platform/collections.ts"
import type { Message } from "../platform/problem.ts"
import type { TimeZone } from "../platform/time.ts"
import { untilNextTurn, withTimeout } from "../platform/timers.ts"
import { type Allowance, isWithin } from "./allowance.ts"
import { isRevoking, type KindCounts, type MassLimits } from "./batch.ts"
import {
  type PrepareKey,
  renderAccountLine,
  renderItemLine,
  renderPurchaseLine,
  type Verdict,
} from "./feed-record.ts"
import { createFullSync, type FullSyncOptions, findShortIdentity } from "./full-sync.ts"
import {
  emptyOutcome,
  type FeedOrigin,
  type FeedStore,
  type FeedWriter,
  type RunRemarks,
} from "./import-run.ts"
import {
  type ChooseAsOf,
  createLineSplitter,
  type Line,
  type ParsedLine,
  parseLine,
} from "./parse-line.ts"
import { createRejectionGroups, type LineProblems, type RejectedLine } from "./rejections.ts"

export type FeedImport = FeedOrigin &
  Readonly<{
    feed: FeedStore
    prepareKey: PrepareKey
    /** Called twice in the mode `strict`: the whole feed is validated before the first line is written. */
    readBytes: () => AsyncIterable<Uint8Array>
    /** `batches` saves the valid lines, `strict` all lines or none, `dry run` nothing. */
    mode: "batches" | "strict" | "dry run"
    timeZone?: TimeZone | null
    chooseAsOf: ChooseAsOf
    fullSync: FullSyncOptions | null
    /** Up to this many rejected lines, the run counts as successful. Default: 0. */
    rejectedMax?: Allowance
    isByHand?: boolean
    /** A quiet feed triggers no webhooks. Default: false. */
    isQuiet?: boolean
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

type FeedOutcome = Awaited<ReturnType<typeof importLines>>

/**
 * After an interruption, importing the same feed again completes it. If `isApplied` is false, the validation of a strict
 * import failed and nothing was written. If it is true, lines of a strict import are rejected only because another
 * program changed the database after the validation; the other lines were saved.
 */
export async function importFeed(options: FeedImport): Promise<FeedOutcome> {
  const { feed, source, via, isQuiet, limits, mode } = options
  if (mode === "dry run") {
    const dryRun = await feed.openDryRun({ limits })
    try {
      return await importLines(options, dryRun)
    } finally {
      await dryRun.close()
    }
  }
  if (mode === "strict") {
    const validated = await importFeed({ ...options, mode: "dry run" })
    const { removalProblem, stopped } = validated
    const { rejected } = validated.counts
    if (rejected > 0 || removalProblem !== null || stopped !== null) {
      const { ahead, repeated } = validated.remarks
      const counts = { ...emptyOutcome.counts, rejected }
      const nothing = { counts, remarks: { ahead, repeated }, needed: [], isApplied: false }
      return { ...validated, ...nothing, isRefusalAllowed: false }
    }
    // The validation reported the fields with defaults.
    return importFeed({ ...options, mode: "batches", onDefaulted: () => {} })
  }
  return importLines(options, await feed.openBatches({ source, via, isQuiet, limits }))
}

const neededListedMax = 10

/** `stopped` is set if there were too many deletions or revocations: none of them was saved, everything else was. */
async function importLines(options: FeedImport, writer: FeedWriter) {
  const { rejectedMax = { count: 0 } } = options
  const run = startRun(options, writer)
  const { full, counts: lineCounts } = run
  /** One batch is written while the next is parsed. */
  let writing: Promise<void> = Promise.resolve()
  try {
    for await (const batch of readBatches(run)) {
      await writing
      if (batch === null) continue
      writing = writeBatch(run, batch, run.lastLine)
      // Suppress the unhandled rejection; the next `await writing` rethrows.
      writing.catch(() => {})
    }
  } finally {
    // The writer must not be closed during a write, even after an error.
    await writing
  }
  let { stopped } = run
  let removalProblem: Message | null = null
  if (stopped === null) {
    await writeDeferred(run)
    removalProblem = (await full?.removeOthers(writer, run.lastLine)) ?? null
  } else stopped = await writer.findExcess()
  reportProgress(run)
  const { adjusted, waiting: waited, rejected, outdated, defaulted, repeated } = lineCounts
  // A later line of the feed may contain the account or item that a pending record needs.
  const waiting = waited === 0 ? 0 : Math.min(waited, await writer.countPending())
  const accepted = lineCounts.accepted + waited - waiting
  const { removed: removals, revoked, restored, ahead } = writer.countChanges()
  const removed = sumKinds(removals)
  const { records, ms } = ahead
  const remarks: RunRemarks = {
    outdated: outdated || undefined,
    defaulted: defaulted || undefined,
    ahead: records > 0 ? { records, seconds: Math.round(ms / 1000) } : undefined,
    repeated: repeated || undefined,
  }
  const outcome = {
    counts: { accepted, adjusted, waiting, rejected, removed, revoked, restored },
    rejections: run.groups.summarize(),
    removalProblem,
    isByHand: options.isByHand ?? false,
    isRefusalAllowed: isWithin(rejectedMax, rejected, accepted + waiting + rejected),
    isApplied: true,
    remarks,
  }
  await writer.finish(options.now(), outcome, stopped)
  const needed = waiting === 0 ? [] : await writer.listNeeded(neededListedMax)
  const movedKeys = writer.listMovedKeys()
  return { ...outcome, stopped, needed, movedKeys, lastLine: run.lastLine }
}

type Run = ReturnType<typeof startRun>

function startRun(options: FeedImport, writer: FeedWriter) {
  const full = options.fullSync && createFullSync(options.fullSync, options.now)
  return {
    options,
    writer,
    full,
    parseOptions: {
      ...options,
      timeZone: options.timeZone ?? null,
      chooseAsOf: full?.chooseAsOf ?? options.chooseAsOf,
      onEnd: full?.addEnd ?? (() => {}),
    },
    counts: {
      ...{ accepted: 0, adjusted: 0, waiting: 0, rejected: 0 },
      ...{ outdated: 0, defaulted: 0, repeated: 0 },
    },
    groups: createRejectionGroups(),
    /** Deletions and revocations: first all of them are counted. `first` revoke a row of a pull, which may repeat. */
    deferred: { first: [] as Line[], others: [] as Line[] },
    stopped: null as Message | null,
    lastLine: 0,
    bytes: 0,
  }
}

/** A batch is also full at this size, to limit memory. */
const batchBytesMax = 4 * 1024 ** 2

/** Parsing yields to the write in progress after this many lines, about a third of a millisecond. */
const linesPerTurn = 32

/** Null follows the last batch before a pause of the source: it is written without waiting for more. */
async function* readBatches(run: Run): AsyncGenerator<readonly ParsedLine[] | null> {
  const { batchRecords, readBytes } = run.options
  const splitter = createLineSplitter()
  let batch: ParsedLine[] = []
  let batchBytes = 0

  async function* addLines(lines: Iterable<Line>): AsyncGenerator<readonly ParsedLine[]> {
    for (const line of lines) {
      if (line.number % linesPerTurn === 0) await untilNextTurn()
      const parsed = parseLine(line, run.parseOptions)
      if (parsed === null) continue
      run.full?.add(parsed)
      batch.push(parsed)
      batchBytes += line.bytes.length
      run.lastLine = line.number
      if (batch.length >= batchRecords || batchBytes >= batchBytesMax) yield* takeBatch()
    }
  }
  function* takeBatch(): Generator<readonly ParsedLine[]> {
    if (batch.length === 0) return
    const taken = batch
    batch = []
    batchBytes = 0
    yield taken
  }

  for await (const chunk of withPauses(readBytes())) {
    if (chunk === null) {
      yield* takeBatch()
      yield null
    } else {
      run.bytes += chunk.length
      yield* addLines(splitter.push(chunk))
    }
  }
  yield* addLines(splitter.end())
  yield* takeBatch()
}

/** When a slow pipe sends nothing for this long, an incomplete batch is written. */
const idleMs = 100

async function* withPauses(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array | null> {
  const source = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = source.next()
      const isHere = next.then(
        () => false,
        () => false,
      )
      if (await withTimeout(isHere, idleMs, () => true)) yield null
      const { done, value } = await next
      if (done) return
      yield value
    }
  } finally {
    // Not awaited, because a source that waits for data would delay the error.
    source.return?.().catch(() => {})
  }
}

async function writeBatch(run: Run, batch: readonly ParsedLine[], line: number): Promise<void> {
  const { options, writer, full } = run
  const deferred = reportBatch(
    run,
    batch,
    await writer.put(options.now(), listRecords(batch), line),
  )
  // After a stop, further lines are only counted.
  if (run.stopped === null && deferred.length > 0) {
    for (const { line, record } of deferred) {
      const isFirst = record?.asOf?.isOfRun === true && isRevoking(record)
      // A copy, because the bytes are a part of a large chunk.
      run.deferred[isFirst ? "first" : "others"].push({
        ...line,
        bytes: new Uint8Array(line.bytes),
      })
    }
    run.stopped = await writer.findExcess()
  }
  await full?.writeMentions(writer, line, options.batchRecords)
  reportProgress(run)
}

async function writeDeferred(run: Run): Promise<void> {
  const { options, writer, parseOptions, deferred } = run
  for (const lines of chunk([...deferred.first, ...deferred.others], options.batchRecords)) {
    const batch = lines.flatMap((line) => parseLine(line, parseOptions) ?? [])
    reportBatch(run, batch, await writer.putDeferred(options.now(), listRecords(batch)))
    reportProgress(run)
  }
}

function reportProgress({ options, writer, counts, bytes }: Run): void {
  const { accepted, rejected } = counts
  const removed = sumKinds(writer.countChanges().removed)
  options.onProgress({ accepted, rejected, removed, bytes, keys: writer.countKeys() })
}

const sumKinds = ({ account, item, purchase }: KindCounts) => account + item + purchase

const listRecords = (batch: readonly ParsedLine[]) => batch.flatMap(({ record }) => record ?? [])

/** Returns the deferred lines. */
function reportBatch(
  { options, full, groups, counts }: Run,
  batch: readonly ParsedLine[],
  verdicts: readonly Verdict[],
): readonly ParsedLine[] {
  const remaining = verdicts.values()
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
    full?.keep(parsed)
    // An oversize line has several pieces, but is one rejection.
    if (line.isEnd) {
      counts.rejected += 1
      const rejected = groups.add({ ...describeLine(), problems })
      options.onRejected(rejected, line.isOversize ? null : line.bytes)
    }
  }
  return deferred
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

/**
 * Exports all records in a fixed order: the same data produces the same bytes. `write` is called with whole lines, and
 * awaited, so that a slow reader slows the export. Returns the number of records.
 */
export async function exportFeed(
  feed: Pick<FeedStore, "openSnapshot">,
  write: (lines: string) => Promise<void>,
): Promise<number> {
  let records = 0
  async function writeAll<Row>(
    pages: AsyncIterable<readonly Row[]>,
    render: (row: Row) => string,
  ): Promise<void> {
    for await (const page of pages) {
      records += page.length
      await write(page.map((row) => `${render(row)}\n`).join(""))
    }
  }
  const snapshot = await feed.openSnapshot()
  try {
    await writeAll(snapshot.readAccounts(), renderAccountLine)
    await writeAll(snapshot.readItems(), renderItemLine)
    await writeAll(snapshot.readPurchases(), renderPurchaseLine)
    await writeAll(snapshot.readPending(), ({ kind, record }) =>
      kind === "item" ? renderItemLine(record) : renderPurchaseLine(record),
    )
  } finally {
    await snapshot.close()
  }
  return records
}
