import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { accountId, accountRecord, type OpenEmpty, put } from "../../tests/harness/store-records.ts"
import type { Store } from "../domain/store.ts"

export const accountStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`AccountStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    test("answers null for an account nobody has", async () => {
      expect(await store.accounts.findByUsername("ada")).toBeNull()
      expect(await store.accounts.find(1)).toBeNull()
    })

    test("finds an account by name and by id, with its text as it was put", async () => {
      await put(store, accountRecord("ada", '{"name":"Ada Yılmaz 🎈"}'))
      const id = await accountId(store, "ada")
      const account = { id, username: "ada", body: '{"name":"Ada Yılmaz 🎈"}' }
      expect(await store.accounts.findByUsername("ada")).toEqual(account)
      expect(await store.accounts.find(id)).toEqual(account)
    })

    test("tells names apart that differ in case or accent", async () => {
      await put(store, accountRecord("ada"), accountRecord("Ada"), accountRecord("adä"))
      expect(await store.accounts.findByUsername("ADA")).toBeNull()
      expect((await store.accounts.findByUsername("Ada"))?.body).toBe('{"username":"Ada"}')
    })

    test("lists by code point, page by page", async () => {
      await put(store, ...["çınar", "zeynep", "Ada", "ada"].map((name) => accountRecord(name)))
      const names = async (after: string) =>
        (await store.accounts.list(after, 3)).map(({ username }) => username)
      expect(await names("")).toEqual(["Ada", "ada", "zeynep"])
      expect(await names("zeynep")).toEqual(["çınar"])
      expect(await names("çınar")).toEqual([])
    })
  })
