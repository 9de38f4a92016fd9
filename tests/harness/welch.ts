/** Whether two samples of times could come from the same work: Welch's t after cropping. */

/** Above it a difference is taken for real, as in "dudect" and in the leakage tests of ISO/IEC 17825. */
export const suspiciousT = 4.5

/** The share of all samples, the fastest ones, that is kept. Interrupts and garbage collections make the rest. */
const keptShares = [0.5, 0.75, 0.9]

export type Comparison = Readonly<{
  /** The largest |t| of all crops. */
  t: number
  /** The difference of the means in microseconds, at that crop. */
  differenceUs: number
}>

/** Times in milliseconds. */
export function compareTimes(one: Float64Array, other: Float64Array): Comparison {
  const sorted = Float64Array.from([...one, ...other]).sort()
  const crops = keptShares.map((share) => {
    const limit = sorted[Math.floor(share * (sorted.length - 1))] ?? 0
    const [left, right] = [one, other].map((times) => times.filter((ms) => ms <= limit)) as [
      // One for each.
      Float64Array,
      Float64Array,
    ]
    return { t: Math.abs(welch(left, right)), differenceUs: (mean(right) - mean(left)) * 1_000 }
  })
  return crops.reduce((worst, crop) => (crop.t > worst.t ? crop : worst))
}

export function welch(one: Float64Array, other: Float64Array): number {
  const spread = varianceOf(one) / one.length + varianceOf(other) / other.length
  const difference = mean(one) - mean(other)
  return difference === 0 ? 0 : difference / Math.sqrt(spread)
}

const mean = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0) / values.length

function varianceOf(values: Float64Array): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}
