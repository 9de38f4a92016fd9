/** The moment a record describes, and which of two states is the newer one. */
import { daySeconds } from "../values/time/timestamp.ts"

/** A record without it counts as of the moment it is written: it replaces any state. */
export type AsOf = Readonly<{
  ms: number
  /**
   * The moment at which a push arrived. Such a record replaces any state: the clocks of two nodes may
   * differ, and the later of two pushes must win.
   */
  isArrival: boolean
  /** How far the timestamp of the source was ahead of the clock here; left out if it was not. */
  aheadMs?: number
  /** The timestamp of a pull, which no other run has: a stored state with it came from an earlier row. */
  isOfRun?: boolean
}>

/** A timestamp later than now counts as now: no record waits for a clock. */
export function asOfAt(ms: number, nowMs: number): AsOf {
  if (ms <= nowMs) return { ms, isArrival: false }
  return { ms: nowMs, isArrival: false, aheadMs: ms - nowMs }
}

/** Records whose timestamps were ahead of the clock, and the largest distance. */
export type Ahead = Readonly<{ records: number; ms: number }>

/** A state in the store. 0 is older than everything: the row was written before the column existed. */
export type Dated = Readonly<{ asOf: number }>

/**
 * A stored timestamp that is further ahead comes from a wrong clock. The clocks of two nodes differ by less, and a pull
 * reads more than this again.
 */
export const aheadMsMax = 60_000

const isAhead = ({ asOf }: Dated, nowMs: number) => asOf > nowMs + aheadMsMax

/** Of two states of the same moment, the one that comes later wins. A clock that was ahead outdates nothing. */
export const isOutdated = (kept: Dated | null, given: AsOf | undefined, nowMs: number): boolean =>
  kept !== null &&
  given !== undefined &&
  !given.isArrival &&
  Math.min(kept.asOf, nowMs) > given.ms &&
  !isAhead(kept, nowMs)

/** The timestamp of what replaces a state. Never earlier than before, unless that was ahead; never later than now. */
export function replacementAsOf(
  kept: Dated | null,
  given: AsOf | undefined,
  nowMs: number,
): number {
  const before = kept === null || isAhead(kept, nowMs) ? 0 : kept.asOf
  return Math.min(Math.max(before, given?.ms ?? nowMs), nowMs)
}

/** Less is no reason to look at a clock. */
const notedMsMin = 1_000

/** How far the given or the stored timestamp is ahead; 0 if neither is. */
export function aheadMsOf(kept: Dated | null, given: AsOf | undefined, nowMs: number): number {
  const stored = kept !== null && isAhead(kept, nowMs) ? kept.asOf - nowMs : 0
  const ms = Math.max(stored, given?.aheadMs ?? 0)
  return ms < notedMsMin ? 0 : ms
}

export type DatedKind = "account" | "item" | "purchase"

export type DatedIdentity = Readonly<{ kind: DatedKind; identity: string }>

/** A removed record, so that an older feed does not bring it back. */
export type Tombstone = Dated &
  DatedIdentity &
  Readonly<{
    /** An operator had suspended or refunded it: so is the record that comes back. */
    byOperator: boolean
  }>

export const tombstoneName = (kind: DatedKind, identity: string | number) => `${kind} ${identity}`

/** After this time an older feed can bring a removed record back. */
export const tombstoneMs = 30 * daySeconds * 1000
