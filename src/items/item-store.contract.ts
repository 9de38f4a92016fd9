import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  itemBody,
  itemRecord,
  longItemRecord,
  type OpenEmpty,
  openWithAuthors,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"

const everything = Number.MAX_SAFE_INTEGER

export const itemStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`ItemStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
    })
    afterEach(() => store.close())

    async function listedIds(account: number, idMax = everything, limit = 100) {
      const page = await (await store.items.findList(account))?.read(idMax, limit)
      const ids: number[] = JSON.parse(`[${new TextDecoder().decode(page?.bytes)}]`).map(
        ({ id }: { id: number }) => id,
      )
      expect(page).toMatchObject({ count: ids.length, lastId: ids.at(-1) ?? 0 })
      return ids
    }

    const listVersion = async (account: number) =>
      (await store.items.findList(account))?.version ?? null

    test("finds an item for its account only", async () => {
      await put(store, itemRecord("ada", 7), itemRecord("ada", 8, true))
      const item = { id: 7, accountId: ada, isHidden: false, body: itemBody(7), downloadUrl: null }
      expect(await store.items.find(ada, 7)).toEqual(item)
      expect(await store.items.find(ada, 8)).toEqual({
        ...item,
        id: 8,
        isHidden: true,
        body: itemBody(8),
      })
      expect(await store.items.find(bob, 7)).toBeNull()
      expect(await store.items.find(ada, 9)).toBeNull()
    })

    test("finds an item for its account only, also with concurrent lookups", async () => {
      await put(store, itemRecord("ada", 7), itemRecord("bob", 8))
      const asked = [ada, bob].flatMap((account) => [7, 8].map((id) => [account, id] as const))
      const found = await Promise.all(asked.map(([account, id]) => store.items.find(account, id)))
      expect(found.map((item) => item?.id)).toEqual([7, undefined, undefined, 8])
    })

    test("stores ids up to the largest integer of a double", async () => {
      await put(store, itemRecord("ada", everything))
      expect((await store.items.find(ada, everything))?.id).toBe(everything)
      expect(await listedIds(ada)).toEqual([everything])
    })

    test("finds nothing for impossible ids", async () => {
      expect(await store.items.find(ada, 0)).toBeNull()
      expect(await store.items.find(ada, -everything)).toBeNull()
    })

    test("lists the visible items of one account in pages, newest id first", async () => {
      const records = [3, 1, 5, 4, 2].map((id) => itemRecord("ada", id, id === 4))
      await put(store, ...records, itemRecord("bob", 6))
      expect(await listedIds(ada)).toEqual([5, 3, 2, 1])
      expect(await listedIds(ada, everything, 2)).toEqual([5, 3])
      expect(await listedIds(ada, 2, 2)).toEqual([2, 1])
      expect(await listedIds(bob)).toEqual([6])
    })

    test("ends a page of long items at a megabyte, and lists all of them in order", async () => {
      const sizes = [1, 300_000, 300_000, 300_000, 600_000, 400_001, 1_500_000, 2, 3]
      const records = sizes.map((size, index) => longItemRecord("ada", sizes.length - index, size))
      await put(store, ...records, itemRecord("bob", 99))
      const list = await store.items.findList(ada)
      const pages: (readonly number[])[] = []
      let isLast = false
      for (let idMax = everything; !isLast; ) {
        pages.push(await listedIds(ada, idMax))
        const page = await list?.read(idMax, 100)
        if (page === null || page === undefined) throw new Error("no page")
        idMax = page.lastId - 1
        isLast = page.isLast
      }
      expect(pages).toEqual([[9, 8, 7, 6], [5], [4], [3], [2, 1]])
    })

    test("returns whether a page is the last", async () => {
      await put(store, ...[1, 2, 3, 4].map((id) => itemRecord("ada", id, id === 1)))
      const list = await store.items.findList(ada)
      const isLast = async (limit: number, idMax = everything) =>
        (await list?.read(idMax, limit))?.isLast
      expect([await isLast(2), await isLast(3), await isLast(4)]).toEqual([false, true, true])
      expect([await isLast(2, 3), await isLast(2, 1)]).toEqual([true, true])
    })

    test("changes the version of the list with every change only", async () => {
      const versions = [await listVersion(ada)]
      const changes = [
        itemRecord("ada", 1),
        itemRecord("ada", 1, true),
        itemRecord("ada", 2),
        { type: "deleted item", id: 2 } as const,
      ]
      for (const change of changes) {
        await put(store, change)
        versions.push(await listVersion(ada))
      }
      expect(new Set(versions).size).toBe(changes.length + 1)
      await put(store, itemRecord("ada", 1, true), itemRecord("bob", 9))
      expect(await listVersion(ada)).toBe(versions.at(-1) ?? null)
    })

    test("returns an empty page for an account without items", async () =>
      expect(await listedIds(ada)).toEqual([]))

    test("returns no page after the account was deleted", async () => {
      const list = await store.items.findList(ada)
      expect((await list?.read(everything, 100))?.count).toBe(0)
      await put(store, { type: "deleted account", username: "ada" })
      expect(await list?.read(everything, 100)).toBeNull()
    })

    test("returns no list for a missing account", async () => {
      expect(await store.items.findList(ada + bob + 1)).toBeNull()
    })
  })
