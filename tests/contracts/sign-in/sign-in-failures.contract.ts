import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  type TryLimit,
  type TryTaken,
  tryWindowMsMax,
} from "../../../src/domain/sign-in/sign-in-failures.ts"
import type { Store } from "../../../src/domain/store.ts"
import type { OpenEmpty } from "../store-records.ts"

export const signInFailureStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`SignInFailureStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    type Budget = Omit<TryLimit, "endsAtMs">
    const limit = (name: string, triesMax: number): Budget => ({
      bucket: new TextEncoder().encode(name),
      triesMax,
    })
    const [home, ada, bob] = [limit("home", 3), limit("ada", 2), limit("bob", 2)]
    const take = (limits: readonly Budget[], nowMs = 0) => {
      const endsAtMs = nowMs + 600
      return store.signInFailures.take(
        limits.map((each) => ({ ...each, endsAtMs })),
        nowMs,
      )
    }
    const takeAll = async (times: number, limits: readonly Budget[]) => {
      for (let i = 0; i < times; i += 1) await take(limits)
    }
    const full = (untilMs: number) => ({ isTaken: false, untilMs }) as const
    const windowsOf = (taken: TryTaken) => (taken.isTaken ? taken.windows : [])

    test("gives as many tries as there are, then says until when there are none", async () => {
      const outcomes = [await take([ada]), await take([ada], 100), await take([ada], 200)]
      expect(outcomes.map(({ isTaken }) => isTaken)).toEqual([true, true, false])
      expect(outcomes[2]).toEqual(full(600))
      expect(await take([bob])).toMatchObject({ isTaken: true })
    })

    test("begins a new window once the old one has ended, and not before", async () => {
      await takeAll(2, [ada])
      expect(await take([ada], 599)).toEqual(full(600))
      expect(await take([ada], 600)).toMatchObject({ isTaken: true })
      expect(await take([ada], 601)).toMatchObject({ isTaken: true })
      expect(await take([ada], 602)).toEqual(full(1_200))
    })

    test("counts in all buckets or in none", async () => {
      await takeAll(2, [home, ada])
      for (let i = 0; i < 5; i += 1) expect(await take([home, ada])).toEqual(full(600))
      expect(await take([home, bob])).toMatchObject({ isTaken: true })
      expect(await take([home, bob])).toEqual(full(600))
    })

    test("of two full buckets the later end counts", async () => {
      await takeAll(2, [ada])
      for (let i = 0; i < 3; i += 1) await take([home], 300)
      expect(await take([home, ada], 400)).toEqual(full(900))
    })

    test("gives no more than that to many at once", async () => {
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => take([home, ada])))
      expect(outcomes.filter(({ isTaken }) => isTaken).length).toBe(2)
      const others = await Promise.all(Array.from({ length: 20 }, () => take([home, bob])))
      expect(others.filter(({ isTaken }) => isTaken).length).toBe(1)
    })

    test("takes back one try in each bucket, and only in the window it was taken in", async () => {
      await takeAll(1, [home, ada])
      const second = windowsOf(await take([home, ada]))
      await store.signInFailures.giveBack(second)
      expect(await take([home, ada])).toMatchObject({ isTaken: true })
      expect(await take([home, ada])).toEqual(full(600))
      for (let i = 0; i < 2; i += 1) await take([ada], 600)
      await store.signInFailures.giveBack(second)
      expect(await take([ada], 700)).toEqual(full(1_200))
    })

    test("forgets the windows that have ended, and no others", async () => {
      await takeAll(2, [ada])
      const inBob = windowsOf(await take([bob], 100))
      await take([bob], 100)
      expect(await store.signInFailures.forget(600, 100)).toBe(1)
      // In a window that was forgotten there is nothing to take back; the other still is as it was.
      expect(await take([bob], 650)).toEqual(full(700))
      await store.signInFailures.giveBack(inBob)
      expect(await take([bob], 650)).toMatchObject({ isTaken: true })
      expect(await take([ada], 500)).toMatchObject({ isTaken: true })
    })

    test("forgets a window that ends later than any that begins now: the clock was set back", async () => {
      const endsAtMs = 2 * tryWindowMsMax
      await store.signInFailures.take([{ ...ada, triesMax: 1, endsAtMs }], tryWindowMsMax)
      expect(await store.signInFailures.forget(tryWindowMsMax, 100)).toBe(0)
      expect(await store.signInFailures.forget(tryWindowMsMax - 1, 100)).toBe(1)
      expect(await take([ada])).toMatchObject({ isTaken: true })
    })

    test("gives each bucket a window of its own length", async () => {
      const [short, long] = [
        { ...ada, endsAtMs: 10 },
        { ...bob, endsAtMs: 600 },
      ]
      for (let i = 0; i < 2; i += 1) await store.signInFailures.take([short, long], 0)
      expect(await store.signInFailures.take([{ ...ada, endsAtMs: 20 }], 9)).toEqual(full(10))
      expect(await store.signInFailures.take([{ ...ada, endsAtMs: 20 }], 10)).toMatchObject({
        isTaken: true,
      })
      expect(await take([bob], 10)).toEqual(full(600))
    })

    test("forgets no more at a time than it is told to, and says how many", async () => {
      for (let i = 0; i < 25; i += 1) await take([limit(`author ${i}`, 1)])
      const removed: number[] = []
      for (let i = 0; i < 4; i += 1) removed.push(await store.signInFailures.forget(600, 10))
      expect(removed).toEqual([10, 10, 5, 0])
    })
  })
