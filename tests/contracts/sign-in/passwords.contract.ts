import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { SignInStores, Store } from "../../../src/domain/store.ts"
import type { SignInOwners } from "../sign-in-owners.ts"
import type { OpenEmpty } from "../store-records.ts"

export const passwordStoreContract = (adapter: string, open: OpenEmpty, owners: SignInOwners) =>
  describe(`PasswordStore of ${owners.name} on ${adapter}`, () => {
    let store: Store
    let stores: SignInStores
    let ada: number
    let bob: number
    beforeEach(async () => {
      store = await open()
      stores = owners.storesOf(store)
      ada = await owners.add(store, "ada")
      bob = await owners.add(store, "bob")
    })
    afterEach(() => store.close())

    const digestOf = (id: string) => new TextEncoder().encode(`digest of ${id}`)
    const at = "2026-06-01T08:00:00Z"
    const signIn = (id: string, ownerId: number) => {
      const times = { createdAt: at, lastSeenAt: at, confirmedAt: at }
      const session = { id, ownerId, ...times, ipRange: "192.0.2.0/24", device: "" }
      return stores.sessions.insert(digestOf(id), session, "$old")
    }
    const invite = (id: string, account: number) =>
      stores.invitations.insertAll(
        [{ tokenDigest: digestOf(id), ownerId: account, expiresAt: "2026-06-08T08:00:00Z" }],
        [],
        [],
      )
    const openDoors = async (account: number) => ({
      sessions: (await stores.sessions.list(account)).map(({ id }) => id),
      invitations: await Promise.all(
        ["one", "two"].map((id) => stores.invitations.find(digestOf(`${id} ${account}`), at)),
      ),
    })

    test("returns null for an account without a password", async () => {
      await stores.passwords.put(bob, "$hash")
      expect(await stores.passwords.find(ada)).toBeNull()
    })

    test("returns the last hash", async () => {
      await stores.passwords.put(ada, "$argon2id$first")
      await stores.passwords.put(bob, "$argon2id$bob's")
      await stores.passwords.put(ada, "$argon2id$v=19$m=1,t=2,p=1$sa/lt+$ha/sh")
      expect([await stores.passwords.find(ada), await stores.passwords.find(bob)]).toEqual([
        "$argon2id$v=19$m=1,t=2,p=1$sa/lt+$ha/sh",
        "$argon2id$bob's",
      ])
    })

    test("removes the password, which ends sessions and invitations", async () => {
      for (const account of [ada, bob]) await stores.passwords.put(account, "$hash")
      await signIn("one", ada)
      await stores.passwords.put(ada, null)
      expect([await stores.passwords.find(ada), await stores.passwords.find(bob)]).toEqual([
        null,
        "$hash",
      ])
      expect(await stores.sessions.list(ada)).toEqual([])
    })

    test("sets the first password only if the account has none", async () => {
      await invite("one", ada)
      expect(await stores.passwords.replace(ada, null, "$first")).toBe(true)
      expect(await stores.invitations.find(digestOf("one"), at)).toBeNull()
      expect(await stores.passwords.replace(ada, null, "$second")).toBe(false)
      expect([await stores.passwords.find(ada), await stores.passwords.find(bob)]).toEqual([
        "$first",
        null,
      ])
    })

    test("replaces the expected hash only", async () => {
      await stores.passwords.put(ada, "$old")
      await signIn("one", ada)
      expect(await stores.passwords.replace(ada, "$older", "$new")).toBe(false)
      expect(await stores.passwords.replace(bob, "$old", "$new")).toBe(false)
      expect((await stores.sessions.list(ada)).length).toBe(1)
      expect(await stores.passwords.replace(ada, "$old", "$new")).toBe(true)
      expect(await stores.sessions.list(ada)).toEqual([])
      expect([await stores.passwords.find(ada), await stores.passwords.find(bob)]).toEqual([
        "$new",
        null,
      ])
    })

    test("only one of two concurrent replacements succeeds", async () => {
      await stores.passwords.put(ada, "$old")
      const verdicts = ["$one", "$two", "$three"].map((hash) =>
        stores.passwords.replace(ada, "$old", hash),
      )
      expect((await Promise.all(verdicts)).filter(Boolean)).toEqual([true])
    })

    test("ends the sessions and invitations of this account only", async () => {
      for (const account of [ada, bob]) {
        await stores.passwords.put(account, "$old")
        for (const id of ["one", "two"]) {
          await signIn(`${id} ${account}`, account)
          await invite(`${id} ${account}`, account)
        }
      }
      await stores.passwords.put(ada, "$hash")
      expect(await openDoors(ada)).toEqual({ sessions: [], invitations: [null, null] })
      expect(await openDoors(bob)).toEqual({
        sessions: [`one ${bob}`, `two ${bob}`],
        invitations: [bob, bob],
      })
    })

    test("stores no password for a missing account", async () => {
      const nobody = ada + bob + 1
      await expect(stores.passwords.put(nobody, "$hash")).rejects.toThrow()
      expect(await stores.passwords.find(nobody)).toBeNull()
    })

    test("deletes the password with its account", async () => {
      await stores.passwords.put(ada, "$hash")
      await owners.remove(store, "ada")
      expect(await stores.passwords.find(ada)).toBeNull()
    })
  })
