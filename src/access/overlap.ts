import { daySeconds } from "../platform/time.ts"

/** Overlap periods of a rotation. */
export const overlapSeconds = {
  "0": 0,
  "1h": 3600,
  "1d": daySeconds,
  "7d": 7 * daySeconds,
} as const
export type Overlap = keyof typeof overlapSeconds
