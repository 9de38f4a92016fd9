import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import type { PullStore } from "../feed/import-run.ts"
import {
  checkFeedSource,
  type FeedApp,
  type FeedOptions,
  feedOptions,
  feedResultHelp,
  type LoadResult,
  loadFeed,
  parseFeedOptions,
  rejectWhenStopped,
} from "../feed/load-feed-commands.ts"
import {
  type CommandContext,
  command,
  type OpenContext,
  option,
  UsageError,
} from "../platform/cli/command.ts"
import { tolerateClosedPipe } from "../platform/cli/output.ts"
import type { MetadataStore } from "../platform/database/metadata.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { type Message, message } from "../platform/problem.ts"
import { formatTimestamp, normalizeTimestamp, parseDurationMs } from "../platform/time.ts"
import {
  earliestSince,
  hasSince,
  openPull,
  type PullReader,
  toLocalTimestamp,
} from "./open-pull.ts"
import { type PullFile, PullFileError, parsePullFile } from "./pull-file.ts"
import type { PulledRecord } from "./row-reader.ts"
import { SourceError } from "./source.ts"

type App = FeedApp &
  Readonly<{ store: Readonly<{ pulls: PullStore; metadata: Pick<MetadataStore, "find" | "put"> }> }>

type Context = OpenContext<App>

export const commands = {
  pull: command({
    positionals: ["FILE.json"],
    options: {
      since: option("TIME", "value of :since in the SELECTs. Default: the last successful pull"),
      every: option("30s", "repeat with this pause (30s, 5m, 1h) until stopped"),
      ...feedOptions,
    },
    help: `FILE.json contains the connection to a MySQL, MariaDB, PostgreSQL or SQLite database and the SELECT
statements to run. docs/shop-data.md describes it. Each row is imported as a record of a feed.`,
    afterOptions: `A dry run lists fields without a column and prints the first record of each type.
${feedResultHelp}`,
    async run({ positionals: [path], values }, commandContext: Context) {
      const context = tolerateClosedPipe(commandContext)
      checkFeedSource(path)
      const options = parseFeedOptions(values, path)
      await context.rejectDatabaseFiles(options.reportPath)
      const sinceTimestamp = values.since === undefined ? null : normalizeTimestamp(values.since)
      if (values.since !== undefined && sinceTimestamp === null)
        throw new UsageError(
          "--since must be a timestamp with a zone, such as 2026-01-31T00:00:00Z",
        )
      const since = sinceTimestamp === null ? null : new Date(sinceTimestamp)
      const everyMs = values.every === undefined ? null : parseDurationMs(values.every)
      if (values.every !== undefined) {
        if (everyMs === null)
          throw new UsageError("--every must be a duration such as 90s, 5m or 1h")
        if (options.mode === "dry run")
          throw new UsageError("--every and --dry-run cannot be used together")
      }
      const pullFile = readPullFile(path, context)
      const file = { ...pullFile, timeZone: values.timezone ?? pullFile.timeZone }
      if (since !== null && !hasSince(file))
        throw new UsageError("--since has no effect", "use :since in a SELECT of the file")
      if (options.isFull && since !== null)
        throw new UsageError("--full and --since cannot be used together")
      if (options.isFull && file.selects.length < 3)
        throw new UsageError("--full requires a SELECT each for accounts, items and purchases")
      context.lowerPriority()
      const round = {
        file,
        name: file.name ?? resolve(path),
        since,
        options,
        checkStopped() {},
        everySeconds: everyMs === null ? null : everyMs / 1000,
      }
      if (everyMs !== null) return await pullRepeatedly(round, everyMs, context)
      await using app = await context.openApp()
      return await rejectWhenStopped(context, options, pullRound(app, context, round))
    },
  }),
}

function readPullFile(path: string, { env }: Pick<CommandContext, "env">): PullFile {
  const resolvePath = (other: string) => resolve(dirname(path), other)
  return parsePullFile(readFileSync(path, "utf8"), {
    env,
    resolvePath,
    readText(other) {
      try {
        return readFileSync(resolvePath(other), "utf8")
      } catch {
        return null
      }
    },
  })
}

/** After a failed round, the next one reads the same changes again. */
async function pullRepeatedly(
  round: PullRound,
  everyMs: number,
  context: ReturnType<typeof tolerateClosedPipe<Context>>,
) {
  let isStopped = false
  const stopped = context.untilStopped().then(() => {
    isStopped = true
  })
  const checkStopped = () => {
    if (isStopped) throw new Stopped()
  }
  let next = { ...round, checkStopped }
  while (!isStopped) {
    try {
      await using app = await context.openApp()
      await pullRound(app, context, next)
      if (context.isOutputClosed()) break
      next = { ...next, since: null }
    } catch (error) {
      if (error instanceof Stopped) break
      if (!(error instanceof SourceError || error instanceof StoreUnavailable)) throw error
      context.printStderr(`pazar: ${error.message}; retrying in the next round`)
    }
    await Promise.race([Bun.sleep(everyMs), stopped])
  }
  return 0
}

