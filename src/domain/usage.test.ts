import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Reason } from "./error.ts"
import { formatTimestamp } from "./timestamp.ts"
import { lastDays, outcomeGroup } from "./usage.ts"

const groups: Readonly<Record<Reason, ReturnType<typeof outcomeGroup>>> = {
  ok: "ok",
  missing_key: "refused",
  unknown_key: "refused",
  revoked_key: "refused",
  expired_key: "refused",
  key_not_allowed: "refused",
  missing_parameter: "refused",
  invalid_parameter: "refused",
  no_items: "refused",
  unknown_item: "refused",
  unknown_code: "refused",
  revoked_code: "refused",
  method_not_allowed: "refused",
  unknown_path: "refused",
  too_large: "refused",
  rate_limited: "failed",
  unavailable: "failed",
}

test("every reason is a success, a refusal or our own failure", () => {
  // The names are the reasons: the record above would not compile without one.
  const reasons = Object.keys(groups) as Reason[]
  expect(Object.fromEntries(reasons.map((reason) => [reason, outcomeGroup(reason)]))).toEqual(
    groups,
  )
})

test("the last days end with today, oldest first, across a leap day and a year's end", () => {
  expect(lastDays("2028-03-01T00:00:00Z", 3)).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"])
  expect(lastDays("2027-01-01T23:59:59Z", 2)).toEqual(["2026-12-31", "2027-01-01"])
  expect(lastDays("2026-06-15T12:00:00Z", 1)).toEqual(["2026-06-15"])
})

test("the last days are so many, each a day after the one before", () => {
  const at = fc.date({
    min: new Date("2000-01-01T00:00:00Z"),
    max: new Date("2099-12-31T23:59:59Z"),
    noInvalidDate: true,
  })
  fc.assert(
    fc.property(at, fc.integer({ min: 1, max: 400 }), (at, count) => {
      const days = lastDays(formatTimestamp(at), count)
      const gaps = days
        .slice(1)
        .map((day, index) => Date.parse(day) - Date.parse(days[index] ?? ""))
      expect({ last: days.at(-1), length: days.length, gaps: [...new Set(gaps)] }).toEqual({
        last: at.toISOString().slice(0, 10),
        length: count,
        gaps: count === 1 ? [] : [86_400_000],
      })
    }),
  )
})
