import { describe, expect, test } from "bun:test"
import type { OpenEmpty } from "../../tests/harness/store-records.ts"

export const metadataStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`MetadataStore on ${adapter}`, () => {
    test("keeps the first value a name is given", async () => {
      const { metadata, close } = await open()
      expect(await metadata.find("canary")).toBeNull()
      expect(await metadata.putFirst("canary", "one")).toBe("one")
      expect(await metadata.putFirst("canary", "two")).toBe("one")
      expect(await metadata.find("canary")).toBe("one")
      await close()
    })
  })
