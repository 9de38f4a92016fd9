import { UsageError } from "./command.ts"

const limitMax = 1_000_000

/** The value of `--limit`: how many rows to show. */
export function parseRowLimit(text: string): number {
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= limitMax) return limit
  throw new UsageError(`--limit must be a number from 1 to ${limitMax}`)
}
