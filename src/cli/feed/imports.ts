/** `pazar imports`, and imports and waiting records as `pazar doctor` prints them too. */
import {
  type ImportRun,
  linesOf,
  type RefusalGroup,
  type RunRemarks,
} from "../../domain/feed/import-run.ts"
import {
  isWaitingLong,
  type Needed,
  type WaitingGroup,
  type WaitingSummary,
} from "../../domain/feed/waiting-record.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { en } from "../../domain/values/problems/en.ts"
import { describe, type Message } from "../../domain/values/problems/problem.ts"
import { counted } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type * as declared from "../declarations/feed.ts"
import { type CommandContext, type Run, UsageError } from "../frame/command.ts"
import { parseRowsMax } from "../frame/input.ts"
import { openApp } from "../frame/open-app.ts"
import { writeList, writeRecord } from "../frame/output.ts"
import { printable } from "../frame/printable.ts"
import { formatCount, lineOfFile, type NameLine, summaryLines, unitOf } from "./explain-refusals.ts"

export const imports: Run<typeof declared.imports> = async (
  { positionals: [text], values },
  context,
) => {
  const rowsMax = parseRowsMax(values.limit)
  const id = text === undefined ? null : parseRunId(text)
  await using app = await openApp(context)
  const { feed } = app.store
  if (id !== null) {
    const run = await feed.findRun(id)
    if (run === null) throw new RefusedError(`there is no import ${id}, or it is no longer kept`)
    return await writeRun(context, values.json, run)
  }
  const runs = await feed.listRuns(rowsMax)
  const none = "Nothing was imported yet."
  await writeList(context, values.json, [runs], { toObject: runObject, header, toCells, none })
  if (values.json || runs.length === 0) return
  await writeWaiting(context, await feed.readWaiting(waitingGroupsMax))
}

async function writeWaiting({ write }: CommandContext, waiting: WaitingSummary): Promise<void> {
  const all = describeWaiting(waiting, new Date())
  if (all === null) return
  const needs = waiting.groups.map((group) => printable(`  for ${describeNeed(group)}`))
  await write([`Waiting: ${all}`, ...needs, ""].join("\n"))
}

function parseRunId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`ID must be the number of an import, not ${JSON.stringify(text)}`)
}

const numbers = ["SECONDS", "ACCEPTED", "ADJUSTED", "WAITING", "REJECTED", "REMOVED"]
const header = ["ID", "STARTED", "VIA", ...numbers, "SOURCE", "PROBLEM"]

function toCells(run: ImportRun): readonly string[] {
  const { id, startedAt, via, source, outcome, problem } = run
  const { accepted, adjusted, waiting, rejected, removed } = outcome?.counts ?? noCounts
  const numbers = [secondsOf(run), accepted, adjusted, waiting, rejected, removed]
  const shown = numbers.map((each) => String(each ?? "-"))
  return [
    String(id),
    startedAt,
    via,
    ...shown,
    source,
    textOf(problem ?? outcome?.removalProblem) ?? "",
  ]
}

async function writeRun(context: CommandContext, isJson: boolean, run: ImportRun): Promise<void> {
  const { id, source, via, startedAt, outcome } = run
  const unit = unitOf(via)
  const nameLine = unit === "rows" ? (row: number) => `row ${row}` : lineOfFile
  const object = { ...runObject(run), problems: outcome?.refusals.groups.map(groupObject) ?? [] }
  await writeRecord(context, isJson, object, [
    ["Import", String(id)],
    ["Source", source],
    ["Via", via],
    ["Started", startedAt],
    [unit === "rows" ? "Rows" : "Lines", String(linesOf(run))],
    ["Result", describeRun(run)],
  ])
  if (isJson || outcome === null) return
  if (outcome.ahead !== null) await context.write(`${describeAhead(outcome.ahead)}\n`)
  if (outcome.repeated !== null) {
    await context.write(`${describeRepeated(outcome.repeated, nameLine)}\n`)
  }
  if (outcome.counts.rejected === 0) return
  const refused = summaryLines(outcome, nameLine, unit)
  await context.write(refused.map((line) => `${printable(line)}\n`).join(""))
}

/** Undefined for none, which JSON leaves out. */
const textOf = (problem: Message | null | undefined) =>
  problem ? describe(en, problem) : undefined

/** `member` and `reason` are older names. */
const groupObject = (group: RefusalGroup) => ({
  ...group,
  member: group.field,
  reason: describe(en, group),
})

