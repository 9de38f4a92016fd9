import { describe, expect, test } from "bun:test"
import type { OpenEmpty } from "../store-records.ts"

export const storeMeasuresContract = (adapter: string, open: OpenEmpty) =>
  describe(`StoreMeasures on ${adapter}`, () => {
    test("tells of its pool whether it is used", async () => {
      const { measure, metadata, close } = await open()
      const readings = Array.from({ length: 100 }, () => metadata.find("x"))
      const busy = measure().pools?.primary
      await Promise.all(readings)
      if (busy !== undefined) {
        expect(busy.inUse + busy.waiting).toBe(100)
        expect(busy.inUse).toBeLessThanOrEqual(busy.max)
        const idle = { inUse: 0, waiting: 0, max: busy.max }
        expect(measure().pools?.primary).toEqual(idle)
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
