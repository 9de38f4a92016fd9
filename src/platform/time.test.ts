import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import {
  daysBefore,
  findTimeZone,
  formatTimestamp,
  isLocalTime,
  isZeroDate,
  lastDays,
  normalizeTimestamp,
  parseTimestampMs,
  secondsAfter,
  secondsBefore,
} from "./time.ts"

const timestamps: readonly (readonly [form: string, text: string, stored: string])[] = [
  ["the stored form", "2024-04-27T12:00:00Z", "2024-04-27T12:00:00Z"],
  ["basic", "20240427T120000Z", "2024-04-27T12:00:00Z"],
  ["small letters", "2024-04-27t12:00:00z", "2024-04-27T12:00:00Z"],
  ["a space before the time", "2024-04-27 12:00:00Z", "2024-04-27T12:00:00Z"],
  ["no seconds", "2024-04-27T12:34Z", "2024-04-27T12:34:00Z"],
  ["no minutes", "2024-04-27T12Z", "2024-04-27T12:00:00Z"],
  ["basic without seconds", "20240427T1234Z", "2024-04-27T12:34:00Z"],
  ["offset east", "2024-04-27T15:00:00+03:00", "2024-04-27T12:00:00Z"],
  ["offset west over midnight", "2024-04-27T22:30:00-03:30", "2024-04-28T02:00:00Z"],
  ["basic offset", "20240427T173000+0530", "2024-04-27T12:00:00Z"],
  ["offset of whole hours", "2024-04-27T15+03", "2024-04-27T12:00:00Z"],
  ["the largest offset", "2024-04-27T23:59:00+23:59", "2024-04-27T00:00:00Z"],
  ["milliseconds", "2024-04-27T12:00:00.123Z", "2024-04-27T12:00:00Z"],
  ["a fraction near the next second", "2024-04-27T23:59:59.999999999Z", "2024-04-27T23:59:59Z"],
  ["a fraction before 1970", "1969-12-31T23:59:59.5Z", "1969-12-31T23:59:59Z"],
  ["a fraction after a comma", "2024-04-27T12:00:00,5+00:00", "2024-04-27T12:00:00Z"],
  ["a leap second", "2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z"],
  ["a leap second with a fraction", "2016-12-31T23:59:60.9Z", "2016-12-31T23:59:59Z"],
  ["a leap second in Istanbul", "2017-01-01T02:59:60+03:00", "2016-12-31T23:59:59Z"],
  ["a leap second in India", "2017-01-01T05:29:60+05:30", "2016-12-31T23:59:59Z"],
  ["29 February of a leap year", "2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z"],
  ["the first timestamp", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"],
  ["the last timestamp", "9999-12-31T23:59:59Z", "9999-12-31T23:59:59Z"],
  ["the last timestamp with an offset", "9999-12-31T23:59:59+00:00", "9999-12-31T23:59:59Z"],
]

test.each(timestamps)("accepts %s: %s", (_, text, stored) => {
  expect(normalizeTimestamp(text)).toBe(stored)
})

const nonsense: readonly (readonly [reason: string, text: string])[] = [
  ["no zone", "2024-04-27T12:00:00"],
  ["no zone, basic", "20240427T120000"],
  ["no time", "2024-04-27"],
  ["no time but a zone", "2024-04-27Z"],
  ["an empty text", ""],
  ["words", "yesterday"],
  ["a Unix time", "1714219200"],
  ["an American date", "04/27/2024 12:00:00Z"],
  ["a mail date", "Sat, 27 Apr 2024 12:00:00 GMT"],
  ["a zone by name", "2024-04-27T12:00:00 Europe/Istanbul"],
  ["30 February", "2024-02-30T00:00:00Z"],
  ["30 February, basic", "20240230T000000Z"],
  ["30 February with an offset", "2024-02-30T00:00:00+03:00"],
  ["29 February of a common year", "2023-02-29T00:00:00Z"],
  ["29 February of 1900", "1900-02-29T00:00:00Z"],
  ["31 April", "2024-04-31T00:00:00Z"],
  ["month 0", "2024-00-10T00:00:00Z"],
  ["month 13", "2024-13-10T00:00:00Z"],
  ["day 0", "2024-01-00T00:00:00Z"],
  ["an ordinal date", "2024-060T00:00:00Z"],
  ["a week date", "2024-W17-6T12:00:00Z"],
  ["a fraction of a minute", "2024-04-27T12:00.55Z"],
  ["a fraction of 10 digits", "2024-04-27T12:00:00.1234567890Z"],
  ["hour 24", "2024-04-27T24:00:00Z"],
  ["hour 25", "2024-04-27T25:00:00Z"],
  ["minute 60", "2024-04-27T12:60:00Z"],
  ["second 61", "2024-04-27T12:00:61Z"],
  ["offset hour 24", "2024-04-27T12:00:00+24:00"],
  ["offset minute 60", "2024-04-27T12:00:00+03:60"],
  ["half an offset", "2024-04-27T12:00:00+03:"],
  ["an offset of one digit", "2024-04-27T12:00:00+3"],
  ["a dot without a fraction", "2024-04-27T12:00:00.Z"],
  ["year 10000 by its zone", "9999-12-31T23:59:59-01:00"],
  ["year -1 by its zone", "0000-01-01T00:00:00+01:00"],
  ["seconds in an offset", "2024-04-27T12:00:00+03:00:30"],
  ["an annotation", "2024-04-27T12:00:00Z[Europe/Istanbul]"],
  ["an expanded year", "+12024-04-27T12:00:00Z"],
  ["a negative year", "-0001-04-27T12:00:00Z"],
  ["a year of two digits", "24-04-27T12:00:00Z"],
  ["leading whitespace", " 2024-04-27T12:00:00Z"],
  ["a line break after", "2024-04-27T12:00:00Z\n"],
  ["Arabic digits", "٢٠٢٤-٠٤-٢٧T12:00:00Z"],
  ["a long text", `2024-04-27T12:00:00.${"1".repeat(1_000_000)}Z`],
]

test.each(nonsense.map(([reason, text]) => [reason, text.slice(0, 60), text] as const))(
  "rejects %s: %p",
  (_, __, text) => {
    expect(normalizeTimestamp(text)).toBeNull()
  },
)

/** Formats by arithmetic, independently of the code under test. */
const printers: readonly ((local: Date) => string)[] = [
  (local) => local.toISOString().slice(0, -1),
  (local) => local.toISOString().slice(0, -1).replace("T", " ").replace(".", ","),
  (local) => local.toISOString().slice(0, -1).replace(/[-:]/g, ""),
]

function printZone(minutes: number, separator: string): string {
  const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
  const two = (number: number) => String(number).padStart(2, "0")
  return `${minutes < 0 ? "-" : "+"}${two(hours)}${separator}${two(rest)}`
}

describe("for any timestamp", () => {
  const timestamp = fc.date({
    min: new Date("0001-01-02T00:00:00Z"),
    max: new Date("9998-12-30T00:00:00Z"),
    noInvalidDate: true,
  })
  const zoneMinutes = fc.integer({ min: -1439, max: 1439 })

  test("every form in every zone is the same timestamp, truncated to the second", () => {
    fc.assert(
      fc.property(
        timestamp,
        zoneMinutes,
        fc.constantFrom(...printers),
        fc.constantFrom("", ":"),
        (at, minutes, print, separator) => {
          const local = new Date(at.getTime() + minutes * 60_000)
          const stored = `${at.toISOString().slice(0, 19)}Z`
          expect(normalizeTimestamp(print(local) + printZone(minutes, separator))).toBe(stored)
        },
      ),
      { numRuns: propertyRuns(2_000) },
    )
  })

  test("the stored form is idempotent and sorts by time", () => {
    fc.assert(
      fc.property(timestamp, timestamp, (one, other) => {
        const [first, second] = [formatTimestamp(one), formatTimestamp(other)]
        expect([normalizeTimestamp(first), normalizeTimestamp(second)]).toEqual([first, second])
        const seconds = (at: Date) => Math.floor(at.getTime() / 1000)
        expect(Math.sign(seconds(one) - seconds(other))).toBe(
          first < second ? -1 : first > second ? 1 : 0,
        )
      }),
    )
  })
})

describe("a timestamp in milliseconds", () => {
  test("keeps three digits of a fraction of a second", () => {
    const digits = [".5", ",05", ".123", ".9999999", ""]
    expect(digits.map((fraction) => parseTimestampMs(`1970-01-01T00:00:01${fraction}Z`))).toEqual([
      ...[1_500, 1_050, 1_123, 1_999, 1_000],
    ])
  })

  test("is the one that the runtime parses, and null for an invalid one", () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date(4e12) }), (at) => {
        expect(parseTimestampMs(at.toISOString())).toBe(at.getTime())
      }),
    )
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(parseTimestampMs(text) === null).toBe(normalizeTimestamp(text) === null)
      }),
    )
  })
})

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

test("going forward and back leads to the same timestamp", () => {
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

test("the last days are consecutive, and their number is the requested one", () => {
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
