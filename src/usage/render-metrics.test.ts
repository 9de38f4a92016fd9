import { expect, test } from "bun:test"
import { findValue, readPrometheusText } from "../../tests/harness/http/prometheus-text.ts"
import {
  countImportRun,
  countRequest,
  createMetrics,
  listMetricFamilies,
  renderFamilies,
  renderMetrics,
  sumMetrics,
} from "./metrics.ts"

test("a family is rendered as help, type and series", () => {
  const family = {
    name: "pazar_things_total",
    type: "counter",
    help: 'Things\n\\"',
    samples: [
      { labels: {}, value: 1 },
      { labels: { kind: 'a\n\\"', result: "ok" }, value: 0.5 },
    ],
  } as const
  expect(renderFamilies([family])).toBe(
    '# HELP pazar_things_total Things\\n\\\\"\n# TYPE pazar_things_total counter\npazar_things_total 1\npazar_things_total{kind="a\\n\\\\\\"",result="ok"} 0.5\n',
  )
})

test("a scrape returns the sums of all threads and the values of the main thread", () => {
  const [main, other] = [createMetrics(), createMetrics()]
  main.server.storeReady = 1
  main.server.lastBackupAt = 0
  main.inFlight = 2
  other.inFlight = 3
  for (const metrics of [main, other]) {
    countRequest(metrics, "validate_purchase", "ok", 0.2)
    metrics.signIns.wrong += 1
  }
  countRequest(other, "validate_purchase", "ok", 20_000)
  // An error code that is not in the list of the route.
  countRequest(other, "key_set", "too_large", 1)
  countImportRun(other, "push", { accepted: 5, adjusted: 1, waiting: 0, rejected: 2, removed: 0 })
  const text = readPrometheusText(renderMetrics([main, other], "1.2.3"))
  const find = (name: string, labels = {}) => findValue(text, name, labels)
  const validations = { operation: "validate_purchase" }
  expect(find("pazar_build_info", { version: "1.2.3" })).toBe(1)
  expect(find("pazar_requests_total", { ...validations, reason: "ok" })).toBe(3)
  expect(find("pazar_requests_total", { ...validations, reason: "unknown_code" })).toBe(0)
  expect(find("pazar_requests_total", { operation: "key_set", reason: "too_large" })).toBe(1)
  const bucket = "pazar_request_duration_seconds_bucket"
  const buckets = ["0.0001", "0.00025", "10", "+Inf"].map((le) =>
    find(bucket, { ...validations, le }),
  )
  expect(buckets).toEqual([0, 2, 2, 3])
  expect(find("pazar_request_duration_seconds_count", validations)).toBe(3)
  expect(find("pazar_request_duration_seconds_sum", validations)).toBeCloseTo(20.0004)
  expect(find("pazar_requests_in_flight")).toBe(5)
  expect(find("pazar_sign_ins_total", { outcome: "wrong" })).toBe(2)
  expect(find("pazar_feed_records_total", { via: "push", result: "accepted" })).toBe(5)
  expect(find("pazar_import_runs_total", { via: "push", outcome: "finished" })).toBe(1)
  expect(find("pazar_store_ready")).toBe(1)
  expect(find("pazar_last_backup_timestamp_seconds")).toBe(0)
  expect(find("pazar_disk_free_bytes")).toBeNull()
  expect(find("process_resident_memory_bytes")).toBeGreaterThan(1_000_000)
})

test("sumMetrics does not modify the metrics of the threads", () => {
  const metrics = createMetrics()
  countRequest(metrics, "page", "ok", 1)
  const before = structuredClone(metrics)
  expect(sumMetrics([metrics, metrics]).routes.page.reasons.ok).toBe(2)
  expect(metrics).toEqual(before)
})

test("all metrics are in this list", () => {
  expect(listMetricFamilies(createMetrics(), "", null).map(({ name }) => name)).toEqual([
    "pazar_build_info",
    "pazar_requests_total",
    "pazar_request_duration_seconds",
    "pazar_requests_in_flight",
    "pazar_sign_ins_total",
    "pazar_feed_records_total",
    "pazar_import_runs_total",
    "pazar_last_import_timestamp_seconds",
    "pazar_pull_due_timestamp_seconds",
    "pazar_last_backup_timestamp_seconds",
    "pazar_webhook_deliveries_total",
    "pazar_webhook_queue",
    "pazar_mail_ready",
    "pazar_store_ready",
    "pazar_store_writable",
    "pazar_disk_free_bytes",
    "process_cpu_seconds_total",
    "process_resident_memory_bytes",
    "process_start_time_seconds",
  ])
})
