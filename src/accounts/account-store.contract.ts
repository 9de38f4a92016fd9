import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  addOwner,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"

export const accountStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`AccountStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    test("returns null for an unknown account", async () => {
      expect(await store.accounts.findByUsername("ada")).toBeNull()
      expect(await store.accounts.find(1)).toBeNull()
    })

    test("finds an account by name and by id, with its unchanged body", async () => {
      await put(store, accountRecord("ada", '{"name":"Ada Yılmaz 🎈"}'))
      const id = await accountId(store, "ada")
      const account = { id, username: "ada", body: '{"name":"Ada Yılmaz 🎈"}', isSuspended: false }
      expect(await store.accounts.findByUsername("ada")).toEqual(account)
      expect(await store.accounts.find(id)).toEqual(account)
    })

    test("distinguishes names that differ in case or accent", async () => {
      await put(store, accountRecord("ada"), accountRecord("Ada"), accountRecord("adä"))
      expect(await store.accounts.findByUsername("ADA")).toBeNull()
      expect((await store.accounts.findByUsername("Ada"))?.body).toBe('{"username":"Ada"}')
    })

    test("lists by code point, in pages", async () => {
      await put(store, ...["çınar", "zeynep", "Ada", "ada"].map((name) => accountRecord(name)))
      const names = async (after: string) =>
        (await store.accounts.list(after, 3)).map(({ username }) => username)
      expect(await names("")).toEqual(["Ada", "ada", "zeynep"])
      expect(await names("zeynep")).toEqual(["çınar"])
      expect(await names("çınar")).toEqual([])
    })

    test("lists accounts with a password between two names", async () => {
      const names = ["ada", "bob", "cem", "Zoe"]
      await put(store, ...names.map((name) => accountRecord(name)))
      const [ada = 0, , cem = 0, zoe = 0] = await Promise.all(
        names.map((name) => accountId(store, name)),
      )
      for (const account of [ada, cem, zoe])
        await store.passwords.put(await addOwner(store, account, `owner ${account}`), "$hash")
      const owners = async (after: string, last: string) =>
        (await store.accounts.listWithPassword(after, last)).toSorted((one, other) => one - other)
      expect(await owners("", "cem")).toEqual([ada, cem, zoe])
      expect(await owners("ada", "cem")).toEqual([cem])
      expect(await owners("Zoe", "bob")).toEqual([ada])
    })
  })
