/** `--as-of`, `--full` and `--max-deletes`: the moment of a feed, and whether it is everything. */
import { asOfMember } from "../../domain/feed/as-of.ts"
import type { Limit } from "../../domain/values/limit.ts"
import { InvalidRecord } from "../../domain/values/shape.ts"
import type { TimeZone } from "../../domain/values/time/local-time.ts"
import { UsageError } from "../frame/command.ts"
import { parseLimit } from "../frame/limit-option.ts"

export const fullOptions = {
  "as-of": { type: "string", value: "TIME" },
  full: { type: "boolean" },
  "max-deletes": { type: "string", value: "N" },
} as const

export const fullOptionsHelp = `  --as-of TIME    when the source was read: newer states in the store stay
  --full          the feed is everything: remove the rest; a file ends with its end line
  --max-deletes N remove nothing if more than N of a type would go; N is a number or a share
                  of the records in the store, 1% if it is left out`

export type FullOptionValues = Readonly<{
  "as-of"?: string | undefined
  full: boolean
  "max-deletes"?: string | undefined
}>

export type FullChoice = Readonly<{
  /** Null: not given. */
  asOfMs: number | null
  /** Null: the feed is not everything. */
  deletesMax: Limit | null
}>

/** Throws UsageError. */
export function parseFullOptions(values: FullOptionValues, timeZone: TimeZone | null): FullChoice {
  const { full, "max-deletes": given } = values
  if (given !== undefined && !full) throw new UsageError("--max-deletes needs --full")
  const deletesMax = full ? parseLimit("max-deletes", given ?? "1%") : null
  return { asOfMs: parseAsOf(values["as-of"], timeZone), deletesMax }
}

function parseAsOf(text: string | undefined, timeZone: TimeZone | null): number | null {
  if (text === undefined) return null
  try {
    return asOfMember(timeZone?.toTimestamp(text) ?? text, "--as-of")
  } catch (error) {
    if (!(error instanceof InvalidRecord)) throw error
    throw new UsageError(`--as-of ${error.problems[0].reason}`)
  }
}
