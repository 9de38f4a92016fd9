/** The largest allowed count: a number of records, or a share of all of them. */
export type Allowance = Readonly<{ count: number } | { percent: number }>

export const isWithin = (allowed: Allowance, count: number, total: number): boolean =>
  "count" in allowed ? count <= allowed.count : count * 100 <= allowed.percent * total

/** `20` or `0.5 %`. */
export const showAllowance = (allowed: Allowance) =>
  "count" in allowed ? `${allowed.count}` : `${allowed.percent} %`
