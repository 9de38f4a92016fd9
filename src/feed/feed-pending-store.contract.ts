import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  itemBody,
  itemRecord,
  type OpenEmpty,
  purchaseBody,
  purchaseRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import type { FeedRecord } from "./feed-record.ts"

export const feedPendingContract = (adapter: string, open: OpenEmpty) =>
  describe(`pending records on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const at = (ms: number, ...records: FeedRecord[]) =>
      records.map((record) => ({ ...record, asOf: { ms, isArrival: false } }))
    const origin = { source: "test", via: "file" } as const

    async function countPending(): Promise<readonly [items: number, purchases: number]> {
      const { items, purchases } = await store.feed.readPending(10)
      return [items, purchases]
    }
    async function readSold(username: string, code: string) {
      const found = await store.purchases.listByCode(await accountId(store, username), code)
      return found.map(({ itemId, isRevoked, body }) => ({ itemId, isRevoked, body }))
    }

    test("are imported with the record they need: the author, then the item, then its purchases", async () => {
      expect(
        await put(store, purchaseRecord("abc", 7), purchaseRecord("def", 7), itemRecord("ada", 7)),
      ).toEqual(["pending", "pending", "pending"])
      expect(await store.sales.listByCode("abc")).toEqual([])
      expect(await countPending()).toEqual([1, 2])
      expect(await put(store, accountRecord("ada"))).toEqual([null])
      for (const code of ["abc", "def"]) {
        const sold = [{ itemId: 7, isRevoked: false, body: purchaseBody(code, 7) }]
        expect(await readSold("ada", code)).toEqual(sold)
      }
      expect(await countPending()).toEqual([0, 0])
    })

    test("are imported when an account is renamed to the author they need", async () => {
      await put(store, accountRecord("old"), itemRecord("new", 7), purchaseRecord("abc", 7))
      const was = "old"
      const account = { username: "new", isSuspended: null, body: "{}" }
      await put(store, { type: "account", account, key: null, was })
      expect(await readSold("new", "abc")).toHaveLength(1)
    })

    test("are imported in any number", async () => {
      const codes = Array.from({ length: 2_500 }, (_, at) => `code-${at}`)
      await put(store, accountRecord("ada"), ...codes.map((code) => purchaseRecord(code, 7)))
      await put(store, itemRecord("ada", 7))
      expect(await countPending()).toEqual([0, 0])
      expect((await store.checks.countRows()).purchases).toBe(2_500)
    })

    test("keep the timestamp of their feed", async () => {
      await put(store, ...at(20, purchaseRecord("abc", 7)))
      await put(store, accountRecord("ada"), itemRecord("ada", 7))
      expect(await put(store, ...at(10, purchaseRecord("abc", 7, true)))).toEqual(["outdated"])
    })

    test("are replaced by a newer state only", async () => {
      await put(store, ...at(20, purchaseRecord("abc", 7)))
      expect(await put(store, ...at(10, purchaseRecord("abc", 8)))).toEqual(["outdated"])
      expect(await put(store, ...at(30, purchaseRecord("abc", 8, true)))).toEqual(["pending"])
      await put(store, accountRecord("ada"), itemRecord("ada", 7))
      expect(await countPending()).toEqual([0, 1])
      await put(store, itemRecord("ada", 8))
      expect(await readSold("ada", "abc")).toMatchObject([{ itemId: 8, isRevoked: true }])
    })

    test("are deleted when a newer state is imported", async () => {
      await put(store, accountRecord("ada"), itemRecord("ada", 1), purchaseRecord("abc", 7))
      expect(await put(store, purchaseRecord("abc", 1))).toEqual([null])
      await put(store, itemRecord("ada", 7))
      expect(await readSold("ada", "abc")).toMatchObject([{ itemId: 1 }])
      expect(await countPending()).toEqual([0, 0])
    })

    test("a deletion removes a pending record, and an older feed does not restore it", async () => {
      await put(store, ...at(10, purchaseRecord("abc", 7), itemRecord("ada", 8)))
      const gone: FeedRecord[] = [
        { type: "deleted purchase", code: "abc" },
        { type: "deleted item", id: 8 },
      ]
      expect(await put(store, ...at(20, ...gone))).toEqual([null, null])
      expect(await countPending()).toEqual([0, 0])
      expect(await put(store, ...at(15, purchaseRecord("abc", 7)))).toEqual(["outdated"])
      expect(await put(store, ...at(30, purchaseRecord("abc", 7)))).toEqual(["pending"])
    })

    test("patches change them", async () => {
      const item = { id: 7, author: "ada", isHidden: false, body: itemBody(7) }
      const text = {
        beforeItem: '{"purchase_code":"abc","price":1,"currency":"USD","item":',
        afterItem: ',"date":"2026-06-01T10:00:00Z"}',
      }
      const purchase = { code: "abc", itemId: 7, isRevoked: false, buyer: null, ...text }
      await put(store, { type: "item", item }, { type: "purchase", purchase })
      expect(
        await put(
          store,
          { type: "patched item", id: 7, isHidden: true, fields: { name: "New" } },
          { type: "patched purchase", code: "abc", isRevoked: true, fields: {} },
        ),
      ).toEqual(["pending", "pending"])
      await put(store, accountRecord("ada"))
      expect(await store.itemSearch.findOfAny(7)).toMatchObject({ isHidden: true })
      expect(await readSold("ada", "abc")).toMatchObject([{ isRevoked: true }])
    })

    test("a stored item does not become pending for another author", async () => {
      await put(store, accountRecord("ada"), itemRecord("ada", 7))
      expect(await put(store, itemRecord("bob", 7))).toEqual(["author: unknown_account"])
    })

    test("a full sync deletes pending records that it does not contain", async () => {
      await put(store, ...at(10, purchaseRecord("abc", 7), purchaseRecord("def", 7)))
      await put(store, ...at(10, itemRecord("ada", 7)))
      const writer = await store.feed.openBatches(origin)
      await writer.put(new Date(), at(20, purchaseRecord("abc", 7)), 1)
      // A rejected line still counts as containing its record.
      await writer.put(new Date(), at(20, { type: "mentioned", kind: "item", identity: "7" }), 2)
      expect(await writer.removeOlder(new Date(), 20)).toMatchObject({ removed: 1, retained: [] })
      expect(await countPending()).toEqual([1, 1])
    })

    test("report the records that most of them need, also in a dry run", async () => {
      const batch = [
        itemRecord("ada lovelace", 7),
        purchaseRecord("abc", 8),
        purchaseRecord("def", 9),
        purchaseRecord("ghi", 9),
      ]
      const needed = [
        { type: "item", identity: "9", records: 2 },
        { type: "account", identity: "ada lovelace", records: 1 },
      ]
      const writer = await store.feed.openBatches(origin)
      await writer.put(new Date(), batch, 4)
      expect(await writer.listNeeded(2)).toMatchObject(needed)
    })

    test("are counted for their import", async () => {
      const writer = await store.feed.openBatches(origin)
      expect(await writer.countPending()).toBe(0)
      await writer.put(new Date(), [purchaseRecord("abc", 7), purchaseRecord("def", 8)], 2)
      await writer.put(new Date(), [purchaseRecord("abc", 7)], 3)
      expect(await writer.countPending()).toBe(2)
      await writer.put(new Date(), [accountRecord("ada"), itemRecord("ada", 7)], 5)
      expect(await writer.countPending()).toBe(1)
      expect(await writer.listNeeded(10)).toEqual([{ type: "item", identity: "8", records: 1 }])
      const other = await store.feed.openBatches(origin)
      await other.put(new Date(), [purchaseRecord("def", 8)], 1)
      expect([await writer.countPending(), await other.countPending()]).toEqual([0, 1])
    })

    test("are grouped by the record they need, with the time of the first", async () => {
      expect(await store.feed.readPending(3)).toEqual({
        items: 0,
        purchases: 0,
        sinceMs: null,
        groups: [],
      })
      const before = Date.now()
      await put(store, ...["a", "b", "c"].map((code) => purchaseRecord(code, 7)))
      await put(store, purchaseRecord("d", 8), purchaseRecord("e", 8), itemRecord("ada", 9))
      const first = await store.feed.readPending(2)
      expect(first).toMatchObject({
        items: 1,
        purchases: 5,
        groups: [
          { type: "item", identity: "7", records: 3 },
          { type: "item", identity: "8", records: 2 },
        ],
      })
      expect(first.sinceMs).toBeWithin(before, Date.now() + 1)
      // A repeated record keeps its first time.
      await put(store, ...["a", "b", "c"].map((code) => purchaseRecord(code, 7, true)))
      expect(await store.feed.readPending(2)).toEqual(first)
    })

    test("are part of a snapshot, items first", async () => {
      await put(store, ...at(5, purchaseRecord("b", 7), purchaseRecord("a", 7)))
      await put(store, ...at(5, itemRecord("ada", 7)))
      const snapshot = await store.feed.openSnapshot()
      const pages = (await Array.fromAsync(snapshot.readPending())).flat()
      await snapshot.close()
      const of = (record: FeedRecord) => (record.type === "purchase" ? record.purchase : null)
      expect(pages.map(({ kind, record, asOf }) => ({ kind, record, asOf }))).toMatchObject([
        { kind: "item", record: { id: 7, author: "ada", body: itemBody(7) }, asOf: 5 },
        { kind: "purchase", record: of(purchaseRecord("a", 7)) ?? {}, asOf: 5 },
        { kind: "purchase", record: of(purchaseRecord("b", 7)) ?? {}, asOf: 5 },
      ])
    })
  })
