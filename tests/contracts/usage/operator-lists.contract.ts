import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../../../src/domain/store.ts"
import type { ItemFilter } from "../../../src/domain/usage/operator-reads.ts"
import { itemBody, type OpenEmpty, openWithAuthors, put } from "../store-records.ts"

export const operatorListsContract = (adapter: string, open: OpenEmpty) =>
  describe(`OperatorLists on ${adapter}`, () => {
    let store: Store
    let [ada, bob] = [0, 0]
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
    })
    afterEach(() => store.close())

    const item = (id: number, author: string, name: string, isHidden = false) => ({
      type: "item" as const,
      item: { id, author, isHidden, body: JSON.stringify({ ...JSON.parse(itemBody(id)), name }) },
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
        { id: 30, accountId: ada, isHidden: false, name: "IŞIK 2", username: "ada" },
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
