import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { StoreUnavailable } from "../../domain/store.ts"
import { parseDurationMs } from "../../domain/values/time/duration.ts"
import { normaliseTimestamp } from "../../domain/values/time/timestamp.ts"
import { hasSince } from "../../pull/pull.ts"
import { type PullFile, parsePullFile } from "../../pull/pull-file.ts"
import { SourceError } from "../../pull/source.ts"
import { type CommandContext, createCommand, openApp, UsageError } from "../frame/command.ts"
import { lowerPriority } from "../frame/long-work.ts"
import { type FeedOptions, feedOptions, feedOptionsHelp, parseFeedOptions } from "./feed-options.ts"
import { checkSource } from "./feed-source.ts"
import { type PullRound, pullRound, Stopped } from "./pull-round.ts"

export const pull = createCommand({
  name: "pull",
  positionals: ["FILE.json"],
  options: {
    since: { type: "string", value: "TIME" },
    every: { type: "string", value: "5m" },
    ...feedOptions,
  },
  summary: "load accounts, items and purchases from a store's own database",
  help: `FILE.json names a MySQL, MariaDB, PostgreSQL or SQLite database and the SELECTs to run there;
docs/pull.md describes it. The rows are imported as the lines of a feed are.

  --since TIME    the value of :since in the SELECTs, instead of the last successful pull
  --every 5m      pull again and again, with this pause (90s, 5m, 1h), until it is stopped
${feedOptionsHelp}

A dry run shows the first record of each kind. Refused rows are explained on standard error;
the summary is one line of JSON on standard output. Exit status: 0 all taken, 1 some refused,
2 could not run. After an interruption, pulling again completes it.`,
  async run({ positionals: [path], values }, context) {
    checkSource(path)
    const options = parseFeedOptions(values, path)
    const since = parseSince(values.since)
    const everyMs = parseEvery(values.every, options)
    const given = readPullFile(path, context)
    const file = { ...given, timeZone: values.timezone ?? given.timeZone }
    checkChoice(file, since, options)
    lowerPriority()
    const round = {
      file,
      name: file.name ?? resolve(path),
      since,
      options,
      checkStopped() {},
      everySeconds: everyMs === null ? null : everyMs / 1000,
    }
    if (everyMs !== null) return await pullAgainAndAgain(round, everyMs, context)
    await using app = await openApp(context)
    return await pullRound(app, context, round)
  },
})

function checkChoice(file: PullFile, since: Date | null, { deletesMax }: FeedOptions): void {
  if (since !== null && !hasSince(file)) {
    throw new UsageError("--since has no effect: no SELECT of the file has :since")
  }
  if (deletesMax === null) return
  if (since !== null) throw new UsageError("--full reads everything: leave out --since")
  if (file.selects.length < selectsMax) {
    throw new UsageError("--full needs accounts, items and purchases in the file")
  }
}

/** Accounts, items and purchases. */
const selectsMax = 3

function parseSince(text: string | undefined): Date | null {
  if (text === undefined) return null
  const at = normaliseTimestamp(text)
  if (at !== null) return new Date(at)
  throw new UsageError("--since needs a time with a zone, such as 2026-01-31T00:00:00Z")
}

function parseEvery(text: string | undefined, { mode }: FeedOptions): number | null {
  if (text === undefined) return null
  const everyMs = parseDurationMs(text)
  if (everyMs === null) throw new UsageError("--every needs a duration such as 90s, 5m or 1h")
  if (mode === "dry run") throw new UsageError("--every and --dry-run exclude each other")
  return everyMs
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

/** A failed round is reported, and the next one reads the same changes again. */
async function pullAgainAndAgain(
  round: PullRound,
  everyMs: number,
  context: CommandContext,
): Promise<number> {
  let isStopped = false
  const stopped = context.untilStopped().then(() => {
    isStopped = true
  })
  const checkStopped = () => {
    if (isStopped) throw new Stopped()
  }
  // `--since` is for the first round; the others follow the one before.
  let next = { ...round, checkStopped }
  while (!isStopped) {
    try {
      await using app = await openApp(context)
      await pullRound(app, context, next)
      next = { ...next, since: null }
    } catch (error) {
      if (error instanceof Stopped) break
      if (!(error instanceof SourceError || error instanceof StoreUnavailable)) throw error
      context.tell(`pazar: ${error.message}; the next round tries again`)
    }
    await pause(everyMs, stopped)
  }
  return 0
}

/** Ends early when the program is stopped; rejects with an uncaught error of the program. */
async function pause(ms: number, stopped: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  try {
    await Promise.race([promise, stopped])
  } finally {
    clearTimeout(timer)
  }
}
