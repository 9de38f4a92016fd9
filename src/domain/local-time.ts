/** Times without a zone, as many databases keep them, and the zones that they are read in. */
import { formatTimestamp, normaliseTimestamp, type Timestamp, timestampForm } from "./timestamp.ts"

export type TimeZone = Readonly<{
  /** Null for a text that is no time without a zone. */
  toTimestamp(text: string): Timestamp | null
}>

const offset = /^[+-]\d{2}(?::?\d{2})?$/
/** Temporal would also take the zone of a whole timestamp. */
const zoneName = /^[A-Za-z][\w+/-]*$/

/** By its IANA name or its offset; null when there is no such zone. */
export function findTimeZone(name: string): TimeZone | null {
  if (!offset.test(name) && !zoneName.test(name)) return null
  try {
    Temporal.Now.zonedDateTimeISO(name)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
  return { toTimestamp: (text) => readIn(name, text) }
}

/**
 * A time that the clock skipped is read with the offset before the change: 02:30 becomes 03:30. A time
 * that occurred twice is the earlier one.
 */
function readIn(zone: string, text: string): Timestamp | null {
  const clock = clockOf(text)
  if (clock === null) return null
  const local = Temporal.PlainDateTime.from(clock)
  const moment = local.toZonedDateTime(zone, { disambiguation: "compatible" })
  const at = formatTimestamp(new Date(moment.epochMilliseconds))
  // The moment may be in the year before 0000, or after 9999.
  return timestampForm.test(at) ? at : null
}

export const isLocalTime = (text: string): boolean => clockOf(text) !== null

/** A date alone is midnight. */
function clockOf(text: string): string | null {
  // Most times have a zone, and are not looked at twice.
  if (text.endsWith("Z")) return null
  // With a T it is in the kept form, which is read four times as fast.
  const asUtc =
    normaliseTimestamp(`${text.replace(" ", "T")}Z`) ?? normaliseTimestamp(`${text}T00:00:00Z`)
  return asUtc?.slice(0, -1) ?? null
}

const zeroDate = /^0000-00-00(?:[ T]00:00:00(?:\.0{1,9})?)?$/

/** How MySQL says that there is no date. */
export const isZeroDate = (value: unknown): boolean =>
  typeof value === "string" && zeroDate.test(value)
