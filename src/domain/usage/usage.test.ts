import { expect, test } from "bun:test"
import fc from "fast-check"
import type { Reason } from "../values/error.ts"
import { outcomeGroup, quantileMs, sumOutcomes, type TrafficCount } from "./usage.ts"

const groups: Readonly<Record<Reason, ReturnType<typeof outcomeGroup>>> = {
  ok: "ok",
  missing_key: "refused",
  unknown_key: "refused",
  revoked_key: "refused",
  expired_key: "refused",
  key_not_allowed: "refused",
  account_suspended: "refused",
  missing_parameter: "refused",
  invalid_parameter: "refused",
  no_items: "refused",
  unknown_item: "refused",
  unknown_code: "refused",
  revoked_code: "refused",
  site_limit: "refused",
  method_not_allowed: "refused",
  unknown_path: "refused",
  too_large: "refused",
  rate_limited: "refused",
  unavailable: "failed",
}

test("every reason is a success, a refusal or our own failure", () => {
  // The names are the reasons: the record above would not compile without one.
  const reasons = Object.keys(groups) as Reason[]
  expect(Object.fromEntries(reasons.map((reason) => [reason, outcomeGroup(reason)]))).toEqual(
    groups,
  )
})

const bucket = (detail: string, count: number): TrafficCount => ({
  kind: "duration",
  operation: "page",
  detail,
  count,
})

test("a quantile is the bound of the bucket that holds it, whatever the order of the rows", () => {
  const buckets = [bucket("+Inf", 1), bucket("0.0025", 97), bucket("0.0001", 1), bucket("10", 1)]
  expect([0.5, 0.98, 0.99, 1].map((share) => quantileMs(buckets, share))).toEqual([
    ...[2.5, 2.5, 10_000, Number.POSITIVE_INFINITY],
  ])
  expect(quantileMs([], 0.5)).toBeNull()
  expect(quantileMs([bucket("1", 0)], 0.5)).toBeNull()
})

test("at least the share of all requests is at most as long as the quantile, and no smaller bound does", () => {
  const bounds = ["0.001", "0.01", "0.1", "1", "+Inf"]
  const anyCounts = fc.array(fc.nat(100), { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(anyCounts, fc.double({ min: 0.01, max: 1, noNaN: true }), (counts, share) => {
      const buckets = bounds.map((bound, at) => bucket(bound, counts[at] ?? 0))
      const all = counts.reduce((sum, count) => sum + count, 0)
      const shares = bounds.map((_, at) =>
        counts.slice(0, at + 1).reduce((sum, count) => sum + count, 0),
      )
      const first = shares.findIndex((counted) => counted > 0 && counted >= share * all)
      const expected = [1, 10, 100, 1_000, Number.POSITIVE_INFINITY][first] ?? null
      expect(quantileMs(buckets, share)).toBe(expected)
    }),
  )
})

test("sums outcomes up as the workspace does", () => {
  const requests = ["ok", "ok", "unknown_code", "refused", "rate_limited", "unavailable"]
  expect(sumOutcomes(requests.map((reason) => ({ reason, count: 2 })))).toEqual({
    ok: 4,
    refused: 6,
    failed: 2,
  })
})
