import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { findValue, readPrometheusText } from "../../tests/harness/http/prometheus-text.ts"
import { listFamilies, renderFamilies } from "./families.ts"
import type { CountedReason } from "./labels.ts"
import { reasons, reasonsOf, routes } from "./labels.ts"
import { createRecorder } from "./recorder.ts"
import { createMainRow, createRow, durationBounds, resetGauges, starts } from "./row.ts"

function open(threads = 1, nowMs = () => 0) {
  const rows = [createMainRow(new Date(1_000)), ...Array.from({ length: threads - 1 }, createRow)]
  const rowOf = (thread: number) => rows[thread] ?? createRow()
  const read = () => {
    const facts = { version: "1", processFacts: null }
    const scrape = { rows, nowMs: nowMs(), ...facts }
    return readPrometheusText(renderFamilies(listFamilies(scrape)))
  }
  const value = (name: string, labels: Record<string, string> = {}) =>
    findValue(read(), name, labels)
  return { rowOf, read, value, recorder: (thread = 0) => createRecorder(rowOf(thread)) }
}

test("every reason has a place of its own", () => {
  // Without one of them this does not compile.
  const all: Readonly<Record<CountedReason, true>> = {
    ok: true,
    missing_key: true,
    unknown_key: true,
    revoked_key: true,
    expired_key: true,
    key_not_allowed: true,
    account_suspended: true,
    missing_parameter: true,
    invalid_parameter: true,
    no_items: true,
    unknown_item: true,
    unknown_code: true,
    revoked_code: true,
    site_limit: true,
    method_not_allowed: true,
    unknown_path: true,
    too_large: true,
    rate_limited: true,
    unavailable: true,
    refused: true,
  }
  expect([...reasons].sort()).toEqual(Object.keys(all).sort() as CountedReason[])
})

test("a request counts once, for its operation and its reason and no other", () => {
  const anyRoute = fc.constantFrom(...routes)
  const anyReason = fc.constantFrom(...reasons)
  fc.assert(
    fc.property(anyRoute, anyReason, fc.boolean(), (operation, reason, isFault) => {
      const { recorder, read } = open()
      recorder().countRequest(operation, reason, 1, isFault)
      const counted = read()
        .flatMap(({ samples }) => samples)
        .filter(({ name, value }) => /_(total|count)$/.test(name) && value > 0)
        .map(({ name, labels, value }) => ({ name, labels, value }))
      expect(counted).toEqual([
        { name: "pazar_requests_total", labels: { operation, reason }, value: 1 },
        ...(isFault
          ? [{ name: "pazar_request_faults_total", labels: { operation }, value: 1 }]
          : []),
        { name: "pazar_request_duration_seconds_count", labels: { operation }, value: 1 },
      ])
    }),
  )
})

test("a duration is in every bucket that it fits in", () => {
  const anyMs = fc.oneof(
    fc.double({ min: 0, max: 30_000, noNaN: true }),
    fc.constantFrom(...durationBounds.map((bound) => bound * 1000)),
  )
  fc.assert(
    fc.property(anyMs, (ms) => {
      const { recorder, read } = open()
      recorder().countRequest("read_item", "ok", ms, false)
      const [histogram] = read().filter(({ type }) => type === "histogram")
      const counted = histogram?.samples
        .filter(({ labels }) => labels.operation === "read_item")
        .map(({ labels, value }) => [labels.le, value])
      expect(counted).toEqual([
        ...durationBounds.map((bound) => [String(bound), ms / 1000 <= bound ? 1 : 0]),
        ["+Inf", 1],
        [undefined, ms / 1000],
        [undefined, 1],
      ])
    }),
  )
})

test("series that nothing was counted for are there with 0", () => {
  const { read } = open()
  const [requests] = read().filter(({ name }) => name === "pazar_requests_total")
  const shown = requests?.samples.map(({ labels }) => [labels.operation, labels.reason])
  const expected = routes.flatMap((route) => reasonsOf[route].map((reason) => [route, reason]))
  expect(shown?.toSorted()).toEqual(expected.toSorted())
  expect(requests?.samples.filter(({ value }) => value !== 0)).toEqual([])
})

