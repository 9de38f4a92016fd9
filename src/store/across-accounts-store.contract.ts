import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  addUsage,
  itemBody,
  itemRecord,
  keyRecord,
  type OpenEmpty,
  purchaseBody,
  purchaseRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { KeyKind } from "../contract/operation.ts"
import type { Store } from "./store.ts"

export const acrossAccountsContract = (adapter: string, open: OpenEmpty) =>
  describe(`reads across accounts on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bob"))
      await put(store, itemRecord("ada", 1), itemRecord("ada", 2, true), itemRecord("bob", 3))
    })
    afterEach(() => store.close())

    test("counts the rows of each table", async () => {
      await put(store, purchaseRecord("abc", 1), purchaseRecord("abd", 1, true))
      await store.keys.insert(keyRecord("key_1", { accountId: await accountId(store, "ada") }))
      expect(await store.checks.countRows()).toEqual({
        accounts: 2,
        items: 3,
        purchases: 2,
        keys: 1,
      })
    })

    test("finds items of any author, visible or hidden, with their number of sales", async () => {
      await put(store, purchaseRecord("abc", 2), purchaseRecord("abd", 2, true))
      const ada = await accountId(store, "ada")
      await store.accounts.setSuspended(ada, true, new Date())
      expect(await store.itemSearch.findOfAny(2)).toEqual({
        id: 2,
        accountId: ada,
        username: "ada",
        isSuspended: true,
        isHidden: true,
        body: itemBody(2),
        downloadUrl: null,
        purchases: 2,
      })
      expect(await store.itemSearch.findOfAny(3)).toMatchObject({
        username: "bob",
        isSuspended: false,
        isHidden: false,
        purchases: 0,
      })
      expect(await store.itemSearch.findOfAny(4)).toBeNull()
    })

    test("finds purchases of any author by code, ignoring the case of ASCII letters", async () => {
      const kelvin = "\u212a"
      await put(store, purchaseRecord("k-1", 1, true, "İpek"), purchaseRecord("K-1", 3))
      await put(store, purchaseRecord(`${kelvin}-1`, 1), purchaseRecord("k-2", 1))
      await store.accounts.setSuspended(await accountId(store, "bob"), true, new Date())
      const found = await store.sales.listByCode("k-1")
      expect(found.toSorted((one, other) => one.itemId - other.itemId)).toEqual([
        {
          code: "k-1",
          accountId: await accountId(store, "ada"),
          username: "ada",
          itemId: 1,
          isSuspended: false,
          isRevoked: true,
          isRevokedByFeed: true,
          isRevokedByOperator: false,
          buyer: "İpek",
          validUntil: null,
          siteLimit: null,
          body: purchaseBody("k-1", 1),
        },
        {
          code: "K-1",
          accountId: await accountId(store, "bob"),
          username: "bob",
          itemId: 3,
          isSuspended: true,
          isRevoked: false,
          isRevokedByFeed: false,
          isRevokedByOperator: false,
          buyer: null,
          validUntil: null,
          siteLimit: null,
          body: purchaseBody("K-1", 3),
        },
      ])
      expect(await store.sales.listByCode("k-3")).toEqual([])
    })

    test("lists the busiest authors of some days, without test keys", async () => {
      const [ada, bob] = [await accountId(store, "ada"), await accountId(store, "bob")]
      const use = async (keyId: string, accountId: number, kind: KeyKind, calls: number) => {
        await store.keys.insert(keyRecord(keyId, { accountId, kind }))
        const day = (name: string) =>
          ({ keyId, day: name, operation: "read_item", outcome: "ok", calls }) as const
        await addUsage(store, { calls: ["2026-06-28", "2026-06-29", "2026-06-30"].map(day) })
      }
      await use("key_1", ada, "sk", 5)
      await use("key_2", ada, "vk", 10)
      await use("key_3", bob, "sk", 20)
      await use("key_4", ada, "tk", 1_000)
      const range = { from: "2026-06-29", to: "2026-06-30" }
      const [busiest, second] = [
        { accountId: bob, username: "bob", calls: 40 },
        { accountId: ada, username: "ada", calls: 30 },
      ]
      expect(await store.usage.listBusiest(range, 5)).toEqual([busiest, second])
      expect(await store.usage.listBusiest(range, 1)).toEqual([busiest])
      const later = { from: "2026-07-01", to: "2026-07-01" }
      expect(await store.usage.listBusiest(later, 5)).toEqual([])
    })

    test("lists secret keys used from many IP ranges, inactive ones included", async () => {
      const ada = await accountId(store, "ada")
      const [weekAgo, now] = ["2026-06-23", "2026-06-30T12:00:00Z"]
      const networksOf = { key_1: 3, key_2: 2, key_3: 9, key_4: 3 }
      const kinds = { key_1: "sk", key_2: "imported", key_3: "vk", key_4: "sk" } as const
      for (const id of ["key_1", "key_2", "key_3", "key_4"] as const) {
        const revokedAt = id === "key_1" ? now : null
        await store.keys.insert(keyRecord(id, { accountId: ada, kind: kinds[id], revokedAt }))
        const ipRanges = Array.from({ length: networksOf[id] }, (_, at) => ({
          keyId: id,
          ipRange: `192.0.${at}.0/24`,
          lastDay: id === "key_4" && at === 0 ? "2026-06-22" : "2026-06-23",
        }))
        await addUsage(store, { ipRanges })
      }
      const list = (limit: number) => store.keySearch.listWidelyUsed(weekAgo, 2, limit)
      const key = {
        accountId: ada,
        username: "ada",
        name: "Anahtar",
        expiresAt: null,
        replacedAt: null,
      }
      const first = { ...key, id: "key_1", kind: "sk", revokedAt: now, ipRanges: 3 } as const
      expect(await list(5)).toEqual([
        first,
        { ...key, id: "key_2", kind: "imported", revokedAt: null, ipRanges: 2 },
        { ...key, id: "key_4", kind: "sk", revokedAt: null, ipRanges: 2 },
      ])
      expect(await list(1)).toEqual([first])
    })

    const item = (id: number, author: string, name: string, isHidden = false) => ({
      type: "item" as const,
      item: { id, author, isHidden, body: JSON.stringify({ ...JSON.parse(itemBody(id)), name }) },
    })
    test("finds items of all authors by name or ID, highest ID first", async () => {
      await put(
        store,
        item(11, "ada", "Işık"),
        item(12, "bob", "Mum", true),
        item(30, "ada", "IŞIK 12"),
      )
      const find = async (text: string, rowsMax = 3) =>
        (await store.itemSearch.listOfAny(text, rowsMax)).map(({ id }) => id)
      expect(await store.itemSearch.listOfAny("mum", 1)).toEqual([
        { id: 12, accountId: await accountId(store, "bob"), name: "Mum", username: "bob" },
      ])
      expect(await find("isik")).toEqual([30, 11])
      expect(await find("isik", 1)).toEqual([30])
      expect(await find("12")).toEqual([30, 12])
    })

    test("finds a name after thousands of others", async () => {
      const others = Array.from({ length: 2_500 }, (_, at) => item(at + 12, "ada", "Mum"))
      await put(store, item(11, "ada", "Işık"), ...others)
      const found = await store.itemSearch.listOfAny("isik", 2)
      expect(found.map(({ id }) => id)).toEqual([11])
    })
  })
