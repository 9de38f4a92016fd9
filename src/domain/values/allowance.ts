/** The largest allowed count: a number of records, or a share of all of them. */
export type Limit = Readonly<{ count: number } | { percent: number }>

export const isWithinLimit = (limit: Limit, count: number, total: number): boolean =>
  "count" in limit ? count <= limit.count : count * 100 <= limit.percent * total

/** `20` or `0.5 %`. */
export const showLimit = (limit: Limit) =>
  "count" in limit ? `${limit.count}` : `${limit.percent} %`
