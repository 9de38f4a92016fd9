/** Every metric, with its meaning and its values. */
import { signInOutcomes } from "../domain/sign-in/sign-in-failures.ts"
import { isWritable, poolNames } from "../domain/usage/measures.ts"
import {
  cacheNames,
  cacheResults,
  feedResults,
  feedWays,
  purchaseStates,
  reasons,
  reasonsOf,
  routes,
  runOutcomes,
  webhookResults,
} from "./labels.ts"
import type { ProcessFacts } from "./process-facts.ts"
import { bucketsOfRoute, durationBounds, starts } from "./row.ts"

type Scrape = Readonly<{
  /** One per thread. */
  rows: readonly Float64Array[]
  version: string
  nowMs: number
  processFacts: ProcessFacts | null
}>

export function listFamilies(scrape: Scrape): readonly Family[] {
  const { rows, version, nowMs } = scrape
  const sum: Sum = (at) => rows.reduce((total, row) => total + (row[at] ?? 0), 0)
  const largest: Sum = (at) => Math.max(...rows.map((row) => row[at] ?? 0))
  const writes = {
    succeededAtMs: largest(starts.writeSucceededAt),
    failedAtMs: largest(starts.writeFailedAt),
  }
  const lastFeeds = series(sum, starts.lastFeeds, "via", feedWays).filter(({ value }) => value > 0)
  const lastImport = Math.max(...lastFeeds.map(({ value }) => value))
  return [
    gauge("pazar_build_info", "Always 1. The label is the version of Pazar.", [
      { labels: { version }, value: 1 },
    ]),
    counter(
      "pazar_requests_total",
      "Requests that were answered, by operation and reason.",
      listRequests(sum),
    ),
    counter(
      "pazar_request_faults_total",
      "Requests that failed because of the store or a bug.",
      series(sum, starts.faults, "operation", routes),
    ),
    family("histogram")(
      "pazar_request_duration_seconds",
      "Time from a request to its answer, without the sending.",
      routes.flatMap((route, at) => listDurations(sum, route, at)),
    ),
    counter(
      "pazar_webhook_deliveries_total",
      "Tries to deliver a webhook message, by result.",
      series(sum, starts.webhookDeliveries, "result", webhookResults),
    ),
    gauge(
      "pazar_webhook_queue",
      "Webhook messages that wait to be delivered, without endpoints that are off or of suspended authors.",
      single(sum(starts.webhookQueue)),
    ),
    counter(
      "pazar_sign_ins_total",
      "Attempts to sign in to the workspace, by outcome.",
      series(sum, starts.signIns, "outcome", signInOutcomes),
    ),
    counter(
      "pazar_feed_records_total",
      "Feed records by way and result. Adjusted records are among the accepted and waiting ones.",
      pairs(sum, starts.feedRecords, ["via", feedWays], ["result", feedResults]),
    ),
    counter(
      "pazar_feed_newly_rejected_total",
      "Rejected records beyond those of the run before from the same source; of a push, all of them.",
      series(sum, starts.newlyRejected, "via", feedWays),
    ),
    counter(
      "pazar_import_runs_total",
      "Imports, rounds of pulls and pushes by outcome. Failed ones were not read to their end or kept nothing.",
      pairs(sum, starts.importRuns, ["via", feedWays], ["outcome", runOutcomes]),
    ),
    gauge(
      "pazar_failed_imports",
      "Files and pulls of the whole store whose latest import failed.",
      single(sum(starts.failedImports)),
    ),
    gauge(
      "pazar_purchases",
      "Purchases in the database by state, counted once an hour. Absent until the first count.",
      series(sum, starts.purchases, "state", purchaseStates).filter(
        ({ value }) => !Number.isNaN(value),
      ),
    ),
    gauge(
      "pazar_last_import_timestamp_seconds",
      "When the latest import, pull or push finished, as Unix time. Absent if there was none.",
      lastFeeds.length === 0 ? [] : single(lastImport),
    ),
    gauge(
      "pazar_last_feed_timestamp_seconds",
      "The same for each way: file, pull or push.",
      lastFeeds,
    ),
    gauge(
      "pazar_pull_due_timestamp_seconds",
      "When every repeated pull must have succeeded again, as Unix time. Absent without `pull --every`.",
      known(sum(starts.pullDueAt)),
    ),
    gauge(
      "pazar_last_backup_timestamp_seconds",
      "When the last backup was made, as Unix time; 0 for never. Absent with PostgreSQL.",
      known(sum(starts.lastBackupAt)),
    ),
    gauge(
      "pazar_last_backup_size_bytes",
      "The size of that backup; 0 for none. Absent with PostgreSQL.",
      known(sum(starts.lastBackupBytes)),
    ),
    gauge(
      "pazar_backup_due_timestamp_seconds",
      "When the next backup must have been made, as Unix time. Absent with PostgreSQL.",
      known(sum(starts.backupDueAt)),
    ),
    gauge(
      "pazar_disk_free_bytes",
      "Free space on the disk of the embedded store. Absent with PostgreSQL.",
      known(sum(starts.diskFreeBytes)),
    ),
    gauge(
      "pazar_store_ready",
      "1 if the store can be used, 0 if not, by the same check as /readyz.",
      single(sum(starts.storeReady)),
    ),
    gauge(
      "pazar_store_writable",
      "1 if writes to the store succeed, 0 since one failed and for 90 seconds after the last that did.",
      single(isWritable(writes, nowMs) ? 1 : 0),
    ),
    ...listPools(sum),
    counter(
      "pazar_cache_lookups_total",
      "Look-ups in the caches of API keys and lists, by result.",
      pairs(sum, starts.cacheLookups, ["cache", cacheNames], ["result", cacheResults]),
    ),
    counter(
      "pazar_usage_write_failures_total",
      "Times that the usage counts could not be written. They are kept and tried again.",
      single(sum(starts.usageFailures)),
    ),
    gauge("pazar_threads", "Threads that answer requests.", single(sum(starts.threads))),
    counter(
      "pazar_thread_failures_total",
      "Threads that died and were replaced.",
      single(sum(starts.threadFailures)),
    ),
    gauge(
      "pazar_event_loop_lag_seconds",
      "The longest delay of a timer on any thread in the last 15 seconds.",
      single(largest(starts.eventLoopLag)),
    ),
    ...listProcess(sum, scrape.processFacts),
  ]
}