test("refused records are new beyond those of the run before", () => {
  const { recorder, value } = open()
  const countRun = (rejected: number, rejectedBefore: number) =>
    recorder().countFeed(
      "pull",
      { accepted: 0, adjusted: 0, waiting: 0, rejected, removed: 0 },
      rejectedBefore,
    )
  const newlyRejected = () => value("pazar_feed_newly_rejected_total", { via: "pull" })
  countRun(61, 0)
  countRun(61, 61)
  countRun(2, 61)
  expect(newlyRejected()).toBe(61)
  countRun(5, 2)
  expect(newlyRejected()).toBe(64)
  recorder().countFailedRun("pull")
  const runs = (outcome: string) => value("pazar_import_runs_total", { via: "pull", outcome })
  expect([runs("finished"), runs("failed")]).toEqual([4, 1])
})

test("a due pull, a backup and the disk are absent until they are known, and may be 0", () => {
  const { recorder, value } = open(2)
  const names = [
    "pazar_pull_due_timestamp_seconds",
    "pazar_last_backup_timestamp_seconds",
    "pazar_last_backup_size_bytes",
    "pazar_backup_due_timestamp_seconds",
    "pazar_disk_free_bytes",
  ]
  const values = () => names.map((name) => value(name))
  expect(values()).toEqual([null, null, null, null, null])
  recorder().notePullDue(7)
  recorder().noteLastBackup(0, 512, 26)
  recorder().noteDiskFree(0)
  expect(values()).toEqual([7, 0, 512, 26, 0])
  recorder().notePullDue(null)
  expect(values()).toEqual([null, 0, 512, 26, 0])
})

describe("several threads", () => {
  test("are added up, whichever of them counted", () => {
    const { recorder, value } = open(3)
    for (const thread of [0, 1, 2, 2]) {
      recorder(thread).countRequest("page", "ok", 1, false)
      recorder(thread).countSignIn("wrong")
      const counts = { accepted: 5, adjusted: 1, waiting: 0, rejected: 2, removed: 0 }
      recorder(thread).countFeed("push", counts, 0)
    }
    expect(value("pazar_requests_total", { operation: "page", reason: "ok" })).toBe(4)
    expect(value("pazar_sign_ins_total", { outcome: "wrong" })).toBe(4)
    const result = { via: "push", result: "accepted" }
    expect(value("pazar_feed_records_total", result)).toBe(20)
  })

  test("the store is writable if no thread failed to write lately, and one has written since", () => {
    let nowMs = 1_000_000
    const { rowOf, value } = open(2, () => nowMs)
    const isWritable = () => value("pazar_store_writable")
    const setWrites = (thread: number, succeededAtMs: number, failedAtMs: number) => {
      rowOf(thread)[starts.writeSucceededAt] = succeededAtMs
      rowOf(thread)[starts.writeFailedAt] = failedAtMs
    }
    expect(isWritable()).toBe(1)
    setWrites(0, 900_000, 0)
    setWrites(1, 800_000, 950_000)
    expect(isWritable()).toBe(0)
    // A small write still fits where a large one fails.
    setWrites(0, 999_000, 0)
    expect(isWritable()).toBe(0)
    nowMs = 950_000 + 90_000
    expect(isWritable()).toBe(1)
    setWrites(1, 800_000, 1_000_000)
    nowMs = 9_000_000
    expect(isWritable()).toBe(0)
  })

  test("a thread that ended keeps its counts and loses its gauges", () => {
    const { rowOf, recorder, value } = open(2)
    recorder(1).countRequest("page", "ok", 1, false)
    recorder(1).countUsageFailure()
    const row = rowOf(1)
    row[starts.threads] = 1
    row[starts.poolsMax] = 16
    row[starts.eventLoopLag] = 9
    resetGauges(row)
    expect(value("pazar_requests_total", { operation: "page", reason: "ok" })).toBe(1)
    expect(value("pazar_usage_write_failures_total")).toBe(1)
    expect(value("pazar_threads")).toBe(0)
    expect(value("pazar_event_loop_lag_seconds")).toBe(0)
    expect(value("pazar_pool_connections_max", { pool: "primary" })).toBeNull()
  })
})
