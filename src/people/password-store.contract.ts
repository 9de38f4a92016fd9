import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  addPerson,
  invitationFor,
  type OpenEmpty,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"

export const passwordStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`PasswordStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      store = await open()
      ada = await addPerson(store, "ada")
      bob = await addPerson(store, "bob")
    })
    afterEach(() => store.close())

    const digestOf = (id: string) => new TextEncoder().encode(`digest of ${id}`)
    const at = "2026-06-01T08:00:00Z"
    const signIn = (id: string, personId: number) => {
      const times = { createdAt: at, lastSeenAt: at, confirmedAt: at }
      const session = {
        id,
        personId,
        ...times,
        ipRange: "192.0.2.0/24",
        device: "",
        isByPasskey: false,
      }
      return store.sessions.insert(digestOf(id), session, "$old")
    }
    const invite = (id: string, account: number) =>
      store.invitations.insertAll([invitationFor(digestOf(id), account)], [], [])
    const openDoors = async (account: number) => ({
      sessions: (await store.sessions.list(account)).map(({ id }) => id),
      invitations: await Promise.all(
        ["one", "two"].map(
          async (id) =>
            (await store.invitations.find(digestOf(`${id} ${account}`), at))?.personId ?? null,
        ),
      ),
    })

    test("returns null for an account without a password", async () => {
      await store.passwords.put(bob, "$hash")
      expect(await store.passwords.find(ada)).toBeNull()
    })

    test("returns the last hash", async () => {
      await store.passwords.put(ada, "$argon2id$first")
      await store.passwords.put(bob, "$argon2id$bob's")
      await store.passwords.put(ada, "$argon2id$v=19$m=1,t=2,p=1$sa/lt+$ha/sh")
      expect([await store.passwords.find(ada), await store.passwords.find(bob)]).toEqual([
        "$argon2id$v=19$m=1,t=2,p=1$sa/lt+$ha/sh",
        "$argon2id$bob's",
      ])
    })

    test("removes the password, which ends sessions and invitations", async () => {
      for (const account of [ada, bob]) await store.passwords.put(account, "$hash")
      await signIn("one", ada)
      await store.passwords.put(ada, null)
      expect([await store.passwords.find(ada), await store.passwords.find(bob)]).toEqual([
        null,
        "$hash",
      ])
      expect(await store.sessions.list(ada)).toEqual([])
    })

    test("sets the first password only if the account has none", async () => {
      await invite("one", ada)
      expect(await store.passwords.replace(ada, null, "$first")).toBe(true)
      expect(await store.invitations.find(digestOf("one"), at)).toBeNull()
      expect(await store.passwords.replace(ada, null, "$second")).toBe(false)
      expect([await store.passwords.find(ada), await store.passwords.find(bob)]).toEqual([
        "$first",
        null,
      ])
    })

    test("replaces the expected hash only", async () => {
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

    test("only one of two concurrent replacements succeeds", async () => {
      await store.passwords.put(ada, "$old")
      const verdicts = ["$one", "$two", "$three"].map((hash) =>
        store.passwords.replace(ada, "$old", hash),
      )
      expect((await Promise.all(verdicts)).filter(Boolean)).toEqual([true])
    })

    test("ends the sessions and invitations of this account only", async () => {
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

    test("stores no password for a missing person", async () => {
      const nobody = ada + bob + 1
      await store.passwords.put(nobody, "$hash")
      expect(await store.passwords.replace(nobody, null, "$hash")).toBe(false)
      expect(await store.passwords.find(nobody)).toBeNull()
    })

    test("deletes the password with its account", async () => {
      await store.passwords.put(ada, "$hash")
      await store.people.remove(ada)
      expect(await store.passwords.find(ada)).toBeNull()
    })
  })
