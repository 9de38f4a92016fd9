/** When a write last succeeded and last failed, in milliseconds since 1970; 0 for never. */
export type WriteTimes = { succeededAtMs: number; failedAtMs: number }

export const createWriteTimes = (): WriteTimes => ({ succeededAtMs: 0, failedAtMs: 0 })

/** Longer than the minute between two heartbeats of a node, which are writes too. */
const failureHeldMs = 90_000

/**
 * False from a failed write until one has succeeded later and none has failed for a while: on a full disk a
 * small write can still fit where others fail.
 */
export const isWritable = ({ succeededAtMs, failedAtMs }: Readonly<WriteTimes>, nowMs: number) =>
  failedAtMs === 0 || (succeededAtMs > failedAtMs && nowMs - failedAtMs >= failureHeldMs)
