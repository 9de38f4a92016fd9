/** All metrics in the Prometheus text format 0.0.4. */
import { durationBucketBounds, type Metrics, type RouteMetrics, sumMetrics } from "./metrics.ts"
import { type ProcessMetrics, readProcessMetrics } from "./process-metrics.ts"

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

/** Reads /proc only, so that a scrape works while the database is unavailable. */
export const renderMetrics = (threads: readonly Metrics[], version: string) =>
  renderFamilies(listMetricFamilies(sumMetrics(threads), version, readProcessMetrics()))

/** `metrics` are the sums of all threads. */
export function listMetricFamilies(
  metrics: Metrics,
  version: string,
  processMetrics: ProcessMetrics | null,
): readonly Family[] {
  const { routes, server } = metrics
  const routeEntries = Object.entries(routes)
  return [
    gauge("pazar_build_info", "Always 1, labeled with the version of the server.", [
      { labels: { version }, value: 1 },
    ]),
    counter(
      "pazar_requests_total",
      "Responses by operation and error code.",
      routeEntries.flatMap(([operation, { reasons }]) => series({ operation }, "reason", reasons)),
    ),
    {
      name: "pazar_request_duration_seconds",
      type: "histogram",
      help: "Time to process a request, without sending the response.",
      samples: routeEntries.flatMap(([operation, counts]) => listDurations(operation, counts)),
    },
    gauge("pazar_requests_in_flight", "Requests in flight.", single(metrics.inFlight)),
    counter(
      "pazar_sign_ins_total",
      "Sign-ins to the workspace by outcome.",
      series({}, "outcome", metrics.signIns),
    ),
    counter(
      "pazar_feed_records_total",
      "Imported records by source and result. `adjusted` (normalized) records also count as `accepted` or `waiting` (pending).",
      pairs("via", "result", metrics.feedRecords),
    ),
    counter(
      "pazar_import_runs_total",
      "Imports, database syncs and pushes by outcome.",
      pairs("via", "outcome", metrics.importRuns),
    ),
    gauge(
      "pazar_last_import_timestamp_seconds",
      "Unix time of the last completed import, database sync or push. Absent if there is none.",
      single(server.lastImportAt),
    ),
    gauge(
      "pazar_pull_due_timestamp_seconds",
      "Unix time by which the next scheduled database sync must succeed. Absent without `pull --every`.",
      single(server.pullDueAt),
    ),
    gauge(
      "pazar_last_backup_timestamp_seconds",
      "Unix time of the last backup, 0 if there is none. Absent on PostgreSQL.",
      single(server.lastBackupAt),
    ),
    counter(
      "pazar_webhook_deliveries_total",
      "Webhook delivery attempts by result.",
      series({}, "result", metrics.webhookDeliveries),
    ),
    gauge(
      "pazar_webhook_queue",
      "Pending webhook messages, except those of disabled endpoints and suspended accounts.",
      single(server.webhookQueue ?? 0),
    ),
    gauge(
      "pazar_store_ready",
      "1 if the database is available, as in /readyz, else 0.",
      single(server.storeReady ?? 0),
    ),
    gauge(
      "pazar_store_writable",
      "1 if database writes succeed. 0 after a failed write, for at least 90 seconds and until a write succeeds.",
      single(server.storeWritable ?? 0),
    ),
    gauge(
      "pazar_disk_free_bytes",
      "Free disk space of the embedded database. Absent on PostgreSQL.",
      single(server.diskFreeBytes),
    ),
    counter(
      "process_cpu_seconds_total",
      "CPU time of the process, user and system.",
      single(processMetrics?.cpuSeconds),
    ),
    gauge(
      "process_resident_memory_bytes",
      "Resident memory in bytes.",
      single(processMetrics?.residentBytes),
    ),
    gauge(
      "process_start_time_seconds",
      "Unix time at which the process started.",
      single(server.startedAt),
    ),
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

const single = (value: number | undefined): readonly Sample[] =>
  value === undefined ? [] : [{ labels: {}, value }]

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

export const renderFamilies = (families: readonly Family[]) => families.map(renderFamily).join("")

function renderFamily({ name, type, help, samples }: Family): string {
  const lines = samples.map(
    ({ labels, value, suffix = "" }) => `${name}${suffix}${renderLabels(labels)} ${value}\n`,
  )
  return [`# HELP ${name} ${escapeHelp(help)}\n# TYPE ${name} ${type}\n`, ...lines].join("")
}

function renderLabels(labels: Sample["labels"]): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapeLabel(value)}"`)
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`
}

const escapeHelp = (text: string) => text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")
const escapeLabel = (text: string) => escapeHelp(text).replaceAll('"', '\\"')
