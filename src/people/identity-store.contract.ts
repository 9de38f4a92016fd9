import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  addPerson,
  invitationFor,
  type OpenEmpty,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"

export const identityStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`IdentityStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      store = await open()
      ada = await addPerson(store, "ada")
      bob = await addPerson(store, "bob")
    })
    afterEach(() => store.close())

    const issuer = "https://id.example.com"
    const identity = (subject: string) => ({ issuer, subject })
    const { connect, disconnect, find, list } = {
      connect: (subject: string, person: number) =>
        store.identities.connect(identity(subject), person),
      disconnect: (subject: string, person: number) =>
        store.identities.disconnect(identity(subject), person),
      find: (subject: string) => store.identities.find(identity(subject)),
      list: async (person: number) =>
        (await store.identities.list(person)).map(({ subject }) => subject),
    }

    test("an identity is that of one person, exactly as the provider writes it", async () => {
      expect(await connect("1", ada)).toBe(true)
      expect(await connect("1", ada)).toBe(true)
      expect(await connect("1", bob)).toBe(false)
      expect(await connect("A", ada)).toBe(true)
      expect(await connect("a", bob)).toBe(true)
      expect(await Promise.all(["1", "A", "a", "2"].map(find))).toEqual([ada, ada, bob, null])
      expect(await store.identities.list(ada)).toEqual([identity("1"), identity("A")])
      expect(await store.identities.find({ issuer: `${issuer}/`, subject: "1" })).toBeNull()
    })

    test("one of two people who connect it at the same time gets it", async () => {
      const connected = await Promise.all([ada, bob].map((person) => connect("1", person)))
      expect(connected.toSorted()).toEqual([false, true])
    })

    test("the last way to sign in is not removed", async () => {
      await connect("1", ada)
      await connect("2", ada)
      expect(await disconnect("1", bob)).toBe(false)
      expect(await disconnect("1", ada)).toBe(true)
      expect(await disconnect("2", ada)).toBe(false)
      expect(await list(ada)).toEqual(["2"])
      await store.passwords.put(ada, "$hash")
      expect(await disconnect("2", ada)).toBe(true)
      expect(await list(ada)).toEqual([])
      expect(await disconnect("2", ada)).toBe(false)
    })

    test("all of a person can be removed", async () => {
      for (const subject of ["1", "2"]) await connect(subject, ada)
      await connect("3", bob)
      expect(await store.identities.disconnectAll(ada)).toBe(true)
      expect(await store.identities.disconnectAll(ada)).toBe(false)
      expect([await list(ada), await list(bob)]).toEqual([[], ["3"]])
    })

    test("a passkey is a way to sign in", async () => {
      await connect("1", ada)
      const times = { createdAt: "2026-06-01T08:00:00Z", lastUsedAt: null }
      const key = { publicKey: new Uint8Array([1]), algorithm: -7, counter: 0, name: "Phone" }
      await store.passkeys.insert({ id: "bob's", personId: bob, ...key, ...times })
      expect(await disconnect("1", ada)).toBe(false)
      await store.passkeys.insert({ id: "ada's", personId: ada, ...key, ...times })
      expect(await disconnect("1", ada)).toBe(true)
    })

    test("it is deleted with its person", async () => {
      await connect("1", ada)
      await store.people.remove(ada)
      expect(await find("1")).toBeNull()
      expect(await connect("1", ada)).toBe(false)
      expect(await connect("1", bob)).toBe(true)
    })

    describe("an invitation", () => {
      const at = "2026-06-01T08:00:00Z"
      const digest = new TextEncoder().encode("digest")
      const accept = (subject: string) =>
        store.invitations.accept(digest, at, { name: "cem", identity: identity(subject) })

      test("connects it to a new person, once", async () => {
        await store.invitations.insertAll([invitationFor(digest, null)], [], [])
        const id = await accept("1")
        expect(await store.people.findByName("cem")).toMatchObject({ id })
        expect(await find("1")).toBe(Number(id))
        expect(await accept("2")).toBeNull()
      })

      test("connects it to its person, whose password and sessions stay", async () => {
        await store.passwords.put(ada, "$hash")
        await store.invitations.insertAll([invitationFor(digest, ada)], [], [])
        expect(await accept("1")).toBe(ada)
        expect([await find("1"), await store.passwords.find(ada)]).toEqual([ada, "$hash"])
      })

      test("changes nothing if somebody has it", async () => {
        await connect("1", bob)
        await store.invitations.insertAll([invitationFor(digest, null)], [], [])
        await expect(accept("1")).rejects.toThrow()
        expect(await store.people.findByName("cem")).toBeNull()
        expect(await store.invitations.find(digest, at)).not.toBeNull()
      })
    })
  })
