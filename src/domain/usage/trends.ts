/**
 * The number of purchases and the share of unknown codes, compared with the week before. A wrong import changes them
 * although no request fails.
 */
import { daysBefore, type Timestamp } from "../values/time/timestamp.ts"

export type PurchaseTotals = Readonly<{ valid: number; revoked: number }>

/** Validations with test keys are not counted: some test codes are unknown on purpose. */
export type ValidationTotals = Readonly<{ validations: number; unknown: number }>

type PurchaseDay = PurchaseTotals & Readonly<{ day: string }>

export type Trends = Readonly<{
  /** The last count of each day, oldest first, at most eight. The last one is the newest. */
  purchases: readonly PurchaseDay[]
  /** Today and yesterday in UTC, and the same two days a week before. */
  validations: Readonly<{ recent: ValidationTotals; weekBefore: ValidationTotals }>
}>

/** The metadata key under which the trends are stored, as JSON. */
export const trendsMark = "trends"

/** Null until the first count. */
export const parseTrends = (stored: string | null): Trends | null =>
  stored === null ? null : JSON.parse(stored)

const dayOf = (at: Timestamp) => at.slice(0, 10)
const weekDays = 7
export const weekBefore = (at: Timestamp) => daysBefore(at, weekDays)

/** Replaces the count of the day. Days after it, written by a clock that was ahead, are dropped. */
export function addPurchaseDay(
  days: readonly PurchaseDay[],
  at: Timestamp,
  totals: PurchaseTotals,
): readonly PurchaseDay[] {
  const day = dayOf(at)
  const first = dayOf(weekBefore(at))
  return [...days.filter((each) => each.day >= first && each.day < day), { day, ...totals }]
}

/** The newest count and the one a week before; null where there is none. */
export function comparePurchases({ purchases }: Pick<Trends, "purchases">) {
  const now = purchases.at(-1) ?? null
  const before = now && dayOf(weekBefore(`${now.day}T00:00:00Z`))
  return { now, weekBefore: purchases.find(({ day }) => day === before) ?? null }
}

/** Null without validations. */
export const unknownShare = ({ validations, unknown }: ValidationTotals) =>
  validations === 0 ? null : unknown / validations

// deploy/prometheus/alerts.yml has the same thresholds.
const dropShareMax = 0.05
/** A small marketplace refunds a purchase or two: that is more than 5 %, and ordinary. */
const dropPurchasesMax = 20
const unknownShareMax = 0.05
const validationsMin = 100

/** The day of the last week with the most valid purchases, if far fewer are valid now; else null. */
export function findPurchaseDrop({ purchases }: Pick<Trends, "purchases">) {
  const now = purchases.at(-1)
  const [highest] = purchases.toSorted((one, other) => other.valid - one.valid)
  if (now === undefined || highest === undefined) return null
  const fewer = highest.valid - now.valid
  const isDrop = fewer > dropPurchasesMax && fewer > dropShareMax * highest.valid
  return isDrop ? { now, before: highest, share: fewer / highest.valid } : null
}

/** The two shares, if the share at least doubled within a week and is high; else null. */
export function findUnknownJump({ validations }: Pick<Trends, "validations">) {
  const { recent, weekBefore } = validations
  if (recent.validations < validationsMin || weekBefore.validations < validationsMin) return null
  const [now, before] = [unknownShare(recent) ?? 0, unknownShare(weekBefore) ?? 0]
  return now > unknownShareMax && now >= 2 * before ? { now, before } : null
}
