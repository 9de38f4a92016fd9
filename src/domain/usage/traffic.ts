/**
 * How many requests and sign-ins all servers had in each hour, for the operator. No author, key, code or
 * address is in it: `operation` and `detail` come from the fixed lists of the metrics.
 */
import type { Timestamp } from "../values/time/timestamp.ts"
import { type OutcomeCalls, outcomeGroup } from "./usage.ts"

/**
 * `detail` is the reason of a `request`, the upper bound of a `duration` in seconds, the outcome of a
 * `sign_in` or the name of a `limit`. `operation` is "" where there is none.
 */
export type TrafficCount = Readonly<{
  kind: "request" | "duration" | "sign_in" | "limit"
  operation: string
  detail: string
  count: number
}>

/** Both are counted, so that a month is read from few rows. Hours are kept for a week. */
export type TrafficUnit = "hour" | "day"

/** The requests of one hour (`2026-06-22T23`) or day (`2026-06-22`). */
export type PeriodRequests = Readonly<{
  period: string
  operation: string
  reason: string
  count: number
}>

export interface TrafficStore {
  /** Sums from the hour or the day of `since` on. */
  listTotals(since: Timestamp, by: TrafficUnit): Promise<readonly TrafficCount[]>
  /** Oldest first. Periods without requests are left out. */
  listRequests(since: Timestamp, by: TrafficUnit): Promise<readonly PeriodRequests[]>
}

/** The bound of durations that are longer than every other bound. */
export const noBound = "+Inf"

/**
 * The upper bound of the bucket that holds this share of the requests, in milliseconds. Null without
 * requests, infinite in the last bucket. Buckets of an older version may have other bounds.
 */
export function quantileMs(durations: readonly TrafficCount[], share: number): number | null {
  const buckets = durations
    .map(({ detail, count }) => ({ seconds: secondsOf(detail), count }))
    .toSorted((one, other) => one.seconds - other.seconds)
  const wanted = share * buckets.reduce((sum, { count }) => sum + count, 0)
  let counted = 0
  for (const { seconds, count } of buckets) {
    counted += count
    if (count > 0 && counted >= wanted) return seconds * 1000
  }
  return null
}

const secondsOf = (bound: string) => (bound === noBound ? Number.POSITIVE_INFINITY : Number(bound))

export function sumOutcomes(
  requests: readonly Readonly<{ reason: string; count: number }>[],
): OutcomeCalls {
  const sums = { ok: 0, refused: 0, failed: 0 }
  for (const { reason, count } of requests) sums[outcomeGroup(reason)] += count
  return sums
}
