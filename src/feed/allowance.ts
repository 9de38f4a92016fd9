/** A limit: a number of records, or a percentage of all records with an optional minimum and maximum. */
export type Allowance = Readonly<
  { count: number } | { percent: number; atLeast?: number; atMost?: number }
>

/** An import can revoke more records than were stored when it began. */
export const isUnlimited = (allowed: Allowance) => "percent" in allowed && allowed.percent >= 100

export function isWithin(allowed: Allowance, count: number, total: number): boolean {
  if (isUnlimited(allowed)) return true
  if ("count" in allowed) return count <= allowed.count
  const { percent, atLeast = 0, atMost = Number.POSITIVE_INFINITY } = allowed
  return count <= atLeast || (count <= atMost && count * 100 <= percent * total)
}

export const showAllowance = (allowed: Allowance) =>
  "count" in allowed ? `${allowed.count}` : `${allowed.percent}%`

/** Reads `20` or `0.5%`. Returns null for other text. */
export function parseAllowance(text: string): Allowance | null {
  const [, number, sign] = /^(\d{1,15}(?:\.\d{1,3})?)(%?)$/.exec(text) ?? []
  const value = Number(number)
  if (sign === "%" && value <= 100) return { percent: value }
  if (sign === "" && Number.isInteger(value)) return { count: value }
  return null
}
