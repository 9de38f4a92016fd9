/** Any ISO 8601 timestamp with a time zone is accepted. Fractions are truncated: 23:59:59.9 stays on its day. */

/** Fixed width and UTC, so comparing two as text compares the times. */
export type Timestamp = string

export const timestampForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/
const form = new RegExp(
  "^(?<year>\\d{4})" +
    "(?:-?W(?<week>\\d{2})-?(?<weekday>[1-7])|-?(?<month>\\d{2})-?(?<day>\\d{2})|-?(?<ordinal>\\d{3}))" +
    "[Tt ](?<hour>\\d{2})(?::?(?<minute>\\d{2})(?::?(?<second>\\d{2}))?)?(?:[.,](?<fraction>\\d+))?" +
    "(?:[Zz]|(?<sign>[+\\u2212-])(?<zoneHour>\\d{2})(?::?(?<zoneMinute>\\d{2}))?)$",
)
export const daySeconds = 86_400
const dayMs = daySeconds * 1000
const formUnitsMax = 48

export function formatTimestamp(at: Date): Timestamp {
  return `${at.toISOString().slice(0, 19)}Z`
}

/** Returns null without a time zone, for a date that does not exist, and for a year outside 0000 to 9999. */
export function normalizeTimestamp(text: string): Timestamp | null {
  if (isStoredForm(text)) return text
  const ms = parseTimestampMs(text)
  const iso = ms === null ? "" : new Date(ms).toISOString()
  // Years outside 0000 to 9999 print with a sign and six digits.
  return iso.length === "YYYY-MM-DDTHH:MM:SS.sssZ".length ? `${iso.slice(0, 19)}Z` : null
}

export const hasTimestampForm = (text: string) => text.length <= formUnitsMax && form.test(text)

/** Returns Unix milliseconds; null for an invalid timestamp. */
export function parseTimestampMs(text: string): number | null {
  const parts = text.length > formUnitsMax ? undefined : form.exec(text)?.groups
  const ms = parts === undefined ? null : partsToMs(parts)
  return parts === undefined || ms === null ? null : ms + millisecondsOf(parts)
}

/** Date.parse turns 30 February into March: a date exists if it round-trips. */
function isStoredForm(text: string): boolean {
  if (!timestampForm.test(text)) return false
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && formatTimestamp(new Date(ms)) === text
}

function partsToMs(parts: Parts): number | null {
  const dateMs = dateToMs(parts)
  const seconds = timeToSeconds(parts)
  const zoneMs = zoneToMs(parts)
  if (dateMs === null || seconds === null || zoneMs === null) return null
  const ms = dateMs + seconds * 1000 - zoneMs
  const isLeapSecond = parts.second === "60"
  return isLeapSecond && !isLastOfDay(ms) ? null : ms
}

/** Leap seconds are inserted at the end of a day in UTC. */
const isLastOfDay = (ms: number) => new Date(ms + 1000).toISOString().endsWith("T00:00:00.000Z")

type Parts = Record<string, string | undefined>

function dateToMs({ year = "", month, day, ordinal, week, weekday }: Parts): number | null {
  const yearStartMs = Date.parse(`${year}-01-01T00:00:00Z`)
  const nextYearMs = Date.parse(`${year}-12-31T00:00:00Z`) + dayMs
  if (month !== undefined) {
    const ms = Date.parse(`${year}-${month}-${day}T00:00:00Z`)
    const isReal =
      !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(`${year}-${month}-${day}`)
    return isReal ? ms : null
  }
  if (ordinal !== undefined) {
    const ms = yearStartMs + (Number(ordinal) - 1) * dayMs
    return ms >= yearStartMs && ms < nextYearMs ? ms : null
  }
  return weekToMs(yearStartMs, nextYearMs, Number(week), Number(weekday))
}

/** Week 1 contains 4 January; a year has 53 weeks only if its last Thursday is in the 53rd. */
function weekToMs(yearStartMs: number, nextYearMs: number, week: number, weekday: number) {
  const fourth = yearStartMs + 3 * dayMs
  const firstMondayMs = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * dayMs
  const thursdayMs = firstMondayMs + (week - 1) * 7 * dayMs + 3 * dayMs
  if (week < 1 || thursdayMs >= nextYearMs) return null
  return thursdayMs + (weekday - 4) * dayMs
}

/** 24:00:00 is midnight at the end of the day; a leap second counts as second 59. */
function timeToSeconds({ hour, minute, second, fraction = "0" }: Parts): number | null {
  const [hours, minutes, seconds] = [Number(hour), Number(minute ?? 0), Number(second ?? 0)]
  const isEndOfDay = hours === 24 && minutes === 0 && seconds === 0 && Number(fraction) === 0
  if ((hours > 23 && !isEndOfDay) || minutes > 59 || seconds > 60) return null
  const unitSeconds = second !== undefined ? 1 : minute !== undefined ? 60 : 3600
  const whole = hours * 3600 + minutes * 60 + Math.min(seconds, 59)
  return whole + fractionToSeconds(fraction, unitSeconds)
}

/** 0 for a leap second, and for a fraction of a minute or an hour. */
function millisecondsOf({ second, fraction = "" }: Parts): number {
  const isOrdinary = second !== undefined && second !== "60"
  return isOrdinary ? Number(fraction.slice(0, 3).padEnd(3, "0")) : 0
}

