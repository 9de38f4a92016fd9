import { randomBytes } from "node:crypto"
import { statSync } from "node:fs"
import { open, rename, rm } from "node:fs/promises"
import {
  CannotRunError,
  type CommandContext,
  command,
  jsonOnly,
  type OpenContext,
  option,
  UsageError,
} from "../platform/cli/command.ts"
import {
  createProgress,
  replaceControlCharacters,
  tolerateClosedPipe,
  writeList,
  writeRecord,
} from "../platform/cli/output.ts"
import { parseLimitOption } from "../platform/cli/parse-options.ts"
import { findErrorCode, StoreUnavailable, UserError } from "../platform/error.ts"
import { describe, type Message, message } from "../platform/problem.ts"
import { pluralize } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import { exportFeed } from "./feed-operations.ts"
import { isPendingTooLong, type PendingSummary } from "./feed-record.ts"
import { type ImportRun, listWarnings } from "./import-run.ts"
import {
  checkFeedSource,
  describeFileLine,
  describeMissingRecord,
  type FeedApp,
  feedOptions,
  feedResultHelp,
  loadFeed,
  openFeedSource,
  parseFeedOptions,
  rejectWhenStopped,
  renderRejectionSummary,
  toUnit,
} from "./load-feed-commands.ts"

type Context = OpenContext<FeedApp>

export const commands = {
  export: command({
    positionals: ["[FILE|-]"],
    help: `Without FILE, or with -, the export is written to standard output. A file is renamed into place when
it is complete. The same data always produces the same bytes. An export does not contain API keys,
passwords, sites or webhooks. \`pazar backup\` and \`pazar move\` copy these.`,
    async run({ positionals: [path = "-"] }, context: Context) {
      const startedAt = performance.now()
      const records =
        path === "-" ? await exportTo(context, context.write) : await exportToFile(context, path)
      const seconds = Math.round(performance.now() - startedAt) / 1000
      if (path !== "-") await context.write(`${JSON.stringify({ exported: records, seconds })}\n`)
    },
  }),
  import: command({
    positionals: ["FILE|-"],
    options: feedOptions,
    help: "FILE is newline-delimited JSON, described in docs/shop-data.md. - reads standard input.",
    afterOptions: feedResultHelp,
    async run({ positionals: [path], values }, commandContext: Context) {
      const context = tolerateClosedPipe(commandContext)
      checkFeedSource(path)
      const options = parseFeedOptions(values, path)
      await context.rejectDatabaseFiles(options.reportPath)
      context.lowerPriority()
      await using app = await context.openApp()
      const { feed } = app.store
      const startedAt = formatTimestamp(app.now())
      const source = await openFeedSource(path, context, options.mode === "strict")
      const { name, sizeBytes, readBytes } = source
      const origin = { source: name, via: "file" } as const
      const last = await feed.findLastRun(name)
      try {
        // Standard input may be a different feed each time.
        if (name !== "-" && last?.finishedAt === null) {
          const isDryRun = options.mode === "dry run"
          const remedy = isDryRun ? "import it again to complete it" : "this one completes it"
          const where = `${name} was interrupted after line ${last.line}`
          context.printStderr(`an earlier import of ${where}; ${remedy}`)
        }
        const { isTyped: isByHand } = context
        const input = { ...origin, sizeBytes, readBytes, describeLine: describeFileLine, isByHand }
        const loading = loadFeed(app, context, input, options)
        return (await rejectWhenStopped(context, options, loading)).status
      } catch (error) {
        // An unreachable database cannot record the failure.
        if (options.mode !== "dry run" && !(error instanceof StoreUnavailable)) {
          await feed.recordFailure({
            ...origin,
            startedAt,
            endedAt: formatTimestamp(app.now()),
            problem: toPublicProblem(error),
            outcome: null,
            line: 0,
            runBefore: last?.id ?? 0,
          })
        }
        throw error
      } finally {
        await source.close()
      }
    },
  }),
  imports: command({
    positionals: ["[ID]"],
    options: {
      limit: { ...option("N", "number of rows, newest first. Default: 20"), default: "20" },
      ...jsonOnly,
    },
    help: `For an ID, the command prints why lines were rejected. An import without a result failed, was
interrupted, or is still running. Pending records follow the list: they refer to an account or item
that does not exist yet. Pazar keeps at least the last 1,000 imports, 1,000 pulls and 1,000 pushes.`,
    async run({ positionals: [text], values: { json, limit } }, context: Context) {
      const rowsMax = parseLimitOption(limit)
      if (text !== undefined && !/^\d{1,15}$/.test(text))
        throw new UsageError(`ID must be the number of an import, not ${JSON.stringify(text)}`)
      await using app = await context.openApp()
      const { feed } = app.store
      if (text !== undefined) {
        const id = Number(text)
        const run = await feed.findRun(id)
        if (run === null)
          throw new UserError(`import ${id} does not exist or was deleted; run pazar imports`)
        return await writeRun(context, json, run)
      }
      const runs = await feed.listRuns(rowsMax)
      const none = "no imports yet; run `pazar import FILE`"
      await writeList(context, json, [runs], { toObject: importRunObject, header, toCells, none })
      if (json || runs.length === 0) return
      const pending = await feed.readPending(pendingGroupsMax)
      const summary = describePending(pending, new Date())
      if (summary === null) return
      const groups = pending.groups.map((group) =>
        replaceControlCharacters(
          `  for ${describeMissingRecord(group)}, since ${toTimestamp(group.sinceMs)}`,
        ),
      )
      await context.write([`pending: ${summary}`, ...groups, ""].join("\n"))
    },
  }),
}

