/** How much each key is used: counted in memory, written in batches, thinned with age. */
import type { SiteSighting } from "../catalogue/sites.ts"
import { type ApiKey, belongsOnServer, type KeyKind, type Operation } from "../keys/api-key.ts"
import type { SignInOutcome } from "../sign-in/sign-in-failures.ts"
import type { Reason } from "../values/error.ts"
import { type DayRange, daysOf, lastDays, type Timestamp } from "../values/time/timestamp.ts"
import { type FailedCall, failureKindOf } from "./failed-calls.ts"

export type UsageCount = Readonly<{
  keyId: string
  operation: Operation
  outcome: Reason
  hour: Timestamp
  calls: number
}>

export type KeySighting = Readonly<{ keyId: string; network: string; lastUsedAt: Timestamp }>

export type NetworkCalls = Readonly<{
  keyId: string
  network: string
  operation: Operation
  day: string
  calls: number
  /** Only some calls of a busy key are sampled; `calls` is then estimated from the samples. */
  isEstimate: boolean
}>

/** The valid codes of one item that were asked for on one day. */
export type ItemCalls = Readonly<{
  keyId: string
  /** Null stands for all items that were not counted apart. */
  itemId: number | null
  day: string
  calls: number
}>

export type KeyUsage = Readonly<{
  keyId: string
  lastUsedAt: Timestamp | null
  callsLastDay: number
  callsLast30Days: number
  /** Distinct networks of the last seven days. */
  networks: number
  /** Calls of each of the last 30 days, oldest first. */
  days: readonly number[]
}>

/**
 * For authors, `refused` counts codes that are not valid, and `failed` every other call that failed. For operators,
 * `refused` counts every "no" and every call beyond a limit, and `failed` every call we could not answer.
 */
export type OutcomeCalls = Readonly<{ ok: number; refused: number; failed: number }>

export type UsageDay = OutcomeCalls & Readonly<{ day: string }>

export type OperationCalls = OutcomeCalls & Readonly<{ operation: Operation }>

export type NetworkUse = Readonly<{
  network: string
  lastUsedAt: Timestamp
  /** The most used first. Empty where the calls were made before they were counted by network. */
  operations: readonly Readonly<{ operation: Operation; calls: number }>[]
  isEstimate: boolean
}>

export type ItemUse = Readonly<{ itemId: number; calls: number }>

export type ValidItems = Readonly<{
  /** The items whose valid codes were asked for, the most asked for first. */
  items: readonly ItemUse[]
  /** Valid codes of all other items. */
  otherItemCalls: number
}>

/** The networks that use a key, its calls by day and operation, and by item of the last 30 days. */
export type KeyUsageDetails = ValidItems &
  Readonly<{
    /** The days that were asked for, oldest first, empty ones included. */
    days: readonly UsageDay[]
    /** Calls of these days, by the operation's name; only operations that were called. */
    operations: readonly OperationCalls[]
    /** Networks of the last seven days, the latest first. */
    networks: readonly NetworkUse[]
  }>

export type KeyLastUse = Readonly<{ keyId: string; lastUsedAt: Timestamp }>

export const usageGroupings = ["key", "account", "operation", "reason"] as const
export type UsageGrouping = (typeof usageGroupings)[number]

/** All calls of one key, account, operation or reason. */
export type UsageTotal = OutcomeCalls &
  Readonly<{
    /** The id of the key, the name of the account, the operation or the reason. */
    group: string
    /** Calls with test keys are a group of their own: they fail on purpose. */
    isTest: boolean
    /** Only where the group is a key. */
    key: Readonly<{ username: string; kind: KeyKind; name: string }> | null
  }>

export const callsOf = ({ ok, refused, failed }: Omit<UsageDay, "day">) => ok + refused + failed

export interface UsageStore {
  /** For those of these keys that were ever used, as of `at`. */
  listByKeys(keyIds: readonly string[], at: Timestamp): Promise<readonly KeyUsage[]>
  /** Null for a key that was never used. */
  findByKey(keyId: string, at: Timestamp): Promise<KeyUsage | null>
  /** Everything is empty for a key that was never used. At most `rowsMax` networks and items are read. */
  readDetails(
    keyId: string,
    range: DayRange,
    at: Timestamp,
    rowsMax: number,
  ): Promise<KeyUsageDetails>
  /** Oldest first, empty days included. Calls with test keys are not counted: they fail on purpose. */
  listByDay(accountId: number, range: DayRange): Promise<readonly UsageDay[]>
  /** How many purchase codes were valid within the last seven days; test keys are left out. */
  countValidCodes(accountId: number, at: Timestamp): Promise<number>
  /** The items of these codes, the most asked for first, at most `rowsMax`. */
  listValidItems(accountId: number, at: Timestamp, rowsMax: number): Promise<ValidItems>
  /** For those of these keys that were ever used. */
  listLastUses(keyIds: readonly string[]): Promise<readonly KeyLastUse[]>
  /**
   * Of all accounts, those with the most calls first, at most `rowsMax`. Counts from the hour of `since` on; from
   * its day on where hours have become days.
   */
  listTotals(by: UsageGrouping, since: Timestamp, rowsMax: number): Promise<readonly UsageTotal[]>
}

