import { expect, test } from "bun:test"
import { createSharedClock } from "./shared-clock.ts"

test("takes the time of the quickest answer", async () => {
  let nowMs = 0
  const tripsMs = [500, 40, 2, 90, 700]
  const ask = async () => {
    const tripMs = tripsMs.shift() ?? 0
    nowMs += tripMs
    // The other thread started 1,000 ms earlier, and answers in the last millisecond.
    return nowMs + 1_000 - Math.min(1, tripMs)
  }
  const shared = await createSharedClock(ask, () => nowMs)
  expect(shared() - nowMs).toBe(1_000)
})
