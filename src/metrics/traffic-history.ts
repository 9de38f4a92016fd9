/**
 * Writes the growth of the shared numbers to the store, so that the operator sees past hours. One thread of
 * each process does it; no request waits for it or does more because of it. A crash loses the counts since
 * the last write.
 */
import type { Every } from "../domain/every.ts"
import { limitNames } from "../domain/rate-limits.ts"
import { signInOutcomes } from "../domain/sign-in-failures.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import { noBound, type TrafficCount, type TrafficStore } from "../domain/traffic.ts"
import { reasons, routes } from "./labels.ts"
import { bucketsOfRoute, durationBounds, type MetricsMemory, starts, sumOf } from "./memory.ts"

export type TrafficHistory = Readonly<{
  /** Stops the timer and writes the rest. */
  close(): Promise<void>
}>

export type TrafficWriting = Readonly<{
  memory: MetricsMemory
  traffic: Pick<TrafficStore, "add">
  now: () => Date
  every: Every
  onFault(fault: unknown): void
}>

/** An embedded store writes the rows of one interval, some dozens, in less than a millisecond. */
const writeEveryMs = 10_000

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
  ...limitNames.map((detail, limit): Source => {
    return { kind: "limit", operation: "", detail, at: starts.rateLimited + limit }
  }),
]

export function openTrafficHistory(writing: TrafficWriting): TrafficHistory {
  const { memory, traffic, now, every, onFault } = writing
  let written: readonly number[] = sources.map(() => 0)
  let lastWrite = Promise.resolve()

  /** Counts that could not be written stay in the difference, and go to the hour of the next write. */
  async function write(): Promise<void> {
    const sums = sources.map(({ at }) => sumOf(memory, at))
    const counts = sources.flatMap(({ at: _, ...source }, index): TrafficCount[] => {
      const count = (sums[index] ?? 0) - (written[index] ?? 0)
      return count > 0 ? [{ ...source, count }] : []
    })
    if (counts.length === 0) return
    await traffic.add(formatTimestamp(now()), counts)
    written = sums
  }
  const flush = () => {
    lastWrite = lastWrite.then(write).catch(onFault)
    return lastWrite
  }
  const stopTimer = every(writeEveryMs, flush)
  return {
    async close() {
      stopTimer()
      await flush()
    },
  }
}
