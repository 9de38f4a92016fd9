import { existsSync, realpathSync } from "node:fs"
import { resolve } from "node:path"
import { type MassLimits, standardLimits } from "../../domain/feed/batch-changes.ts"
import type { Allowance } from "../../domain/values/allowance.ts"
import { en } from "../../domain/values/problems/en.ts"
import { describe } from "../../domain/values/problems/problem.ts"
import { InvalidRecord } from "../../domain/values/schema.ts"
import { findTimeZone, type TimeZone } from "../../domain/values/time/timestamp.ts"
import { asOfField } from "../../feed/records/feed-record.ts"
import type { feedOptions } from "../definitions/feed-commands.ts"
import { UsageError } from "../framework/command.ts"
import { parseAllowanceOption } from "../framework/parse-options.ts"

export type FeedOptionValues = Readonly<
  Record<"strict" | "dry-run" | "full", boolean> & { quiet?: boolean | undefined } & Partial<
      Record<TextOption, string | undefined>
    >
>
type TextOption = Exclude<keyof typeof feedOptions, "strict" | "dry-run" | "full" | "quiet">

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
export function parseFeedOptions(values: FeedOptionValues, inputPath: string): FeedOptions {
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
    isFull: values.full,
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
