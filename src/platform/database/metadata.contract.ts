import { describe, expect, test } from "bun:test"
import type { OpenEmpty } from "../../../tests/harness/stores/store-records.ts"

export const metadataStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`MetadataStore on ${adapter}`, () => {
    test("putIfAbsent keeps the first value", async () => {
      const { metadata, close } = await open()
      expect(await metadata.find("canary")).toBeNull()
      expect(await metadata.putIfAbsent("canary", "one")).toBe("one")
      expect(await metadata.putIfAbsent("canary", "two")).toBe("one")
      expect(await metadata.find("canary")).toBe("one")
      await close()
    })

    test("put replaces a value, remove deletes it", async () => {
      const { metadata, close } = await open()
      await metadata.put("fact", "one")
      await metadata.put("fact", "two")
      expect(await metadata.find("fact")).toBe("two")
      expect(await metadata.putIfAbsent("fact", "three")).toBe("two")
      await metadata.remove("fact")
      expect(await metadata.find("fact")).toBeNull()
      await close()
    })
  })
