import { describe, expect, test } from "bun:test"
import type { OpenEmpty } from "../store-records.ts"

export const writeTimesContract = (adapter: string, open: OpenEmpty) =>
  describe(`writeTimes on ${adapter}`, () => {
    test("tells when a write has succeeded and when one has failed", async () => {
      const store = await open()
      const before = Date.now()
      await store.metadata.put("name", "value")
      const { succeededAtMs, failedAtMs } = store.writeTimes()
      expect(succeededAtMs).toBeGreaterThanOrEqual(before)
      expect(failedAtMs).toBe(0)
      // A write that is wrong says nothing about the store.
      await expect(store.preferences.putLocale(4_711, "en")).rejects.toThrow()
      expect(store.writeTimes().failedAtMs).toBe(0)
      await store.close()
    })

    test("tells it also when it is closed", async () => {
      const { writeTimes, close } = await open()
      await close()
      expect(writeTimes().failedAtMs).toBe(0)
    })
  })
