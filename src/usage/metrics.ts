/**
 * The metrics of one thread. A scrape returns the sums over all threads. Labels have fixed values, never an author,
 * key, code or address.
 */
import { type SignInOutcome, signInOutcomes } from "../access/actor.ts"
import { type CountedReason, type Route, routes } from "./usage.ts"

const keyReasons = [
  ...(["missing_key", "unknown_key", "revoked_key", "expired_key", "account_suspended"] as const),
  ...(["method_not_allowed", "rate_limited", "unavailable"] as const),
] as const
const readReasons = ["ok", ...keyReasons, "key_not_allowed"] as const
const parameterReasons = ["missing_parameter", "invalid_parameter"] as const
const codeReasons = ["unknown_code", "revoked_code", "expired_code"] as const
const validationReasons = [...readReasons, ...parameterReasons, ...codeReasons] as const
const pageReasons = ["ok", "refused", "method_not_allowed", "unavailable"] as const
const tokenReasons = [...pageReasons, "rate_limited"] as const

/**
 * The error codes of each route. Their series start at 0, because Prometheus ignores the first increment of a series
 * that does not exist yet.
 */
const reasonsOf: Readonly<Record<Route, readonly CountedReason[]>> = {
  read_account: readReasons,
  list_items: [...readReasons, "no_items"],
  read_item: [...readReasons, ...parameterReasons, "unknown_item"],
  validate_purchase: [...validationReasons, "site_limit", "too_large"],
  release_site: [...validationReasons, "too_large"],
  list_purchases: [...readReasons, "invalid_parameter"],
  list_sites: [...readReasons, ...parameterReasons, ...codeReasons],
  create_download: [...validationReasons, "site_limit", "no_download", "too_large"],
  download: ["ok", "unknown_path", "unavailable"],
  key_set: ["ok", "method_not_allowed", "unavailable"],
  openapi: [...tokenReasons, "unknown_path"],
  feed: [...tokenReasons, "unknown_path"],
  links: [...tokenReasons, "unknown_path"],
  purchases: [...tokenReasons, "unknown_path"],
  metrics: tokenReasons,
  page: [...pageReasons, "unknown_path", "too_large", "rate_limited"],
  unknown: ["unknown_path", "invalid_parameter"],
}

const importMethods = ["push", "file", "pull"] as const
export type ImportMethod = (typeof importMethods)[number]

/** `adjusted` (normalized) records also count as `accepted` or `waiting` (pending). */
const feedResults = ["accepted", "adjusted", "waiting", "rejected", "removed"] as const
type FeedResult = (typeof feedResults)[number]

const runOutcomes = ["finished", "failed"] as const

const webhookResults = ["delivered", "failed"] as const
export type WebhookResult = (typeof webhookResults)[number]

/** Upper bounds in seconds: from a validation on SQLite to beyond the timeout of a client. */
export const durationBucketBounds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
] as const

export type RouteMetrics = {
  readonly reasons: Partial<Record<CountedReason, number>>
  /** One per bound, and a last one for longer requests. */
  readonly buckets: number[]
  seconds: number
}

export type Metrics = {
  readonly routes: Readonly<Record<Route, RouteMetrics>>
  inFlight: number
  readonly signIns: Record<SignInOutcome, number>
  readonly feedRecords: Readonly<Record<ImportMethod, Record<FeedResult, number>>>
  readonly importRuns: Readonly<Record<ImportMethod, Record<(typeof runOutcomes)[number], number>>>
  readonly webhookDeliveries: Record<WebhookResult, number>
  /** Set by the main thread only; unknown values are absent. Times are Unix times in seconds. */
  readonly server: {
    startedAt?: number
    storeReady?: number
    storeWritable?: number
    diskFreeBytes?: number
    webhookQueue?: number
    mailReady?: number
    lastImportAt?: number
    pullDueAt?: number
    /** 0 without a backup. */
    lastBackupAt?: number
  }
}

export const createMetrics = (): Metrics => ({
  routes: fill(routes, (route) => ({
    reasons: fill(reasonsOf[route], () => 0),
    buckets: Array(durationBucketBounds.length + 1).fill(0),
    seconds: 0,
  })),
  inFlight: 0,
  signIns: fill(signInOutcomes, () => 0),
  feedRecords: fill(importMethods, () => fill(feedResults, () => 0)),
  importRuns: fill(importMethods, () => fill(runOutcomes, () => 0)),
  webhookDeliveries: fill(webhookResults, () => 0),
  server: {},
})

// `as`: Object.fromEntries widens the names to string.
const fill = <Name extends string, T>(names: readonly Name[], create: (name: Name) => T) =>
  Object.fromEntries(names.map((name) => [name, create(name)])) as Record<Name, T>

export function countRequest(
  { routes }: Metrics,
  route: Route,
  reason: CountedReason,
  ms: number,
): void {
  const counts = routes[route]
  counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1
  const seconds = ms / 1000
  let bucket = 0
  while (seconds > (durationBucketBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
  counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1
  counts.seconds += seconds
}

/** Counts an import, database sync or push that was read to its end. A full sync that deleted nothing is `failed`. */
export function countImportRun(
  { feedRecords, importRuns }: Metrics,
  via: ImportMethod,
  counts: Readonly<Record<FeedResult, number>>,
  outcome: (typeof runOutcomes)[number] = "finished",
): void {
  for (const result of feedResults) feedRecords[via][result] += counts[result]
  importRuns[via][outcome] += 1
}

/**
 * The duration in seconds that `share` of the requests did not exceed, interpolated within its bucket as Prometheus
 * does. Null without requests.
 */
export function durationQuantile(buckets: readonly number[], share: number): number | null {
  const count = buckets.reduce((sum, each) => sum + each, 0)
  if (count === 0) return null
  let before = 0
  for (const [at, bound] of durationBucketBounds.entries()) {
    const inBucket = buckets[at] ?? 0
    if (before + inBucket >= count * share) {
      const lower = durationBucketBounds[at - 1] ?? 0
      return lower + (bound - lower) * ((count * share - before) / inBucket)
    }
    before += inBucket
  }
  return durationBucketBounds.at(-1) ?? null
}

export function countByReason({ routes }: Metrics): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { reasons } of Object.values(routes)) {
    for (const [reason, count] of Object.entries(reasons)) {
      sums.set(reason, (sums.get(reason) ?? 0) + count)
    }
  }
  return sums
}

export function sumMetrics(threads: readonly Metrics[]): Metrics {
  const sums = createMetrics()
  for (const each of threads) addNumbers(sums, each)
  return sums
}

function addNumbers(sums: object, more: object): void {
  const to = sums as Record<string, number | object>
  for (const [name, value] of Object.entries(more)) {
    const sum = to[name] ?? 0
    if (typeof sum === "number") to[name] = sum + value
    else addNumbers(sum, value)
  }
}
