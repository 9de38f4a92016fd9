import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { OpenEmpty } from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import { type FailureLimit, hourWindowMs, attemptWindowMs as windowMs } from "./sign-in-throttle.ts"

export const signInFailureStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`SignInFailureStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const limit = (name: string, failuresMax: number): FailureLimit => ({
      bucket: new TextEncoder().encode(name),
      failuresMax,
    })
    const [home, ada, bob] = [limit("home", 3), limit("ada", 2), limit("bob", 2)]
    /** Returns null for a counted failure. */
    const take = (limits: readonly FailureLimit[], nowMs = 0) =>
      store.signInFailures.take(limits, nowMs)
    const countTaken = (outcomes: readonly (number | null)[]) =>
      outcomes.filter((fullUntilMs) => fullUntilMs === null).length

    test("counts up to the limit, then returns the end of the window", async () => {
      const outcomes = [await take([ada]), await take([ada], 100), await take([ada], 200)]
      expect(outcomes).toEqual([null, null, windowMs])
      expect(await take([bob])).toBeNull()
    })

    test("starts a new count after the window", async () => {
      for (let i = 0; i < 2; i += 1) await take([ada])
      expect(await take([ada], windowMs - 1)).toBe(windowMs)
      expect([await take([ada], windowMs), await take([ada], windowMs + 1)]).toEqual([null, null])
      expect(await take([ada], windowMs + 2)).toBe(2 * windowMs)
    })

    test("counts in all buckets or none", async () => {
      for (let i = 0; i < 2; i += 1) await take([home, ada])
      for (let i = 0; i < 5; i += 1) expect(await take([home, ada])).toBe(windowMs)
      expect([await take([home, bob]), await take([home, bob])]).toEqual([null, windowMs])
    })

    test("concurrent attempts do not exceed a limit and do not affect others", async () => {
      const race = (limits: readonly FailureLimit[]) =>
        Promise.all(Array.from({ length: 20 }, () => take(limits)))
      const outcomes = await race([home, ada])
      expect(countTaken(outcomes)).toBe(2)
      expect(new Set(outcomes)).toEqual(new Set([null, windowMs]))
      expect(countTaken(await race([home, bob]))).toBe(1)
    })

    test("removes one failure from each bucket, never below zero", async () => {
      for (let i = 0; i < 2; i += 1) await take([home, ada])
      for (const times of [1, 5]) {
        for (let i = 0; i < times; i += 1) await store.signInFailures.giveBack([ada.bucket])
        const outcomes = [await take([ada]), await take([ada]), await take([ada])]
        expect(countTaken(outcomes)).toBe(times === 1 ? 1 : 2)
      }
      await store.signInFailures.giveBack([limit("nobody", 1).bucket])
    })

    test("deletes expired counts, and counts from the future after a clock was set back", async () => {
      await take([ada])
      await store.signInFailures.take([bob], 100, hourWindowMs)
      expect(await store.signInFailures.deleteExpired(windowMs, 100)).toBe(1)
      expect(await store.signInFailures.deleteExpired(100, 100)).toBe(0)
      expect(await store.signInFailures.deleteExpired(99, 100)).toBe(1)
    })

    test("counts for the window that the caller chooses", async () => {
      const take = (nowMs: number) =>
        store.signInFailures.take([limit("mail", 1)], nowMs, hourWindowMs)
      const full = [await take(0), await take(windowMs), await take(hourWindowMs)]
      expect(full).toEqual([null, hourWindowMs, null])
    })

    test("deletes in batches and returns the number", async () => {
      for (let i = 0; i < 25; i += 1) await take([limit(`author ${i}`, 1)])
      const removed: number[] = []
      for (let i = 0; i < 4; i += 1)
        removed.push(await store.signInFailures.deleteExpired(windowMs, 10))
      expect(removed).toEqual([10, 10, 5, 0])
    })
  })
