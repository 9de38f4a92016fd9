/** All metrics in the Prometheus text format 0.0.4. */

import { readFileSync } from "node:fs"
import { durationBucketBounds, type Metrics, type RouteMetrics, sumMetrics } from "./metrics.ts"

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

/** `metrics` are the sums of all threads. */
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
    return { name, type: typeOf(name), help, samples }
  })
}

function typeOf(name: MetricName): Family["type"] {
  if (name === "pazar_request_duration_seconds") return "histogram"
  return name.endsWith("_total") ? "counter" : "gauge"
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
