import { option } from "../platform/cli/command.ts"
import { parseChoice } from "../platform/cli/parse-options.ts"
import { daySeconds } from "../platform/time.ts"

export const overlapSeconds = {
  "0": 0,
  "1h": 3600,
  "1d": daySeconds,
  "7d": 7 * daySeconds,
} as const
export type Overlap = keyof typeof overlapSeconds

export const parseOverlap = (text: string) =>
  // Object.keys loses the key type of the record.
  parseChoice("overlap", Object.keys(overlapSeconds) as Overlap[], text)

export const overlapOption = {
  ...option("0|1h|1d|7d", "overlap period. Default: 1d; 0 revokes the old one immediately"),
  default: "1d",
} as const
