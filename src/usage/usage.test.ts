import { expect, test } from "bun:test"
import { type DayRange, daysOf, lastDays } from "../platform/time.ts"
import {
  filterLog,
  findErrorRise,
  groupFailures,
  type KeyCount,
  type LoggedRequest,
  listBusiestKeys,
  noCalls,
  type OutcomeCalls,
  riseComparedDays,
  summarizeUsage,
  withDaysBefore,
} from "./usage.ts"

const week = { from: "2026-06-24", to: "2026-06-30" }

test("a range is compared with the same number of days before", () => {
  const all = withDaysBefore(week)
  expect(all).toEqual({ from: "2026-06-17", to: "2026-06-30" })
  expect(withDaysBefore({ from: "2026-03-01", to: "2026-03-01" }).from).toBe("2026-02-28")
  const days = daysOf(all).map((day, nth) => ({ day, ...noCalls, ok: nth < 7 ? 1 : 100 }))
  const { calls, before, days: shown } = summarizeUsage(week, days)
  expect([before.ok, calls.ok, shown.map(({ day }) => day)]).toEqual([7, 700, [...daysOf(week)]])
})

const count = (changes: Partial<KeyCount>): KeyCount => ({
  keyId: "key_1",
  name: "Server",
  kind: "sk",
  day: "2026-06-29",
  operation: "validate_purchase",
  outcome: "unknown_code",
  calls: 1,
  ...changes,
})
const entry = (changes: Partial<LoggedRequest> = {}): LoggedRequest => ({
  accountId: 1,
  username: "ada",
  keyId: "key_1",
  name: "Server",
  kind: "sk",
  operation: "validate_purchase",
  reason: "unknown_code",
  ipRange: "192.0.2.0/24",
  code: "8f14…3e21",
  firstAt: "2026-06-29T08:00:00Z",
  lastAt: "2026-06-29T09:00:00Z",
  calls: 4,
  ...changes,
})

test("failures are grouped by error code, most frequent first, with what the log has of them", () => {
  const groups = groupFailures(
    [
      count({ calls: 60 }),
      count({ keyId: "key_2", calls: 15, day: "2026-06-28" }),
      count({ outcome: "unavailable", calls: 25, day: "2026-06-30" }),
      count({ outcome: "ok", calls: 1_000 }),
    ],
    [entry(), entry({ keyId: "key_2", lastAt: "2026-06-29T11:00:00Z", calls: 2 })],
  )
  expect(groups).toEqual([
    {
      ...{ reason: "unknown_code", kind: "invalidCodes", calls: 75, share: 0.75, keys: 2 },
      lastAt: "2026-06-29T11:00:00Z",
    },
    {
      ...{ reason: "unavailable", kind: "serverErrors", calls: 25, share: 0.25, keys: 1 },
      lastAt: "2026-06-30",
    },
  ])
})

test("the busiest keys are sorted by requests", () => {
  const keys = listBusiestKeys(
    [
      count({ calls: 5 }),
      count({ outcome: "ok", calls: 5 }),
      count({ keyId: "key_2", outcome: "ok", calls: 11 }),
      count({ keyId: "key_3", outcome: "ok", calls: 1 }),
    ],
    2,
  )
  expect(keys.map(({ keyId, ok, invalidCodes }) => [keyId, ok, invalidCodes])).toEqual([
    ["key_2", 11, 0],
    ["key_1", 5, 5],
  ])
})

test.each<readonly [DayRange, string | null, readonly number[]]>([
  [week, null, [1, 2]],
  [{ from: "2026-06-30", to: "2026-06-30" }, null, [2]],
  [week, "key_test", [16]],
])("the log is filtered by days and key: %j, %j", (range, keyId, calls) => {
  const log = [
    entry({ calls: 1 }),
    entry({ calls: 2, firstAt: "2026-06-30T00:00:00Z" }),
    entry({ calls: 16, keyId: "key_test", kind: "tk" }),
    entry({ calls: 32, firstAt: "2026-06-23T23:59:59Z" }),
  ]
  expect(filterLog(log, range, keyId).map((each) => each.calls)).toEqual([...calls])
})

const risingDays = (before: Partial<OutcomeCalls>, now: Partial<OutcomeCalls>) =>
  lastDays("2026-06-30T12:00:00Z", riseComparedDays).map((day, nth) => ({
    day,
    ...noCalls,
    ...(nth < riseComparedDays - 2 ? before : now),
  }))

test.each([
  [{ ok: 99, clientErrors: 1 }, { ok: 90, serverErrors: 10 }, 0.1],
  [{ ok: 90, clientErrors: 10 }, { ok: 90, clientErrors: 10 }, null],
  [{}, { ok: 10, clientErrors: 10 }, 0.5],
  [{ ok: 99 }, { ok: 10, clientErrors: 5 }, null],
  [{ ok: 99 }, { ok: 10, invalidCodes: 90 }, null],
])("errors after a week of %j: %j", (before, now, rate) => {
  expect(findErrorRise(risingDays(before, now))?.rate ?? null).toBe(rate)
})
