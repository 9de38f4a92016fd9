import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  keyRecord,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"

export const suspensionContract = (adapter: string, open: OpenEmpty) =>
  describe(`A suspension on ${adapter}`, () => {
    const body = '{"email":"ada@example.com"}'
    let store: Store
    let ada: number
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada", body), accountRecord("bob"))
      ada = await accountId(store, "ada")
    })
    afterEach(() => store.close())

    /** Returns the state of the account from every lookup. */
    async function readStates(): Promise<readonly (boolean | undefined)[]> {
      const { accounts } = store
      return [
        await accounts.find(ada),
        await accounts.findByUsername("ada"),
        ...(await accounts.list("", 1)),
      ].map((account) => account?.isSuspended)
    }
    const all = (isSuspended: boolean) => Array(3).fill(isSuspended)

    const suspend = {
      "by command": (isSuspended: boolean) =>
        store.accounts.setSuspended(ada, isSuspended, new Date()),
      "by feed": async (isSuspended: boolean) => {
        expect(await put(store, accountRecord("ada", body, isSuspended))).toEqual([null])
      },
    }
    const ways = Object.entries(suspend)

    test("an account record without the field does not change the state", async () => {
      for (const isSuspended of [true, false]) {
        await store.accounts.setSuspended(ada, isSuspended, new Date())
        expect(await put(store, accountRecord("ada", `{"at":"${isSuspended}"}`, null))).toEqual([
          null,
        ])
        expect(await store.accounts.find(ada)).toMatchObject({
          isSuspended,
          body: `{"at":"${isSuspended}"}`,
        })
      }
    })

    test.each(ways)(
      "%s is visible in every lookup of the account, and can be ended",
      async (_, set) => {
        expect(await readStates()).toEqual(all(false))
        await set(true)
        expect(await readStates()).toEqual(all(true))
        expect((await store.accounts.findByUsername("bob"))?.isSuspended).toBe(false)
        await set(false)
        expect(await readStates()).toEqual(all(false))
      },
    )

    test.each(ways)("%s is found with every key of the account only", async (_, set) => {
      const bob = await accountId(store, "bob")
      const keys = [
        keyRecord("key_1", { accountId: ada }),
        keyRecord("key_2", { accountId: ada, kind: "tk" }),
        keyRecord("key_3", { accountId: bob, username: "bob" }),
      ]
      for (const key of keys) await store.keys.insert(key)
      const found = () =>
        Promise.all(
          keys.map(async ({ lookup }) => (await store.keys.findByLookup(lookup))?.isSuspended),
        )
      await set(true)
      expect(await found()).toEqual([true, true, false])
      await set(false)
      expect(await found()).toEqual([false, false, false])
    })

    describe("of an operator", () => {
      const look = async () => ({
        isSuspended: (await store.accounts.findByUsername("ada"))?.isSuspended,
        ...(await store.accounts.findSuspension(await accountId(store, "ada"))),
      })
      const held = { isSuspended: true, isByFeed: false, isByOperator: true }

      test("is independent of the feed, whose state is shown too", async () => {
        await store.accounts.setSuspended(ada, true, new Date())
        expect(await look()).toEqual(held)
        const renamed = `${body.slice(0, -1)},"name":"Ada"}`
        for (const isSuspended of [false, true, null, false]) {
          await put(store, accountRecord("ada", renamed, isSuspended))
          expect(await look()).toEqual({ ...held, isByFeed: isSuspended ?? true })
        }
        expect((await store.accounts.findByUsername("ada"))?.body).toBe(renamed)
      })

      test("writes an audit event when the feed changes its state, and only then", async () => {
        await put(store, accountRecord("ada", body, true))
        await store.accounts.setSuspended(ada, true, new Date())
        for (const isSuspended of [true, false, null, false]) {
          await put(
            store,
            accountRecord("ada", body, isSuspended),
            accountRecord("bob", "{}", true),
          )
        }
        const was = "ada"
        const account = { username: "ada-yilmaz", isSuspended: true, body }
        await put(store, { type: "account", account, key: null, was })
        const word = (username: string, isByFeed: boolean) => ({
          actor: { kind: "feed", name: "test", ipRange: "" },
          kind: "account",
          action: "feed_word",
          account: { id: ada, username },
          subjectId: username,
          isByFeed,
        })
        const events = await store.audit.list({ accountId: null, kind: null }, null, 10)
        expect(events).toMatchObject([word("ada-yilmaz", true), word("ada", false)])
      })

      test("is kept when the account is renamed", async () => {
        await store.accounts.setSuspended(ada, true, new Date())
        const was = "ada"
        const account = { username: "ada-yilmaz", isSuspended: false, body }
        await put(store, { type: "account", account, key: null, was })
        expect((await store.accounts.findByUsername("ada-yilmaz"))?.isSuspended).toBe(true)
        await put(store, accountRecord("ada"))
        expect((await look()).isSuspended).toBe(false)
      })

      test("is restored with a deleted account", async () => {
        await store.accounts.setSuspended(ada, true, new Date())
        const writer = await store.feed.openBatches({ source: "full", via: "file" })
        await writer.removeOlder(new Date(), Date.now() + 1)
        expect(await store.accounts.findByUsername("ada")).toBeNull()
        await store.feed.deleteOldTombstones(Date.now() + 1_000, 100)
        await put(store, accountRecord("ada"), accountRecord("bob"))
        expect(await look()).toEqual(held)
        expect((await store.accounts.findByUsername("bob"))?.isSuspended).toBe(false)
      })

      test("after it is ended, the next state of the feed applies", async () => {
        await put(store, accountRecord("ada", body, true))
        await store.accounts.setSuspended(ada, true, new Date())
        await store.accounts.setSuspended(ada, false, new Date())
        expect(await look()).toEqual({ isSuspended: false, isByFeed: false, isByOperator: false })
        await put(store, accountRecord("ada", body, true))
        expect(await look()).toEqual({ isSuspended: true, isByFeed: true, isByOperator: false })
      })
    })

    test("can be part of a new account", async () => {
      await put(store, accountRecord("cem", "{}", true))
      expect((await store.accounts.findByUsername("cem"))?.isSuspended).toBe(true)
    })
  })
