import {
  closeSync,
  existsSync,
  fchmodSync,
  fstatSync,
  openSync,
  realpathSync,
  statSync,
  writeSync,
} from "node:fs"
import { type FileHandle, mkdtemp, open, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { commandLine } from "../access/actor.ts"
import type { AuditStore } from "../access/audit-event.ts"
import {
  CannotRunError,
  type CommandContext,
  flag,
  option,
  UsageError,
  type ValuesOf,
} from "../platform/cli/command.ts"
import { createProgress } from "../platform/cli/output.ts"
import { describe, type Message, message } from "../platform/problem.ts"
import { InvalidRecord } from "../platform/schema.ts"
import { formatCount, pluralize } from "../platform/text.ts"
import { findTimeZone, formatTimestamp, type TimeZone } from "../platform/time.ts"
import { type Allowance, parseAllowance, showAllowance } from "./allowance.ts"
import { type MassLimits, standardLimits } from "./batch.ts"
import { type FeedImport, importFeed, recordFeed } from "./feed-operations.ts"
import { type AsOf, asOfAt, asOfField, type Needed, type PrepareKey } from "./feed-record.ts"
import {
  type FeedCounts,
  type FeedOrigin,
  type FeedStore,
  listWarnings,
  type MovedKeys,
  type RetainedRecord,
  type RunOutcome,
} from "./import-run.ts"
import {
  createRejectionGroups,
  type LineProblems,
  type RejectedLine,
  type RejectionGroup,
} from "./rejections.ts"

const batchRecords = 1_000
/** Of the first import, during which no author or product uses the server. For codes in random order, they write a fifth. */
const firstBatchRecords = 10_000

type FeedInput = FeedOrigin &
  Readonly<{
    sizeBytes: number | null
    /** NDJSON from the beginning. Called twice for `--strict`. */
    readBytes(): AsyncIterable<Uint8Array>
    describeLine: DescribeLine
    readAt?: Date
    isByHand?: boolean
  }>

/** `status` is 1 if more lines were rejected than allowed, or deletions failed. `problem` is null unless it failed. */
export type LoadResult = Readonly<{ status: 0 | 1; problem: Message | null }>

export type FeedApp = Readonly<{
  store: Readonly<{ feed: FeedStore; audit: AuditStore }>
  prepareKey: PrepareKey
  now: () => Date
}>

export async function loadFeed(
  { store: { feed, audit }, prepareKey, now }: FeedApp,
  context: Pick<CommandContext, "printStderr" | "showProgress" | "write">,
  { sizeBytes, describeLine, readAt, ...input }: FeedInput,
  feedOptions: FeedOptions,
): Promise<LoadResult> {
  const { source, via } = input
  const isFirst = (await feed.listLastFinishes(now())).length === 0
  const asOf = dateRun(feedOptions.asOfMs, readAt)
  const startedMs = performance.now()
  const startedAt = formatTimestamp(now())
  const progress = createProgress(context, sizeBytes)
  const unit = toUnit(via)
  const printer = createRejectionPrinter(context, describeLine, unit)
  const retained = { listed: [] as RetainedRecord[], others: 0 }
  const report = openRejectionReport(feedOptions.reportPath)
  let keys = 0
  const onRetained = (record: RetainedRecord) => {
    if (retained.listed.length < retainedListedMax) retained.listed.push(record)
    else retained.others += 1
  }
  try {
    const outcome = await importFeed({
      ...{ ...feedOptions, ...input, feed, prepareKey, now },
      batchRecords: isFirst ? firstBatchRecords : batchRecords,
      chooseAsOf: (own) => own ?? asOf ?? undefined,
      fullSync: feedOptions.isFull ? { asOf, onRetained } : null,
      onRejected(rejected, bytes) {
        report.write(rejected, bytes)
        printer.print(rejected)
      },
      onDefaulted: printer.addDefaulted,
      onProgress({ accepted, rejected, removed, bytes, ...current }) {
        const counts = `${rejected} rejected${removed === 0 ? "" : `, ${removed} removed`}`
        progress.show(accepted + rejected, bytes, counts)
        keys = current.keys
      },
    })
    progress.end()
    printer.printSummary(outcome)
    const { counts, remarks, removalProblem, stopped, isApplied, lastLine: line } = outcome
    const seconds = Math.round(performance.now() - startedMs) / 1000
    await context.write(`${JSON.stringify({ ...counts, seconds, ...remarks })}\n`)
    for (const text of describeOutcome(outcome, feedOptions, unit, retained))
      context.printStderr(text)
    const problem = isApplied ? stopped : (stopped ?? message("rejected_strictly"))
    if (!isApplied && problem !== null) {
      const runBefore = (await feed.findLastRun(source))?.id ?? 0
      const run = { source, via, startedAt, problem, outcome, line, runBefore }
      await feed.recordFailure({ ...run, endedAt: formatTimestamp(now()) })
    }
    const isAllowed = counts.rejected === 0 || outcome.isRefusalAllowed
    const isSuccess = isAllowed && removalProblem === null && stopped === null
    return { status: isSuccess ? 0 : 1, problem }
  } finally {
    report.close()
    // The batches of an interrupted feed were saved, so their keys are recorded too.
    await recordFeed({ audit, now, actor: commandLine }, null, keys)
  }
}

function describeOutcome(
  outcome: Awaited<ReturnType<typeof importFeed>>,
  { mode, rejectedMax }: FeedOptions,
  unit: FeedUnit,
  retained: Readonly<{ listed: readonly RetainedRecord[]; others: number }>,
): readonly string[] {
  const { remarks, removalProblem, stopped, isApplied } = outcome
  const { accepted, waiting, rejected } = outcome.counts
  const lines = retained.listed.map(
    ({ kind, identity, why }) =>
      `kept ${kind} ${identity}, which is not in the feed: ${describe(why)}`,
  )
  if (removalProblem !== null) lines.unshift(`no records were deleted: ${describe(removalProblem)}`)
  if (retained.others > 0) lines.push(`kept ${retained.others} more that are not in the feed`)
  if (stopped !== null) lines.push(`import ${describe(stopped)}`)
  lines.push(...listWarnings(remarks).map((warning) => describe(warning)))
  if (waiting > 0)
    lines.push(
      waiting === 1
        ? "1 record is pending until its account or item is imported; it needs:"
        : `${formatCount(waiting)} records are pending until their accounts or items are imported; most need:`,
    )
  lines.push(...outcome.needed.map((needed) => `  ${describeMissingRecord(needed)}`))
  lines.push(...outcome.movedKeys.map(describeMovedKeys))
  if (mode === "dry run") lines.push("dry run: no changes were saved")
  const isWhole = rejected === 0 && removalProblem === null && stopped === null
  if (mode === "strict" && !isWhole)
    lines.push(
      isApplied
        ? `another program changed the database after the feed was validated: the ${unit} above were rejected, the others imported; import the feed again`
        : "--strict: no changes were saved",
    )
  // Without --max-refused, the rejected lines alone explain the exit status.
  const isNone = "count" in rejectedMax && rejectedMax.count === 0
  if (rejected > 0 && !outcome.isRefusalAllowed && !isNone) {
    const total = formatCount(accepted + waiting + rejected)
    const verb = rejected === 1 ? "was" : "were"
    lines.push(
      `${formatCount(rejected)} of ${total} ${unit} ${verb} rejected; --max-refused allows ${showAllowance(rejectedMax)}`,
    )
  }
  return lines
}

/** Rejects on a signal instead of exiting: a dry run on SQLite must first delete its copy of the database. */
export function rejectWhenStopped<T>(
  { untilStopped }: Pick<CommandContext, "untilStopped">,
  { mode }: FeedOptions,
  work: Promise<T>,
): Promise<T> {
  if (mode === "batches") return work
  const stopped = untilStopped().then(() => {
    throw new CannotRunError("stopped by a signal")
  })
  return Promise.race([work, stopped])
}

function dateRun(asOfMs: number | null, readAt: Date | undefined): AsOf | null {
  if (asOfMs !== null) return asOfAt(asOfMs, Date.now())
  return readAt === undefined ? null : { ...asOfAt(readAt.getTime(), Date.now()), isOfRun: true }
}

const retainedListedMax = 20

export const feedOptions = {
  strict: flag("validate the whole feed first; import nothing if a line is rejected"),
  "dry-run": flag("run the import without changing anything"),
  timezone: option(
    "ZONE",
    "time zone of timestamps without one, such as Europe/Istanbul or +03:00",
  ),
  "as-of": option("TIME", "when the source was read; newer data in the database is kept"),
  full: flag(
    "treat the feed as a complete snapshot: delete records it does not contain; a file must end with an end line",
  ),
  "max-deletes": option(
    "N",
    "delete nothing if it would be more than N records of a type; a number, or a percentage of the records in the database. Default: 1%, at least 20, at most 100",
  ),
  "max-revokes": option("N", "the same limit for revoked purchases"),
  report: option("FILE", "write every rejected line with its problems to FILE, as NDJSON"),
  "max-refused": option(
    "N",
    "exit with status 0 if at most N lines are rejected; a number, or a percentage of all lines",
  ),
  quiet: flag("do not trigger purchase webhooks"),
} as const

export const feedResultHelp = `Rejected lines are reported on standard error. The summary is one line of JSON on standard output.
After an interruption, run the command again to complete the import.

Exit status:
  0  no line was rejected, or at most --max-refused
  1  more lines were rejected, --max-deletes or --max-revokes stopped the import, or --full could
     not delete the other records
  2  the command could not run`

export type FeedOptionValues = ValuesOf<typeof feedOptions>

export type FeedOptions = Readonly<{
  mode: FeedImport["mode"]
  timeZone: TimeZone | null
  asOfMs: number | null
  isFull: boolean
  limits: MassLimits
  reportPath: string | null
  rejectedMax: Allowance
  isQuiet: boolean
}>

/** `inputPath` is the feed, so no option may write to it. Throws UsageError. */
export function parseFeedOptions(
  values: Partial<FeedOptionValues>,
  inputPath: string,
): FeedOptions {
  const { timezone, report: reportPath = null } = values
  if (reportPath !== null && realPath(reportPath) === realPath(inputPath))
    throw new UsageError("--report must not be the feed itself")
  if (values.strict && values["max-refused"] !== undefined)
    throw new UsageError("--strict and --max-refused cannot be used together")
  const timeZone = timezone === undefined ? null : findTimeZone(timezone)
  if (timezone !== undefined && timeZone === null)
    throw new UsageError(
      `--timezone must be a zone or an offset, as in Europe/Istanbul or +03:00, not "${timezone}"`,
    )
  const allowance = (
    option: "max-deletes" | "max-revokes" | "max-refused",
    otherwise: Allowance,
  ) => {
    const { [option]: text } = values
    const allowed = text === undefined ? otherwise : parseAllowance(text)
    if (allowed !== null) return allowed
    throw new UsageError(
      `--${option} must be a number or a percentage, as in 20 or 0.5%, not "${text}"`,
    )
  }
  const { deletesMax, revokesMax } = standardLimits
  return {
    isFull: values.full === true,
    limits: {
      ...standardLimits,
      deletesMax: allowance("max-deletes", deletesMax),
      revokesMax: allowance("max-revokes", revokesMax),
    },
    asOfMs: parseAsOfOption(values["as-of"], timeZone),
    mode: values["dry-run"] ? "dry run" : values.strict ? "strict" : "batches",
    timeZone,
    reportPath,
    rejectedMax: allowance("max-refused", { count: 0 }),
    isQuiet: values.quiet === true,
  }
}

function parseAsOfOption(text: string | undefined, timeZone: TimeZone | null): number | null {
  if (text === undefined) return null
  try {
    return asOfField(timeZone?.toTimestamp(text) ?? text, "--as-of")
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    throw new UsageError(`--as-of ${describe(error.problems[0])}`)
  }
}

const realPath = (path: string) => (existsSync(path) ? realpathSync(path) : resolve(path))

const chunkBytes = 256 * 1024

export function checkFeedSource(path: string): void {
  if (path === "-") return
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new CannotRunError(`${path} does not exist; name a file`)
  if (stats.isDirectory()) throw new CannotRunError(`${path} is a folder; name a file`)
}

/**
 * `name` is the absolute path or "-"; `sizeBytes` is null for a pipe or a device. With `isReadTwice`, the caller may call
 * `readBytes` more than once.
 */
export async function openFeedSource(
  path: string,
  context: Pick<CommandContext, "readStandardInput">,
  isReadTwice: boolean,
) {
  const name = path === "-" ? "-" : resolve(path)
  const file = path === "-" ? null : await open(path, "r")
  const stats = await file?.stat()
  const fromFile = (handle: FileHandle, sizeBytes: number) => ({
    name,
    sizeBytes,
    readBytes: () => readChunks(handle),
    close: () => handle.close(),
  })
  if (file !== null && stats?.isFile() === true) return fromFile(file, stats.size)
  const readBytes = () => (file === null ? context.readStandardInput() : readChunks(file, null))
  const close = async () => file?.close()
  if (!isReadTwice) return { name, sizeBytes: null, readBytes, close }
  const spool = await openSpool()
  for await (const chunk of readBytes()) await spool.writeFile(chunk)
  await close()
  return fromFile(spool, (await spool.stat()).size)
}

/** The file is deleted while it is open, so that it disappears even if the program is killed. */
async function openSpool(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), "pazar-import-"))
  try {
    return await open(join(folder, "feed.ndjson"), "wx+", 0o600)
  } finally {
    await rm(folder, { recursive: true })
  }
}