const family =
  (type: Family["type"]) =>
  (name: string, help: string, samples: readonly Sample[]): Family => ({
    name,
    type,
    help,
    samples,
  })
const counter = family("counter")
const gauge = family("gauge")
const single = (value: number): readonly Sample[] => [{ labels: {}, value }]

const known = (value: number | undefined) =>
  value === undefined || Number.isNaN(value) ? [] : single(value)

type Sum = (at: number) => number
type Label = readonly [name: string, values: readonly string[]]

const series = (sum: Sum, start: number, label: string, values: readonly string[]) =>
  values.map((value, at): Sample => ({ labels: { [label]: value }, value: sum(start + at) }))

const pairs = (sum: Sum, start: number, [outer, rows]: Label, [inner, columns]: Label) =>
  rows.flatMap((one, row) =>
    columns.map(
      (other, column): Sample => ({
        labels: { [outer]: one, [inner]: other },
        value: sum(start + row * columns.length + column),
      }),
    ),
  )

/** The reasons that a route can give, and any other that was counted all the same. */
function listRequests(sum: Sum): readonly Sample[] {
  const expected = new Set(
    routes.flatMap((route) => reasonsOf[route].map((reason) => `${route} ${reason}`)),
  )
  return pairs(sum, starts.requests, ["operation", routes], ["reason", reasons]).filter(
    ({ labels, value }) => value > 0 || expected.has(`${labels.operation} ${labels.reason}`),
  )
}

function listDurations(sum: Sum, operation: string, position: number): readonly Sample[] {
  const start = starts.durationBuckets + position * bucketsOfRoute
  let count = 0
  const buckets = [...durationBounds, "+Inf"].map((bound, at): Sample => {
    count += sum(start + at)
    return { labels: { operation, le: String(bound) }, value: count, suffix: "_bucket" }
  })
  const seconds = sum(starts.durationSums + position)
  return [
    ...buckets,
    { labels: { operation }, value: seconds, suffix: "_sum" },
    { labels: { operation }, value: count, suffix: "_count" },
  ]
}

/** An embedded store has no pools. */
function listPools(sum: Sum): readonly Family[] {
  const hasPools = sum(starts.poolsMax) > 0
  const ofPools = (start: number) => (hasPools ? series(sum, start, "pool", poolNames) : [])
  return [
    gauge(
      "pazar_pool_connections_in_use",
      "Connections to PostgreSQL that are in use.",
      ofPools(starts.poolsInUse),
    ),
    gauge(
      "pazar_pool_connections_max",
      "Connections to PostgreSQL that may be open.",
      ofPools(starts.poolsMax),
    ),
    gauge(
      "pazar_pool_waiting",
      "Requests that wait for a connection to PostgreSQL.",
      ofPools(starts.poolsWaiting),
    ),
  ]
}

/** Under the names that every Prometheus client uses. All but the last are absent where there is no /proc. */
function listProcess(sum: Sum, processFacts: ProcessFacts | null): readonly Family[] {
  return [
    counter(
      "process_cpu_seconds_total",
      "CPU time that the process has used, in seconds.",
      known(processFacts?.cpuSeconds),
    ),
    gauge(
      "process_resident_memory_bytes",
      "Resident memory of the process, in bytes.",
      known(processFacts?.residentBytes),
    ),
    gauge("process_open_fds", "Open file descriptors.", known(processFacts?.openFiles)),
    gauge(
      "process_max_fds",
      "The limit of open file descriptors.",
      known(processFacts?.openFilesMax),
    ),
    gauge(
      "process_start_time_seconds",
      "When the process started, as Unix time.",
      single(sum(starts.startedAt)),
    ),
  ]
}

/** Prometheus' text format, version 0.0.4. */

type Sample = Readonly<{
  labels: Readonly<Record<string, string>>
  value: number
  /** The end of a histogram's name. */
  suffix?: "_bucket" | "_sum" | "_count"
}>

export type Family = Readonly<{
  name: string
  type: "counter" | "gauge" | "histogram"
  help: string
  samples: readonly Sample[]
}>

export const textFormat = "text/plain; version=0.0.4; charset=utf-8"

export const renderFamilies = (families: readonly Family[]) => families.map(renderFamily).join("")

function renderFamily({ name, type, help, samples }: Family): string {
  const lines = samples.map(
    ({ labels, value, suffix = "" }) =>
      `${name}${suffix}${renderLabels(labels)} ${renderValue(value)}\n`,
  )
  return [`# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`, ...lines].join("")
}

function renderLabels(labels: Sample["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const escapeHelp = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const escapeLabel = (text: string) => escapeHelp(text).replaceAll('"', '\\"')

function renderValue(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return "+Inf"
  return value === Number.NEGATIVE_INFINITY ? "-Inf" : String(value)
}
