import { option } from "../platform/cli/command.ts"
import { parseChoice } from "../platform/cli/parse-options.ts"
import { daySeconds } from "../platform/time.ts"

/** Overlap periods of a rotation. */
export const overlapSeconds = {
  "0": 0,
  "1h": 3600,
  "1d": daySeconds,
  "7d": 7 * daySeconds,
} as const
export type Overlap = keyof typeof overlapSeconds

// Object.keys loses the key type of the record.
const overlaps = Object.keys(overlapSeconds) as Overlap[]

export const parseOverlap = (text: string) => parseChoice("overlap", overlaps, text)

export const overlapOption = {
  ...option("0|1h|1d|7d", "overlap period. Default: 1d; 0 revokes the old one immediately"),
  default: "1d",
} as const
