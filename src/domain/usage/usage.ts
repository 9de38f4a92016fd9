/** Usage per key: counted in memory, written every few seconds, stored per day. */
import type { ValidatedSite } from "../catalog/site-limits.ts"
import { type ApiKey, belongsOnServer, type KeyKind, type Operation } from "../keys/api-key.ts"
import type { Reason } from "../values/error.ts"
import { type DayRange, daysOf, lastDays, type Timestamp } from "../values/time/timestamp.ts"
import type { FailedRequest } from "./failed-requests.ts"
import { type Outcome, type OutcomeCalls, sumOutcomes } from "./outcome.ts"

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
    /** Distinct IP ranges of the last seven days, at most `ipRangesMax`. */
    ipRanges: number
    /** Requests on each of the last 30 days, oldest first. */
    days: readonly number[]
  }>

export type UsageDay = OutcomeCalls & Readonly<{ day: string }>

export type OperationCalls = OutcomeCalls & Readonly<{ operation: Operation }>

export type KeyUsageDetails = Readonly<{
  days: readonly UsageDay[]
  operations: readonly OperationCalls[]
  ipRanges: readonly Omit<KeyIpRange, "keyId">[]
}>

/** Requests with one key and outcome. */
export type KeyOutcome = Outcome &
  Readonly<{ keyId: string; keyName: string; keyKind: KeyKind; lastDay: string }>

export interface UsageStore {
  /** Omits keys that were never used. */
  listByKeys(keyIds: readonly string[], at: Timestamp): Promise<readonly KeyUsage[]>
  findByKey(keyId: string, at: Timestamp): Promise<KeyUsage | null>
  readDetails(keyId: string, range: DayRange, at: Timestamp): Promise<KeyUsageDetails>
  /** Oldest first, including days without requests. Excludes test keys: they fail on purpose. */
  listByDay(accountId: number, range: DayRange): Promise<readonly UsageDay[]>
  /** With test keys. */
  listKeyOutcomes(accountId: number, range: DayRange): Promise<readonly KeyOutcome[]>
  listLastUses(keyIds: readonly string[]): Promise<readonly KeyLastUse[]>
  /** Requests of all accounts, also of deleted ones, without test keys. */
  listOfAll(range: DayRange): Promise<readonly OperationDayCalls[]>
}

/** A secret key used from this many IP ranges within a week is not only on the author's server. */
export const manyIpRanges = 20

export const isShipped = (key: Pick<ApiKey, "kind">, ipRanges: number) =>
  belongsOnServer(key) && ipRanges >= manyIpRanges

export type KeyDayCalls = Readonly<{ keyId: string; day: string; calls: number }>
export type DayCalls = Readonly<{ day: string; outcome: Reason; calls: number }>
export type OperationDayCalls = DayCalls & Readonly<{ operation: Operation }>

export const daysShown = 30
export const usageDays = 400
export const ipRangeDays = 7
/** Per key. */
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

export function summarizeDays(range: DayRange, calls: readonly DayCalls[]): readonly UsageDay[] {
  const byDay = Map.groupBy(calls, ({ day }) => day)
  return daysOf(range).map((day) => ({
    day,
    ...sumOutcomes(byDay.get(day) ?? []),
  }))
}

export function summarizeOperations(
  calls: readonly (Outcome & Readonly<{ operation: Operation }>)[],
): readonly OperationCalls[] {
  const byOperation = Map.groupBy(calls, ({ operation }) => operation)
  return [...byOperation]
    .map(([operation, each]) => ({ operation, ...sumOutcomes(each) }))
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
  /** In one transaction, except sites and events. Skips unknown keys and codes. A last use never moves back. */
  add(at: Timestamp, counts: Partial<Counts>): Promise<void>
  /**
   * Deletes IP ranges and failed requests after 7 days, one batch of keys after the cursor `after`; "" starts. Also
   * deletes IP ranges if the key has 50 later ones. Returns the next cursor, null at the end.
   */
  prune(at: Timestamp, after: string, rowsMax: number): Promise<string | null>
  deleteExpired(at: Timestamp, rowsMax: number): Promise<number>
}
