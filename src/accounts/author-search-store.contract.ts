import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  addOwner,
  addUsage,
  invitationFor,
  itemRecord,
  keyRecord,
  type OpenEmpty,
  purchaseRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Reason } from "../platform/error.ts"
import type { Store } from "../store/store.ts"
import type { AuthorSort } from "./account.ts"

export const authorSearchContract = (adapter: string, open: OpenEmpty) =>
  describe(`AuthorSearch on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bob"))
      await put(store, itemRecord("ada", 1), itemRecord("ada", 2, true), itemRecord("bob", 3))
    })
    afterEach(() => store.close())

    const at = "2026-06-30T12:00:00Z"
    const search = (text: string, offset = 0, rowsMax = 10, sort: AuthorSort = "name") =>
      store.authorSearch.search({
        ...{ text, sort, at, offset, rowsMax },
        isDescending: sort !== "name",
      })
    const find = (id: number) => store.authorSearch.find(id, at)
    const names = async (text: string, offset = 0, rowsMax = 10) => {
      const { authors, total } = await search(text, offset, rowsMax)
      return [total, ...authors.map(({ username }) => username)]
    }

    /** Signs the author in. */
    async function see(accountId: number, at: string): Promise<void> {
      const personId = await addOwner(store, accountId, `owner ${accountId}`)
      await store.passwords.put(personId, "$hash")
      const session = {
        id: "s",
        personId,
        createdAt: at,
        lastSeenAt: at,
        confirmedAt: at,
        ipRange: "192.0.2.0/24",
        device: "",
        isByPasskey: false,
      }
      await store.sessions.insert(new Uint8Array([1]), session, "$hash")
    }

    test("finds authors by name, e-mail address or username, ignoring case and accents", async () => {
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

    test("returns counts and last seen of each author", async () => {
      await put(store, purchaseRecord("abc", 1), purchaseRecord("abd", 2), purchaseRecord("x", 3))
      const ada = await accountId(store, "ada")
      for (const id of ["key_1", "key_2"]) {
        await store.keys.insert(keyRecord(id, { accountId: ada }))
      }
      await store.keys.revoke("key_2", "2026-06-01T08:00:00Z")
      await store.keys.insert(keyRecord("key_3", { accountId: ada, expiresAt: at }))
      const facts = {
        id: ada,
        username: "ada",
        fullName: "",
        email: "",
        isSuspended: false,
        items: 2,
        purchases: 2,
        keys: 1,
        calls: 0,
        hasPassword: false,
        isInvited: false,
        lastSeenAt: null,
      }
      expect(await find(ada)).toEqual(facts)
      const invite = (id: string, expiresAt: string) =>
        store.invitations.insertAll(
          [invitationFor(new TextEncoder().encode(id), null, { accountId: ada, expiresAt })],
          [],
          [],
        )
      await invite("over", at)
      expect(await find(ada)).toEqual(facts)
      await invite("open", "2026-07-01T12:00:00Z")
      expect(await find(ada)).toEqual({ ...facts, isInvited: true })
      const use = (lastUsedAt: string, keyId: string) =>
        addUsage(store, { lastUses: [{ keyId, lastUsedAt }] })
      await use("2026-06-02T14:00:00Z", "key_1")
      await use("2026-06-02T15:00:00Z", "key_2")
      await store.accounts.setSuspended(ada, true, new Date())
      const used = {
        ...facts,
        isInvited: true,
        isSuspended: true,
        lastSeenAt: "2026-06-02T15:00:00Z",
      }
      expect(await find(ada)).toEqual(used)
      expect((await search("ada")).authors).toEqual([used])
      const then = "2026-06-03T08:00:00Z"
      await see(ada, then)
      expect((await find(ada))?.lastSeenAt).toBe(then)
      await store.sessions.end(ada, "all")
      expect(await find(ada)).toEqual({ ...used, hasPassword: true })
      expect(await find(ada + 99)).toBeNull()
    })

    test("sorts by calls and last use, equal ones by username", async () => {
      // The order differs from the order of names.
      for (const name of ["dia", "cem", "abe"]) await put(store, accountRecord(name))
      const [ada, bob] = [await accountId(store, "ada"), await accountId(store, "bob")]
      await store.keys.insert(keyRecord("key_a", { accountId: ada }))
      await store.keys.insert(keyRecord("key_t", { accountId: ada, kind: "tk" }))
      await store.keys.insert(keyRecord("key_b", { accountId: bob }))
      const call = (keyId: string, outcome: Reason, calls: number, day: string) =>
        ({ keyId, day, operation: "validate_purchase", outcome, calls }) as const
      await addUsage(store, {
        calls: [
          call("key_a", "ok", 5, "2026-06-24"),
          call("key_a", "unknown_code", 4, "2026-06-29"),
          call("key_t", "invalid_parameter", 90, "2026-06-29"),
          call("key_b", "ok", 90, "2026-06-23"),
          call("key_b", "invalid_parameter", 6, "2026-06-30"),
        ],
        lastUses: [
          { keyId: "key_a", lastUsedAt: "2026-06-29T10:00:00Z" },
          { keyId: "key_b", lastUsedAt: "2026-06-30T11:00:00Z" },
        ],
      })
      await see(await accountId(store, "dia"), "2026-06-30T11:30:00Z")
      const sorted = async (sort: AuthorSort, text = "") =>
        (await search(text, 0, 10, sort)).authors.map(({ username, calls }) => [username, calls])
      const [adas, bobs] = [
        ["ada", 9],
        ["bob", 6],
      ]
      const [abes, cems, dias] = [
        ["abe", 0],
        ["cem", 0],
        ["dia", 0],
      ]
      expect(await sorted("calls")).toEqual([adas, bobs, abes, cems, dias])
      expect(await sorted("calls", "a")).toEqual([adas, abes, dias])
      expect(await sorted("seen")).toEqual([dias, bobs, adas, abes, cems])
      expect(await sorted("seen", "a")).toEqual([dias, adas, abes])
    })

    test("counts the purchases of each author", async () => {
      const sales = async () =>
        Object.fromEntries(
          (await search("")).authors.map(({ username, purchases }) => [username, purchases]),
        )
      await put(store, purchaseRecord("a", 1), purchaseRecord("b", 2), purchaseRecord("c", 3))
      expect(await sales()).toEqual({ ada: 2, bob: 1 })
    })
  })
