/** When a write last succeeded and last failed, by `performance.now()`; 0 is never. */
export type WriteTimes = { succeededAtMs: number; failedAtMs: number }

export const createWriteTimes = (): WriteTimes => ({ succeededAtMs: 0, failedAtMs: 0 })

/** Longer than the minute between two heartbeats, which are writes too. */
const failureHeldMs = 90_000

/** Returns false until a later write succeeded and none failed for a while: on a full disk a small write can fit. */
export const isWritable = ({ succeededAtMs, failedAtMs }: Readonly<WriteTimes>, nowMs: number) =>
  failedAtMs === 0 || (succeededAtMs > failedAtMs && nowMs - failedAtMs >= failureHeldMs)
