import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Store } from "../../../src/domain/store.ts"
import { accountId, accountRecord, type OpenEmpty, put } from "../store-records.ts"

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

    test("lists accounts whose names differ only in the case of ASCII letters", async () => {
      const names = ["ada", "Ada", "adä", "ada_x", "ÇINAR", "ılgaz", "%"]
      await put(store, ...names.map((name) => accountRecord(name)))
      const alike = async (name: string, limit = 10) =>
        (await store.accounts.listByUsername(name, limit)).map(({ username }) => username).sort()
      expect(await alike("ADA")).toEqual(["Ada", "ada"])
      expect((await alike("ADA", 1)).length).toBe(1)
      expect(await alike("ADÄ")).toEqual([])
      expect(await alike("AdÄ")).toEqual([])
      expect(await alike("ADä")).toEqual(["adä"])
      expect(await alike("Çinar")).toEqual(["ÇINAR"])
      expect(await alike("çinar")).toEqual([])
      expect(await alike("ILGAZ")).toEqual([])
      expect(await alike("ADA?X")).toEqual([])
      expect(await alike("")).toEqual([])
      expect(await alike("%")).toEqual(["%"])
    })

    test("lists by code point, in pages", async () => {
      await put(store, ...["çınar", "zeynep", "Ada", "ada"].map((name) => accountRecord(name)))
      const names = async (after: string) =>
        (await store.accounts.list(after, 3)).map(({ username }) => username)
      expect(await names("")).toEqual(["Ada", "ada", "zeynep"])
      expect(await names("zeynep")).toEqual(["çınar"])
      expect(await names("çınar")).toEqual([])
    })

    test("finds accounts by e-mail address, ignoring the case of ASCII letters", async () => {
      const emails = { ada: "Ada@Example.com", bob: "bob@example.com", zoe: "ada@example.com.tr" }
      for (const [name, email] of Object.entries(emails)) {
        await put(store, accountRecord(name, JSON.stringify({ email })))
      }
      const found = async (email: string) =>
        (await store.accounts.listByEmail(email, 2)).map(({ username }) => username)
      expect(await found("aDA@eXAMPLE.COM")).toEqual(["ada"])
      expect(await found("bob@example.com")).toEqual(["bob"])
      expect(await found("a_a@example.com")).toEqual([])
      expect(await found("%@example.com")).toEqual([])
      expect(await found("")).toEqual([])
    })

    test("compares other letters of an e-mail address exactly", async () => {
      await put(store, accountRecord("ada", '{"email":"ÇINAR@EXAMPLE.COM"}'))
      const found = async (email: string) => (await store.accounts.listByEmail(email, 2)).length
      expect([await found("Çinar@example.com"), await found("çinar@example.com")]).toEqual([1, 0])
      expect(await found("çınar@example.com")).toBe(0)
    })

    test("limits the accounts with the same e-mail address", async () => {
      const body = '{"email":"ada@example.com"}'
      const names = ["ada", "bob", "zoe"]
      await put(store, ...names.map((name) => accountRecord(name, body)))
      expect((await store.accounts.listByEmail("ada@example.com", 2)).length).toBe(2)
      const all = await store.accounts.listByEmail("ada@example.com", 10)
      const sorted = all.toSorted((a, b) => (a.username < b.username ? -1 : 1))
      expect(sorted).toEqual(
        await Promise.all(
          names.map(async (username) => ({
            username,
            body,
            isSuspended: false,
            id: await accountId(store, username),
          })),
        ),
      )
    })

    test("finds a changed e-mail address, and no accounts without one", async () => {
      await put(store, accountRecord("ada", '{"email":"old@example.com"}'), accountRecord("bob"))
      await put(store, accountRecord("ada", '{"email":"new@example.com"}'))
      expect(await store.accounts.listByEmail("old@example.com", 2)).toEqual([])
      expect((await store.accounts.listByEmail("new@example.com", 2)).length).toBe(1)
    })

    test("lists accounts with a password between two names", async () => {
      const names = ["ada", "bob", "cem", "Zoe"]
      await put(store, ...names.map((name) => accountRecord(name)))
      const [ada = 0, , cem = 0, zoe = 0] = await Promise.all(
        names.map((name) => accountId(store, name)),
      )
      for (const account of [ada, cem, zoe]) await store.passwords.put(account, "$hash")
      const owners = async (after: string, last: string) =>
        (await store.accounts.listWithPassword(after, last)).toSorted((one, other) => one - other)
      expect(await owners("", "cem")).toEqual([ada, cem, zoe])
      expect(await owners("ada", "cem")).toEqual([cem])
      expect(await owners("Zoe", "bob")).toEqual([ada])
    })
  })
