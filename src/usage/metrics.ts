/**
 * The metrics of one thread. A scrape returns the sums over all threads. Labels have fixed values, never an author,
 * key, code or address.
 */
import { readFileSync } from "node:fs"
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
const routeReasons: Readonly<Record<Route, readonly CountedReason[]>> = {
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
type ImportMethod = (typeof importMethods)[number]

/** `adjusted` (normalized) records also count as `accepted` or `waiting` (pending). */
const feedResults = ["accepted", "adjusted", "waiting", "rejected", "removed"] as const
type FeedResult = (typeof feedResults)[number]

const runOutcomes = ["finished", "failed"] as const

const webhookResults = ["delivered", "failed"] as const
type WebhookResult = (typeof webhookResults)[number]

/** Upper bounds in seconds: from a validation on SQLite to beyond the timeout of a client. */
export const durationBucketBounds = [
  0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10,
] as const

type RouteMetrics = {
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
    lastBackupAt?: number
  }
}

export const createMetrics = (): Metrics => ({
  routes: fill(routes, (route) => ({
    reasons: fill(routeReasons[route], () => 0),
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

type Sample = Readonly<{
  labels: Readonly<Record<string, string>>
  value: number
  suffix?: "_bucket" | "_sum" | "_count"
}>

type Family = Readonly<{
  name: string
  type: "counter" | "gauge" | "histogram"
  help: string
  samples: readonly Sample[]
}>

export const prometheusContentType = "text/plain; version=0.0.4; charset=utf-8"

const helps = {
  pazar_build_info: "Always 1, labeled with the version of the server.",
  pazar_requests_total: "Responses by operation and error code.",
  pazar_request_duration_seconds: "Time to process a request, without sending the response.",
  pazar_requests_in_flight: "Requests in flight.",
  pazar_sign_ins_total: "Sign-ins to the workspace by outcome.",
  pazar_feed_records_total:
    "Imported records by source and result. `adjusted` (normalized) records also count as `accepted` or `waiting` (pending).",
  pazar_import_runs_total: "Imports, database syncs and pushes by outcome.",
  pazar_last_import_timestamp_seconds:
    "Unix time of the last completed import, database sync or push. Absent if there is none.",
  pazar_pull_due_timestamp_seconds:
    "Unix time by which the next scheduled database sync must succeed. Absent without `pull --every`.",
  pazar_last_backup_timestamp_seconds:
    "Unix time of the last backup, 0 if there is none. Absent on PostgreSQL.",
  pazar_webhook_deliveries_total: "Webhook delivery attempts by result.",
  pazar_webhook_queue:
    "Pending webhook messages, except those of disabled endpoints and suspended accounts. Counted every 15 s.",
  pazar_mail_ready:
    "1 if the mail server accepts connections, 0 after a failed attempt. Absent without `PAZAR_SMTP_URL`.",
  pazar_store_ready: "1 if the database is available, as in /readyz, else 0.",
  pazar_store_writable:
    "1 if database writes succeed. 0 after a failed write, for at least 90 seconds and until a write succeeds.",
  pazar_disk_free_bytes: "Free disk space of the embedded database. Absent on PostgreSQL.",
  process_cpu_seconds_total: "CPU time of the process, user and system.",
  process_resident_memory_bytes: "Resident memory in bytes.",
  process_start_time_seconds: "Unix time at which the process started.",
}

type MetricName = keyof typeof helps

/** Reads /proc only, so that a scrape works while the database is unavailable. */
export const renderMetrics = (threads: readonly Metrics[], version: string) =>
  renderFamilies(listMetricFamilies(sumMetrics(threads), version, readProcessMetrics()))

export function listMetricFamilies(
  metrics: Metrics,
  version: string,
  processMetrics: ProcessMetrics | null,
): readonly Family[] {
  const { server } = metrics
  const routes = Object.entries(metrics.routes)
  const values: Readonly<Record<MetricName, number | undefined | readonly Sample[]>> = {
    pazar_build_info: [{ labels: { version }, value: 1 }],
    pazar_requests_total: routes.flatMap(([operation, { reasons }]) =>
      series({ operation }, "reason", reasons),
    ),
    pazar_request_duration_seconds: routes.flatMap(([operation, counts]) =>
      listDurations(operation, counts),
    ),
    pazar_requests_in_flight: metrics.inFlight,
    pazar_sign_ins_total: series({}, "outcome", metrics.signIns),
    pazar_feed_records_total: pairs("via", "result", metrics.feedRecords),
    pazar_import_runs_total: pairs("via", "outcome", metrics.importRuns),
    pazar_last_import_timestamp_seconds: server.lastImportAt,
    pazar_pull_due_timestamp_seconds: server.pullDueAt,
    pazar_last_backup_timestamp_seconds: server.lastBackupAt,
    pazar_webhook_deliveries_total: series({}, "result", metrics.webhookDeliveries),
    pazar_webhook_queue: server.webhookQueue ?? 0,
    pazar_mail_ready: server.mailReady,
    pazar_store_ready: server.storeReady ?? 0,
    pazar_store_writable: server.storeWritable ?? 0,
    pazar_disk_free_bytes: server.diskFreeBytes,
    process_cpu_seconds_total: processMetrics?.cpuSeconds,
    process_resident_memory_bytes: processMetrics?.residentBytes,
    process_start_time_seconds: server.startedAt,
  }
  // `as`: Object.entries widens the names to string.
  return (Object.entries(helps) as [MetricName, string][]).map(([name, help]) => {
    const value = values[name]
    const samples = typeof value === "number" ? [{ labels: {}, value }] : (value ?? [])
    const type = name.endsWith("_total") ? "counter" : "gauge"
    const isHistogram = name === "pazar_request_duration_seconds"
    return { name, type: isHistogram ? "histogram" : type, help, samples }
  })
}

type Counts = Readonly<Record<string, number>>

const series = (labels: Sample["labels"], name: string, counts: Counts): readonly Sample[] =>
  Object.entries(counts).map(([each, value]) => ({ labels: { ...labels, [name]: each }, value }))

const pairs = (outer: string, inner: string, counts: Readonly<Record<string, Counts>>) =>
  Object.entries(counts).flatMap(([each, values]) => series({ [outer]: each }, inner, values))

function listDurations(operation: string, { buckets, seconds }: RouteMetrics): readonly Sample[] {
  let count = 0
  const samples = buckets.map((more, at): Sample => {
    count += more
    const le = String(durationBucketBounds[at] ?? "+Inf")
    return { labels: { operation, le }, value: count, suffix: "_bucket" }
  })
  return [
    ...samples,
    { labels: { operation }, value: seconds, suffix: "_sum" },
    { labels: { operation }, value: count, suffix: "_count" },
  ]
}

export function renderFamilies(families: readonly Family[]): string {
  const parts = families.flatMap(({ name, type, help, samples }) => [
    `# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`,
    ...samples.map(
      ({ labels, value, suffix = "" }) => `${name}${suffix}${renderLabels(labels)} ${value}\n`,
    ),
  ])
  return parts.join("")
}

function renderLabels(labels: Sample["labels"]): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${escapeHelp(value).replaceAll('"', '\\"')}"`,
  )
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const escapeHelp = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")

type ProcessMetrics = Readonly<{ cpuSeconds: number; residentBytes: number }>

/** USER_HZ, the unit of times in /proc. */
const ticksPerSecond = 100

/** Returns null on systems without /proc. */
export function readProcessMetrics(folder = "/proc/self"): ProcessMetrics | null {
  try {
    const read = (name: string) => readFileSync(`${folder}/${name}`, "utf8")
    // The program name may contain spaces and parentheses; the numbers follow the last `)`.
    const [, numbers = ""] = /^.*\) (.*)$/s.exec(read("stat")) ?? []
    const [userTicks = 0, systemTicks = 0] = numbers.split(" ").slice(11, 13).map(Number)
    const [, residentKilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(read("status")) ?? []
    return {
      cpuSeconds: (userTicks + systemTicks) / ticksPerSecond,
      residentBytes: Number(residentKilobytes) * 1024,
    }
  } catch {
    return null
  }
}
