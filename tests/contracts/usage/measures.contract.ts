import { describe, expect, test } from "bun:test"
import { poolNames } from "../../../src/domain/usage/measures.ts"
import type { OpenEmpty } from "../store-records.ts"

export const storeMeasuresContract = (adapter: string, open: OpenEmpty) =>
  describe(`StoreMeasures on ${adapter}`, () => {
    test("tells of its pools whether they are used", async () => {
      const { measure, metadata, close } = await open()
      const poolsNow = () => poolNames.map((name) => measure().pools?.[name] ?? null)
      const readings = Array.from({ length: 100 }, () => metadata.find("x"))
      const busy = poolsNow()
      await Promise.all(readings)
      const idle = poolsNow()
      for (const [at, pool] of busy.entries()) {
        if (pool === null) continue
        expect(pool.inUse + pool.waiting).toBe(poolNames[at] === "primary" ? 100 : 0)
        expect(pool.inUse).toBeLessThanOrEqual(pool.max)
        expect(idle[at]).toEqual({ inUse: 0, waiting: 0, waitMs: 0, max: pool.max })
      }
      await close()
    })

    test("tells when a write has succeeded and when one has failed", async () => {
      const store = await open()
      const before = Date.now()
      await store.metadata.put("name", "value")
      const { succeededAtMs, failedAtMs } = store.measure().writes
      expect(succeededAtMs).toBeGreaterThanOrEqual(before)
      expect(failedAtMs).toBe(0)
      // A write that is wrong says nothing about the store.
      await expect(store.preferences.putLocale(4_711, "en")).rejects.toThrow()
      expect(store.measure().writes.failedAtMs).toBe(0)
      await store.close()
    })

    test("it can be measured also when it is closed", async () => {
      const { measure, close } = await open()
      await close()
      expect(measure().writes.failedAtMs).toBe(0)
    })
  })