/** A secret key used from so many networks within a week is not only on the author's server. */
export const manyNetworks = 20

/** Whether a key that may do everything is used from so many networks that it must be in a product. */
export const isShipped = (key: Pick<ApiKey, "kind">, networks: number) =>
  belongsOnServer(key) && networks >= manyNetworks

export const failureOutcomes: readonly string[] = ["unavailable"] satisfies readonly Reason[]

/** Also for `refused`, the reason of pages and operator paths that have no closer one. */
export function outcomeGroup(outcome: string): "ok" | "refused" | "failed" {
  if (outcome === "ok") return "ok"
  return failureOutcomes.includes(outcome) ? "failed" : "refused"
}

/** Rows as adapters read them, before they are summed up. */
export type KeyDayCalls = Readonly<{ keyId: string; day: string; calls: number }>
export type DayCalls = Readonly<{ day: string; outcome: Reason; calls: number }>
export type OperationDayCalls = DayCalls & Readonly<{ operation: Operation }>
export type KeySeen = Readonly<{ keyId: string; lastUsedAt: Timestamp; networks: number }>

export const daysShown = 30
/** For so long the calls of a day are kept. */
export const usageDays = 400
export const networkDays = 7

export function summariseKeys(
  at: Timestamp,
  byDay: readonly KeyDayCalls[],
  lastDay: ReadonlyMap<string, number>,
  seen: readonly KeySeen[],
): readonly KeyUsage[] {
  const days = lastDays(at, daysShown)
  const byKey = Map.groupBy(byDay, ({ keyId }) => keyId)
  return seen.map(({ keyId, lastUsedAt, networks }) => {
    const calls = new Map(byKey.get(keyId)?.map((row) => [row.day, row.calls]))
    const perDay = days.map((day) => calls.get(day) ?? 0)
    const callsLast30Days = perDay.reduce((sum, each) => sum + each, 0)
    const callsLastDay = lastDay.get(keyId) ?? 0
    return { keyId, lastUsedAt, networks, callsLastDay, callsLast30Days, days: perDay }
  })
}

type Outcome = Readonly<{ outcome: Reason; calls: number }>

const noCalls: OutcomeCalls = { ok: 0, refused: 0, failed: 0 }

function addCalls(total: OutcomeCalls, { outcome, calls }: Outcome): OutcomeCalls {
  const refusal = failureKindOf(outcome) === "codes" ? "refused" : "failed"
  const group = outcome === "ok" ? "ok" : refusal
  return { ...total, [group]: total[group] + calls }
}

export function summariseDays(range: DayRange, calls: readonly DayCalls[]): readonly UsageDay[] {
  const byDay = Map.groupBy(calls, ({ day }) => day)
  return daysOf(range).map((day) => ({
    day,
    ...(byDay.get(day) ?? []).reduce(addCalls, noCalls),
  }))
}

export function summariseOperations(
  calls: readonly (Outcome & Readonly<{ operation: Operation }>)[],
): readonly OperationCalls[] {
  const byOperation = Map.groupBy(calls, ({ operation }) => operation)
  return [...byOperation]
    .map(([operation, each]) => ({ operation, ...each.reduce(addCalls, noCalls) }))
    .toSorted((a, b) => (a.operation < b.operation ? -1 : 1))
}

/** A row for each network and operation, the latest network first; null where nothing was counted. */
export type NetworkRow = Readonly<{
  network: string
  lastUsedAt: Timestamp
  operation: Operation | null
  calls: number | null
  /** How many of its days are estimates. */
  estimates: number
}>

export function summariseNetworks(rows: readonly NetworkRow[]): readonly NetworkUse[] {
  const byNetwork = Map.groupBy(rows, ({ network }) => network)
  return [...byNetwork].map(([network, each]) => ({
    network,
    lastUsedAt: each[0]?.lastUsedAt ?? "",
    operations: each
      .flatMap(({ operation, calls }) =>
        operation === null ? [] : [{ operation, calls: calls ?? 0 }],
      )
      .toSorted((a, b) => b.calls - a.calls),
    isEstimate: each.some(({ estimates }) => estimates > 0),
  }))
}

export type Counts = Readonly<{
  /** Calls that are no use of a key (`isUse`) are only counted as rejections. */
  calls: readonly UsageCount[]
  sightings: readonly KeySighting[]
  networks: readonly NetworkCalls[]
  items: readonly ItemCalls[]
  sites: readonly SiteSighting[]
  failures: readonly FailedCall[]
  signIns: readonly SignInRejections[]
  traffic: readonly TrafficCount[]
}>