/** Null for an import that was interrupted or still runs. */
const secondsOf = ({ startedAt, finishedAt }: ImportRun): number | null =>
  finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000

/** The output of `--json`. */
export function runObject(run: ImportRun) {
  const { id, source, via, startedAt, finishedAt, outcome, problem } = run
  const counts = outcome?.counts ?? noCounts
  const line = linesOf(run)
  // JSON leaves out what is undefined.
  const problems = {
    problem: textOf(problem),
    removalProblem: textOf(outcome?.removalProblem),
    ahead: outcome?.ahead ?? undefined,
    repeated: outcome?.repeated?.records,
  }
  const seconds = secondsOf(run)
  return { id, source, via, line, startedAt, finishedAt, ...counts, ...problems, seconds }
}

const noCounts = {
  accepted: null,
  adjusted: null,
  waiting: null,
  rejected: null,
  removed: null,
  revoked: null,
  restored: null,
}

/** `42 accepted, 3 adjusted, 1 rejected, 0 removed in 2 s`; the rest is told where there is any. */
export function describeRun(run: ImportRun): string {
  const { finishedAt, outcome, problem } = run
  if (finishedAt === null) return "not finished: interrupted, or still running"
  if (problem !== null) return `failed: ${describe(en, problem)}`
  if (outcome === null) return "finished by a version that recorded no numbers"
  const { accepted, adjusted, waiting, rejected, removed, revoked, restored } = outcome.counts
  const waits = waiting === 0 ? "" : ` ${waiting} waiting,`
  const numbers = `${accepted} accepted, ${adjusted} adjusted,${waits} ${rejected} rejected, ${removed} removed`
  const rare = `${revoked === 0 ? "" : `, ${revoked} revoked`}${restored === 0 ? "" : `, ${restored} restored`}`
  const kept =
    outcome.removalProblem === null
      ? ""
      : `; nothing was removed: ${describe(en, outcome.removalProblem)}`
  return `${numbers}${rare} in ${secondsOf(run)} s${kept}`
}

export const describeAhead = ({ records, seconds }: NonNullable<RunRemarks["ahead"]>) =>
  `The clock of the source or of this machine is or was ahead, by up to ${formatCount(seconds)} s: ${records === 1 ? "the timestamp of 1 record counts" : `the timestamps of ${formatCount(records)} records count`} as now.`

/** `2 rows have …: row 12 of purchases, row 40 of purchases.` */
export function describeRepeated(
  { records, firstLines }: NonNullable<RunRemarks["repeated"]>,
  nameLine: NameLine,
): string {
  const rows = records === 1 ? "1 row has" : `${formatCount(records)} rows have`
  const first = firstLines.map(nameLine).join(", ")
  const more = records > firstLines.length ? " and others" : ""
  return `${rows} the purchase code of an earlier row: ${first}${more}. A revoked row wins, else the last one. Select each code once.`
}

/** More do not fit on a screen. */
export const waitingGroupsMax = 10

const moment = (ms: number) => formatTimestamp(new Date(ms))

/** The output of `--json`. */
export function waitingObject({ items, purchases, sinceMs, groups }: WaitingSummary) {
  const needs = groups.map(({ type, identity, records, sinceMs }) => {
    return { type, identity, records, since: moment(sinceMs) }
  })
  return { items, purchases, since: sinceMs === null ? null : moment(sinceMs), needs }
}

/** `61 purchases, since 2026-01-31T02:00:00Z`; null if none waits. */
export function describeWaiting(waiting: WaitingSummary, now: Date): string | null {
  const { items, purchases, sinceMs } = waiting
  if (sinceMs === null) return null
  const kinds = [
    ...(items === 0 ? [] : [counted(items, "item")]),
    ...(purchases === 0 ? [] : [counted(purchases, "purchase")]),
  ]
  const warning = isWaitingLong(waiting, now.getTime()) ? "; warning: for more than a day" : ""
  return `${kinds.join(" and ")}, since ${moment(sinceMs)}${warning}`
}

/** `item 1229: 61 purchases, since 2026-01-31T02:00:00Z` */
export const describeNeed = (group: WaitingGroup) =>
  `${describeNeeded(group)}, since ${moment(group.sinceMs)}`

/** `item 1229: 61 purchases` */
export const describeNeeded = ({ type, identity, records }: Needed) =>
  `${type} ${identity}: ${counted(records, type === "item" ? "purchase" : "item")}`
