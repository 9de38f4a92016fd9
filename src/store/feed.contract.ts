import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  itemRecord,
  keyRecord,
  type OpenEmpty,
  purchaseRecord,
  put,
} from "../../tests/harness/store-records.ts"
import type { FeedRecord } from "../domain/feed.ts"
import type { Store } from "../domain/store.ts"

export const feedStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`FeedStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    /** Everything in the store, in the snapshot's own order. */
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

    test("takes records in order, each after those it refers to", async () => {
      const records = [
        accountRecord("ada"),
        itemRecord("ada", 1, true),
        purchaseRecord("abc", 1, true),
      ]
      expect(await put(store, ...records)).toEqual([null, null, null])
      expect(await readAll()).toEqual(["ada", [1, "ada", true], ["abc", 1, true]])
    })

    test("refuses references to nothing and keeps the rest", async () => {
      const fates = await put(
        store,
        itemRecord("ada", 1),
        accountRecord("ada"),
        purchaseRecord("abc", 1),
        itemRecord("ada", 1),
      )
      expect(fates).toEqual([
        { member: "author", reason: "there is no account ada" },
        null,
        { member: "item_id", reason: "there is no item 1" },
        null,
      ])
      expect(await readAll()).toEqual(["ada", [1, "ada", false]])
    })

    test("replaces what has changed", async () => {
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

    test("refuses an item that another author has, and a code sold for another item", async () => {
      await put(store, accountRecord("ada"), accountRecord("bob"))
      await put(store, itemRecord("ada", 1), itemRecord("ada", 2), purchaseRecord("abc", 1))
      expect(await put(store, itemRecord("bob", 1), purchaseRecord("abc", 2))).toEqual([
        { member: "author", reason: "item 1 belongs to another author" },
        { member: "item_id", reason: "this code was sold for item 1" },
      ])
      expect(await readAll()).toEqual([
        "ada",
        "bob",
        [1, "ada", false],
        [2, "ada", false],
        ["abc", 1, false],
      ])
    })

    test("keeps codes apart that differ in case", async () => {
      await put(store, accountRecord("ada"), itemRecord("ada", 1))
      await put(store, purchaseRecord("abc", 1), purchaseRecord("ABC", 1, true))
      await put(store, { type: "deleted purchase", code: "abc" })
      expect(await readAll()).toEqual(["ada", [1, "ada", false], ["ABC", 1, true]])
    })

    test("removes what nothing refers to, and takes the absent for removed", async () => {
      const gone: FeedRecord[] = [
        { type: "deleted purchase", code: "abc" },
        { type: "deleted item", id: 1 },
        { type: "deleted account", username: "ada" },
      ]
      await put(store, accountRecord("ada"), itemRecord("ada", 1), purchaseRecord("abc", 1))
      expect(await put(store, ...gone.toReversed())).toEqual([
        { member: "username", reason: "still has items" },
        { member: "id", reason: "item 1 still has purchases" },
        null,
      ])
      expect(await put(store, ...gone, ...gone)).toEqual(gone.concat(gone).map(() => null))
      expect(await readAll()).toEqual([])
    })

    test("keeps a key that came with an account, once", async () => {
      const { accountId: _, ...key } = keyRecord("key_1", { kind: "imported" })
      const withKey = (username: string, id: string): FeedRecord => ({
        type: "account",
        account: { username, body: "{}" },
        key: { ...key, id, username },
      })
      expect(await put(store, withKey("ada", "key_1"), withKey("ada", "key_2"))).toEqual([
        null,
        null,
      ])
      const ada = await accountId(store, "ada")
      expect((await store.keys.list(ada)).map(({ id }) => id)).toEqual(["key_1"])
      expect(await put(store, withKey("bob", "key_3"))).toEqual([
        { member: "api_key", reason: "belongs to another account" },
      ])
      expect(await store.accounts.findByUsername("bob")).toBeNull()
    })

    test("does not bring a revoked key back to life", async () => {
      const { accountId: _, ...key } = keyRecord("key_1", { kind: "imported" })
      const record: FeedRecord = { type: "account", account: { username: "ada", body: "{}" }, key }
      await put(store, record)
      await store.keys.revoke("key_1", "2026-05-01T00:00:00Z")
      await put(store, record)
      expect((await store.keys.findByLookup(key.lookup))?.revokedAt).toBe("2026-05-01T00:00:00Z")
    })

    test("records how far an import has come, and that it ended", async () => {
      expect(await store.feed.findLastRun("a file")).toBeNull()
      const writer = await store.feed.openBatches("a file")
      await writer.put([accountRecord("ada")], 10)
      const run = await store.feed.findLastRun("a file")
      expect(run).toEqual({
        source: "a file",
        line: 10,
        startedAt: run?.startedAt ?? "",
        finishedAt: null,
      })
      await writer.finish([accountRecord("bob")], 20)
      const ended = await store.feed.findLastRun("a file")
      expect(ended?.line).toBe(20)
      expect(ended?.finishedAt).not.toBeNull()
    })

    test("keeps batches at once, a whole import only when it is finished", async () => {
      const batches = await store.feed.openBatches("one")
      await batches.put([accountRecord("ada")], 1)
      await batches.discard()
      expect(await readAll()).toEqual(["ada"])
      const undone = await store.feed.openWhole("two")
      await undone.put([accountRecord("bob")], 1)
      expect(await readAll()).toEqual(["ada"])
      await undone.discard()
      expect(await readAll()).toEqual(["ada"])
      expect(await store.feed.findLastRun("two")).toBeNull()
      const kept = await store.feed.openWhole("three")
      await kept.put([accountRecord("bob")], 1)
      await kept.finish([itemRecord("bob", 1)], 2)
      expect(await readAll()).toEqual(["ada", "bob", [1, "bob", false]])
    })

    test("reads everything as of one moment, in one order", async () => {
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

    test("reads more than a page of each", async () => {
      const ids = Array.from({ length: 2_500 }, (_, index) => index + 1)
      await put(store, accountRecord("ada"), ...ids.map((id) => itemRecord("ada", id)))
      await put(store, ...ids.map((id) => purchaseRecord(`code-${id}`, id)))
      expect((await readAll()).length).toBe(5_001)
    })
  })
