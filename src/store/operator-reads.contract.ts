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
import type { Store } from "../domain/store.ts"

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
        ...{ accounts: 2, items: 3, purchases: 2, keys: 1 },
      })
    })

    test("finds any author's item, hidden or not, and how many were sold", async () => {
      await put(store, purchaseRecord("abc", 2), purchaseRecord("abd", 2, true))
      const ada = await accountId(store, "ada")
      await store.accounts.setSuspended(ada, true)
      expect(await store.operatorReads.findItem(2)).toEqual({
        ...{ id: 2, accountId: ada, author: "ada", isAuthorSuspended: true },
        ...{ isHidden: true, body: '{"id":2}', purchases: 2 },
      })
      expect(await store.operatorReads.findItem(3)).toMatchObject({
        ...{ author: "bob", isAuthorSuspended: false, isHidden: false, purchases: 0 },
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
          ...{ code: "k-1", accountId: await accountId(store, "ada"), author: "ada", itemId: 1 },
          ...{
            isAuthorSuspended: false,
            isRevoked: true,
            buyer: "İpek",
            body: '{"code":"k-1","item":{"id":1}}',
          },
        },
        {
          ...{ code: "K-1", accountId: await accountId(store, "bob"), author: "bob", itemId: 3 },
          ...{
            isAuthorSuspended: true,
            isRevoked: false,
            buyer: null,
            body: '{"code":"K-1","item":{"id":3}}',
          },
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
          ...{ keyId: id, network: `192.0.${at}.0/24` },
          lastUsedAt: id === "key_4" && at === 0 ? "2026-06-23T11:59:59Z" : now,
        }))
        await store.usage.add([], sightings)
      }
      const list = (limit: number) => store.operatorReads.listWidelyUsed(weekAgo, 2, limit)
      const key = { username: "ada", name: "Anahtar", expiresAt: null, replacedAt: null }
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
        ...{ keyId, day, itemId, calls },
      })
      const items = [
        ...[calls("key_1", "2026-06-28", 2), calls("key_2", "2026-06-29", 3)],
        ...[calls("key_1", "2026-05-31", 100), calls("key_1", "2026-06-30", 100, 2)],
        calls("key_bob", "2026-06-30", 100),
      ]
      await store.usage.add([], [], { networks: [], items })
      const read = (id: number) => store.operatorReads.readItemCalls({ id, accountId: ada }, at)
      expect(await read(1)).toEqual({ lastDay: "2026-06-29", calls: 5 })
      expect(await read(3)).toEqual({ lastDay: null, calls: 0 })
    })

    const search = (text: string, offset = 0, limit = 10) =>
      store.operatorReads.searchAuthors({ text, offset, limit })
    const names = async (text: string, offset = 0, limit = 10) => {
      const { authors, total } = await search(text, offset, limit)
      return [total, ...authors.map(({ username }) => username)]
    }

    test("finds authors by name, e-mail address or username, however they are typed", async () => {
      const body = (full_name: string, email: string) =>
        JSON.stringify({ name: { full_name }, email })
      await put(store, accountRecord("çınar", body("Işıl Çınar", "isil@kilim.example")))
      await put(store, accountRecord("dora", body("Dóra Nagy", "Nagy.D@Example.com")))
      expect(await names("")).toEqual([4, "ada", "bob", "dora", "çınar"])
      expect(await names("ISIL")).toEqual([1, "çınar"])
      expect(await names("cinar")).toEqual([1, "çınar"])
      expect(await names("nagy.d@EXAMPLE")).toEqual([1, "dora"])
      expect(await names("dora nagy")).toEqual([1, "dora"])
      expect(await names("DO")).toEqual([1, "dora"])
      expect(await names("%")).toEqual([0])
      expect(await names("", 1, 2)).toEqual([4, "bob", "dora"])
      expect(await names("a", 1, 1)).toEqual([3, "dora"])
    })

    test("tells of each what is theirs and when they were last seen", async () => {
      await put(store, purchaseRecord("abc", 1), purchaseRecord("abd", 2), purchaseRecord("x", 3))
      const ada = await accountId(store, "ada")
      for (const id of ["key_1", "key_2"]) {
        await store.keys.insert(keyRecord(id, { accountId: ada }))
      }
      await store.keys.revoke("key_2", "2026-06-01T08:00:00Z")
      const facts = {
        ...{ id: ada, username: "ada", fullName: "", email: "", isSuspended: false },
        ...{ items: 2, purchases: 2, keys: 1, lastSeenAt: null },
      }
      expect(await store.operatorReads.findAuthor(ada)).toEqual(facts)
      const use = (hour: string, keyId: string) =>
        store.usage.add(
          [{ keyId, operation: "list_items", outcome: "ok", hour, calls: 1 }],
          [{ keyId, network: "192.0.2.0/24", lastUsedAt: hour }],
        )
      await use("2026-06-02T14:00:00Z", "key_1")
      await use("2026-06-02T15:00:00Z", "key_2")
      await store.accounts.setSuspended(ada, true)
      const used = { ...facts, isSuspended: true, lastSeenAt: "2026-06-02T15:00:00Z" }
      expect(await store.operatorReads.findAuthor(ada)).toEqual(used)
      expect((await search("ada")).authors).toEqual([used])
      await store.passwords.put(ada, "$hash")
      const at = "2026-06-03T08:00:00Z"
      const session = { id: "s", ownerId: ada, createdAt: at, lastSeenAt: at, confirmedAt: at }
      const from = { network: "192.0.2.0/24", device: "" }
      await store.sessions.insert(new Uint8Array([1]), { ...session, ...from }, "$hash")
      expect((await store.operatorReads.findAuthor(ada))?.lastSeenAt).toBe(at)
      expect(await store.operatorReads.findAuthor(ada + 99)).toBeNull()
    })
  })
