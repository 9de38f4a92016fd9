import { expect, test } from "bun:test"
import fc from "fast-check"
import { countRequest, createMetrics, durationBucketBounds, durationQuantile } from "./metrics.ts"

const bucketsOf = (durations: readonly number[]) => {
  const metrics = createMetrics()
  for (const ms of durations) countRequest(metrics, "validate_purchase", "ok", ms)
  return metrics.routes.validate_purchase.buckets
}

test("without requests there is no quantile", () => {
  expect(durationQuantile(bucketsOf([]), 0.99)).toBeNull()
})

test("a quantile is interpolated within its bucket", () => {
  const slow = Array(10).fill(4)
  expect(durationQuantile(bucketsOf([...Array(90).fill(0.05), ...slow]), 0.95)).toBe(0.00375)
})

test("a quantile beyond the last bound is the last bound", () => {
  expect(durationQuantile(bucketsOf([60_000]), 0.99)).toBe(10)
})

test("property: a quantile is in the bucket of the exact one", () => {
  const duration = fc.double({ min: 0, max: 9_999, noNaN: true })
  fc.assert(
    fc.property(fc.array(duration, { minLength: 1 }), (durations) => {
      const exact = durations.toSorted((one, other) => one - other)
      const ms = exact[Math.ceil(durations.length * 0.99) - 1] ?? 0
      const upper = durationBucketBounds.findIndex((bound) => ms / 1000 <= bound)
      const found = durationQuantile(bucketsOf(durations), 0.99) ?? -1
      expect(found).toBeLessThanOrEqual(durationBucketBounds[upper] ?? 0)
      expect(found).toBeGreaterThanOrEqual(durationBucketBounds[upper - 1] ?? 0)
    }),
  )
})