/** `from` is null for a pipe or a device, which cannot seek. */
async function* readChunks(file: FileHandle, from: number | null = 0): AsyncGenerator<Uint8Array> {
  for (let position = from; ; ) {
    const chunk = new Uint8Array(chunkBytes)
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, position)
    if (bytesRead === 0) return
    if (position !== null) position += bytesRead
    yield chunk.subarray(0, bytesRead)
  }
}

export const describeMissingRecord = ({ type, identity, records }: Needed) =>
  `${type} ${identity}: ${pluralize(records, type === "item" ? "purchase" : "item")}`

function describeMovedKeys({ itemId, from, to, keys }: MovedKeys): string {
  const count = keys.length === 1 ? "1 validation key" : `${keys.length} validation keys`
  const names = keys.map(({ name, lastUsedAt }) => {
    const use = lastUsedAt === null ? "never used" : `last used ${lastUsedAt.slice(0, 10)}`
    return `${JSON.stringify(name)} (${use})`
  })
  return `item ${itemId} moves from ${from} to ${to}; ${count} created for it stay${keys.length === 1 ? "s" : ""} valid: ${names.join(", ")}`
}

const printedMax = 20

type RejectionOutcome = Pick<RunOutcome, "rejections"> &
  Readonly<{ counts: Pick<FeedCounts, "rejected"> }>

