/** An option that limits a count: a number of records, or a share of all of them. */
import type { Limit } from "../../domain/values/limit.ts"
import { UsageError } from "./command.ts"

/** Throws UsageError for anything but `20` or `0.5%`. */
export function parseLimit(option: string, text: string): Limit {
  const [, number, sign] = /^(\d{1,15}(?:\.\d{1,3})?)(%?)$/.exec(text) ?? []
  const value = Number(number)
  if (sign === "%" && value <= 100) return { percent: value }
  if (sign === "" && Number.isInteger(value)) return { count: value }
  throw new UsageError(`--${option} must be a number or a share, as in 20 or 0.5%, not "${text}"`)
}
