import type { Ahead, DatedKind } from "./as-of.ts"

export type KindCounts = Readonly<Record<DatedKind, number>>

export type Tally = Readonly<{
  /** Includes pending records. */
  added: KindCounts
  removed: KindCounts
  revoked: number
  restored: number
  ahead: Ahead
}>

export type MassCounts = Pick<Tally, "removed" | "revoked">

export const noRecords: KindCounts = { account: 0, item: 0, purchase: 0 }
export const noTally: Tally = {
  added: noRecords,
  removed: noRecords,
  revoked: 0,
  restored: 0,
  ahead: { records: 0, ms: 0 },
}

export const sumOf = ({ account, item, purchase }: KindCounts) => account + item + purchase

export const addCounts = (one: KindCounts, other: KindCounts, sign: 1 | -1 = 1): KindCounts => ({
  account: one.account + sign * other.account,
  item: one.item + sign * other.item,
  purchase: one.purchase + sign * other.purchase,
})

export const addTally = (one: Tally, other: Tally): Tally => ({
  added: addCounts(one.added, other.added),
  removed: addCounts(one.removed, other.removed),
  revoked: one.revoked + other.revoked,
  restored: one.restored + other.restored,
  ahead: {
    records: one.ahead.records + other.ahead.records,
    ms: Math.max(one.ahead.ms, other.ahead.ms),
  },
})

export const countBefore = (now: KindCounts, { added, removed }: Tally): KindCounts =>
  addCounts(addCounts(now, added, -1), removed)

/** Revoked by the feed or by an operator. */
export const isRevoked = (
  purchase: Readonly<{
    isRevoked?: boolean | undefined
    isRevokedByOperator?: boolean | undefined
  }>,
) => purchase.isRevoked === true || purchase.isRevokedByOperator === true