/** Names a line of the feed: `line 3`, or for a pull the row that it was created from. */
type DescribeLine = (line: number) => string

export const describeFileLine: DescribeLine = (line) => `line ${line}`

type FeedUnit = "lines" | "rows"

export const toUnit = (via: FeedOrigin["via"]): FeedUnit => (via === "pull" ? "rows" : "lines")

export function createRejectionPrinter(
  { printStderr }: Pick<CommandContext, "printStderr">,
  nameLine: DescribeLine,
  unit: FeedUnit,
) {
  let rejections = 0
  let defaulted = 0
  const defaults = createRejectionGroups()
  return {
    print(rejected: RejectedLine): void {
      rejections += 1
      if (rejections <= printedMax) printStderr(renderRejectedLine(rejected, nameLine))
      else if (rejections === printedMax + 1)
        printStderr(`further rejected ${unit} are summarized at the end`)
    },
    addDefaulted(line: LineProblems): void {
      defaulted += 1
      defaults.add(line)
    },
    printSummary(outcome: RejectionOutcome): void {
      if (rejections > printedMax) {
        for (const line of renderRejectionSummary(outcome, nameLine, unit)) printStderr(line)
      }
      if (defaulted === 0) return
      const { groups } = defaults.summarize()
      const records = defaulted === 1 ? "record was" : "records were"
      printStderr(`${formatCount(defaulted)} ${records} imported without invalid fields:`)
      for (const line of describeGroups(groups, nameLine)) printStderr(line)
      printStderr(
        "these fields got defaults, or in a patch kept their values; see docs/shop-data.md",
      )
    },
  }
}