export interface CountStore {
  /**
   * Adds the counts to what is there, all or nothing but for sites. Any number of programs may add. Sign-ins belong
   * to the day of `at`, traffic to its hour and day. Keys, codes and names that are not in the store are left
   * out, and no last use moves back.
   */
  add(at: Timestamp, counts: Partial<Counts>): Promise<void>
  /**
   * Of keys: hours become days after a week; days are forgotten after 400, networks after 30 but for the latest
   * of each key, their calls after 7, calls by item after 30, failed calls after 7 or when the author has 500 later
   * ones. One batch: the first keys behind `after` (""
   * begins), at most `rowsMax` rows. Says where the next batch begins, null at the end.
   */
  thin(at: Timestamp, after: string, rowsMax: number): Promise<string | null>
  /**
   * Of all others: removes rejections after two days, hours of traffic after 7 and days of it after 400. At most
   * `rowsMax` rows of each; says how many.
   */
  forget(at: Timestamp, rowsMax: number): Promise<number>
}

/** Today and yesterday are kept: a week of thousands of keys takes 70 ms to read on PostgreSQL. */
export const rejectionDays = 2

export type RejectedKey = Readonly<{
  keyId: string
  accountId: number
  username: string
  kind: KeyKind
  name: string
  calls: number
  /** The most frequent first. */
  reasons: readonly Readonly<{ reason: string; calls: number }>[]
}>

type RejectedSignIn = Extract<SignInOutcome, "wrong" | "throttled">

export type SignInRejections = Readonly<{
  username: string
  outcome: RejectedSignIn
  signIns: number
}>

/** An account that somebody failed to sign in to. */
export type RejectedAccount = Readonly<{
  accountId: number
  username: string
  wrong: number
  throttled: number
}>

/**
 * Rejected calls by key and failed sign-ins by account, each for a day, of all authors. The calls come with the
 * usage of keys; those of test keys are left out, as they fail on purpose.
 */
export interface RejectionStore {
  /** Of the last `days` days up to `at`, those with the most rejected calls first, at most `rowsMax`. */
  listKeys(at: Timestamp, days: number, rowsMax: number): Promise<readonly RejectedKey[]>
  /** The same for failed sign-ins. */
  listAccounts(at: Timestamp, days: number, rowsMax: number): Promise<readonly RejectedAccount[]>
}

/** A limit is a rejection too; a fault of ours is not. */
export const isRejected = (outcome: string) =>
  outcomeGroup(outcome) === "refused" || outcome === "rate_limited"

/**
 * `detail` is the reason of a `request`, the upper bound of a `duration` in seconds, the outcome of a
 * `sign_in` or the name of a `limit`. `operation` is "" where there is none.
 */
export type TrafficCount = Readonly<{
  kind: "request" | "duration" | "sign_in" | "limit"
  operation: string
  detail: string
  count: number
}>

/** Both are counted, so that a month is read from few rows. Hours are kept for a week. */
export type TrafficUnit = "hour" | "day"

/** The requests of one hour (`2026-06-22T23`) or day (`2026-06-22`). */
export type PeriodRequests = Readonly<{ period: string; reason: string; count: number }>

/**
 * How many requests and sign-ins all servers had in each hour, for the operator. No author, key, code or
 * address is in it: `operation` and `detail` come from the fixed lists of the metrics.
 */
export interface TrafficStore {
  /** Sums from the hour or the day of `since` to that of `until`. */
  listTotals(since: Timestamp, until: Timestamp, by: TrafficUnit): Promise<readonly TrafficCount[]>
  /** Those of all these operations, oldest first. Periods without requests are left out. */
  listRequests(
    operations: readonly string[],
    since: Timestamp,
    until: Timestamp,
    by: TrafficUnit,
  ): Promise<readonly PeriodRequests[]>
}

/** The bound of durations that are longer than every other bound. */
export const noBound = "+Inf"

/**
 * The upper bound of the bucket that holds this share of the requests, in milliseconds. Null without
 * requests, infinite in the last bucket. Buckets of an older version may have other bounds.
 */
export function quantileMs(durations: readonly TrafficCount[], share: number): number | null {
  const buckets = durations
    .map(({ detail, count }) => ({ seconds: secondsOf(detail), count }))
    .toSorted((one, other) => one.seconds - other.seconds)
  const wanted = share * buckets.reduce((sum, { count }) => sum + count, 0)
  let counted = 0
  for (const { seconds, count } of buckets) {
    counted += count
    if (count > 0 && counted >= wanted) return seconds * 1000
  }
  return null
}

const secondsOf = (bound: string) => (bound === noBound ? Number.POSITIVE_INFINITY : Number(bound))

export function sumOutcomes(
  requests: readonly Readonly<{ reason: string; count: number }>[],
): OutcomeCalls {
  const sums = { ok: 0, refused: 0, failed: 0 }
  for (const { reason, count } of requests) sums[outcomeGroup(reason)] += count
  return sums
}
