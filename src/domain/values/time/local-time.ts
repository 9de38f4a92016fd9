import { formatTimestamp, normalizeTimestamp, type Timestamp, timestampForm } from "./timestamp.ts"

export type TimeZone = Readonly<{
  toTimestamp(text: string): Timestamp | null
}>

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

const dayMs = 86_400_000
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
