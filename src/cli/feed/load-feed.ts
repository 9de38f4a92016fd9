/** Loads a feed into the store, wherever it comes from, and tells the operator what became of it. */
import { type AsOf, asOfAt } from "../../domain/feed/as-of.ts"
import type { RetainedRecord } from "../../domain/feed/feed-record.ts"
import type { FeedOrigin } from "../../domain/feed/import-run.ts"
import { commandLine } from "../../domain/sign-in/audit-event.ts"
import { type Allowance, showAllowance } from "../../domain/values/allowance.ts"
import { en } from "../../domain/values/problems/en.ts"
import { describe, type Message, message } from "../../domain/values/problems/problem.ts"
import { formatCount } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import {
  type FeedProgress,
  importFeed,
  importStrictly,
  optionalSummaryFields,
} from "../../feed/import-feed.ts"
import { asOfFile, asOfWrite } from "../../feed/parse-line.ts"
import type { RejectedLine } from "../../feed/rejection-groups.ts"
import { recordFeed } from "../../operations/record-event.ts"
import type { App } from "../../server/app.ts"
import { CannotRunError, type CommandContext } from "../framework/command.ts"
import { createProgress } from "../framework/progress.ts"
import {
  describeDuplicateRecords,
  describeFutureRecords,
  describeMissingRecord,
} from "./describe-import.ts"
import {
  createRejectionPrinter,
  type DescribeLine,
  type FeedUnit,
  openRejectionReport,
  unitOf,
} from "./explain-rejections.ts"
import type { FeedOptions } from "./feed-options.ts"

const batchRecords = 1_000

export type FeedInput = FeedOrigin &
  Readonly<{
    /** Null when it is not known beforehand. */
    sizeBytes: number | null
    /** NDJSON from the beginning; called twice for `--strict`. */
    readBytes(): AsyncIterable<Uint8Array>
    describeLine: DescribeLine
    /** When a pull read its rows. */
    readAt?: Date
  }>

/** `problem`: why the run failed, although it could be read; null for one that did not. */
export type LoadResult = Readonly<{ status: 0 | 1; problem: Message | null }>

/** The exit status is 0 if none was refused, 1 if more were than allowed or the run was stopped. */
export async function loadFeed(
  app: App,
  context: Pick<CommandContext, "printStderr" | "showProgress" | "write">,
  loaded: FeedInput,
  feedOptions: FeedOptions,
): Promise<LoadResult> {
  const { mode, maxRejected, asOfMs, isFull, limits, isQuiet } = feedOptions
  const { source, via, sizeBytes, readBytes } = loaded
  const asOf = asOfRun(asOfMs, loaded.readAt)
  const begunMs = performance.now()
  const startedAt = formatTimestamp(app.now())
  const progress = createProgress(context, sizeBytes)
  const unit = unitOf(via)
  const explanations = createRejectionPrinter(context, loaded.describeLine, unit)
  const removal = followRemoval(context)
  const report = openRejectionReport(feedOptions.reportPath)
  let keys = 0
  const options = {
    feed: app.store.feed,
    secrets: app.feedSecrets,
    source,
    via,
    isQuiet,
    batchRecords,
    timeZone: feedOptions.timeZone,
    chooseAsOf: asOf === null ? asOfWrite : asOfFile(asOf),
    fullSync: isFull ? { asOf, ...removal } : null,
    limits,
    rejectedMax: maxRejected,
    onRejected(refused: RejectedLine, bytes: Uint8Array | null) {
      report.write(refused, bytes)
      explanations.explain(refused)
    },
    onDefaulted: explanations.addDefaulted,
    onProgress: (reached: FeedProgress) => {
      const { accepted, rejected, removed, bytes } = reached
      const note = `${rejected} refused${removed === 0 ? "" : `, ${removed} removed`}`
      progress.show(accepted + rejected, bytes, note)
      keys = reached.keys
    },
  }
  try {
    const { isApplied, ...outcome } =
      mode === "strict"
        ? await importStrictly({ ...options, readBytes })
        : { ...(await importFeed({ ...options, mode, bytes: readBytes() })), isApplied: true }
    progress.end()
    explanations.sumUp(outcome)
    const { counts, removalProblem, stopped } = outcome
    const seconds = Math.round(performance.now() - begunMs) / 1000
    await context.write(
      `${JSON.stringify({ ...counts, seconds, ...optionalSummaryFields(outcome) })}\n`,
    )
    removal.tell(removalProblem)
    if (stopped !== null) context.printStderr(`The import was ${describe(en, stopped)}.`)
    if (outcome.ahead !== null) context.printStderr(describeFutureRecords(outcome.ahead))
    if (outcome.repeated !== null) {
      context.printStderr(describeDuplicateRecords(outcome.repeated, loaded.describeLine))
    }
    if (counts.waiting > 0) context.printStderr(someWait(counts.waiting))
    for (const needed of outcome.needed) context.printStderr(`  ${describeMissingRecord(needed)}`)
    if (mode === "dry run") context.printStderr("A dry run: nothing was kept.")
    const { accepted, waiting, rejected } = counts
    const isWhole = rejected === 0 && removalProblem === null && stopped === null
    if (mode === "strict" && !isWhole)
      context.printStderr(isApplied ? changedMeanwhile(unit) : nothingKept)
    const problem = isApplied ? stopped : (stopped ?? message("rejected_strictly"))
    if (!isApplied && problem !== null) {
      const runBefore = (await app.store.feed.findLastRun(source))?.id ?? 0
      const endedAt = formatTimestamp(app.now())
      const line = outcome.lastLine
      const run = { source, via, startedAt, endedAt, problem, outcome, line, runBefore }
      await app.store.feed.recordFailure(run)
    }
    const total = accepted + waiting + rejected
    const isAllowed = rejected === 0 || outcome.isRefusalAllowed
    if (!isAllowed && !isNone(maxRejected))
      context.printStderr(tooMany(unit, rejected, total, maxRejected))
    const isDone = isAllowed && removalProblem === null && stopped === null
    return { status: isDone ? 0 : 1, problem }
  } finally {
    report.close()
    // Also of a feed that was interrupted: its batches are kept.
    const { audit } = app.store
    await recordFeed({ audit, now: app.now, actor: commandLine }, null, keys)
  }
}

