/** How much each key is used: counted in memory, written every few seconds, kept by day. */
import type { ValidatedSite } from "../catalog/site-limits.ts"
import { type ApiKey, belongsOnServer, type Operation } from "../keys/api-key.ts"
import type { Reason } from "../values/error.ts"
import { type DayRange, daysOf, lastDays, type Timestamp } from "../values/time/timestamp.ts"
import { type FailedRequest, failureKindOf } from "./failed-requests.ts"

export type UsageCount = Readonly<{
  keyId: string
  day: string
  operation: Operation
  outcome: Reason
  calls: number
}>

export type KeyIpRange = Readonly<{ keyId: string; ipRange: string; lastDay: string }>

export type KeyLastUse = Readonly<{ keyId: string; lastUsedAt: Timestamp }>

export type KeyUsage = KeyLastUse &
  Readonly<{
    /** Distinct networks of the last seven days, at most `networksMax`. */
    ipRanges: number
    /** Calls of each of the last 30 days, oldest first. */
    days: readonly number[]
  }>

/**
 * `refused` counts codes that are not valid, and `failed` every other call that failed.
 */
export type OutcomeCalls = Readonly<{ ok: number; refused: number; failed: number }>

export type UsageDay = OutcomeCalls & Readonly<{ day: string }>

export type OperationCalls = OutcomeCalls & Readonly<{ operation: Operation }>

/** The networks that use a key, and its calls by day and operation. */
export type KeyUsageDetails = Readonly<{
  /** The days that were asked for, oldest first, empty ones included. */
  days: readonly UsageDay[]
  /** Calls of these days, by the operation's name; only operations that were called. */
  operations: readonly OperationCalls[]
  /** Networks of the last seven days, the latest first, at most `networksMax`. */
  ipRanges: readonly Omit<KeyIpRange, "keyId">[]
}>

export const callsOf = ({ ok, refused, failed }: OutcomeCalls) => ok + refused + failed

export interface UsageStore {
  /** For those of these keys that were ever used, as of `at`. */
  listByKeys(keyIds: readonly string[], at: Timestamp): Promise<readonly KeyUsage[]>
  /** Null for a key that was never used. */
  findByKey(keyId: string, at: Timestamp): Promise<KeyUsage | null>
  /** Everything is empty for a key that was never used. */
  readDetails(keyId: string, range: DayRange, at: Timestamp): Promise<KeyUsageDetails>
  /** Oldest first, empty days included. Calls with test keys are not counted: they fail on purpose. */
  listByDay(accountId: number, range: DayRange): Promise<readonly UsageDay[]>
  /** How many purchase codes were valid within the last seven days; test keys are left out. */
  countValidCodes(accountId: number, at: Timestamp): Promise<number>
  /** For those of these keys that were ever used. */
  listLastUses(keyIds: readonly string[]): Promise<readonly KeyLastUse[]>
  /** The calls of all accounts, without those of test keys. */
  listOfAll(range: DayRange): Promise<readonly OperationDayCalls[]>
}

/** A secret key used from so many networks within a week is not only on the author's server. */
export const manyIpRanges = 20

/** Whether a key that may do everything is used from so many networks that it must be in a product. */
export const isShipped = (key: Pick<ApiKey, "kind">, ipRanges: number) =>
  belongsOnServer(key) && ipRanges >= manyIpRanges

/** Rows as adapters read them, before they are summed up. */
export type KeyDayCalls = Readonly<{ keyId: string; day: string; calls: number }>
export type DayCalls = Readonly<{ day: string; outcome: Reason; calls: number }>
export type OperationDayCalls = DayCalls & Readonly<{ operation: Operation }>

export const daysShown = 30
/** For so long the calls of a day are kept. */
export const usageDays = 400
export const ipRangeDays = 7
/** Networks of one key that are kept. */
export const ipRangesMax = 50

export function summarizeKeys(
  at: Timestamp,
  byDay: readonly KeyDayCalls[],
  seen: readonly Omit<KeyUsage, "days">[],
): readonly KeyUsage[] {
  const days = lastDays(at, daysShown)
  const byKey = Map.groupBy(byDay, ({ keyId }) => keyId)
  return seen.map((key) => {
    const calls = new Map(byKey.get(key.keyId)?.map((row) => [row.day, row.calls]))
    return { ...key, days: days.map((day) => calls.get(day) ?? 0) }
  })
}

type Outcome = Readonly<{ outcome: Reason; calls: number }>

const noCalls: OutcomeCalls = { ok: 0, refused: 0, failed: 0 }

function addCalls(total: OutcomeCalls, { outcome, calls }: Outcome): OutcomeCalls {
  const refusal = failureKindOf(outcome) === "codes" ? "refused" : "failed"
  const group = outcome === "ok" ? "ok" : refusal
  return { ...total, [group]: total[group] + calls }
}

export function summarizeDays(range: DayRange, calls: readonly DayCalls[]): readonly UsageDay[] {
  const byDay = Map.groupBy(calls, ({ day }) => day)
  return daysOf(range).map((day) => ({
    day,
    ...(byDay.get(day) ?? []).reduce(addCalls, noCalls),
  }))
}

export function summarizeOperations(
  calls: readonly (Outcome & Readonly<{ operation: Operation }>)[],
): readonly OperationCalls[] {
  const byOperation = Map.groupBy(calls, ({ operation }) => operation)
  return [...byOperation]
    .map(([operation, each]) => ({ operation, ...each.reduce(addCalls, noCalls) }))
    .toSorted((a, b) => (a.operation < b.operation ? -1 : 1))
}

export type Counts = Readonly<{
  calls: readonly UsageCount[]
  lastUses: readonly KeyLastUse[]
  ipRanges: readonly KeyIpRange[]
  sites: readonly ValidatedSite[]
  failures: readonly FailedRequest[]
}>

export interface CountStore {
  /**
   * Adds the counts to what is there, all or nothing but for sites and events. Any number of programs may add. Keys and
   * codes that are not in the store are left out, and no last use moves back.
   */
  add(at: Timestamp, counts: Partial<Counts>): Promise<void>
  /**
   * Removes networks after 7 days or when the key has 50 later ones, and failed calls after 7. One batch: the first keys
   * behind `after` ("" begins), at most `rowsMax` rows. Returns where the next batch begins, null at the end.
   */
  prune(at: Timestamp, after: string, rowsMax: number): Promise<string | null>
  /** Removes calls after 400 days, at most `rowsMax` rows. Returns how many. */
  deleteExpired(at: Timestamp, rowsMax: number): Promise<number>
}
