/**
 * The metrics of one thread: a plain object of numbers. A scrape adds up those of all threads. The values of labels are
 * fixed lists: no author, key, code or address is ever a label.
 */
import type { Operation } from "../domain/keys/api-key.ts"
import { type SignInOutcome, signInOutcomes } from "../domain/sign-in/sign-in-failures.ts"
import type { Reason } from "../domain/values/error.ts"

export const operations = [
  "read_account",
  "list_items",
  "read_item",
  "validate_purchase",
  "release_site",
] as const satisfies readonly Operation[]
const otherRoutes = ["key_set", "openapi", "feed", "links", "metrics", "page", "unknown"] as const

/** The names of the routes, in the log and in the metrics. */
export type Route = (typeof operations)[number] | (typeof otherRoutes)[number]

/** `refused` is a 4xx of a page or an operator's path that has no closer reason. */
export type CountedReason = Reason | "refused"

const ofEveryKey = [
  ...(["missing_key", "unknown_key", "revoked_key", "expired_key", "account_suspended"] as const),
  ...(["method_not_allowed", "rate_limited", "unavailable"] as const),
] as const
const ofEveryRead = ["ok", ...ofEveryKey, "key_not_allowed"] as const
const ofParameters = ["missing_parameter", "invalid_parameter"] as const
const elsewhere = ["ok", "refused", "method_not_allowed", "unavailable"] as const
const withToken = [...elsewhere, "rate_limited"] as const

/**
 * The reasons that each route can give. They are shown from the start with 0: Prometheus does not see the
 * first increase of a series that appears with it.
 */
const reasonsOf: Readonly<Record<Route, readonly CountedReason[]>> = {
  read_account: ofEveryRead,
  list_items: [...ofEveryRead, "no_items"],
  read_item: [...ofEveryRead, ...ofParameters, "unknown_item"],
  validate_purchase: [
    ...(["ok", ...ofEveryKey, ...ofParameters] as const),
    ...(["unknown_code", "revoked_code", "site_limit", "too_large"] as const),
  ],
  release_site: [
    ...(["ok", ...ofEveryKey, ...ofParameters] as const),
    ...(["unknown_code", "revoked_code", "too_large"] as const),
  ],
  key_set: ["ok", "method_not_allowed", "unavailable"],
  openapi: [...withToken, "unknown_path"],
  feed: [...withToken, "unknown_path"],
  links: [...withToken, "unknown_path"],
  metrics: withToken,
  page: [...elsewhere, "unknown_path", "too_large", "rate_limited"],
  unknown: ["unknown_path", "invalid_parameter"],
}

const feedWays = ["push", "file", "pull"] as const
export type ImportMethod = (typeof feedWays)[number]

/** `adjusted` records are among the accepted and waiting ones. */
const feedResults = ["accepted", "adjusted", "waiting", "rejected", "removed"] as const
type FeedResult = (typeof feedResults)[number]

/** A failed run was not read to its end, or kept nothing. */
const runOutcomes = ["finished", "failed"] as const

const webhookResults = ["delivered", "failed"] as const
export type WebhookResult = (typeof webhookResults)[number]

/**
 * The upper bounds of the buckets, in seconds. A validation takes 0.02 ms on the embedded store and 1 ms on
 * PostgreSQL; clients give up after 2.5 s.
 */
export const durationBucketBounds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
] as const

export type RouteMetrics = {
  readonly reasons: Partial<Record<CountedReason, number>>
  /** One more than there are bounds, for everything that takes longer. */
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
  /** Facts about the whole server, which only the main thread records. Unknown ones are absent. Times are Unix times. */
  readonly server: {
    startedAt?: number
    storeReady?: number
    storeWritable?: number
    diskFreeBytes?: number
    webhookQueue?: number
    lastImportAt?: number
    pullDueAt?: number
    /** 0 for never. */
    lastBackupAt?: number
  }
}

export const createMetrics = (): Metrics => ({
  routes: fill([...operations, ...otherRoutes], (route) => ({
    reasons: fill(reasonsOf[route], () => 0),
    buckets: Array(durationBucketBounds.length + 1).fill(0),
    seconds: 0,
  })),
  inFlight: 0,
  signIns: fill(signInOutcomes, () => 0),
  feedRecords: fill(feedWays, () => fill(feedResults, () => 0)),
  importRuns: fill(feedWays, () => fill(runOutcomes, () => 0)),
  webhookDeliveries: fill(webhookResults, () => 0),
  server: {},
})

// The entries have a name for each key of the record.
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
  // The first buckets hold nearly all requests.
  while (seconds > (durationBucketBounds[bucket] ?? Number.POSITIVE_INFINITY)) bucket += 1
  counts.buckets[bucket] = (counts.buckets[bucket] ?? 0) + 1
  counts.seconds += seconds
}

/** Counts a run or push that was read to its end. */
export function countImportRun(
  { feedRecords, importRuns }: Metrics,
  via: ImportMethod,
  counts: Readonly<Record<FeedResult, number>>,
): void {
  for (const result of feedResults) feedRecords[via][result] += counts[result]
  importRuns[via].finished += 1
}

/** How many requests had each outcome, on all routes. */
export function countByReason({ routes }: Metrics): ReadonlyMap<string, number> {
  const sums = new Map<string, number>()
  for (const { reasons } of Object.values(routes)) {
    for (const [reason, count] of Object.entries(reasons)) {
      sums.set(reason, (sums.get(reason) ?? 0) + count)
    }
  }
  return sums
}

/** The sums of what all threads have counted. */
export function sumMetrics(threads: readonly Metrics[]): Metrics {
  const sums = createMetrics()
  for (const each of threads) addNumbers(sums, each)
  return sums
}

/** Both hold numbers, and objects of numbers. Numbers that only `more` has are added to `sums`. */
function addNumbers(sums: object, more: object): void {
  const to = sums as Record<string, number | object>
  for (const [name, value] of Object.entries(more)) {
    const sum = to[name] ?? 0
    if (typeof sum === "number") to[name] = sum + value
    else addNumbers(sum, value)
  }
}