/** The console shows the problem. Only the messages of these errors never contain a secret. */
const toPublicProblem = (error: unknown) =>
  error instanceof CannotRunError || (error instanceof Error && findErrorCode(error) !== null)
    ? message("other", { text: error.message })
    : message("internal_error")

const pendingGroupsMax = 10

const numbers = ["SECONDS", "ACCEPTED", "NORMALIZED", "PENDING", "REJECTED", "REMOVED"]
const header = ["ID", "STARTED", "VIA", ...numbers, "SOURCE", "PROBLEM"]

function toCells(run: ImportRun): readonly string[] {
  const { id, startedAt, via, source, outcome, problem } = run
  const { accepted, adjusted, waiting, rejected, removed } = outcome?.counts ?? noCounts
  const numbers = [measureSeconds(run), accepted, adjusted, waiting, rejected, removed]
  const shown = numbers.map((each) => String(each ?? "-"))
  const problemText = describeProblem(problem ?? outcome?.removalProblem) ?? ""
  return [String(id), startedAt, via, ...shown, source, problemText]
}

async function writeRun(context: CommandContext, isJson: boolean, run: ImportRun): Promise<void> {
  const { id, source, via, startedAt, outcome } = run
  const unit = toUnit(via)
  const nameLine = unit === "rows" ? (row: number) => `row ${row}` : describeFileLine
  const problems = outcome?.rejections.groups.map((group) => {
    return { ...group, reason: describe(group) }
  })
  await writeRecord(context, isJson, { ...importRunObject(run), problems: problems ?? [] }, [
    ["Import", String(id)],
    ["Source", source],
    ["Via", via],
    ["Started", startedAt],
    [unit === "rows" ? "Rows" : "Lines", String(run.line)],
    ["Result", describeImportRun(run)],
  ])
  if (isJson || outcome === null) return
  const lines = listWarnings(outcome.remarks).map((warning) => describe(warning))
  if (outcome.counts.rejected > 0) lines.push(...renderRejectionSummary(outcome, nameLine, unit))
  await context.write(lines.map((line) => `${replaceControlCharacters(line)}\n`).join(""))
}

async function exportTo(
  context: Context,
  write: (lines: string) => Promise<void>,
): Promise<number> {
  const progress = createProgress(context, null)
  let lines = 0
  await using app = await context.openApp()
  const records = await exportFeed(app.store.feed, async (text) => {
    await write(text)
    lines += text.split("\n").length - 1
    progress.show(lines, 0, "exporting")
  })
  progress.end()
  return records
}

async function exportToFile(context: Context, path: string): Promise<number> {
  await context.rejectDatabaseFiles(path)
  // A device or a pipe must not be replaced by a file.
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) {
    await using file = await open(path, "w")
    return await exportTo(context, (lines) => file.writeFile(lines))
  }
  const temporaryPath = `${path}.${randomBytes(6).toString("hex")}`
  // An export contains balances and e-mail addresses, so only its owner may read the file.
  const file = await open(temporaryPath, "wx", 0o600)
  try {
    const records = await exportTo(context, (lines) => file.writeFile(lines))
    await file.sync()
    await file.close()
    await rename(temporaryPath, path)
    return records
  } catch (error) {
    await file.close().catch(() => {})
    await rm(temporaryPath, { force: true })
    throw error
  }
}

const describeProblem = (problem: Message | null | undefined) =>
  problem ? describe(problem) : undefined

const measureSeconds = ({ startedAt, finishedAt }: ImportRun): number | null =>
  finishedAt === null ? null : (Date.parse(finishedAt) - Date.parse(startedAt)) / 1000

export function importRunObject(run: ImportRun) {
  const { id, source, via, line, startedAt, finishedAt, outcome, problem } = run
  const counts = outcome?.counts ?? noCounts
  const problems = {
    problem: describeProblem(problem),
    removalProblem: describeProblem(outcome?.removalProblem),
    ...outcome?.remarks,
  }
  const seconds = measureSeconds(run)
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
