/** Moments before and after another one. */
import { formatTimestamp, type Timestamp } from "./timestamp.ts"

export const daySeconds = 86_400
const dayMs = daySeconds * 1000

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
