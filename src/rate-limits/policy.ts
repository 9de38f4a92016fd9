/** The policy of the rate limits, as `PAZAR_RATE_LIMIT` writes it: `reads=20/s burst 100, misses=off`. */
import {
  type CallRate,
  type LimitName,
  limitNames,
  type RateLimitPolicy,
} from "../domain/running/rate-limits.ts"
import { parseDurationMs } from "../domain/values/time/timestamp.ts"

/**
 * A page that shows an author's items reads a few dozen at once, and the list of all items costs the
 * most. Nobody mistypes sixty codes in ten minutes.
 */
const defaults: Readonly<Record<LimitName, string>> = {
  "bad-keys": "20/s burst 40",
  operator: "5/m",
  reads: "10/s burst 50 in-flight 8",
  lists: "1/s burst 5 in-flight 2",
  misses: "60/10m",
}

/** One call an hour: no `Retry-After` is longer. */
const intervalMsMax = 3_600_000

/** Adds a line to `problems` for each part that it cannot read. */
export function parsePolicy(text: string, problems: string[]): RateLimitPolicy {
  const policy: Record<LimitName, CallRate | null> = everyLimit((limit) =>
    findRate(limit, defaults[limit]),
  )
  if (text === "on") return policy
  if (text === "off") return everyLimit(() => null)
  for (const part of text.split(",")) {
    const [name = "", value = ""] = part.split("=").map((each) => each.trim())
    const limit = limitNames.find((candidate) => candidate === name)
    if (limit === undefined) {
      problems.push(
        `PAZAR_RATE_LIMIT must be on, off or a list as in "reads=20/s burst 100, misses=off"; its names are ${limitNames.join(", ")}, not "${name}"`,
      )
      continue
    }
    policy[limit] = value === "off" ? null : findRate(limit, value)
    if (value !== "off" && policy[limit] === null) {
      problems.push(
        `PAZAR_RATE_LIMIT: ${limit} must be off, or at least one call an hour as in ${limit}=${defaults[limit]}, not "${value}"`,
      )
    }
  }
  return policy
}

const everyLimit = <T>(make: (limit: LimitName) => T) => ({
  "bad-keys": make("bad-keys"),
  operator: make("operator"),
  reads: make("reads"),
  lists: make("lists"),
  misses: make("misses"),
})

const form =
  /^(?<count>\d{1,6})\/(?<window>\d{0,4}[smh])(?: burst (?<burst>\d{1,6}))?(?: in-flight (?<inFlight>\d{1,3}))?$/

/**
 * Null if the text is no rate. Without `burst` the whole count is allowed at once; without `in-flight` the
 * default counts.
 */
function findRate(limit: LimitName, text: string): CallRate | null {
  const inFlightDefault = / in-flight (\d+)$/.exec(defaults[limit])?.[1]
  const { count, window = "", burst, inFlight = inFlightDefault } = form.exec(text)?.groups ?? {}
  const windowMs = parseDurationMs(/^\d/.test(window) ? window : `1${window}`)
  if (count === undefined || windowMs === null) return null
  if (inFlight !== undefined && inFlightDefault === undefined) return null
  const rate = {
    intervalMs: windowMs / Number(count),
    burst: Number(burst ?? count),
    inFlightMax: inFlight === undefined ? null : Number(inFlight),
  }
  const isPossible = rate.burst > 0 && rate.inFlightMax !== 0 && rate.intervalMs <= intervalMsMax
  return isPossible ? rate : null
}
