import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { findTimeZone, formatTimestamp, isLocalTime, isZeroDate } from "./time.ts"

const read = (zone: string, text: string) => findTimeZone(zone)?.toTimestamp(text)

describe("a local time", () => {
  test.each([
    ["Europe/Istanbul", "2024-04-27 12:00:00", "2024-04-27T09:00:00Z"],
    ["Europe/Istanbul", "2024-04-27T12:00:00", "2024-04-27T09:00:00Z"],
    ["Europe/Istanbul", "2024-04-27T12:00:00.999999", "2024-04-27T09:00:00Z"],
    ["Europe/Istanbul", "2024-04-27", "2024-04-26T21:00:00Z"],
    ["Europe/Istanbul", "20240427T1200", "2024-04-27T09:00:00Z"],
    // Turkey changed its clocks until 2016.
    ["Europe/Istanbul", "2015-01-10 12:00:00", "2015-01-10T10:00:00Z"],
    ["europe/berlin", "2024-07-01 00:00:00", "2024-06-30T22:00:00Z"],
    ["UTC", "2024-04-27 12:00:00", "2024-04-27T12:00:00Z"],
    ["+03:00", "2024-04-27 12:00:00", "2024-04-27T09:00:00Z"],
    ["-0530", "2024-04-27 12:00:00", "2024-04-27T17:30:00Z"],
    ["+03", "2024-04-27 00:00:00", "2024-04-26T21:00:00Z"],
  ])("in %s, %s is %s", (zone, text, at) => {
    expect(read(zone, text)).toBe(at)
  })

  test("that the clock skipped is read with the offset before the change", () => {
    expect(read("Europe/Berlin", "2024-03-31 02:30:00")).toBe("2024-03-31T01:30:00Z")
    expect(read("Pacific/Apia", "2011-12-30 12:00:00")).toBe("2011-12-30T22:00:00Z")
  })

  test("that occurred twice is the earlier one", () => {
    expect(read("Europe/Berlin", "2024-10-27 02:30:00")).toBe("2024-10-27T00:30:00Z")
  })

  test.each([
    ...["2024-02-30 12:00:00", "2024-04-27T12:00:00Z", "2024-04-27T12:00:00+03:00", "12:00:00"],
    ...["", "yesterday", "0000-00-00", "0000-00-00 00:00:00", " 2024-04-27", "1714219200"],
  ])("%j is not a local time", (text) => {
    expect([isLocalTime(text), read("UTC", text)]).toEqual([false, null])
  })

  test("outside the years 0000 to 9999 is invalid", () => {
    expect(read("+03:00", "0000-01-01 00:00:00")).toBeNull()
    expect(read("-03:00", "9999-12-31 23:00:00")).toBeNull()
    expect(read("-03:00", "0000-01-01 00:00:00")).toBe("0000-01-01T03:00:00Z")
  })

  test("property: other forms of the same time give the same result", () => {
    const zones = fc.constantFrom(
      ...["Europe/Istanbul", "America/Sao_Paulo", "Pacific/Apia", "Africa/Monrovia", "-03:30"],
    )
    const days = fc.oneof(
      fc.integer({ min: 0, max: 60 * 365 }),
      // On these days, the offset of some of these zones changed, in some cases at midnight.
      fc.constantFrom(...["2016-03-27", "2015-11-08", "2018-11-04", "2011-12-30", "1972-01-07"]),
    )
    const time = fc.tuple(...[23, 59, 59].map((max) => fc.integer({ min: 0, max })))
    fc.assert(
      fc.property(zones, days, time, (zone, day, parts) => {
        const date =
          typeof day === "string" ? day : new Date(day * 86_400_000).toISOString().slice(0, 10)
        const clock = `${date} ${parts.map((part) => String(part).padStart(2, "0")).join(":")}`
        expect(read(zone, clock)).toBe(read(zone, `${clock}.000`))
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  test("property: a local time round-trips, except when it repeats", () => {
    const zones = fc.constantFrom("Europe/Istanbul", "America/New_York", "Asia/Kolkata", "+05:45")
    const seconds = fc.integer({ min: 0, max: 4_000_000_000 })
    fc.assert(
      fc.property(zones, seconds, (zone, second) => {
        const at = Temporal.Instant.fromEpochMilliseconds(second * 1000)
        const clock = at
          .toZonedDateTimeISO(zone)
          .toPlainDateTime()
          .toString({ smallestUnit: "second" })
        const back = Date.parse(read(zone, clock.replace("T", " ")) ?? "")
        expect([0, 3_600_000]).toContain(second * 1000 - back)
        expect(read(zone, clock)).toBe(formatTimestamp(new Date(back)))
      }),
    )
  })
})

test.each([
  ...["", "Nowhere", "Europe/Nowhere", "+25:00", "03:00", "+3", "Z", "+03:00:30"],
  ...["2020-01-01T00:00[Europe/Berlin]", "Europe/Berlin\n"],
])("%j is not a time zone", (name) => {
  expect(findTimeZone(name)).toBeNull()
})

test("MySQL's zero date", () => {
  const zero = ["0000-00-00", "0000-00-00 00:00:00", "0000-00-00T00:00:00.000000"]
  expect(zero.filter((text) => !isZeroDate(text))).toEqual([])
  const others = ["0000-00-01", "0000-00-00 00:00:01", "", null, 0, "2024-00-00"]
  expect(others.filter(isZeroDate)).toEqual([])
})