type PullRound = Readonly<{
  file: PullFile
  /** Identifies the pull: the time of its last success is stored under this name. */
  name: string
  /** Null reads all changes since the last successful pull, or everything. */
  since: Date | null
  everySeconds: number | null
  options: FeedOptions
  /** Called between rows. If it throws, the round ends after the current batch. */
  checkStopped(): void
}>

type RoundContext = Pick<CommandContext, "isTyped" | "printStderr" | "showProgress" | "write">

export class Stopped extends Error {
  override name = "Stopped"
}

/** Imports the rows changed since the last round. Returns the exit status. Throws SourceError and PullFileError. */
export async function pullRound(
  app: App,
  context: RoundContext,
  round: PullRound,
): Promise<number> {
  const { store, now } = app
  const { name, everySeconds, options } = round
  if (options.mode === "dry run") return (await runRound(app, context, round)).status
  const startedAt = formatTimestamp(now())
  const runBefore = (await store.feed.findLastRun(name))?.id ?? 0
  const started = { name, everySeconds, runBefore, startedAt }
  const recordRound = (problem: Message | null, isSuccess = false) =>
    store.pulls.recordRound({ ...started, endedAt: formatTimestamp(now()), problem, isSuccess })
  try {
    const { status, problem } = await runRound(app, context, round)
    await recordRound(problem, status === 0)
    return status
  } catch (error) {
    // An unreachable database cannot record the failure, and a stopped round stays unfinished.
    if (!(error instanceof Stopped || error instanceof StoreUnavailable))
      await recordRound(toPublicProblem(error))
    throw error
  }
}

const problemUnitsMax = 1_000

/** The console shows the problem. Only the messages of these errors never contain a secret. */
const toPublicProblem = (error: unknown) =>
  error instanceof SourceError || error instanceof PullFileError
    ? message("other", { text: error.message.slice(0, problemUnitsMax) })
    : message("internal_error")

async function runRound(app: App, context: RoundContext, round: PullRound): Promise<LoadResult> {
  const { metadata } = app.store
  const { file, name, options } = round
  const key = `pull: ${name}`
  const lastSuccess = await metadata.find(key)
  const last = lastSuccess === null ? null : new Date(lastSuccess)
  const overlapped = last === null ? earliestSince : new Date(last.getTime() - file.overlapMs)
  const since = options.isFull ? earliestSince : (round.since ?? overlapped)
  let pull = await openPull(file, toLocalTimestamp(since, file.timeZone))
  if (round.since === null && since > pull.readAt) {
    // The clock of the database was set back, so new changes seem older than the last pull: everything is read.
    await pull.close()
    pull = await openPull(file, toLocalTimestamp(earliestSince, file.timeZone))
  }
  try {
    const result = await load(app, context, round, pull)
    // With a `since` after the last success, the changes in between were not read.
    const leavesGap = last !== null && since > last
    if (result.status === 0 && options.mode !== "dry run" && !leavesGap) {
      // A database clock that is ahead would otherwise hide all changes until it is corrected.
      const readMs = Math.min(pull.readAt.getTime(), app.now().getTime())
      await metadata.put(key, formatTimestamp(new Date(readMs)))
    }
    return result
  } finally {
    await pull.close()
  }
}

function load(
  app: App,
  context: RoundContext,
  { name, options, checkStopped, everySeconds }: PullRound,
  pull: PullReader,
): Promise<LoadResult> {
  const isDryRun = options.mode === "dry run"
  for (const { type, fields } of pull.missingFields)
    if (isDryRun && fields.length > 0)
      context.printStderr(`the SELECT of ${type}s has no column for ${fields.join(", ")}`)
  function onFirst(record: PulledRecord): void {
    if (!isDryRun) return
    // The API key must not appear on a screen.
    const shown = "api_key" in record ? { ...record, api_key: "…" } : record
    context.printStderr(`first ${record.type}: ${JSON.stringify(shown)}`)
  }
  const feed = {
    ...({ source: name, via: "pull", sizeBytes: null } as const),
    readBytes: () => pull.readBytes({ hasEnd: options.isFull, onFirst, checkStopped }),
    describeLine(line: number): string {
      const found = pull.findRow(line)
      return found === null ? `line ${line}` : `row ${found.row} of ${found.type}s`
    },
    readAt: pull.readAt,
    isByHand: everySeconds === null && context.isTyped,
  }
  return loadFeed(app, context, feed, options)
}
