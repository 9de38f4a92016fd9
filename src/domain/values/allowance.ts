/** A limit: a number of records, or a percentage of all records with an optional minimum. */
export type Allowance = Readonly<{ count: number } | { percent: number; atLeast?: number }>

/** 100 % is unlimited: an import can revoke more records than were stored when it began. */
export function isWithin(allowed: Allowance, count: number, total: number): boolean {
  if ("count" in allowed) return count <= allowed.count
  const { percent, atLeast = 0 } = allowed
  return percent >= 100 || count <= atLeast || count * 100 <= percent * total
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
