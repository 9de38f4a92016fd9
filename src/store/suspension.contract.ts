import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  keyRecord,
  type OpenEmpty,
  put,
} from "../../tests/harness/store-records.ts"
import type { Store } from "../domain/store.ts"

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

    /** The state of the account by every way to find it. */
    async function readStates(): Promise<readonly (boolean | undefined)[]> {
      const { accounts, feed } = store
      const snapshot = await feed.openSnapshot()
      const exported = (await Array.fromAsync(snapshot.readAccounts())).flat()
      await snapshot.close()
      const found = [
        await accounts.find(ada),
        await accounts.findByUsername("ada"),
        ...(await accounts.listByEmail("ada@example.com", 2)),
        ...(await accounts.list("", 1)),
        exported[0],
      ]
      return found.map((account) => account?.isSuspended)
    }
    const all = (isSuspended: boolean) => Array(5).fill(isSuspended)

    const suspend = {
      "by command": (isSuspended: boolean) => store.accounts.setSuspended(ada, isSuspended),
      "by feed": async (isSuspended: boolean) => {
        expect(await put(store, accountRecord("ada", body, isSuspended))).toEqual([null])
      },
    }
    const ways = Object.entries(suspend)

    test("an account record that does not say leaves it as it is", async () => {
      for (const isSuspended of [true, false]) {
        await store.accounts.setSuspended(ada, isSuspended)
        expect(await put(store, accountRecord("ada", `{"at":"${isSuspended}"}`, null))).toEqual([
          null,
        ])
        expect(await store.accounts.find(ada)).toMatchObject({
          isSuspended,
          body: `{"at":"${isSuspended}"}`,
        })
      }
    })

    test.each(ways)("%s is seen wherever the account is, and can be taken back", async (_, set) => {
      expect(await readStates()).toEqual(all(false))
      await set(true)
      expect(await readStates()).toEqual(all(true))
      expect((await store.accounts.findByUsername("bob"))?.isSuspended).toBe(false)
      await set(false)
      expect(await readStates()).toEqual(all(false))
    })

    test.each(ways)(
      "%s is found with every key of the account, and with no other",
      async (_, set) => {
        const bob = await accountId(store, "bob")
        const keys = [
          keyRecord("key_1", { accountId: ada }),
          keyRecord("key_2", { accountId: ada, kind: "tk" }),
          keyRecord("key_3", { accountId: bob, username: "bob" }),
        ]
        for (const key of keys) await store.keys.insert(key)
        const found = () =>
          Promise.all(
            keys.map(
              async ({ lookup }) => (await store.keys.findByLookup(lookup))?.isAccountSuspended,
            ),
          )
        await set(true)
        expect(await found()).toEqual([true, true, false])
        await set(false)
        expect(await found()).toEqual([false, false, false])
      },
    )

    test.each(ways)("%s ends the account's sessions, and no other's", async (_, set) => {
      const bob = await accountId(store, "bob")
      const at = "2026-06-01T08:00:00Z"
      for (const account of [ada, bob]) {
        await store.passwords.put(account, "$hash")
        const facts = { createdAt: at, lastSeenAt: at, confirmedAt: at, network: "n", device: "d" }
        const session = { id: `of ${account}`, ownerId: account, ...facts }
        const digest = new TextEncoder().encode(session.id)
        expect(await store.sessions.insert(digest, session, "$hash")).toBe(true)
      }
      await set(true)
      await set(false)
      const left = [await store.sessions.list(ada), await store.sessions.list(bob)]
      expect(left.map(({ length }) => length)).toEqual([0, 1])
      expect(await store.passwords.find(ada)).toBe("$hash")
    })

    test("comes with a new account, too", async () => {
      await put(store, accountRecord("cem", "{}", true))
      expect((await store.accounts.findByUsername("cem"))?.isSuspended).toBe(true)
    })
  })
