import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  keyRecord,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import { liveKeysMax } from "./key.ts"

export const apiKeyStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`ApiKeyStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bob"))
      ada = await accountId(store, "ada")
    })
    afterEach(() => store.close())

    const ids = async () => (await store.keys.list(ada)).map(({ id }) => id)

    test("finds a key by its lookup value and by its id", async () => {
      const key = keyRecord("key_1", {
        accountId: ada,
        kind: "vk",
        itemIds: [1, 2],
        isSiteRequired: true,
        scope: "catalog",
      })
      await store.keys.insert(key)
      const { id, accountId, kind, itemIds, isSiteRequired, scope, expiresAt, revokedAt } = key
      expect(await store.keys.findByLookup(key.lookup)).toEqual({
        id,
        accountId,
        kind,
        itemIds,
        isSiteRequired,
        scope,
        expiresAt,
        revokedAt,
        replacedAt: null,
        isLeaked: false,
        isSuspended: false,
      })
      const stored = await store.keys.find("key_1")
      expect(
        stored && { ...stored, lookup: [...stored.lookup], encrypted: [...stored.encrypted] },
      ).toEqual({
        ...key,
        lookup: [...key.lookup],
        encrypted: [...key.encrypted],
      } as never) // the same key with its bytes spelled out: drivers differ in their array classes
    })

    test("finds a key by any of several lookup values", async () => {
      const key = keyRecord("key_1", { accountId: ada })
      await store.keys.insert(key)
      const other = new Uint8Array(32)
      expect((await store.keys.findByLookup(key.lookup, other))?.id).toBe("key_1")
      expect((await store.keys.findByLookup(other, key.lookup))?.id).toBe("key_1")
    })

    test("returns null for an unknown key", async () => {
      expect(await store.keys.findByLookup(new Uint8Array(32))).toBeNull()
      expect(await store.keys.findByLookup(new Uint8Array(32), new Uint8Array(31))).toBeNull()
      expect(await store.keys.find("key_1")).toBeNull()
    })

    test("distinguishes an empty selection of items from none", async () => {
      await store.keys.insert(keyRecord("key_1", { accountId: ada, kind: "vk", itemIds: [] }))
      expect((await store.keys.find("key_1"))?.itemIds).toEqual([])
    })

    test("lists the keys of an account, oldest first", async () => {
      await store.keys.insert(
        keyRecord("key_b", { accountId: ada, createdAt: "2026-02-01T00:00:00Z" }),
      )
      await store.keys.insert(
        keyRecord("key_a", { accountId: ada, createdAt: "2026-03-01T00:00:00Z" }),
      )
      await store.keys.insert(
        keyRecord("key_c", { accountId: ada, createdAt: "2026-01-01T00:00:00Z" }),
      )
      expect(await ids()).toEqual(["key_c", "key_b", "key_a"])
      expect(await store.keys.list(await accountId(store, "bob"))).toEqual([])
    })

    test("lists the dates of keys in the same order, and keys by their ids", async () => {
      const dates = { revokedAt: "2026-03-01T00:00:00Z", expiresAt: null, replacedAt: null }
      const newer = keyRecord("key_a", { accountId: ada, createdAt: "2026-02-01T00:00:00Z" })
      await store.keys.insert({ ...newer, ...dates })
      await store.keys.insert(
        keyRecord("key_b", { accountId: ada, kind: "vk", createdAt: "2026-01-01T00:00:00Z" }),
      )
      await store.keys.insert(keyRecord("key_c", { accountId: await accountId(store, "bob") }))
      expect(await store.keys.listDates(ada)).toEqual([
        { id: "key_b", kind: "vk", revokedAt: null, expiresAt: null, replacedAt: null },
        { id: "key_a", kind: newer.kind, ...dates },
      ])
      const found = await store.keys.listByIds(["key_c", "unknown", "key_a"])
      expect(found.toSorted((one, other) => (one.id < other.id ? -1 : 1))).toEqual(
        (await Promise.all(["key_a", "key_c"].map((id) => store.keys.find(id)))) as never, // both exist
      )
      expect(await store.keys.listByIds([])).toEqual([])
    })

    test("rejects a second key with the same id or lookup value", async () => {
      const key = keyRecord("key_1", { accountId: ada })
      await store.keys.insert(key)
      await expect(store.keys.insert({ ...key, lookup: new Uint8Array(32) })).rejects.toThrow()
      await expect(store.keys.insert({ ...key, id: "key_2" })).rejects.toThrow()
      expect(await ids()).toEqual(["key_1"])
    })

    test("a second revocation does not change the time", async () => {
      await store.keys.insert(keyRecord("key_1", { accountId: ada }))
      await store.keys.revoke("key_1", "2026-05-01T00:00:00Z")
      await store.keys.revoke("key_1", "2026-06-01T00:00:00Z")
      expect((await store.keys.find("key_1"))?.revokedAt).toBe("2026-05-01T00:00:00Z")
    })

    test("renames one key and changes nothing else", async () => {
      await store.keys.insert(keyRecord("key_1", { accountId: ada, name: "Eski" }))
      await store.keys.insert(keyRecord("key_2", { accountId: ada, name: "Other" }))
      const before = await store.keys.list(ada)
      await store.keys.rename("key_1", "Yeni 🔑 <b>")
      await store.keys.rename("key_nobody's", "Nothing")
      expect(await store.keys.list(ada)).toEqual(
        before.map((key) => (key.id === "key_1" ? { ...key, name: "Yeni 🔑 <b>" } : key)),
      )
    })

    test("rotates a key and ends the old one, both or neither", async () => {
      await store.keys.insert(keyRecord("key_1", { accountId: ada }))
      const replacement = keyRecord("key_2", { accountId: ada })
      expect(await store.keys.rotate("key_1", "2026-05-01T00:00:00Z", replacement)).toBe(true)
      expect((await store.keys.find("key_1"))?.expiresAt).toBe("2026-05-01T00:00:00Z")
      expect(await ids()).toEqual(["key_1", "key_2"])
      const old = await store.keys.find("key_1")
      expect([old?.replacedAt, old?.replacedBy]).toEqual([replacement.createdAt, "key_2"])
      const second = keyRecord("key_3", { accountId: ada })
      expect(await store.keys.rotate("key_1", "2026-07-01T00:00:00Z", second)).toBe(false)
      expect(await ids()).toEqual(["key_1", "key_2"])
      // The lookup value of key_1 exists, so the replacement is rolled back.
      const taken = { ...second, lookup: keyRecord("key_1").lookup }
      await expect(store.keys.rotate("key_2", "2026-07-01T00:00:00Z", taken)).rejects.toThrow()
      expect((await store.keys.find("key_2"))?.replacedAt).toBeNull()
      expect((await store.keys.find("key_1"))?.expiresAt).toBe("2026-05-01T00:00:00Z")
    })

    test("does not rotate a key that was revoked since it was read", async () => {
      await store.keys.insert(keyRecord("key_1", { accountId: ada }))
      await store.keys.revoke("key_1", "2026-05-01T00:00:00Z")
      const revoked = await store.keys.find("key_1")
      const replacement = keyRecord("key_2", { accountId: ada })
      expect(await store.keys.rotate("key_1", "2026-06-01T00:00:00Z", replacement)).toBe(false)
      expect(await store.keys.list(ada)).toEqual([revoked as never]) // it exists
    })

    test("limits the active keys of an account, also for concurrent insertions", async () => {
      const at = "2026-03-01T00:00:00Z"
      const ended = [{ revokedAt: at }, { expiresAt: at }, { expiresAt: at, replacedAt: at }]
      for (const [number, ends] of ended.entries()) {
        await store.keys.insert(keyRecord(`key_ended_${number}`, { accountId: ada, ...ends }))
      }
      const make = (number: number) =>
        store.keys.insert(keyRecord(`key_${number}`, { accountId: ada, createdAt: at }))
      for (let number = 0; number < liveKeysMax - 2; number += 1) await make(number)
      const rush = Array.from({ length: 12 }, (_, index) => 200 + index)
      // Opens the connections, so that the insertions run concurrently.
      await Promise.all(rush.map((number) => store.keys.find(`key_${number}`)))
      const last = await Promise.all(rush.map(make))
      expect(last.filter((isMade) => isMade).length).toBe(2)
      expect((await ids()).length).toBe(liveKeysMax + ended.length)
      expect(await make(300)).toBe(false)
      const other = { accountId: await accountId(store, "bob"), createdAt: at }
      expect(await store.keys.insert(keyRecord("key_bob", other))).toBe(true)
      await store.keys.revoke("key_7", at)
      expect([await make(301), await make(302)]).toEqual([true, false])
    })

    test("deletes the keys with their account", async () => {
      await store.keys.insert(keyRecord("key_1", { accountId: ada }))
      await put(store, { type: "deleted account", username: "ada" })
      expect(await store.keys.find("key_1")).toBeNull()
    })
  })