export function renderRejectedLine(rejected: RejectedLine, nameLine: DescribeLine): string {
  const { line, type, identity, problems, because } = rejected
  const record = [type, identity].filter((part) => part !== undefined).join(" ")
  const reasons = problems.map((each) => `${each.field}: ${describe(each)}`).join("; ")
  const cause = because === undefined ? "" : ` (${nameLine(because.line)} was rejected)`
  return [nameLine(line), ...(record === "" ? [] : [record]), reasons + cause].join(": ")
}

export function renderRejectionSummary(
  { counts, rejections }: RejectionOutcome,
  nameLine: DescribeLine,
  unit: FeedUnit,
): readonly string[] {
  const { groups, otherKinds, otherProblems } = rejections
  return [
    counts.rejected === 1
      ? `1 ${unit.slice(0, -1)} was rejected:`
      : `${formatCount(counts.rejected)} ${unit} were rejected:`,
    ...describeGroups(groups, nameLine),
    ...(otherProblems === 0
      ? []
      : [`and ${formatCount(otherKinds)} more ${otherKinds === 1 ? "kind" : "kinds"} of problems`]),
  ]
}

function describeGroups(
  groups: readonly RejectionGroup[],
  nameLine: DescribeLine,
): readonly string[] {
  const digits = Math.max(...groups.map(({ lines }) => formatCount(lines).length))
  return groups.map((group) => {
    const { type, field, lines, samples } = group
    const { line, identity } = samples[0]
    const first = identity === null ? "" : `, ${type} ${identity}`
    const example = `(first: ${nameLine(line)}${first})`
    const problem = [...(type === null ? [] : [type]), field, describe(group)].join(": ")
    return `  ${formatCount(lines).padStart(digits)} × ${problem} ${example}`
  })
}

/** Writes the file of `--report`. Does nothing if `path` is null. */
function openRejectionReport(path: string | null) {
  // The report contains names and purchase codes, so only its owner may read it.
  const file = path === null ? null : openSync(path, "w", 0o600)
  // The mode above applies to new files only. /dev/null and pipes keep their mode.
  if (file !== null && fstatSync(file).isFile()) fchmodSync(file, 0o600)
  const decoder = new TextDecoder()
  return {
    write(rejected: RejectedLine, bytes: Uint8Array | null): void {
      const record = bytes === null ? undefined : decoder.decode(bytes)
      if (file !== null) writeSync(file, `${JSON.stringify({ ...rejected, record })}\n`)
    },
    close(): void {
      if (file !== null) closeSync(file)
    },
  }
}
