/** Moments on the clocks of a time zone, as a database without zones compares them. */
import type { LocalMoment } from "./source.ts"

/** Before every row; in the range of MySQL's TIMESTAMP in any zone. */
export const beginning = new Date("1970-01-02T00:00:00Z")

/** Null stands for UTC. */
export function toLocalMoment(at: Date, timeZone: string | null): LocalMoment {
  const instant = Temporal.Instant.fromEpochMilliseconds(at.getTime())
  const local = instant.toZonedDateTimeISO(timeZone ?? "UTC")
  const clock = local.toPlainDateTime().toString({ smallestUnit: "second" })
  // Some offsets before 1972 have seconds, which databases do not take.
  return { text: clock.replace("T", " "), offset: local.offset.slice(0, "+03:00".length) }
}
