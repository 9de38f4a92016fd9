import { formatTimestamp, type Timestamp } from "../../src/platform/time.ts"

export type Clock = Readonly<{
  now(): Date
  at(): Timestamp
  forward(seconds: number): void
}>

export function createClock(start: Timestamp = "2026-06-15T12:00:00Z"): Clock {
  let ms = Date.parse(start)
  return {
    now: () => new Date(ms),
    at: () => formatTimestamp(new Date(ms)),
    forward(seconds) {
      ms += seconds * 1000
    },
  }
}
