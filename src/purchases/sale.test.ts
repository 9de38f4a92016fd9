import { expect, test } from "bun:test"
import fc from "fast-check"
import { dayAfter, splitRange } from "../platform/time.ts"
import { sumSales } from "./sale.ts"

const day = fc
  .date({ min: new Date("0001-01-01"), max: new Date("2100-12-31"), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))

test("a range is split into adjacent periods of whole days", () => {
  fc.assert(
    fc.property(day, fc.integer({ min: 0, max: 8_000 }), (from, days) => {
      const to = new Date(Date.parse(from) + days * 86_400_000).toISOString().slice(0, 10)
      const periods = splitRange({ from, to })
      expect([periods[0]?.from, periods.at(-1)?.to]).toEqual([from, to])
      for (const [nth, each] of periods.entries()) {
        expect(each.from <= each.to).toBe(true)
        if (nth > 0) expect(each.from).toBe(dayAfter(periods[nth - 1]?.to ?? ""))
      }
      expect(periods.length).toBeLessThanOrEqual(264)
    }),
    { numRuns: 50 },
  )
})

test("three months are split into days, three years into weeks, more into months", () => {
  const starts = (from: string, to: string) =>
    splitRange({ from, to })
      .slice(0, 3)
      .map((each) => each.from)
  expect(starts("2026-09-01", "2026-11-30")).toEqual(["2026-09-01", "2026-09-02", "2026-09-03"])
  expect(starts("2026-01-01", "2026-11-18")).toEqual(["2026-01-01", "2026-01-05", "2026-01-12"])
  expect(starts("2020-01-15", "2026-11-18")).toEqual(["2020-01-15", "2020-02-01", "2020-03-01"])
  expect(splitRange({ from: "9999-12-31", to: "9999-12-31" })).toHaveLength(1)
})

test("currencies and refunds are summed separately", () => {
  const sum = (day: string, currency: string, isRefunded: boolean, amount: number) => ({
    day,
    currency,
    isRefunded,
    sales: 1,
    amount,
  })
  const days = [
    sum("2026-06-02", "USD", false, 2),
    sum("2026-06-01", "USD", false, 1),
    sum("2026-06-01", "USD", true, 4),
    sum("2026-06-01", "EUR", false, 8),
  ]
  expect(sumSales(days, () => "all")).toEqual([
    sum("all", "EUR", false, 8),
    { ...sum("all", "USD", false, 3), sales: 2 },
    sum("all", "USD", true, 4),
  ])
})
