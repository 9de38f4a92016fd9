import { expect, test } from "bun:test"
import fc from "fast-check"
import { afterCall, remainingCalls, waitMs } from "./gcra.ts"

const rates = fc.record({
  intervalMs: fc.integer({ min: 1, max: 100_000 }),
  burst: fc.integer({ min: 1, max: 70 }),
})

/** A bucket that leaks one call every interval, in whole milliseconds. */
function createBucket({ intervalMs, burst }: { intervalMs: number; burst: number }) {
  let levelMs = 0
  let lastMs = 0
  return (nowMs: number) => {
    levelMs = Math.max(0, levelMs - (nowMs - lastMs))
    lastMs = nowMs
    if (levelMs + intervalMs > burst * intervalMs) return false
    levelMs += intervalMs
    return true
  }
}

test("allows exactly the calls that a leaking bucket has room for", () => {
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 300_000 })), { maxLength: 200 })
  fc.assert(
    fc.property(rates, gaps, fc.nat({ max: 2 ** 40 }), (rate, waits, startMs) => {
      const allows = createBucket(rate)
      let wholeAtMs = 0
      let nowMs = startMs
      for (const wait of waits) {
        nowMs += wait
        const next = afterCall(wholeAtMs, nowMs, rate)
        expect(Number.isNaN(next)).toBe(!allows(nowMs))
        if (!Number.isNaN(next)) wholeAtMs = next
      }
    }),
  )
})

test("tells truly how long to wait and how many calls are left", () => {
  const times = fc.tuple(fc.nat({ max: 2 ** 40 }), fc.integer({ min: -10_000, max: 10_000_000 }))
  fc.assert(
    fc.property(rates, times, (rate, [nowMs, aheadMs]) => {
      const wholeAtMs = nowMs + aheadMs
      const wait = waitMs(wholeAtMs, nowMs, rate)
      expect(afterCall(wholeAtMs, nowMs + wait, rate)).not.toBeNaN()
      if (wait > 1) expect(afterCall(wholeAtMs, nowMs + wait - 1, rate)).toBeNaN()

      let calls = 0
      for (let next = wholeAtMs; calls <= rate.burst; calls += 1) {
        next = afterCall(next, nowMs, rate)
        if (Number.isNaN(next)) break
      }
      expect(remainingCalls(wholeAtMs, nowMs, rate)).toBe(calls)
    }),
  )
})