/**
 * A dry run on SQLite removes its copy of the database as soon as it is open, so a signal must not end the program
 * before that: it is waited for instead.
 */
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

/** `--as-of` takes precedence. */
function asOfRun(asOfMs: number | null, readAt: Date | undefined): AsOf | null {
  if (asOfMs !== null) return asOfAt(asOfMs, Date.now())
  return readAt === undefined ? null : { ...asOfAt(readAt.getTime(), Date.now()), isOfRun: true }
}

/** More are only counted. */
const stayingListedMax = 20

function followRemoval(context: Pick<CommandContext, "printStderr">) {
  const listed: RetainedRecord[] = []
  let others = 0
  return {
    onRetained(record: RetainedRecord): void {
      if (listed.length < stayingListedMax) listed.push(record)
      else others += 1
    },
    /** Called once, at the end. */
    tell(problem: Message | null): void {
      if (problem !== null)
        context.printStderr(`The feed removed nothing: ${describe(en, problem)}.`)
      for (const { kind, identity, why } of listed) {
        context.printStderr(
          `${kind} ${identity} is not in the feed, but stays: ${describe(en, why)}`,
        )
      }
      if (others === 1) context.printStderr("1 more record that is not in the feed stays.")
      else if (others > 0)
        context.printStderr(`${others} more records that are not in the feed stay.`)
    },
  }
}

/** Without the option, refused lines alone explain the exit status. */
const isNone = (allowed: Allowance) => "count" in allowed && allowed.count === 0

const tooMany = (unit: FeedUnit, rejected: number, total: number, allowed: Allowance) =>
  `${formatCount(rejected)} of ${formatCount(total)} ${unit} ${rejected === 1 ? "was" : "were"} refused, and --max-refused allows ${showAllowance(allowed)}.`

const someWait = (waiting: number) =>
  waiting === 1
    ? "1 record waits for an account or item that is not there, and will be taken when it arrives. It is for:"
    : `${formatCount(waiting)} records wait for an account or item that is not there, and will be taken when it arrives. Most are for:`

const nothingKept = "Nothing was kept: --strict takes all or none."
const changedMeanwhile = (unit: FeedUnit) =>
  `Another program changed the store after the feed was judged: the ${unit} above were refused, the others were kept. Import the feed again.`
