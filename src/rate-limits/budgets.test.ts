import { expect, test } from "bun:test"
import fc from "fast-check"
import { RateLimited } from "../domain/running/rate-limits.ts"
import { createBudgets, createTimes } from "./budgets.ts"

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

function open(nowMs: () => number) {
  const budgets = createBudgets({ nowMs, onRefused() {} })
  const take = (rate: Parameters<typeof budgets.take>[2]) => {
    try {
      budgets.take("reads:one", "reads", rate)
      return true
    } catch (error) {
      if (error instanceof RateLimited) return false
      throw error
    }
  }
  return { ...budgets, take }
}

test("allows exactly the calls that a leaking bucket has room for", () => {
  const gaps = fc.array(fc.oneof(fc.constant(0), fc.nat({ max: 300_000 })), { maxLength: 200 })
  fc.assert(
    fc.property(rates, gaps, fc.nat({ max: 2 ** 40 }), (rate, waits, startMs) => {
      const allows = createBucket(rate)
      let nowMs = startMs
      const { take } = open(() => nowMs)
      for (const wait of waits) {
        nowMs += wait
        expect(take(rate)).toBe(allows(nowMs))
      }
    }),
  )
})

test("tells truly how long to wait and how many calls are left", () => {
  fc.assert(
    fc.property(rates, fc.nat({ max: 2 ** 40 }), fc.nat({ max: 70 }), (rate, startMs, calls) => {
      let nowMs = startMs
      const { take, findQuota } = open(() => nowMs)
      for (let call = 0; call < calls; call += 1) take(rate)
      const { remaining, retryAfterSeconds } = findQuota("reads:one", "reads", rate)
      expect(remaining).toBe(Math.max(0, rate.burst - calls))
      expect(retryAfterSeconds === 0).toBe(remaining > 0)
      nowMs += retryAfterSeconds * 1_000
      expect(take(rate)).toBe(true)
    }),
  )
})

test("of many names, those that were not set for the longest time are forgotten", () => {
  const times = createTimes()
  times.set("long ago", 1)
  for (let name = 0; name < 250_000; name += 1) {
    times.set(`${name}`, 1)
    if (name % 1_000 === 0) times.set("again and again", name)
  }
  const known = Array.from({ length: 250_000 }, (_, name) => times.find(`${name}`))
  const count = known.filter((ms) => ms === 1).length
  expect(count).toBeGreaterThan(49_000)
  expect(count).toBeLessThanOrEqual(100_000)
  expect(known.lastIndexOf(0)).toBe(known.length - count - 1)
  expect([times.find("long ago"), times.find("again and again")]).toEqual([0, 249_000])
})
