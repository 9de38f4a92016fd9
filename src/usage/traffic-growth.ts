/** What a row of the metrics has grown by: requests, durations and sign-ins of one thread. */
import { signInOutcomes } from "../domain/sign-in/sign-in-failures.ts"
import { noBound, type TrafficCount } from "../domain/usage/usage.ts"
import { reasons, routes } from "../metrics/labels.ts"
import { bucketsOfRoute, durationBounds, starts } from "../metrics/row.ts"

type Source = Omit<TrafficCount, "count"> & Readonly<{ at: number }>

const bounds = [...durationBounds.map(String), noBound]

/** Every number that is written, and where it stands in a row. */
const sources: readonly Source[] = [
  ...routes.flatMap((operation, route) =>
    reasons.map((detail, reason): Source => {
      const at = starts.requests + route * reasons.length + reason
      return { kind: "request", operation, detail, at }
    }),
  ),
  ...routes.flatMap((operation, route) =>
    bounds.map((detail, bucket): Source => {
      const at = starts.durationBuckets + route * bucketsOfRoute + bucket
      return { kind: "duration", operation, detail, at }
    }),
  ),
  ...signInOutcomes.map((detail, outcome): Source => {
    return { kind: "sign_in", operation: "", detail, at: starts.signIns + outcome }
  }),
]

/** Each call returns what is new since the last. The row may hold the counts of a thread that died. */
export function watchTraffic(row: Float64Array): () => readonly TrafficCount[] {
  let taken = row.slice()
  return () => {
    const before = taken
    taken = row.slice()
    return sources.flatMap(({ kind, operation, detail, at }): TrafficCount[] => {
      const count = (taken[at] ?? 0) - (before[at] ?? 0)
      return count > 0 ? [{ kind, operation, detail, count }] : []
    })
  }
}
