import type { ImportRun } from "../../domain/feed/import-run.ts"
import type { WaitingSummary } from "../../domain/feed/waiting-record.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { type CommandContext, createCommand, type Terminal, UsageError } from "../frame/command.ts"
import { printable } from "../frame/printable.ts"
import { parseRowLimit } from "../frame/row-limit.ts"
import { renderTable } from "../frame/table.ts"
import { withApp } from "../frame/with-app.ts"
import { lineOfFile, summaryLines, unitOf } from "./explain-refusals.ts"
import { describeRun, runObject, secondsOf } from "./import-run.ts"
import { describeNeed, describeWaiting, waitingGroupsMax } from "./waiting.ts"

export const imports = createCommand({
  name: "imports",
  positionals: ["[ID]"],
  options: {
    limit: { type: "string", value: "N", default: "20" },
    json: { type: "boolean" },
  },
  summary: "list the latest imports, pulls and pushes, or explain one",
  help: `  --limit   how many, the newest first; 20 unless said otherwise

With an ID from the list, it says what was refused and why. An import without a result failed, was
interrupted, or still runs. Records that wait for an account or item which is not there are told after
the list. The last 1,000 files, 1,000 pulls and 1,000 pushes are kept.`,
  async run({ positionals: [text], values }, context) {
    const limit = parseRowLimit(values.limit)
    const id = text === undefined ? null : parseRunId(text)
    await withApp(context, async ({ store }) => {
      if (id !== null) {
        const run = await store.feed.findRun(id)
        if (run === null)
          throw new RefusedError(`there is no import ${id}, or it is no longer kept`)
        return context.write(
          values.json
            ? `${JSON.stringify(explainedObject(run))}\n`
            : renderRun(context.terminal, run),
        )
      }
      const runs = await store.feed.listRuns(limit)
      if (values.json) return context.write(`${JSON.stringify(runs.map(runObject))}\n`)
      if (runs.length === 0) return context.tell("Nothing was imported yet.")
      await context.write(renderTable(context.terminal, header, runs.map(renderRow)))
      return tellWaiting(context, await store.feed.readWaiting(waitingGroupsMax))
    })
    return 0
  },
})

function tellWaiting({ tell }: CommandContext, waiting: WaitingSummary): void {
  const all = describeWaiting(waiting, new Date())
  if (all === null) return
  tell(`Waiting: ${all}`)
  for (const group of waiting.groups) tell(printable(`  for ${describeNeed(group)}`))
}

function parseRunId(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new UsageError(`ID must be the number of an import, not ${JSON.stringify(text)}`)
}

function explainedObject(run: ImportRun) {
  const groups = run.outcome?.refusals.groups ?? []
  const problems = groups.map(({ firstLine, firstIdentity, ...group }) => ({
    ...group,
    first_line: firstLine,
    first_identity: firstIdentity,
  }))
  return { ...runObject(run), problems }
}

const header = [
  ...["ID", "STARTED", "VIA", "SECONDS", "ACCEPTED", "ADJUSTED", "WAITING", "REJECTED", "REMOVED"],
  "SOURCE",
  "PROBLEM",
]

const unknown = "-"

function renderRow(run: ImportRun): readonly string[] {
  const { id, startedAt, via, source, outcome, problem } = run
  const counts = outcome?.counts
  const numbers = [
    ...[secondsOf(run), counts?.accepted, counts?.adjusted, counts?.waiting, counts?.rejected],
    counts?.removed,
  ]
  return [
    String(id),
    startedAt,
    via,
    ...numbers.map((each) => String(each ?? unknown)),
    source,
    problem ?? "",
  ]
}

function renderRun(terminal: Terminal, run: ImportRun): string {
  const unit = unitOf(run.via)
  const nameLine = unit === "rows" ? (row: number) => `row ${row}` : lineOfFile
  const rows = [
    ["Source", run.source],
    ["Via", run.via],
    ["Started", run.startedAt],
    [unit === "rows" ? "Rows" : "Lines", String(run.line)],
    ["Result", describeRun(run)],
  ]
  const refused =
    run.outcome === null || run.outcome.counts.rejected === 0
      ? []
      : summaryLines(run.outcome, nameLine, unit)
  const lines = refused.map((line) => `${printable(line)}\n`).join("")
  return `${renderTable(terminal, ["Import", String(run.id)], rows)}${lines}`
}
