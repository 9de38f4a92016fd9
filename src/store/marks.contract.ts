import { describe, expect, test } from "bun:test"
import type { OpenEmpty } from "../../tests/harness/store-records.ts"

export const markStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`MarkStore on ${adapter}`, () => {
    test("keeps the first value a name is given", async () => {
      const { marks, close } = await open()
      expect(await marks.find("canary")).toBeNull()
      expect(await marks.putFirst("canary", "one")).toBe("one")
      expect(await marks.putFirst("canary", "two")).toBe("one")
      expect(await marks.find("canary")).toBe("one")
      await close()
    })
  })
