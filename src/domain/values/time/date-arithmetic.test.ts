import { expect, test } from "bun:test"
import fc from "fast-check"
import { daysBefore, formatTimestamp, lastDays, secondsAfter, secondsBefore } from "./timestamp.ts"

const date = fc.date({
  min: new Date("2000-01-01T00:00:00Z"),
  max: new Date("2099-12-31T23:59:59Z"),
  noInvalidDate: true,
})

test("seconds and days are counted across a leap day and a year's end", () => {
  expect(secondsAfter(new Date("2026-12-31T23:59:59.999Z"), 1)).toBe("2027-01-01T00:00:00Z")
  expect(secondsBefore(new Date("2028-03-01T00:00:00Z"), 1)).toBe("2028-02-29T23:59:59Z")
  expect(daysBefore("2028-03-01T12:30:00Z", 1)).toBe("2028-02-29T12:30:00Z")
})

test("going forward and back leads to the same moment", () => {
  fc.assert(
    fc.property(date, fc.integer({ min: 0, max: 400 * 86_400 }), (at, seconds) => {
      const later = new Date(secondsAfter(at, seconds))
      expect(secondsBefore(later, seconds)).toBe(formatTimestamp(at))
    }),
  )
})

test("the last days end with today, oldest first, across a leap day and a year's end", () => {
  expect(lastDays("2028-03-01T00:00:00Z", 3)).toEqual(["2028-02-28", "2028-02-29", "2028-03-01"])
  expect(lastDays("2027-01-01T23:59:59Z", 2)).toEqual(["2026-12-31", "2027-01-01"])
  expect(lastDays("2026-06-15T12:00:00Z", 1)).toEqual(["2026-06-15"])
})

test("the last days are so many, each a day after the one before", () => {
  fc.assert(
    fc.property(date, fc.integer({ min: 1, max: 400 }), (at, count) => {
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
