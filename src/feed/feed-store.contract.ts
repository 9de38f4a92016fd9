import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { endpointRecord } from "../../tests/harness/endpoint-records.ts"
import {
  accountId,
  accountRecord,
  importedKeyRecord,
  itemRecord,
  keyRecord,
  longItemRecord,
  type OpenEmpty,
  plainVerdicts,
  purchaseRecord,
  put,
  withoutLimits,
} from "../../tests/harness/stores/store-records.ts"
import type { StoredKey } from "../keys/key.ts"
import type { Store } from "../store/store.ts"
import type { FeedRecord } from "./feed-record.ts"

export const feedStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`FeedStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    /** Returns all records in the order of the snapshot. */
    async function readAll(from = store) {
      const snapshot = await from.feed.openSnapshot()
      const rows: unknown[] = []
      for await (const page of snapshot.readAccounts())
        rows.push(...page.map((row) => row.username))
      for await (const page of snapshot.readItems()) {
        rows.push(...page.map(({ id, author, isHidden }) => [id, author, isHidden]))
      }
      for await (const page of snapshot.readPurchases()) {
        rows.push(...page.map(({ code, itemId, isRevoked }) => [code, itemId, isRevoked]))
      }
      await snapshot.close()
      return rows
    }

    test("imports records in order, each after the records it references", async () => {
      const records = [
        accountRecord("ada"),
        itemRecord("ada", 1, true),
        purchaseRecord("abc", 1, true),
      ]
      expect(await put(store, ...records)).toEqual([null, null, null])
      expect(await readAll()).toEqual(["ada", [1, "ada", true], ["abc", 1, true]])
    })

    test("rejects changes of missing records and imports the rest", async () => {
      const verdicts = await put(
        store,
        { type: "patched item", id: 1, fields: {} },
        accountRecord("ada"),
        { type: "patched purchase", code: "abc", fields: {} },
        itemRecord("ada", 1),
      )
      expect(verdicts).toEqual(["id: unknown_item", null, "purchase_code: unknown_purchase", null])
      expect(await readAll()).toEqual(["ada", [1, "ada", false]])
    })

    test("replaces changed records", async () => {
      await put(store, accountRecord("ada"), itemRecord("ada", 1), purchaseRecord("abc", 1))
      await put(
        store,
        accountRecord("ada", "{}"),
        itemRecord("ada", 1, true),
        purchaseRecord("abc", 1, true),
      )
      expect((await store.accounts.findByUsername("ada"))?.body).toBe("{}")
      expect(await readAll()).toEqual(["ada", [1, "ada", true], ["abc", 1, true]])
    })

    test("rejects items and codes of another author", async () => {
      await put(store, accountRecord("ada"), accountRecord("bob"))
      await put(store, itemRecord("ada", 1), itemRecord("bob", 2), purchaseRecord("abc", 1))
      const taken = [itemRecord("bob", 1), purchaseRecord("abc", 2), purchaseRecord("abc", 3)]
      expect(await put(store, ...taken)).toEqual([
        "author: item_of_other_author",
        "item_id: code_of_other_author",
        "item_id: unknown_item",
      ])
      expect(await readAll()).toEqual([
        "ada",
        "bob",
        [1, "ada", false],
        [2, "bob", false],
        ["abc", 1, false],
      ])
    })

    test("moves a code to another item of the same author, and keeps its sites", async () => {
      await put(store, accountRecord("ada"), itemRecord("ada", 1), itemRecord("ada", 2))
      await put(store, purchaseRecord("abc", 1), purchaseRecord("def", 1))
      const site = { code: "abc", site: "shop.example.com" }
      await store.sites.recordSeen("2026-06-01T08:00:00Z", [site])
      const corrected = [purchaseRecord("abc", 2), purchaseRecord("def", 2)]
      expect(await put(store, ...corrected)).toEqual([null, null])
      expect((await readAll()).slice(-2)).toEqual([
        ["abc", 2, false],
        ["def", 2, false],
      ])
      expect(await store.sites.list("abc")).toMatchObject([{ site: "shop.example.com" }])
      // The previous item has no purchases left.
      expect(await put(store, { type: "deleted item", id: 1 })).toEqual([null])
    })

    test("deletes an item whose purchases move away in the same batch, or inserts it again", async () => {
      await put(store, accountRecord("ada"), itemRecord("ada", 1), purchaseRecord("abc", 1))
      const gone: FeedRecord = { type: "deleted item", id: 1 }
      await put(store, itemRecord("ada", 2), purchaseRecord("abc", 2), gone)
      expect(await readAll()).toEqual(["ada", [2, "ada", false], ["abc", 2, false]])
      await put(store, accountRecord("bob"), itemRecord("ada", 3), purchaseRecord("abc", 3))
      const goneAgain: FeedRecord = { type: "deleted item", id: 3 }
      await put(store, purchaseRecord("abc", 2), goneAgain, itemRecord("bob", 3, true))
      expect((await readAll()).slice(2)).toEqual([
        [2, "ada", false],
        [3, "bob", true],
        ["abc", 2, false],
      ])
    })

    test("codes that differ in case are separate", async () => {
      await put(store, accountRecord("ada"), itemRecord("ada", 1))
      await put(store, purchaseRecord("abc", 1), purchaseRecord("ABC", 1, true))
      await put(store, { type: "deleted purchase", code: "abc" })
      expect(await readAll()).toEqual(["ada", [1, "ada", false], ["ABC", 1, true]])
    })

    test("deletes unreferenced records, and accepts deletions of missing ones", async () => {
      const gone: FeedRecord[] = [
        { type: "deleted purchase", code: "abc" },
        { type: "deleted item", id: 1 },
        { type: "deleted account", username: "ada" },
      ]
      await put(store, accountRecord("ada"), itemRecord("ada", 1), purchaseRecord("abc", 1))
      expect(await put(store, ...gone.toReversed())).toEqual([
        "username: has_items",
        "id: has_purchases",
        null,
      ])
      expect(await put(store, ...gone, ...gone)).toEqual(gone.concat(gone).map(() => null))
      expect(await readAll()).toEqual([])
    })

    test("imports the key of an account once", async () => {
      const withKey = (username: string, id: string) =>
        accountRecord(username, "{}", false, { ...importedKeyRecord("key_1"), id })
      expect(await put(store, withKey("ada", "key_1"), withKey("ada", "key_2"))).toEqual([
        null,
        null,
      ])
      const ada = await accountId(store, "ada")
      const [stored, ...others] = await store.keys.list(ada)
      expect([stored?.id, new TextDecoder().decode(stored?.encrypted), others]).toEqual([
        "key_1",
        `key_1 of account ${ada}`,
        [],
      ])
      expect(await put(store, withKey("bob", "key_3"))).toEqual(["api_key: key_of_other_account"])
      expect(await store.accounts.findByUsername("bob")).toBeNull()
    })

    test("does not reactivate a revoked key", async () => {
      const key = importedKeyRecord("key_1")
      const record = accountRecord("ada", "{}", false, key)
      await put(store, record)
      await store.keys.revoke("key_1", "2026-05-01T00:00:00Z")
      await put(store, record)
      expect((await store.keys.findByLookup(key.lookup))?.revokedAt).toBe("2026-05-01T00:00:00Z")
    })

    describe("keys", () => {
      const insert = async (id: string, username: string, changes: Partial<StoredKey> = {}) => {
        const key = keyRecord(id, {
          accountId: await accountId(store, username),
          username,
          ...changes,
        })
        await store.keys.insert(key)
        return key
      }
      const late = "2026-03-01T00:00:00Z"

      test("are sorted by account, age and id", async () => {
        await put(store, accountRecord("zoe"), accountRecord("Zoe"), accountRecord("ada"))
        await insert("key_b", "ada")
        const first = await insert("key_z", "Zoe", { kind: "vk", itemIds: [2, 1], revokedAt: late })
        await insert("key_a", "zoe")
        await insert("key_B", "ada")
        await insert("key_0", "ada", { createdAt: late, replacedAt: late, expiresAt: late })
        const rows = await readKeys()
        expect(rows.map(({ id }) => id)).toEqual(["key_z", "key_B", "key_b", "key_0", "key_a"])
        expect(rows[0]).toEqual({
          ...first,
          lookup: [...first.lookup],
          encrypted: [...first.encrypted],
        } as never) // drivers differ in their array classes
      })

      test("are read in pages", async () => {
        const ids = Array.from({ length: 1_500 }, (_, index) => `key_${10_000 + index}`)
        await put(
          store,
          ...ids.map((id) => accountRecord("ada", undefined, false, importedKeyRecord(id))),
        )
        expect((await readKeys()).map(({ id }) => id)).toEqual(ids)
      })

      async function readKeys() {
        const snapshot = await store.feed.openSnapshot()
        const rows: StoredKey[] = []
        for await (const page of snapshot.readKeys()) rows.push(...page)
        await snapshot.close()
        return rows.map((row) => ({
          ...row,
          lookup: [...row.lookup],
          encrypted: [...row.encrypted],
        }))
      }
    })

    test("commits each batch", async () => {
      const batches = await store.feed.openBatches({ source: "one", via: "file" })
      await batches.put(new Date(), [accountRecord("ada")], 1)
      expect(await readAll()).toEqual(["ada"])
    })

    test("a dry run has the result of an import and changes nothing", async () => {
      await store.endpoints.insert(endpointRecord("ep_all"))
      await put(store, accountRecord("ada"), itemRecord("ada", 1), purchaseRecord("abc", 1))
      const look = async () => [
        await readAll(),
        await store.feed.listRuns(10),
        await store.feed.readPending(10),
        await store.messages.list("ep_all", null, 10),
      ]
      const before = await look()
      const batches: readonly FeedRecord[][] = [
        [accountRecord("bob"), itemRecord("bob", 2), purchaseRecord("def", 2)],
        [purchaseRecord("def", 1), purchaseRecord("ghi", 3), purchaseRecord("abc", 1, true)],
        [
          { type: "deleted purchase", code: "def" },
          { type: "deleted item", id: 2 },
        ],
      ]
      const dryRun = await store.feed.openDryRun({ limits: withoutLimits })
      const judged = []
      for (const batch of batches)
        judged.push(plainVerdicts(await dryRun.put(new Date(), batch, 1)))
      expect([await dryRun.countPending(), dryRun.countKeys()]).toEqual([1, 0])
      expect(dryRun.countChanges()).toMatchObject({ revoked: 1 })
      // Concurrent writes are possible.
      expect(await put(store, accountRecord("eve"), itemRecord("eve", 9))).toEqual([null, null])
      await put(
        store,
        { type: "deleted item", id: 9 },
        { type: "deleted account", username: "eve" },
      )
      await dryRun.close()
      const after = await look()
      expect([after[0], after[2], after[3]]).toEqual([before[0], before[2], before[3]])
      expect(after[1]).toHaveLength(3)
      const taken = []
      for (const batch of batches) taken.push(await put(store, ...batch))
      expect(taken).toEqual(judged)
      expect(judged[1]).toEqual(["item_id: code_of_other_author", "pending", null])
    })

    test("reads a consistent snapshot in a fixed order", async () => {
      await put(store, accountRecord("zoe"), accountRecord("Zoe"), accountRecord("ada"))
      await put(store, itemRecord("zoe", 10), itemRecord("ada", 9))
      await put(store, ...["b", "B", "a", "é", "C"].map((code) => purchaseRecord(code, 9)))
      const snapshot = await store.feed.openSnapshot()
      await put(store, accountRecord("bob"), itemRecord("bob", 1), purchaseRecord("aa", 1))
      const rows: unknown[] = []
      for await (const page of snapshot.readAccounts())
        rows.push(...page.map((row) => row.username))
      for await (const page of snapshot.readItems()) rows.push(...page.map((row) => row.id))
      for await (const page of snapshot.readPurchases()) rows.push(...page.map((row) => row.code))
      await snapshot.close()
      expect(rows).toEqual(["Zoe", "ada", "zoe", 9, 10, "a", "B", "b", "C", "é"])
    })

    test("reads several pages of each type", async () => {
      const ids = Array.from({ length: 2_500 }, (_, index) => index + 1)
      await put(store, accountRecord("ada"), ...ids.map((id) => itemRecord("ada", id)))
      await put(store, ...ids.map((id) => purchaseRecord(`code-${id}`, id)))
      expect((await readAll()).length).toBe(5_001)
    })

    test("reads long items in pages of a megabyte, complete and in order", async () => {
      const sizes = [500_000, 300_000, 300_000, 2_000_000, 1, 990_000, 1]
      const records = sizes.map((size, index) => longItemRecord("ada", index + 1, size))
      await put(store, accountRecord("ada"), ...records)
      const snapshot = await store.feed.openSnapshot()
      const pages: (readonly number[])[] = []
      for await (const page of snapshot.readItems()) pages.push(page.map(({ id }) => id))
      await snapshot.close()
      expect(pages).toEqual([[1, 2], [3], [4], [5, 6, 7]])
    })
  })
