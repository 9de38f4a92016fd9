/** Fixed width and UTC, so comparing two as text compares the times. */
export type Timestamp = string

export const timestampForm = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/
/** Stricter than Temporal, which also accepts years of six digits, seconds in offsets, and annotations. */
const date = /\d{4}(-?)\d{2}\1\d{2}/.source
const time = /[Tt ]\d{2}(?::?\d{2}(?::?\d{2}(?:[.,]\d{1,9})?)?)?/.source
const offset = /[+-]\d{2}(?::?\d{2})?/.source
const zonedForm = new RegExp(`^${date}${time}(?:[Zz]|${offset})$`)
const localForm = new RegExp(`^${date}(?:${time})?$`)
const zoneForm = new RegExp(`^(?:${offset}|[A-Za-z][\\w+/-]*)$`)
export const daySeconds = 86_400
const dayMs = daySeconds * 1000

export function formatTimestamp(at: Date): Timestamp {
  return `${at.toISOString().slice(0, 19)}Z`
}

/** Truncates fractions. Returns null without a time zone, for a date that does not exist, and for a year outside 0000 to 9999. */
export function normalizeTimestamp(text: string): Timestamp | null {
  const instant = parseInstant(text)
  return instant === null ? null : formatInstant(instant)
}

/** Truncates: 23:59:59.9 stays on its day. Years outside 0000 to 9999 would have a sign and six digits. */
function formatInstant(instant: Temporal.Instant): Timestamp | null {
  const at = formatTimestamp(new Date(instant.epochMilliseconds))
  return timestampForm.test(at) ? at : null
}

export const hasTimestampForm = (text: string) => zonedForm.test(text)

/** Returns Unix milliseconds; null for an invalid timestamp. */
export const parseTimestampMs = (text: string): number | null =>
  parseInstant(text)?.epochMilliseconds ?? null

const parseInstant = (text: string) => parse(zonedForm, text, Temporal.Instant.from)
/** A date alone is midnight. */
const parseLocal = (text: string) => parse(localForm, text, Temporal.PlainDateTime.from)

function parse<T>(form: RegExp, text: string, from: (text: string) => T): T | null {
  if (!form.test(text)) return null
  try {
    return from(text)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
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

/** A skipped time is read with the offset before the change: 02:30 becomes 03:30. A repeated one is the earlier. */
export function findTimeZone(name: string): TimeZone | null {
  const epoch = Temporal.Instant.fromEpochMilliseconds(0)
  const zone = parse(zoneForm, name, () => epoch.toZonedDateTimeISO(name).timeZoneId)
  if (zone === null) return null
  return {
    toTimestamp(text) {
      const local = parseLocal(text)
      return local === null ? null : formatInstant(local.toZonedDateTime(zone).toInstant())
    },
  }
}

export const isLocalTime = (text: string): boolean => parseLocal(text) !== null

const zeroDate = /^0000-00-00(?:[ T]00:00:00(?:\.0{1,9})?)?$/

/** MySQL's value for a missing date. */
export const isZeroDate = (value: unknown): boolean =>
  typeof value === "string" && zeroDate.test(value)

/** The bars of a chart: days, calendar weeks or calendar months. The first and the last may be shorter. */
export function splitRange({ from, to }: DayRange): readonly DayRange[] {
  const days = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1
  const findLastDay = days <= 92 ? (day: string) => day : days <= 7 * 160 ? lastOfWeek : lastOfMonth
  const periods: DayRange[] = []
  let first = from
  for (;;) {
    const last = findLastDay(first)
    if (last >= to) return [...periods, { from: first, to }]
    periods.push({ from: first, to: last })
    first = dayAfter(last)
  }
}

/** Weeks start on Monday. */
const lastOfWeek = (day: string) =>
  daysBefore(day, -((7 - new Date(day).getUTCDay()) % 7)).slice(0, 10)

function lastOfMonth(day: string): string {
  const at = new Date(day)
  at.setUTCMonth(at.getUTCMonth() + 1, 0)
  return at.toISOString().slice(0, 10)
}

/** How long usage is kept, and how far back a page of days goes: a year and a month. */
export const usageDays = 400
