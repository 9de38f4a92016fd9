/** The options of every command that loads a feed. */
import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import { readFeedDefaults } from "../../config/config.ts"
import { type MassLimits, standardLimits } from "../../domain/feed/mass-changes.ts"
import type { Allowance } from "../../domain/values/allowance.ts"
import { InvalidRecord } from "../../domain/values/shape.ts"
import { findTimeZone, type TimeZone } from "../../domain/values/time/local-time.ts"
import type { FeedDefaults } from "../../feed/records/fill-record.ts"
import { asOfMember, withHint } from "../../feed/records/record.ts"
import type { feedOptions } from "../declarations/feed.ts"
import { CannotRun, UsageError } from "../frame/command.ts"
import { parseLimit } from "../frame/input.ts"

export type FeedOptionValues = Readonly<
  Record<"strict" | "dry-run" | "full", boolean> & { quiet?: boolean | undefined } & Partial<
      Record<TextOption, string | undefined>
    >
>
type TextOption = Exclude<keyof typeof feedOptions, "strict" | "dry-run" | "full" | "quiet">

export type FeedOptions = Readonly<{
  mode: "batches" | "strict" | "dry run"
  /** Null: those of the configuration. */
  defaults: FeedDefaults | null
  /** Null: a time without a zone is refused. */
  timeZone: TimeZone | null
  asOfMs: number | null
  isFull: boolean
  limits: MassLimits
  rejectsPath: string | null
  reportPath: string | null
  maxRefused: Allowance
  /** No webhook is told of it. */
  isQuiet: boolean
}>

/** `inputPath` is read by the command, so no option may write to it. Throws UsageError or CannotRun. */
export function parseFeedOptions(values: FeedOptionValues, inputPath: string): FeedOptions {
  const { defaults, timezone, rejects: rejectsPath = null, report: reportPath = null } = values
  refuseSame("--rejects must not be the feed itself", rejectsPath, inputPath)
  refuseSame("--report must not be the feed itself", reportPath, inputPath)
  refuseSame("--report must not be the file of --rejects", reportPath, rejectsPath)
  refuseSame("--rejects must not be the file of --defaults", rejectsPath, defaults ?? null)
  refuseSame("--report must not be the file of --defaults", reportPath, defaults ?? null)
  if (values.strict && values["max-refused"] !== undefined) {
    throw new UsageError("--strict takes all lines or none: leave out --max-refused")
  }
  const timeZone = timezone === undefined ? null : parseTimeZone(timezone)
  const { "max-deletes": deletes, "max-revokes": revokes } = values
  return {
    isFull: values.full,
    limits: {
      ...standardLimits,
      ...(deletes === undefined ? {} : { deletesMax: parseLimit("max-deletes", deletes) }),
      ...(revokes === undefined ? {} : { revokesMax: parseLimit("max-revokes", revokes) }),
    },
    asOfMs: parseAsOf(values["as-of"], timeZone),
    mode: values["dry-run"] ? "dry run" : values.strict ? "strict" : "batches",
    defaults: defaults === undefined ? null : readDefaults(defaults),
    timeZone,
    rejectsPath,
    reportPath,
    maxRefused: parseLimit("max-refused", values["max-refused"] ?? "0"),
    isQuiet: values.quiet === true,
  }
}

function readDefaults(path: string): FeedDefaults {
  const problems: string[] = []
  const defaults = readFeedDefaults(path, problems)
  if (problems.length === 0) return defaults
  const listed = problems.map((problem) => `- ${problem}`)
  throw new CannotRun(["the defaults cannot be used:", ...listed].join("\n"))
}

function parseTimeZone(name: string): TimeZone {
  const zone = findTimeZone(name)
  if (zone !== null) return zone
  throw new UsageError(
    `--timezone must be a zone or an offset, as in Europe/Istanbul or +03:00, not "${name}"`,
  )
}

function parseAsOf(text: string | undefined, timeZone: TimeZone | null): number | null {
  if (text === undefined) return null
  try {
    return asOfMember(timeZone?.toTimestamp(text) ?? text, "--as-of")
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    throw new UsageError(`--as-of ${withHint(error.problems[0]).reason}`)
  }
}

function refuseSame(problem: string, one: string | null, other: string | null): void {
  if (one !== null && other !== null && realPath(one) === realPath(other)) {
    throw new UsageError(problem)
  }
}

/** The path, if the file does not exist yet. */
const realPath = (path: string) => (existsSync(path) ? realpathSync(path) : resolve(path))
