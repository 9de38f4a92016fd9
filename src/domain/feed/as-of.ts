/** `as_of` timestamps: which of two states of a record is newer. */
import { daySeconds } from "../values/time/timestamp.ts"

/** A record without it counts as of now and replaces any state. */
export type AsOf = Readonly<{
  ms: number
  /** A push replaces any state: the clocks of nodes may differ, and the later push must win. */
  isArrival: boolean
  /** How far the source's timestamp is ahead of this clock; absent if it is not. */
  aheadMs?: number
  /** The timestamp of a pull, which no other run has: a stored state with it is from an earlier row. */
  isOfRun?: boolean
}>

/** A timestamp later than now counts as now, so that no record waits for a clock. */
export function asOfAt(ms: number, nowMs: number): AsOf {
  if (ms <= nowMs) return { ms, isArrival: false }
  return { ms: nowMs, isArrival: false, aheadMs: ms - nowMs }
}

export type Ahead = Readonly<{ records: number; ms: number }>

/** 0 is older than everything: the row was written before the column existed. */
export type Dated = Readonly<{ asOf: number }>

/** Stored timestamps further ahead are from a wrong clock. Clocks of nodes differ by less, and a pull rereads more. */
export const aheadMsMax = 60_000

const isAhead = ({ asOf }: Dated, nowMs: number) => asOf > nowMs + aheadMsMax

/** If timestamps are equal, the later record wins. A stored timestamp that is ahead outdates nothing. */
export const isOutdated = (
  stored: Dated | null,
  incoming: AsOf | undefined,
  nowMs: number,
): boolean =>
  stored !== null &&
  incoming !== undefined &&
  !incoming.isArrival &&
  Math.min(stored.asOf, nowMs) > incoming.ms &&
  !isAhead(stored, nowMs)

/** Never earlier than the stored timestamp, unless that is ahead; never later than now. */
export function replacementAsOf(
  stored: Dated | null,
  incoming: AsOf | undefined,
  nowMs: number,
): number {
  const before = stored === null || isAhead(stored, nowMs) ? 0 : stored.asOf
  return Math.min(Math.max(before, incoming?.ms ?? nowMs), nowMs)
}

/** A smaller difference is not worth reporting. */
const reportedMsMin = 1_000

export function aheadMsOf(stored: Dated | null, incoming: AsOf | undefined, nowMs: number): number {
  const storedAheadMs = stored !== null && isAhead(stored, nowMs) ? stored.asOf - nowMs : 0
  const ms = Math.max(storedAheadMs, incoming?.aheadMs ?? 0)
  return ms < reportedMsMin ? 0 : ms
}

export type DatedKind = "account" | "item" | "purchase"

export type DatedIdentity = Readonly<{ kind: DatedKind; identity: string }>

/** A deleted record, so that an older feed does not restore it. */
export type Tombstone = Dated &
  DatedIdentity &
  Readonly<{
    /** The operator override applies again if the record returns. */
    byOperator: boolean
  }>

export const tombstoneName = (kind: DatedKind, identity: string | number) => `${kind} ${identity}`

/** After this time an older feed can restore a deleted record. */
export const tombstoneMs = 30 * daySeconds * 1000
