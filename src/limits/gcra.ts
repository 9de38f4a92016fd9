/**
 * The generic cell rate algorithm: one number says how much of a budget is spent. It is the time at which the
 * budget will be whole again, and each call moves it on by `intervalMs`. A time in the past is a whole budget.
 */
import type { Rate } from "../domain/rate-limits.ts"

/** Sums of intervals are not exact in a double. */
const slackMs = 0.001

/** The time after one more call; NaN if it is not allowed. */
export function afterCall(wholeAtMs: number, nowMs: number, rate: Rate): number {
  const fromMs = Math.max(wholeAtMs, nowMs)
  return waitMs(fromMs, nowMs, rate) > 0 ? Number.NaN : fromMs + rate.intervalMs
}

/** Until the next call is allowed. */
export function waitMs(wholeAtMs: number, nowMs: number, { intervalMs, burst }: Rate): number {
  const wait = wholeAtMs - nowMs - (burst - 1) * intervalMs
  return wait > slackMs ? wait : 0
}

/** The calls that are allowed at once. */
export function remainingCalls(wholeAtMs: number, nowMs: number, rate: Rate): number {
  const spentMs = Math.max(0, wholeAtMs - nowMs)
  return Math.max(0, Math.floor(rate.burst - (spentMs - slackMs) / rate.intervalMs))
}
