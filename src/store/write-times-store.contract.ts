import { describe, expect, test } from "bun:test"
import type { OpenEmpty } from "../../tests/harness/stores/store-records.ts"

export const writeTimesContract = (adapter: string, open: OpenEmpty) =>
  describe(`writeTimes on ${adapter}`, () => {
    test("returns the times of the last successful and the last failed write", async () => {
      const store = await open()
      const before = performance.now()
      await store.metadata.put("name", "value")
      const { succeededAtMs, failedAtMs } = store.writeTimes()
      expect(succeededAtMs).toBeGreaterThanOrEqual(before)
      expect(failedAtMs).toBe(0)
      // An invalid write is not a failure of the database.
      await expect(
        store.signInLinks.insert(new Uint8Array([1]), 4_711, "2026-06-01T08:00:00Z"),
      ).rejects.toThrow()
      expect(store.writeTimes().failedAtMs).toBe(0)
      await store.close()
    })

    test("returns the times after close", async () => {
      const { writeTimes, close } = await open()
      await close()
      expect(writeTimes().failedAtMs).toBe(0)
    })
  })
