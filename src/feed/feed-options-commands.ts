import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import type { Allowance } from "../platform/allowance.ts"
import { flag, option, UsageError, type ValuesOf } from "../platform/cli/command.ts"
import { parseAllowanceOption } from "../platform/cli/parse-options.ts"
import { describe } from "../platform/problem.ts"
import { en } from "../platform/problem-texts.ts"
import { InvalidRecord } from "../platform/schema.ts"
import { findTimeZone, type TimeZone } from "../platform/time.ts"
import { type MassLimits, standardLimits } from "./batch-changes.ts"
import { asOfField } from "./parse-record.ts"

export const feedOptions = {
  strict: flag("validate the whole feed first; import nothing if a line is rejected"),
  "dry-run": flag("run the import without changing anything"),
  timezone: option(
    "ZONE",
    "time zone of timestamps without one, such as Europe/Istanbul or +03:00",
  ),
  "as-of": option("TIME", "when the source was read; newer data in the database is kept"),
  full: flag(
    "treat the feed as a complete snapshot: delete records it does not contain; a file must end with an end line",
  ),
  "max-deletes": option(
    "N",
    "delete nothing if it would be more than N records of a type; a number, or a percentage of the records in the database. Default: 1%, at least 20, at most 100",
  ),
  "max-revokes": option("N", "the same limit for revoked purchases"),
  report: option("FILE", "write every rejected line with its problems to FILE, as NDJSON"),
  "max-refused": option(
    "N",
    "exit with status 0 if at most N lines are rejected; a number, or a percentage of all lines",
  ),
  quiet: flag("do not trigger purchase webhooks"),
} as const

export const feedResultHelp = `Rejected lines are reported on standard error. The summary is one line of JSON on standard output.
After an interruption, run the command again to complete the import.

Exit status:
  0  no line was rejected, or at most --max-refused
  1  more lines were rejected, --max-deletes or --max-revokes stopped the import, or --full could
     not delete the other records
  2  the command could not run`

export type FeedOptionValues = ValuesOf<typeof feedOptions>

export type FeedOptions = Readonly<{
  mode: "batches" | "strict" | "dry run"
  timeZone: TimeZone | null
  asOfMs: number | null
  isFull: boolean
  limits: MassLimits
  reportPath: string | null
  rejectedMax: Allowance
  isQuiet: boolean
}>

/** `inputPath` is the feed, so no option may write to it. Throws UsageError. */
export function parseFeedOptions(
  values: Partial<FeedOptionValues>,
  inputPath: string,
): FeedOptions {
  const { timezone, report: reportPath = null } = values
  if (reportPath !== null && realPath(reportPath) === realPath(inputPath))
    throw new UsageError("--report must not be the feed itself")
  if (values.strict && values["max-refused"] !== undefined)
    throw new UsageError("--strict and --max-refused cannot be used together")
  const timeZone = timezone === undefined ? null : parseTimeZone(timezone)
  const allowance = (
    option: "max-deletes" | "max-revokes" | "max-refused",
    otherwise: Allowance,
  ) => {
    const { [option]: text } = values
    return text === undefined ? otherwise : parseAllowanceOption(option, text)
  }
  const { deletesMax, revokesMax } = standardLimits
  return {
    isFull: values.full === true,
    limits: {
      ...standardLimits,
      deletesMax: allowance("max-deletes", deletesMax),
      revokesMax: allowance("max-revokes", revokesMax),
    },
    asOfMs: parseAsOf(values["as-of"], timeZone),
    mode: values["dry-run"] ? "dry run" : values.strict ? "strict" : "batches",
    timeZone,
    reportPath,
    rejectedMax: allowance("max-refused", { count: 0 }),
    isQuiet: values.quiet === true,
  }
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
    return asOfField(timeZone?.toTimestamp(text) ?? text, "--as-of")
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    throw new UsageError(`--as-of ${describe(en, error.problems[0])}`)
  }
}

const realPath = (path: string) => (existsSync(path) ? realpathSync(path) : resolve(path))
