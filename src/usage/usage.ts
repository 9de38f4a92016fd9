/** Usage per key: counted in memory, written every few seconds, stored per day. */

import {
  type ApiKey,
  belongsOnServer,
  type KeyKind,
  type Operation,
  operations,
} from "../contract/operation.ts"
import { DomainError, type Failure, type Reason } from "../platform/error.ts"
import { type DayRange, daysBefore, daysOf, type Timestamp } from "../platform/time.ts"

export type UsageCount = Readonly<{
  keyId: string
  day: string
  operation: Operation
  outcome: Reason
  calls: number
}>
export type KeyCount = UsageCount & Readonly<{ name: string; kind: KeyKind }>

export type KeyIpRange = Readonly<{ keyId: string; ipRange: string; lastDay: string }>
type KeyLastUse = Readonly<{ keyId: string; lastUsedAt: Timestamp }>

export type KeyUsage = KeyLastUse &
  Readonly<{
    ipRanges: number
    days: readonly number[]
  }>

export type UsageDay = OutcomeCalls & Readonly<{ day: string }>

export interface UsageStore {
  /** Omits keys that were never used. */
  listByKeys(keyIds: readonly string[], at: Timestamp): Promise<readonly KeyUsage[]>
  findByKey(keyId: string, at: Timestamp): Promise<KeyUsage | null>
  /** Requests with one key of the account or, if `keyId` is null, with all, test keys included. */
  list(accountId: number, range: DayRange, keyId: string | null): Promise<readonly KeyCount[]>
  /** Latest first, at most `ipRangesMax`. */
  listIpRanges(keyId: string, at: Timestamp): Promise<readonly Omit<KeyIpRange, "keyId">[]>
  listLastUses(keyIds: readonly string[]): Promise<readonly KeyLastUse[]>
  /** Requests of all accounts, also of deleted ones, without test keys. */
  listOfAll(range: DayRange): Promise<readonly Omit<UsageCount, "keyId">[]>
  /** Authors with the most requests, without test keys. */
  listBusiest(range: DayRange, rowsMax: number): Promise<readonly BusyAuthor[]>
}

/** A secret key used from this many IP ranges within a week is not only on the author's server. */
export const manyIpRanges = 20

export const isShipped = (key: Pick<ApiKey, "kind">, ipRanges: number) =>
  belongsOnServer(key) && ipRanges >= manyIpRanges

export const daysShown = 30
export const ipRangeDays = 7
export const ipRangesMax = 50

type DayCount = Pick<UsageCount, "day" | "outcome" | "calls">

export function summarizeDays(range: DayRange, calls: readonly DayCount[]): readonly UsageDay[] {
  const byDay = Map.groupBy(calls, ({ day }) => day)
  return daysOf(range).map((day) => ({ day, ...sumOutcomes(byDay.get(day) ?? []) }))
}

