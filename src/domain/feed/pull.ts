import type { Message } from "../values/problems/problem.ts"
import { daySeconds, type Timestamp } from "../values/time/timestamp.ts"

export type Pull = Readonly<{
  name: string
  /** Null for a pull that was never repeated. */
  everySeconds: number | null
  firstRoundAt: Timestamp
  /** The last round of a repeated pull. */
  lastScheduledAt: Timestamp | null
  lastSuccessAt: Timestamp | null
  /** Why the last round failed; null if it succeeded. */
  problem: Message | null
}>

export type PullRoundEnd = Readonly<{
  name: string
  everySeconds: number | null
  startedAt: Timestamp
  endedAt: Timestamp
  /** Null for a round that was read to its end, also if rows were rejected. */
  problem: Message | null
  /** The id of the latest import run before this round; 0 if there was none. */
  runBefore: number
}>

export interface PullStore {
  /** With a problem, the import run that the round began ends with it, or a run with it is recorded. */
  recordRound(round: PullRoundEnd): Promise<void>
  list(): Promise<readonly Pull[]>
}

/** The time that a round itself may take. */
const roundSeconds = 600
/** A pull without rounds for this long was given up on purpose. */
const forgottenSeconds = 7 * daySeconds

/** When a pull is overdue, in Unix milliseconds: one round may fail. Null if it has no interval or was given up. */
export function dueMsOf(pull: Pull, nowMs: number): number | null {
  const { everySeconds, firstRoundAt, lastScheduledAt, lastSuccessAt } = pull
  if (everySeconds === null || lastScheduledAt === null) return null
  const untriedSeconds = (nowMs - Date.parse(lastScheduledAt)) / 1000
  if (untriedSeconds > forgottenSeconds + 2 * everySeconds) return null
  return Date.parse(lastSuccessAt ?? firstRoundAt) + (2 * everySeconds + roundSeconds) * 1000
}

export function isOverdue(pull: Pull, nowMs: number): boolean {
  const dueMs = dueMsOf(pull, nowMs)
  return dueMs !== null && nowMs > dueMs
}
