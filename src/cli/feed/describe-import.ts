/** Imports and pending records as `pazar imports`, `doctor` and `import` print them. */

import {
  isPendingTooLong,
  type Needed,
  type PendingGroup,
  type PendingSummary,
} from "../../domain/feed/feed-record.ts"
import { type ImportRun, linesOf, type RunRemarks } from "../../domain/feed/feed-store.ts"
import { en } from "../../domain/values/problems/en.ts"
import { describe, type Message } from "../../domain/values/problems/problem.ts"
import { formatCount, pluralize } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { DescribeLine } from "./explain-rejections.ts"

/** Returns undefined for null, so that JSON omits the field. */
export const textOf = (problem: Message | null | undefined) =>
  problem ? describe(en, problem) : undefined

/** Returns null for an import that was interrupted or is still running. */
export const secondsOf = ({ startedAt, finishedAt }: ImportRun): number | null =>
  finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000

export function importRunObject(run: ImportRun) {
  const { id, source, via, startedAt, finishedAt, outcome, problem } = run
  const counts = outcome?.counts ?? noCounts
  const line = linesOf(run)
  const problems = {
    problem: textOf(problem),
    removalProblem: textOf(outcome?.removalProblem),
    ahead: outcome?.ahead ?? undefined,
    repeated: outcome?.repeated?.records,
  }
  const seconds = secondsOf(run)
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

/** `42 accepted, 3 normalized, 1 rejected, 0 removed in 2 s`; other counts only if they are not zero. */
export function describeImportRun(run: ImportRun): string {
  const { finishedAt, outcome, problem } = run
  if (finishedAt === null) return "not finished: interrupted, or still running"
  if (problem !== null) return `failed: ${describe(en, problem)}`
  if (outcome === null) return "finished by a version that did not record counts"
  const { accepted, adjusted, waiting, rejected, removed, revoked, restored } = outcome.counts
  const pending = waiting === 0 ? "" : ` ${waiting} pending,`
  const numbers = `${accepted} accepted, ${adjusted} normalized,${pending} ${rejected} rejected, ${removed} removed`
  const rare = `${revoked === 0 ? "" : `, ${revoked} revoked`}${restored === 0 ? "" : `, ${restored} restored`}`
  const kept =
    outcome.removalProblem === null
      ? ""
      : `; no records were deleted: ${describe(en, outcome.removalProblem)}`
  return `${numbers}${rare} in ${secondsOf(run)} s${kept}`
}

export const describeFutureRecords = ({ records, seconds }: NonNullable<RunRemarks["ahead"]>) =>
  `the timestamps of ${formatCount(records)} ${records === 1 ? "record" : "records"} were up to ${formatCount(seconds)} s in the future and count as now; synchronize the clocks of the source and this machine`

/** `2 rows repeat …: row 12 of purchases, row 40 of purchases; …` */
export function describeDuplicateRecords(
  { records, firstLines }: NonNullable<RunRemarks["repeated"]>,
  nameLine: DescribeLine,
): string {
  const rows = records === 1 ? "1 row repeats" : `${formatCount(records)} rows repeat`
  const first = firstLines.map(nameLine).join(", ")
  const more = records > firstLines.length ? " and others" : ""
  return `${rows} the purchase code of an earlier row: ${first}${more}; a revoked row takes precedence, then the last one; select each code once`
}

const toTimestamp = (ms: number) => formatTimestamp(new Date(ms))

export function pendingObject({ items, purchases, sinceMs, groups }: PendingSummary) {
  const needs = groups.map(({ type, identity, records, sinceMs }) => {
    return { type, identity, records, since: toTimestamp(sinceMs) }
  })
  return { items, purchases, since: sinceMs === null ? null : toTimestamp(sinceMs), needs }
}

/** `61 purchases, since 2026-01-31T02:00:00Z`; null if no record is pending. */
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

/** The line before the missing records of an import. */
export const describePendingCount = (pending: number) =>
  pending === 1
    ? "1 record is pending until its account or item is imported; it needs:"
    : `${formatCount(pending)} records are pending until their accounts or items are imported; most need:`

/** `item 1229: 61 purchases, since 2026-01-31T02:00:00Z` */
export const describePendingGroup = (group: PendingGroup) =>
  `${describeMissingRecord(group)}, since ${toTimestamp(group.sinceMs)}`

export const describeMissingRecord = ({ type, identity, records }: Needed) =>
  `${type} ${identity}: ${pluralize(records, type === "item" ? "purchase" : "item")}`