/** Multiplied before divided: 0.0725 hours are 261 seconds, but 260.99… in floating point. */
function fractionToSeconds(fraction: string, unitSeconds: number): number {
  const digits = fraction.slice(0, 12)
  return Math.floor((Number(digits) * unitSeconds) / 10 ** digits.length)
}

function zoneToMs({ sign, zoneHour, zoneMinute }: Parts): number | null {
  if (sign === undefined) return 0
  const [hours, minutes] = [Number(zoneHour), Number(zoneMinute ?? 0)]
  if (hours > 23 || minutes > 59) return null
  return (sign === "+" ? 1 : -1) * (hours * 60 + minutes) * 60_000
}

export const secondsBefore = (at: Date, seconds: number): Timestamp =>
  formatTimestamp(new Date(at.getTime() - seconds * 1000))

export const secondsAfter = (at: Date, seconds: number): Timestamp => secondsBefore(at, -seconds)

export const daysBefore = (at: Timestamp, days: number): Timestamp =>
  secondsBefore(new Date(at), days * daySeconds)

/** The `count` days up to `at`, oldest first, as `YYYY-MM-DD`. */
export function lastDays(at: Timestamp, count: number): readonly string[] {
  const end = Date.parse(`${at.slice(0, 10)}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) =>
    new Date(end - (count - 1 - index) * dayMs).toISOString().slice(0, 10),
  )
}

/** UTC days as `YYYY-MM-DD`, both inclusive. */
export type DayRange = Readonly<{ from: string; to: string }>

export const lastRange = (at: Timestamp, days: number): DayRange => ({
  from: daysBefore(at, days - 1).slice(0, 10),
  to: at.slice(0, 10),
})

export const daysOf = ({ from, to }: DayRange): readonly string[] =>
  lastDays(to, (Date.parse(to) - Date.parse(from)) / dayMs + 1)

/** Every timestamp of a day sorts before this text. */
export const dayAfter = (day: string): string => daysBefore(day, -1).slice(0, 10)
const unitMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: dayMs }

/** Reads `90s`, `5m`, `1h` or `1d`. Returns null for other text and for zero. */
export function parseDurationMs(text: string): number | null {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const ms = Number(count) * (unitMs[unit] ?? 0)
  return ms > 0 ? ms : null
}

export type TimeZone = Readonly<{ toTimestamp(text: string): Timestamp | null }>

const offset = /^[+-]\d{2}(?::?\d{2})?$/
/** Stricter than Temporal, which also accepts a whole timestamp with a zone. */
const zoneName = /^[A-Za-z][\w+/-]*$/

export function findTimeZone(name: string): TimeZone | null {
  if (!offset.test(name) && !zoneName.test(name)) return null
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
  const findOffsetMs = createOffsets(name)
  return {
    toTimestamp(text) {
      if (usualForm.test(text)) {
        const offsetMs = findOffsetMs(text.slice(0, dateUnits))
        const clock = `${text.slice(0, dateUnits)}T${text.slice(dateUnits + 1)}Z`
        if (offsetMs !== null) return formatTimestamp(new Date(Date.parse(clock) - offsetMs))
      }
      return readIn(name, text)
    },
  }
}

/** Fast path for the form that databases print. */
const usualForm = /^[1-8]\d{3}-\d\d-\d\d[ T](?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d$/
const dateUnits = "YYYY-MM-DD".length

/** 27 years: the orders of a marketplace span a few thousand days. */
const daysMax = 10_000

/** Returns null if the offset changes on that day, or the day does not exist. */
function createOffsets(zone: string): (date: string) => number | null {
  const offsets = new Map<string, number | null>()
  return (date) => {
    const found = offsets.get(date)
    if (found !== undefined) return found
    if (offsets.size >= daysMax) offsets.clear()
    const offsetMs = normalizeTimestamp(`${date}T00:00:00Z`) === null ? null : offsetOf(zone, date)
    offsets.set(date, offsetMs)
    return offsetMs
  }
}

function offsetOf(zone: string, date: string): number | null {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(zone)
  const next = start.add({ days: 1 })
  const isWhole =
    start.toPlainDateTime().toString() === `${date}T00:00:00` &&
    next.epochMilliseconds - start.epochMilliseconds === dayMs
  return isWhole ? start.offsetNanoseconds / 1_000_000 : null
}

/** A skipped time is read with the offset before the change: 02:30 becomes 03:30. A repeated one is the earlier. */
function readIn(zone: string, text: string): Timestamp | null {
  const clock = clockOf(text)
  if (clock === null) return null
  const local = Temporal.PlainDateTime.from(clock)
  const zoned = local.toZonedDateTime(zone, { disambiguation: "compatible" })
  const at = formatTimestamp(new Date(zoned.epochMilliseconds))
  return timestampForm.test(at) ? at : null
}

export const isLocalTime = (text: string): boolean => clockOf(text) !== null

/** A date alone is midnight. */
function clockOf(text: string): string | null {
  // Fast path: most times have a zone.
  if (text.endsWith("Z")) return null
  // With a T the text has the stored form, which parses faster.
  const asUtc =
    normalizeTimestamp(`${text.replace(" ", "T")}Z`) ?? normalizeTimestamp(`${text}T00:00:00Z`)
  return asUtc?.slice(0, -1) ?? null
}

const zeroDate = /^0000-00-00(?:[ T]00:00:00(?:\.0{1,9})?)?$/

/** MySQL's value for a missing date. */
export const isZeroDate = (value: unknown): boolean =>
  typeof value === "string" && zeroDate.test(value)
