import { expect, test } from "bun:test"
import { createRandom } from "./feed/random-feed.ts"
import { compareTimes, suspiciousT, welch } from "./welch.ts"

test("Welch's t of samples from a textbook", () => {
  const one = [27.5, 21, 19, 23.6, 17, 17.9, 16.9, 20.1, 21.9, 22.6, 23.1, 19.6, 19, 21.7, 21.4]
  const other = [
    27.1, 22, 20.8, 23.4, 23.4, 23.5, 25.8, 22, 24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4,
  ]
  expect(welch(Float64Array.from(one), Float64Array.from(other))).toBeCloseTo(-2.9, 1)
})

/** 1 ms with noise, and an interrupt in every fiftieth. */
function times(random: () => number, extraMs: number): Float64Array {
  return Float64Array.from({ length: 20_000 }, () => {
    const interrupt = random() < 0.02 ? 30 * random() : 0
    return 1 + extraMs + 0.1 * random() + interrupt
  })
}

test("equal work is not suspicious, and 5 µs more of 1,000 are, in spite of interrupts", () => {
  const random = createRandom(4)
  expect(compareTimes(times(random, 0), times(random, 0)).t).toBeLessThan(suspiciousT)
  const { t, differenceUs } = compareTimes(times(random, 0), times(random, 0.005))
  expect(t).toBeGreaterThan(suspiciousT)
  expect(differenceUs).toBeGreaterThan(1)
})
