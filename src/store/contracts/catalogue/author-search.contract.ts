import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../../../domain/store.ts"
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

export const authorSearchContract = (adapter: string, open: OpenEmpty) =>
  describe(`AuthorSearch on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bob"))
      await put(store, itemRecord("ada", 1), itemRecord("ada", 2, true), itemRecord("bob", 3))
    })
    afterEach(() => store.close())

    const search = (text: string, offset = 0, rowsMax = 10) =>
      store.authorSearch.search({ text, offset, rowsMax })
    const names = async (text: string, offset = 0, rowsMax = 10) => {
      const { authors, total } = await search(text, offset, rowsMax)
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
        id: ada,
        username: "ada",
        fullName: "",
        email: "",
        isSuspended: false,
        items: 2,
        purchases: 2,
        keys: 1,
        hasSignedIn: false,
        lastSeenAt: null,
      }
      expect(await store.authorSearch.find(ada)).toEqual(facts)
      const use = (hour: string, keyId: string) =>
        addUsage(
          store,
          [{ keyId, operation: "list_items", outcome: "ok", hour, calls: 1 }],
          [{ keyId, network: "192.0.2.0/24", lastUsedAt: hour }],
        )
      await use("2026-06-02T14:00:00Z", "key_1")
      await use("2026-06-02T15:00:00Z", "key_2")
      await store.accounts.setSuspended(ada, true)
      const used = { ...facts, isSuspended: true, lastSeenAt: "2026-06-02T15:00:00Z" }
      expect(await store.authorSearch.find(ada)).toEqual(used)
      expect((await search("ada")).authors).toEqual([used])
      await store.passwords.put(ada, "$hash")
      const at = "2026-06-03T08:00:00Z"
      const session = { id: "s", ownerId: ada, createdAt: at, lastSeenAt: at, confirmedAt: at }
      const from = { network: "192.0.2.0/24", device: "" }
      await store.sessions.insert(new Uint8Array([1]), { ...session, ...from }, "$hash")
      expect((await store.authorSearch.find(ada))?.lastSeenAt).toBe(at)
      await store.sessions.end(ada, "all")
      expect(await store.authorSearch.find(ada)).toEqual({ ...used, hasSignedIn: true })
      expect(await store.authorSearch.find(ada + 99)).toBeNull()
    })
  })
