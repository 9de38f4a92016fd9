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
}>

/** A state in the store. 0 is older than everything: the row was written before the column existed. */
export type Dated = Readonly<{ asOf: number }>

/** Of two states of the same moment, the one that comes later wins. */
export const isOutdated = (kept: Dated | null, asOf: AsOf | undefined): boolean =>
  kept !== null && asOf !== undefined && !asOf.isArrival && kept.asOf > asOf.ms

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
