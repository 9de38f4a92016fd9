/** Medians and quantiles, which need no assumption about the noise. */

/** Interpolates linearly between the nearest ranks. `values` need not be sorted. */
export function quantile(values: readonly number[] | Float64Array, share: number): number {
  if (values.length === 0) throw new Error("a quantile of an empty list")
  const sorted = Float64Array.from(values).sort()
  const at = share * (sorted.length - 1)
  const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

export const median = (values: readonly number[] | Float64Array) => quantile(values, 0.5)

export type Spread = Readonly<{
  median: number
  lowerQuartile: number
  upperQuartile: number
  min: number
  max: number
}>

export function spreadOf(values: readonly number[]): Spread {
  return {
    median: median(values),
    lowerQuartile: quantile(values, 0.25),
    upperQuartile: quantile(values, 0.75),
    min: Math.min(...values),
    max: Math.max(...values),
  }
}

/** Each value of `over` divided by the value of `under` of the same round. */
export function ratios(over: readonly number[], under: readonly number[]): readonly number[] {
  if (over.length !== under.length) throw new Error("lists of different lengths")
  return over.map((value, round) => value / (under[round] ?? Number.NaN))
}

/** A new order of the same values (Fisher and Yates). `random` returns numbers from 0 up to 1. */
export function shuffle<T>(values: readonly T[], random: () => number): readonly T[] {
  const order = [...values]
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1))
    const [one, two] = [order[last], order[other]]
    // `as`: both indexes are inside the list.
    order[last] = two as T
    order[other] = one as T
  }
  return order
}
