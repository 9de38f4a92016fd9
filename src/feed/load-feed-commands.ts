import { commandLine } from "../access/actor.ts"
import type { AuditStore } from "../access/audit-event.ts"
import { CannotRunError, type CommandContext } from "../platform/cli/command.ts"
import { createProgress } from "../platform/cli/output.ts"
import { describe, type Message, message } from "../platform/problem.ts"
import { formatCount } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import { type Allowance, showAllowance } from "./allowance.ts"
import {
  createRejectionPrinter,
  type DescribeLine,
  describeMissingRecord,
  describeMovedKeys,
  describePendingCount,
  type FeedUnit,
  openRejectionReport,
  unitOf,
} from "./describe-import-commands.ts"
import type { FeedOptions } from "./feed-options-commands.ts"
import { type AsOf, asOfAt, type PrepareKey } from "./feed-record.ts"
import { type FeedProgress, importFeed, importStrictly, recordFeed } from "./import-operations.ts"
import { type FeedOrigin, type FeedStore, type RetainedRecord, warningsOf } from "./import-run.ts"
import type { RejectedLine } from "./rejections.ts"

const batchRecords = 1_000
/** Of the first import, during which no author or product uses the server. For codes in random order, they write a fifth. */
const firstBatchRecords = 10_000

export type FeedInput = FeedOrigin &
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
  app: FeedApp,
  context: Pick<CommandContext, "printStderr" | "showProgress" | "write">,
  input: FeedInput,
  feedOptions: FeedOptions,
): Promise<LoadResult> {
  const { mode, rejectedMax, isFull } = feedOptions
  const { source, via, sizeBytes, readBytes } = input
  const { printStderr } = context
  const { feed } = app.store
  const isFirst = (await feed.listLastFinishes(app.now())).length === 0
  const asOf = asOfRun(feedOptions.asOfMs, input.readAt)
  const startedMs = performance.now()
  const startedAt = formatTimestamp(app.now())
  const progress = createProgress(context, sizeBytes)
  const unit = unitOf(via)
  const printer = createRejectionPrinter(context, input.describeLine, unit)
  const retained: RetainedRecord[] = []
  let otherRetained = 0
  const report = openRejectionReport(feedOptions.reportPath)
  let keys = 0
  const onRetained = (record: RetainedRecord) => {
    if (retained.length < retainedListedMax) retained.push(record)
    else otherRetained += 1
  }
  const options = {
    ...feedOptions,
    feed,
    prepareKey: app.prepareKey,
    source,
    via,
    isByHand: input.isByHand ?? false,
    batchRecords: isFirst ? firstBatchRecords : batchRecords,
    now: app.now,
    chooseAsOf: (own: AsOf | undefined) => own ?? asOf ?? undefined,
    fullSync: isFull ? { asOf, onRetained } : null,
    onRejected(rejected: RejectedLine, bytes: Uint8Array | null) {
      report.write(rejected, bytes)
      printer.print(rejected)
    },
    onDefaulted: printer.addDefaulted,
    onProgress({ accepted, rejected, removed, bytes, ...current }: FeedProgress) {
      const counts = `${rejected} rejected${removed === 0 ? "" : `, ${removed} removed`}`
      progress.show(accepted + rejected, bytes, counts)
      keys = current.keys
    },
  }
  try {
    const outcome =
      mode === "strict"
        ? await importStrictly({ ...options, readBytes })
        : await importFeed({ ...options, mode, bytes: readBytes() })
    progress.end()
    printer.printSummary(outcome)
    const { counts, remarks, removalProblem, stopped, isApplied } = outcome
    const seconds = Math.round(performance.now() - startedMs) / 1000
    await context.write(`${JSON.stringify({ ...counts, seconds, ...remarks })}\n`)
    if (removalProblem !== null) printStderr(`no records were deleted: ${describe(removalProblem)}`)
    for (const { kind, identity, why } of retained)
      printStderr(`kept ${kind} ${identity}, which is not in the feed: ${describe(why)}`)
    if (otherRetained > 0) printStderr(`kept ${otherRetained} more that are not in the feed`)
    if (stopped !== null) printStderr(`import ${describe(stopped)}`)
    for (const warning of warningsOf(remarks)) printStderr(describe(warning))
    if (counts.waiting > 0) printStderr(describePendingCount(counts.waiting))
    for (const needed of outcome.needed) printStderr(`  ${describeMissingRecord(needed)}`)
    for (const moved of outcome.movedKeys) printStderr(describeMovedKeys(moved))
    if (mode === "dry run") printStderr("dry run: no changes were saved")
    const { accepted, waiting, rejected } = counts
    const isWhole = rejected === 0 && removalProblem === null && stopped === null
    if (mode === "strict" && !isWhole)
      printStderr(isApplied ? describeConflict(unit) : "--strict: no changes were saved")
    const problem = isApplied ? stopped : (stopped ?? message("rejected_strictly"))
    if (!isApplied && problem !== null) {
      const runBefore = (await feed.findLastRun(source))?.id ?? 0
      const endedAt = formatTimestamp(app.now())
      const line = outcome.lastLine
      const run = { source, via, startedAt, endedAt, problem, outcome, line, runBefore }
      await feed.recordFailure(run)
    }
    const total = accepted + waiting + rejected
    const isAllowed = rejected === 0 || outcome.isRefusalAllowed
    if (!isAllowed && !isNone(rejectedMax))
      printStderr(describeExcess(unit, rejected, total, rejectedMax))
    const isSuccess = isAllowed && removalProblem === null && stopped === null
    return { status: isSuccess ? 0 : 1, problem }
  } finally {
    report.close()
    // The batches of an interrupted feed were saved, so their keys are recorded too.
    const { audit } = app.store
    await recordFeed({ audit, now: app.now, actor: commandLine }, null, keys)
  }
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

function asOfRun(asOfMs: number | null, readAt: Date | undefined): AsOf | null {
  if (asOfMs !== null) return asOfAt(asOfMs, Date.now())
  return readAt === undefined ? null : { ...asOfAt(readAt.getTime(), Date.now()), isOfRun: true }
}

const retainedListedMax = 20

/** Without --max-refused, the rejected lines alone explain the exit status. */
const isNone = (allowed: Allowance) => "count" in allowed && allowed.count === 0

const describeExcess = (unit: FeedUnit, rejected: number, total: number, allowed: Allowance) =>
  `${formatCount(rejected)} of ${formatCount(total)} ${unit} ${rejected === 1 ? "was" : "were"} rejected; --max-refused allows ${showAllowance(allowed)}`

const describeConflict = (unit: FeedUnit) =>
  `another program changed the database after the feed was validated: the ${unit} above were rejected, the others imported; import the feed again`
