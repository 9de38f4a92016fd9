import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../../../src/domain/store.ts"
import {
  accountId,
  accountRecord,
  addUsage,
  itemRecord,
  keyRecord,
  type OpenEmpty,
  purchaseRecord,
  put,
} from "../store-records.ts"

export const operatorReadsContract = (adapter: string, open: OpenEmpty) =>
  describe(`OperatorReads on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bob"))
      await put(store, itemRecord("ada", 1), itemRecord("ada", 2, true), itemRecord("bob", 3))
    })
    afterEach(() => store.close())

    test("counts the rows of each kind", async () => {
      await put(store, purchaseRecord("abc", 1), purchaseRecord("abd", 1, true))
      await store.keys.insert(keyRecord("key_1", { accountId: await accountId(store, "ada") }))
      expect(await store.operatorReads.countRows()).toEqual({
        accounts: 2,
        items: 3,
        purchases: 2,
        keys: 1,
      })
    })

    test("counts valid and revoked purchases, some items at a time", async () => {
      await put(store, purchaseRecord("a", 1), purchaseRecord("b", 1, true))
      await put(store, purchaseRecord("c", 2), purchaseRecord("d", 2), purchaseRecord("e", 3))
      const { countPurchases } = store.operatorReads
      expect(await countPurchases(0, 2)).toEqual({ valid: 3, revoked: 1, last: 2 })
      expect(await countPurchases(2, 2)).toEqual({ valid: 1, revoked: 0, last: 3 })
      expect(await countPurchases(3, 2)).toEqual({ valid: 0, revoked: 0, last: null })
    })

    test("counts validations and unknown codes of some days, some keys at a time", async () => {
      const ada = await accountId(store, "ada")
      for (const [id, kind] of [
        ["key_1", "sk"],
        ["key_2", "tk"],
        ["key_3", "vk"],
      ] as const) {
        await store.keys.insert(keyRecord(id, { accountId: ada, kind }))
      }
      const count = { keyId: "key_1", operation: "validate_purchase", calls: 1 } as const
      const first = "2026-06-14T00:00:00Z"
      await addUsage(
        store,
        [
          { ...count, outcome: "ok", hour: first, calls: 5 },
          { ...count, outcome: "revoked_code", hour: first },
          { ...count, outcome: "site_limit", hour: first },
          { ...count, outcome: "unknown_code", hour: "2026-06-15T23:00:00Z", calls: 2 },
          { ...count, outcome: "unknown_code", hour: "2026-06-13T23:00:00Z" },
          { ...count, outcome: "unknown_code", hour: "2026-06-16T00:00:00Z" },
          { ...count, outcome: "rate_limited", hour: first },
          { ...count, outcome: "ok", operation: "list_items", hour: first },
          { ...count, outcome: "unknown_code", keyId: "key_2", hour: first },
          { ...count, outcome: "unknown_code", keyId: "key_3", hour: first, calls: 4 },
        ],
        [],
      )
      const range = { from: "2026-06-14", to: "2026-06-15" }
      const countAfter = (after: string, keysMax: number) =>
        store.operatorReads.countValidations(range, after, keysMax)
      expect(await countAfter("", 2)).toEqual({ validations: 9, unknown: 2, last: "key_2" })
      expect(await countAfter("key_2", 2)).toEqual({ validations: 4, unknown: 4, last: "key_3" })
      expect(await countAfter("key_3", 2)).toEqual({ validations: 0, unknown: 0, last: null })
      // Hours become days after a week.
      await store.counts.thin("2026-06-30T12:00:00Z", "", 300)
      expect(await countAfter("", 2)).toEqual({ validations: 9, unknown: 2, last: "key_2" })
    })

    test("finds any author's item, hidden or not, and how many were sold", async () => {
      await put(store, purchaseRecord("abc", 2), purchaseRecord("abd", 2, true))
      const ada = await accountId(store, "ada")
      await store.accounts.setSuspended(ada, true)
      expect(await store.operatorReads.findItem(2)).toEqual({
        id: 2,
        accountId: ada,
        author: "ada",
        isAuthorSuspended: true,
        isHidden: true,
        body: '{"id":2}',
        purchases: 2,
      })
      expect(await store.operatorReads.findItem(3)).toMatchObject({
        author: "bob",
        isAuthorSuspended: false,
        isHidden: false,
        purchases: 0,
      })
      expect(await store.operatorReads.findItem(4)).toBeNull()
    })

    test("finds any author's purchases by their code, whatever the case of ASCII letters", async () => {
      const kelvin = "\u212a"
      await put(store, purchaseRecord("k-1", 1, true, "İpek"), purchaseRecord("K-1", 3))
      await put(store, purchaseRecord(`${kelvin}-1`, 1), purchaseRecord("k-2", 1))
      await store.accounts.setSuspended(await accountId(store, "bob"), true)
      const found = await store.operatorReads.listPurchases("k-1")
      expect(found.toSorted((one, other) => one.itemId - other.itemId)).toEqual([
        {
          code: "k-1",
          accountId: await accountId(store, "ada"),
          author: "ada",
          itemId: 1,
          isAuthorSuspended: false,
          isRevoked: true,
          isRevokedByFeed: true,
          isRevokedByOperator: false,
          buyer: "İpek",
          body: '{"code":"k-1","item":{"id":1}}',
        },
        {
          code: "K-1",
          accountId: await accountId(store, "bob"),
          author: "bob",
          itemId: 3,
          isAuthorSuspended: true,
          isRevoked: false,
          isRevokedByFeed: false,
          isRevokedByOperator: false,
          buyer: null,
          body: '{"code":"K-1","item":{"id":3}}',
        },
      ])
      expect(await store.operatorReads.listPurchases("k-3")).toEqual([])
    })

    test("lists the powerful keys that many networks use, those that no longer work too", async () => {
      const ada = await accountId(store, "ada")
      const [weekAgo, now] = ["2026-06-23T12:00:00Z", "2026-06-30T12:00:00Z"]
      const networksOf = { key_1: 3, key_2: 2, key_3: 9, key_4: 3 }
      const kinds = { key_1: "sk", key_2: "imported", key_3: "vk", key_4: "sk" } as const
      for (const id of ["key_1", "key_2", "key_3", "key_4"] as const) {
        const revokedAt = id === "key_1" ? now : null
        await store.keys.insert(keyRecord(id, { accountId: ada, kind: kinds[id], revokedAt }))
        const sightings = Array.from({ length: networksOf[id] }, (_, at) => ({
          keyId: id,
          network: `192.0.${at}.0/24`,
          lastUsedAt: id === "key_4" && at === 0 ? "2026-06-23T11:59:59Z" : now,
        }))
        await addUsage(store, [], sightings)
      }
      const list = (limit: number) => store.operatorReads.listWidelyUsed(weekAgo, 2, limit)
      const key = {
        accountId: ada,
        username: "ada",
        name: "Anahtar",
        expiresAt: null,
        replacedAt: null,
      }
      const first = { ...key, id: "key_1", kind: "sk", revokedAt: now, networks: 3 } as const
      expect(await list(5)).toEqual([
        first,
        { ...key, id: "key_2", kind: "imported", revokedAt: null, networks: 2 },
        { ...key, id: "key_4", kind: "sk", revokedAt: null, networks: 2 },
      ])
      expect(await list(1)).toEqual([first])
    })

    test("says when valid codes of an item were last asked for, with the author's keys", async () => {
      const at = "2026-06-30T12:00:00Z"
      const [ada, bob] = [await accountId(store, "ada"), await accountId(store, "bob")]
      await store.keys.insert(keyRecord("key_1", { accountId: ada }))
      await store.keys.insert(keyRecord("key_2", { accountId: ada }))
      await store.keys.insert(keyRecord("key_bob", { accountId: bob }))
      const calls = (keyId: string, day: string, calls: number, itemId = 1) => ({
        keyId,
        day,
        itemId,
        calls,
      })
      const items = [
        ...[calls("key_1", "2026-06-28", 2), calls("key_2", "2026-06-29", 3)],
        ...[calls("key_1", "2026-05-31", 100), calls("key_1", "2026-06-30", 100, 2)],
        calls("key_bob", "2026-06-30", 100),
      ]
      await addUsage(store, [], [], { networks: [], items })
      const read = (id: number) => store.operatorReads.readItemCalls({ id, accountId: ada }, at)
      expect(await read(1)).toEqual({ lastDay: "2026-06-29", calls: 5 })
      expect(await read(3)).toEqual({ lastDay: null, calls: 0 })
    })
  })
