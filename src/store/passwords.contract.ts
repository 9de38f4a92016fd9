import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { accountId, accountRecord, type OpenEmpty, put } from "../../tests/harness/store-records.ts"
import type { Store } from "../domain/store.ts"

export const passwordStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`PasswordStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bob"))
      ada = await accountId(store, "ada")
      bob = await accountId(store, "bob")
    })
    afterEach(() => store.close())

    const digestOf = (id: string) => new TextEncoder().encode(`digest of ${id}`)
    const at = "2026-06-01T08:00:00Z"
    const signIn = (id: string, accountId: number) => {
      const moments = { createdAt: at, lastSeenAt: at, confirmedAt: at }
      const session = { id, accountId, ...moments, network: "192.0.2.0/24", device: "" }
      return store.sessions.insert(digestOf(id), session, "$old")
    }
    const invite = (id: string, account: number) =>
      store.invitations.insert(digestOf(id), account, "2026-06-08T08:00:00Z")
    const openDoors = async (account: number) => ({
      sessions: (await store.sessions.list(account)).map(({ id }) => id),
      invitations: await Promise.all(
        ["one", "two"].map((id) => store.invitations.find(digestOf(`${id} ${account}`), at)),
      ),
    })

    test("answers null for an account without a password", async () => {
      await store.passwords.put(bob, "$hash")
      expect(await store.passwords.find(ada)).toBeNull()
    })

    test("lists who has a password, after one name and up to another", async () => {
      await put(store, accountRecord("cem"), accountRecord("Zoe"))
      const [cem, zoe] = [await accountId(store, "cem"), await accountId(store, "Zoe")]
      for (const account of [ada, cem, zoe]) await store.passwords.put(account, "$hash")
      const owners = async (after: string, last: string) =>
        (await store.passwords.listOwners(after, last)).toSorted((one, other) => one - other)
      expect(await owners("", "cem")).toEqual([ada, cem, zoe])
      expect(await owners("ada", "cem")).toEqual([cem])
      expect(await owners("Zoe", "bob")).toEqual([ada])
    })

    test("keeps the hash as it is, and the newest", async () => {
      await store.passwords.put(ada, "$argon2id$first")
      await store.passwords.put(bob, "$argon2id$bob's")
      await store.passwords.put(ada, "$argon2id$v=19$m=1,t=2,p=1$sa/lt+$ha/sh")
      expect([await store.passwords.find(ada), await store.passwords.find(bob)]).toEqual([
        "$argon2id$v=19$m=1,t=2,p=1$sa/lt+$ha/sh",
        "$argon2id$bob's",
      ])
    })

    test("sets the first password, and only the first, where none is known", async () => {
      await invite("one", ada)
      expect(await store.passwords.replace(ada, null, "$first")).toBe(true)
      expect(await store.invitations.find(digestOf("one"), at)).toBeNull()
      expect(await store.passwords.replace(ada, null, "$second")).toBe(false)
      expect([await store.passwords.find(ada), await store.passwords.find(bob)]).toEqual([
        "$first",
        null,
      ])
    })

    test("replaces the hash that is known, as putting it does, and no other", async () => {
      await store.passwords.put(ada, "$old")
      await signIn("one", ada)
      expect(await store.passwords.replace(ada, "$older", "$new")).toBe(false)
      expect(await store.passwords.replace(bob, "$old", "$new")).toBe(false)
      expect((await store.sessions.list(ada)).length).toBe(1)
      expect(await store.passwords.replace(ada, "$old", "$new")).toBe(true)
      expect(await store.sessions.list(ada)).toEqual([])
      expect([await store.passwords.find(ada), await store.passwords.find(bob)]).toEqual([
        "$new",
        null,
      ])
    })

    test("of two who replace the same hash at once one is too late", async () => {
      await store.passwords.put(ada, "$old")
      const verdicts = ["$one", "$two", "$three"].map((hash) =>
        store.passwords.replace(ada, "$old", hash),
      )
      expect((await Promise.all(verdicts)).filter(Boolean)).toEqual([true])
    })

    test("ends every session and invitation of the account, and of no other", async () => {
      for (const account of [ada, bob]) {
        await store.passwords.put(account, "$old")
        for (const id of ["one", "two"]) {
          await signIn(`${id} ${account}`, account)
          await invite(`${id} ${account}`, account)
        }
      }
      await store.passwords.put(ada, "$hash")
      expect(await openDoors(ada)).toEqual({ sessions: [], invitations: [null, null] })
      expect(await openDoors(bob)).toEqual({
        sessions: [`one ${bob}`, `two ${bob}`],
        invitations: [bob, bob],
      })
    })

    test("keeps no password for an account that is not there", async () => {
      const nobody = ada + bob + 1
      await expect(store.passwords.put(nobody, "$hash")).rejects.toThrow()
      expect(await store.passwords.find(nobody)).toBeNull()
    })

    test("loses the password with its account", async () => {
      await store.passwords.put(ada, "$hash")
      await put(store, { type: "deleted account", username: "ada" })
      expect(await store.passwords.find(ada)).toBeNull()
    })
  })
