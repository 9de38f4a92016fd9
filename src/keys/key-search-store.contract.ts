import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  addUsage,
  keyRecord,
  type OpenEmpty,
  openWithAuthors,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import type { KeyQuery } from "./key.ts"

export const keySearchContract = (adapter: string, open: OpenEmpty) =>
  describe(`KeySearch on ${adapter}`, () => {
    let store: Store
    let [ada, bob] = [0, 0]
    const at = "2026-06-30T12:00:00Z"
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
      const add = (id: string, changes: Parameters<typeof keyRecord>[1]) =>
        store.keys.insert(keyRecord(id, changes))
      await add("key_1", { accountId: ada, name: "shop", createdAt: "2026-01-03T00:00:00Z" })
      await add("key_2", { accountId: bob, kind: "vk", name: "Şık tema" })
      await add("key_3", { accountId: bob, name: "Desk", revokedAt: at })
      await add("key_4", { accountId: ada, name: "blog", expiresAt: at })
      const uses = [
        { keyId: "key_3", lastUsedAt: "2026-06-01T00:00:00Z" },
        { keyId: "key_2", lastUsedAt: "2026-06-02T00:00:00Z" },
      ]
      await addUsage(store, { lastUses: uses })
    })
    afterEach(() => store.close())

    const newest: KeyQuery = {
      ...({ accountId: null, kind: null, isLive: null, at, text: "", matchingIds: [] } as const),
      ...({ sort: "created", isDescending: true, offset: 0, rowsMax: 9 } as const),
    }
    const list = async (changes: Partial<KeyQuery>) => {
      const { ids, total } = await store.keySearch.search({ ...newest, ...changes })
      return [total, ...ids]
    }

    test("finds by account, kind, state and text", async () => {
      expect(await list({})).toEqual([4, "key_1", "key_4", "key_3", "key_2"])
      expect(await list({ accountId: ada })).toEqual([2, "key_1", "key_4"])
      expect(await list({ isLive: true })).toEqual([2, "key_1", "key_2"])
      expect(await list({ isLive: false, accountId: bob })).toEqual([1, "key_3"])
      expect(await list({ kind: "vk" })).toEqual([1, "key_2"])
      expect(await list({ text: "SIK" })).toEqual([1, "key_2"])
      expect(await list({ text: "key_4" })).toEqual([1, "key_4"])
      expect(await list({ text: "9H9q", matchingIds: ["key_3"] })).toEqual([1, "key_3"])
      expect(await list({ text: "9H9q" })).toEqual([0])
    })

    test("returns a page with the number of all matching keys", async () => {
      expect(await list({ offset: 1, rowsMax: 2 })).toEqual([4, "key_4", "key_3"])
      expect(await list({ text: "key_", rowsMax: 1 })).toEqual([0])
      expect(await list({ text: "s", offset: 1, rowsMax: 1 })).toEqual([3, "key_3"])
      expect(await list({ offset: 9 })).toEqual([4])
    })

    test("sorts by name and last use, equal ones newest first", async () => {
      const used = { sort: "used" } as const
      expect(await list(used)).toEqual([4, "key_2", "key_3", "key_1", "key_4"])
      expect((await list({ ...used, isDescending: false })).slice(-2)).toEqual(["key_3", "key_2"])
      const named = { accountId: ada, sort: "name" } as const
      expect(await list({ ...named, isDescending: false })).toEqual([2, "key_4", "key_1"])
      expect(await list(named)).toEqual([2, "key_1", "key_4"])
    })
  })
