/** Imports and pending records as `pazar imports`, `doctor` and `import` print them. */
import { closeSync, fchmodSync, fstatSync, openSync, writeSync } from "node:fs"
import type { CommandContext } from "../platform/cli/command.ts"
import { describe, type Message } from "../platform/problem.ts"
import { formatCount, pluralize } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import {
  isPendingTooLong,
  type Needed,
  type PendingGroup,
  type PendingSummary,
} from "./feed-record.ts"
import type { FeedCounts, FeedOrigin, ImportRun, MovedKeys, RunOutcome } from "./import-run.ts"
import {
  createRejectionGroups,
  type LineProblems,
  type RejectedLine,
  type RejectionGroup,
} from "./rejections.ts"

export const textOf = (problem: Message | null | undefined) =>
  problem ? describe(problem) : undefined

/** Returns null for an import that was interrupted or is still running. */
export const measureSeconds = ({ startedAt, finishedAt }: ImportRun): number | null =>
  finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000

export function importRunObject(run: ImportRun) {
  const { id, source, via, line, startedAt, finishedAt, outcome, problem } = run
  const counts = outcome?.counts ?? noCounts
  const problems = {
    problem: textOf(problem),
    removalProblem: textOf(outcome?.removalProblem),
    ...outcome?.remarks,
  }
  const seconds = measureSeconds(run)
  return { id, source, via, line, startedAt, finishedAt, ...counts, ...problems, seconds }
}

export const noCounts = {
  accepted: null,
  adjusted: null,
  waiting: null,
  rejected: null,
  removed: null,
  revoked: null,
  restored: null,
}

export function describeImportRun(run: ImportRun): string {
  const { finishedAt, outcome, problem } = run
  if (finishedAt === null) return "not finished: interrupted, or still running"
  if (problem !== null) return `failed: ${describe(problem)}`
  if (outcome === null) return "finished by a version that did not record counts"
  const { accepted, adjusted, waiting, rejected, removed, revoked, restored } = outcome.counts
  const pending = waiting === 0 ? "" : ` ${waiting} pending,`
  const numbers = `${accepted} accepted, ${adjusted} normalized,${pending} ${rejected} rejected, ${removed} removed`
  const rare = `${revoked === 0 ? "" : `, ${revoked} revoked`}${restored === 0 ? "" : `, ${restored} restored`}`
  const kept =
    outcome.removalProblem === null
      ? ""
      : `; no records were deleted: ${describe(outcome.removalProblem)}`
  return `${numbers}${rare} in ${measureSeconds(run)} s${kept}`
}

const toTimestamp = (ms: number) => formatTimestamp(new Date(ms))

export function pendingObject({ items, purchases, sinceMs, groups }: PendingSummary) {
  const needs = groups.map(({ type, identity, records, sinceMs }) => {
    return { type, identity, records, since: toTimestamp(sinceMs) }
  })
  return { items, purchases, since: sinceMs === null ? null : toTimestamp(sinceMs), needs }
}

export function describePending(pending: PendingSummary, now: Date): string | null {
  const { items, purchases, sinceMs } = pending
  if (sinceMs === null) return null
  const kinds = [
    ...(items === 0 ? [] : [pluralize(items, "item")]),
    ...(purchases === 0 ? [] : [pluralize(purchases, "purchase")]),
  ]
  const warning = isPendingTooLong(pending, now.getTime()) ? "; warning: for more than a day" : ""
  return `${kinds.join(" and ")}, since ${toTimestamp(sinceMs)}${warning}`
}

export const describePendingCount = (pending: number) =>
  pending === 1
    ? "1 record is pending until its account or item is imported; it needs:"
    : `${formatCount(pending)} records are pending until their accounts or items are imported; most need:`

export const describePendingGroup = (group: PendingGroup) =>
  `${describeMissingRecord(group)}, since ${toTimestamp(group.sinceMs)}`

export const describeMissingRecord = ({ type, identity, records }: Needed) =>
  `${type} ${identity}: ${pluralize(records, type === "item" ? "purchase" : "item")}`

export function describeMovedKeys({ itemId, from, to, keys }: MovedKeys): string {
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
export type DescribeLine = (line: number) => string

export const describeFileLine: DescribeLine = (line) => `line ${line}`

export type FeedUnit = "lines" | "rows"

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
      for (const group of groups) printStderr(describeGroup(group, digitsOf(groups), nameLine))
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
    ...groups.map((group) => describeGroup(group, digitsOf(groups), nameLine)),
    ...(otherProblems === 0
      ? []
      : [`and ${formatCount(otherKinds)} more ${otherKinds === 1 ? "kind" : "kinds"} of problems`]),
  ]
}

const digitsOf = (groups: readonly RejectionGroup[]) =>
  Math.max(...groups.map(({ lines }) => formatCount(lines).length))

function describeGroup(group: RejectionGroup, digits: number, nameLine: DescribeLine): string {
  const { type, field, lines, samples } = group
  const { line, identity } = samples[0]
  const first = identity === null ? "" : `, ${type} ${identity}`
  const example = `(first: ${nameLine(line)}${first})`
  const problem = [...(type === null ? [] : [type]), field, describe(group)].join(": ")
  return `  ${formatCount(lines).padStart(digits)} × ${problem} ${example}`
}

/** Writes the file of `--report`. Does nothing if `path` is null. */
export function openRejectionReport(path: string | null) {
  const file = openPrivateFile(path)
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

/** The report contains names and purchase codes, so only its owner may read it. */
function openPrivateFile(path: string | null): number | null {
  if (path === null) return null
  const file = openSync(path, "w", 0o600)
  // The mode above applies to new files only. /dev/null and pipes keep their mode.
  if (fstatSync(file).isFile()) fchmodSync(file, 0o600)
  return file
}
