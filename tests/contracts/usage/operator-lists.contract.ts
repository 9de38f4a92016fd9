import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../../../src/domain/store.ts"
import type { ItemFilter, KeyFilter } from "../../../src/domain/usage/operator-lists.ts"
import { keyRecord, type OpenEmpty, openWithAuthors, put } from "../store-records.ts"

export const operatorListsContract = (adapter: string, open: OpenEmpty) =>
  describe(`OperatorLists on ${adapter}`, () => {
    let store: Store
    let [ada, bob] = [0, 0]
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
    })
    afterEach(() => store.close())

    test("lists keys of all authors in pages, newest first", async () => {
      const at = "2026-06-30T12:00:00Z"
      const add = (id: string, changes: Parameters<typeof keyRecord>[1]) =>
        store.keys.insert(keyRecord(id, changes))
      await add("key_1", { accountId: ada, createdAt: "2026-01-03T00:00:00Z" })
      await add("key_2", { accountId: bob, kind: "vk", name: "Şık tema" })
      await add("key_3", { accountId: bob, revokedAt: at })
      await add("key_4", { accountId: ada, expiresAt: at })
      const all: KeyFilter = { accountId: null, kind: null, isLive: null, at, text: "" }
      const list = (changes: Partial<KeyFilter>, after: string | null = null, rowsMax = 9) =>
        store.operatorLists.listKeys({ ...all, ...changes }, after, rowsMax)
      expect(await list({})).toEqual(["key_1", "key_4", "key_3", "key_2"])
      expect(await list({}, null, 2)).toEqual(["key_1", "key_4"])
      expect(await list({}, "key_4", 2)).toEqual(["key_3", "key_2"])
      expect(await list({ accountId: ada })).toEqual(["key_1", "key_4"])
      expect(await list({ isLive: true })).toEqual(["key_1", "key_2"])
      expect(await list({ isLive: false, accountId: bob })).toEqual(["key_3"])
      expect(await list({ kind: "vk" })).toEqual(["key_2"])
      expect(await list({ text: "SIK" })).toEqual(["key_2"])
      expect(await list({ text: "key_4" }, "key_1")).toEqual(["key_4"])
      expect(await list({}, "key_gone")).toEqual([])
    })

    const item = (id: number, author: string, name: string, isHidden = false) => ({
      type: "item" as const,
      item: { id, author, isHidden, body: JSON.stringify({ id, name }) },
    })
    const everyItem: ItemFilter = { accountId: null, isHidden: null, text: "" }

    test("lists items of all authors in pages, newest first", async () => {
      await put(
        store,
        item(1, "ada", "Işık"),
        item(2, "bob", "Mum", true),
        item(30, "ada", "IŞIK 2"),
      )
      const list = async (
        changes: Partial<ItemFilter>,
        before: number | null = null,
        rowsMax = 2,
      ) =>
        (await store.operatorLists.listItems({ ...everyItem, ...changes }, before, rowsMax)).map(
          ({ id }) => id,
        )
      expect(await store.operatorLists.listItems(everyItem, null, 1)).toEqual([
        { id: 30, accountId: ada, isHidden: false, name: "IŞIK 2", author: "ada" },
      ])
      expect(await list({})).toEqual([30, 2])
      expect(await list({}, 2)).toEqual([1])
      expect(await list({ accountId: ada }, 30)).toEqual([1])
      expect(await list({ isHidden: true })).toEqual([2])
      expect(await list({ text: "isik" })).toEqual([30, 1])
      expect(await list({ text: "isik" }, null, 1)).toEqual([30])
      expect(await list({ text: "2" })).toEqual([30, 2])
      expect(await list({ text: "isik", accountId: bob })).toEqual([])
    })

    test("finds a name after thousands of others", async () => {
      const others = Array.from({ length: 2_500 }, (_, at) => item(at + 2, "ada", "Mum"))
      await put(store, item(1, "ada", "Işık"), ...others)
      const found = await store.operatorLists.listItems({ ...everyItem, text: "isik" }, null, 2)
      expect(found.map(({ id }) => id)).toEqual([1])
    })
  })