export function summarizeOperations(
  calls: readonly Pick<UsageCount, "operation" | "outcome" | "calls">[],
) {
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

/** An invalid code is an expected result, not an error. Client errors are other 4xx responses, server errors are 5xx. */
export const outcomeKinds = ["ok", "invalidCodes", "clientErrors", "serverErrors"] as const
export type OutcomeKind = (typeof outcomeKinds)[number]
export type FailureKind = Exclude<OutcomeKind, "ok">

const codeReasons: readonly Reason[] = [
  "unknown_code",
  "revoked_code",
  "expired_code",
  "site_limit",
]

export function failureKindOf(reason: Failure): FailureKind {
  if (codeReasons.includes(reason)) return "invalidCodes"
  return reason === "unavailable" ? "serverErrors" : "clientErrors"
}

export type OutcomeCalls = Readonly<Record<OutcomeKind, number>>

export const noCalls: OutcomeCalls = { ok: 0, invalidCodes: 0, clientErrors: 0, serverErrors: 0 }

export const callsOf = (calls: OutcomeCalls) =>
  outcomeKinds.reduce((sum, kind) => sum + calls[kind], 0)

export const errorsOf = ({ clientErrors, serverErrors }: OutcomeCalls) =>
  clientErrors + serverErrors

function sumOutcomes(counts: readonly Pick<UsageCount, "outcome" | "calls">[]): OutcomeCalls {
  const sums = { ...noCalls }
  for (const { outcome, calls } of counts)
    sums[outcome === "ok" ? "ok" : failureKindOf(outcome)] += calls
  return sums
}

export function sumOfCalls(all: readonly OutcomeCalls[]): OutcomeCalls {
  const sums = { ...noCalls }
  for (const kind of outcomeKinds) sums[kind] = all.reduce((sum, each) => sum + each[kind], 0)
  return sums
}

/** The routes as the log and the metrics name them. */
export const routes = [
  ...operations,
  ...(["key_set", "download", "openapi", "feed", "links", "purchases"] as const),
  ...(["metrics", "page", "unknown"] as const),
] as const
export type Route = (typeof routes)[number]

/** `refused` is a 4xx response of a page or an operator route that has no error code of the API. */
export type CountedReason = Reason | "refused"

/** A failed request with an author's key, without secrets. Equal requests of one day are one entry. */
export type FailedRequest = Readonly<{
  keyId: string
  operation: Operation
  reason: Failure
  /** Empty if there were too many requests to record each IP range and code. */
  ipRange: string
  /** As `shownCode` returns it. Empty if the request had none, or if there were too many requests. */
  code: string
  firstAt: Timestamp
  lastAt: Timestamp
  calls: number
  rejectedSite?: RejectedSite | undefined
}>

export type LoggedRequest = Omit<FailedRequest, "rejectedSite"> &
  Readonly<{ accountId: number; username: string; name: string; kind: KeyKind }>

export const failedRequestDays = 7
export const failedRequestsMax = 500

/** Latest first, at most `failedRequestsMax`. */
export interface FailedRequestStore {
  list(accountId: number, at: Timestamp): Promise<readonly LoggedRequest[]>
  /** Requests of all accounts with these error codes, which share the maximum equally. Without test keys. */
  listOfAll(reasons: readonly Failure[], at: Timestamp): Promise<readonly LoggedRequest[]>
}

/** Requests with test keys fail on purpose, and are listed only for their key. */
export const filterLog = (
  log: readonly LoggedRequest[],
  { from, to }: DayRange,
  keyId: string | null,
) =>
  log.filter((entry) => {
    const day = entry.firstAt.slice(0, 10)
    return from <= day && day <= to && isOfKey(entry, keyId)
  })

type OfKey = Pick<KeyCount, "keyId" | "kind">

export const isOfKey = ({ keyId, kind }: OfKey, chosen: string | null) =>
  chosen === null ? kind !== "tk" : keyId === chosen

export const withoutTestKeys = (counts: readonly KeyCount[]) =>
  counts.filter((each) => isOfKey(each, null))

export type InactiveKeyUse = Readonly<{ ipRange: string; calls: number; lastAt: Timestamp }>

export function listInactiveKeyUse(
  log: readonly FailedRequest[],
): ReadonlyMap<string, readonly InactiveKeyUse[]> {
  const ended = log.filter(({ reason }) => reason === "revoked_key" || reason === "expired_key")
  const byKey = Map.groupBy(ended, ({ keyId }) => keyId)
  return new Map([...byKey].map(([keyId, calls]) => [keyId, sumByIpRange(calls)]))
}

const sumByIpRange = (calls: readonly FailedRequest[]): readonly InactiveKeyUse[] =>
  [...Map.groupBy(calls, ({ ipRange }) => ipRange)]
    .map(([ipRange, each]) => ({
      ipRange,
      calls: sumCalls(each),
      lastAt: findLatest(each.map(({ lastAt }) => lastAt)),
    }))
    .toSorted((a, b) => (a.lastAt > b.lastAt ? -1 : 1))

export const sumCalls = (entries: readonly Readonly<{ calls: number }>[]) =>
  entries.reduce((sum, { calls }) => sum + calls, 0)

/** The range, and as many days before it. */
export const withDaysBefore = (range: DayRange): DayRange => ({
  from: daysBefore(range.from, daysOf(range).length).slice(0, 10),
  to: range.to,
})

export type UsageSummary = ReturnType<typeof summarizeUsage>

/** `days` are those of `withDaysBefore`; `before` is the sum of the days before the range. */
export function summarizeUsage({ from }: DayRange, days: readonly UsageDay[]) {
  const shown = days.filter(({ day }) => day >= from)
  const earlier = days.filter(({ day }) => day < from)
  return { days: shown, calls: sumOfCalls(shown), before: sumOfCalls(earlier) }
}

export type FailureGroup = Readonly<{
  reason: Failure
  kind: FailureKind
  calls: number
  share: number
  keys: number
  /** The last timestamp of the log, or the last day. */
  lastAt: Timestamp | string
}>

export type FailureCount = DayCount & Readonly<{ keyId?: string }>

/** Most requests first. */
export function groupFailures(
  counts: readonly FailureCount[],
  log: readonly LoggedRequest[],
): readonly FailureGroup[] {
  const failed = counts.flatMap(({ outcome, ...each }) =>
    outcome === "ok" ? [] : [{ ...each, reason: outcome }],
  )
  const logByReason = Map.groupBy(log, ({ reason }) => reason)
  return [...Map.groupBy(failed, ({ reason }) => reason)]
    .map(([reason, each]) => {
      const calls = sumCalls(each)
      const entries = logByReason.get(reason) ?? []
      return {
        reason,
        kind: failureKindOf(reason),
        calls,
        share: calls / sumCalls(failed),
        keys: new Set(each.map(({ keyId }) => keyId)).size,
        lastAt: findLatest([...each.map(({ day }) => day), ...entries.map((one) => one.lastAt)]),
      }
    })
    .toSorted((one, other) => other.calls - one.calls)
}

/** A timestamp of a day sorts after the day. */
const findLatest = (times: readonly string[]) => times.toSorted().at(-1) ?? ""

export type KeyCalls = OutcomeCalls & Pick<KeyCount, "keyId" | "name">

/** Most requests first. */
export function listBusiestKeys(counts: readonly KeyCount[], keysMax: number) {
  return [...Map.groupBy(counts, ({ keyId }) => keyId)]
    .map(([keyId, each]) => ({ keyId, name: each[0]?.name ?? "", ...sumOutcomes(each) }))
    .toSorted((one, other) => callsOf(other) - callsOf(one))
    .slice(0, keysMax)
}

export type ErrorRise = Readonly<{ range: DayRange; rate: number; rateBefore: number }>

/** The last days, which are compared with the week before them. One day alone may have just begun. */
const riseDays = 2
export const riseComparedDays = riseDays + 7
const riseErrorsMin = 20
const riseFactorMin = 1.5

/** Returns null if the error rate of the last days is not clearly above that of the week before. */
export function findErrorRise(days: readonly UsageDay[]): ErrorRise | null {
  const recent = days.slice(-riseDays)
  const [from, to] = [recent[0]?.day, recent.at(-1)?.day]
  const now = sumOfCalls(recent)
  const before = sumOfCalls(days.slice(-riseComparedDays, -riseDays))
  if (from === undefined || to === undefined || errorsOf(now) < riseErrorsMin) return null
  const rate = errorsOf(now) / callsOf(now)
  const rateBefore = callsOf(before) === 0 ? 0 : errorsOf(before) / callsOf(before)
  return rate < rateBefore * riseFactorMin ? null : { range: { from, to }, rate, rateBefore }
}

export type BusyAuthor = Readonly<{ accountId: number; username: string; calls: number }>

export type RejectedCode = Readonly<{
  code: string
  /** Whether the author sold it. */
  isOwn: boolean
  /** The site beyond the site limit; absent for other error codes. */
  rejectedSite?: RejectedSite
}>

type RejectedSite = Readonly<{ site: string; limit: number }>

/** NFKC replaces the ellipsis by three dots, so a masked code never equals a code. */
const ellipsis = "…"
const endCharacters = 4

/** Masks codes that the author did not sell. A typo and another author's code must look the same. */
export function shownCode({ code, isOwn }: RejectedCode): string {
  if (isOwn) return code
  const characters = [...code]
  const shown = Math.min(endCharacters, Math.floor(characters.length / 4))
  const end = characters.length < 4 * endCharacters ? [] : characters.slice(-shown)
  return [...characters.slice(0, shown), ellipsis, ...end].join("")
}

export type ValidatedSite = Readonly<{ code: string; site: string }>

/** `lastDay` is the day of the previous valid response; null for a new site. */
export type SeenSite = ValidatedSite & Readonly<{ lastDay: string | null }>

export type RequestedPurchase = Readonly<{
  code: string
  itemId: number
  /** Only for a valid purchase and a request with a site. */
  seenSite?: SeenSite
  validUntil?: Timestamp | null
}>

/** The response is `invalid`; `reason` is the error code. */
export class CodeRejected extends DomainError {
  readonly rejected: RejectedCode
  /** Only for revoked and expired codes. */
  readonly purchase: RequestedPurchase | null

  constructor(
    reason: "unknown_code" | "revoked_code" | "expired_code" | "site_limit",
    rejected: RejectedCode,
    purchase: RequestedPurchase | null = null,
  ) {
    super(reason)
    this.rejected = rejected
    this.purchase = purchase
  }
}
