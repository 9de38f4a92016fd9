import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { SignInStores, Store } from "../../../src/domain/store.ts"
import type { SignInOwners } from "../sign-in-owners.ts"
import type { OpenEmpty } from "../store-records.ts"

export const invitationStoreContract = (adapter: string, open: OpenEmpty, owners: SignInOwners) =>
  describe(`InvitationStore of ${owners.name} on ${adapter}`, () => {
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
    const find = (id: string, at = "2026-06-01T08:00:00Z") =>
      stores.invitations.find(digestOf(id), at)
    const invitation = (id: string, ownerId: number, expiresAt = "2026-06-08T08:00:00Z") => ({
      tokenDigest: digestOf(id),
      ownerId,
      expiresAt,
    })
    const insert = (id: string, account: number) =>
      stores.invitations.insertAll([invitation(id, account)], [], [])

    test("finds the owner of each invitation", async () => {
      await insert("ada's", ada)
      await insert("ada's second", ada)
      await insert("bob's", bob)
      const found = await Promise.all(
        ["ada's", "ada's second", "bob's", "nobody's"].map((id) => find(id)),
      )
      expect(found).toEqual([ada, ada, bob, null])
    })

    test("inserts e-mails in the same transaction", async () => {
      await stores.invitations.insertAll([invitation("ada's", ada)], [], [email])
      const { createdAt: since, expiresAt: until } = email
      expect(await find("ada's")).toBe(ada)
      expect(await store.emails.findWaiting()).toEqual({ count: 1, since, until })
    })

    const email = {
      id: "mail_1",
      encrypted: new Uint8Array([1]),
      createdAt: "2026-06-01T08:00:00Z",
      expiresAt: "2026-06-08T08:00:00Z",
    }

    test("inserts many invitations or none, except for deleted accounts", async () => {
      const ids = ["ada's", "bob's", "gone"]
      const found = () => Promise.all(ids.map((id) => find(id)))
      await stores.invitations.insertAll(
        [invitation("ada's", ada), invitation("bob's", bob), invitation("gone", bob + 7)],
        [],
        [],
      )
      expect(await found()).toEqual([ada, bob, null])
      const twice = [invitation("gone", ada), invitation("ada's", bob)]
      await expect(stores.invitations.insertAll(twice, [], [email])).rejects.toThrow()
      expect(await found()).toEqual([ada, bob, null])
      expect(await store.emails.findWaiting()).toBeNull()
      await stores.invitations.insertAll([], [], [])
    })

    test("is found until it expires", async () => {
      await insert("ada's", ada)
      const times = ["2026-06-08T07:59:59Z", "2026-06-08T08:00:00Z", "2026-06-09T00:00:00Z"]
      const found = await Promise.all(times.map((at) => find("ada's", at)))
      expect(found).toEqual([ada, null, null])
    })

    const accept = (id: string, hash: string, at = "2026-06-01T08:00:00Z") =>
      stores.invitations.accept(digestOf(id), at, hash)

    test("sets the password of its owner, and ends all invitations of the owner", async () => {
      await insert("ada's", ada)
      await insert("ada's second", ada)
      await insert("bob's", bob)
      expect(await accept("ada's", "hash")).toBe(ada)
      expect([await stores.passwords.find(ada), await stores.passwords.find(bob)]).toEqual([
        "hash",
        null,
      ])
      expect([await find("ada's"), await find("ada's second"), await find("bob's")]).toEqual([
        null,
        null,
        bob,
      ])
    })

    test("sets nothing if it is unknown, used or expired", async () => {
      await insert("ada's", ada)
      expect(await accept("nobody's", "hash")).toBeNull()
      expect(await accept("ada's", "hash", "2026-06-08T08:00:00Z")).toBeNull()
      expect(await stores.passwords.find(ada)).toBeNull()
      await accept("ada's", "first")
      expect(await accept("ada's", "second")).toBeNull()
      expect(await stores.passwords.find(ada)).toBe("first")
    })

    test("only one of many concurrent acceptances for an account succeeds", async () => {
      const ids = ["ada's", "ada's second"]
      for (const id of ids) await insert(id, ada)
      const tries = Array.from({ length: 12 }, (_, index) => `hash ${index}`)
      const outcomes = await Promise.all(
        tries.map((hash, index) => accept(ids[index % ids.length] ?? "", hash)),
      )
      const winners = tries.filter((_, index) => outcomes[index] === ada)
      expect(winners).toEqual([(await stores.passwords.find(ada)) ?? "nobody"])
    })

    test("rejects a token that already exists", async () => {
      await insert("ada's", ada)
      await expect(insert("ada's", bob)).rejects.toThrow()
      expect(await find("ada's")).toBe(ada)
    })

    test("deletes expired invitations in batches", async () => {
      for (let i = 0; i < 25; i += 1) await insert(`old ${i}`, ada)
      await stores.invitations.insertAll([invitation("new", bob, "2026-06-08T08:00:01Z")], [], [])
      const removed: number[] = []
      for (let i = 0; i < 4; i += 1) {
        removed.push(await stores.invitations.deleteExpired("2026-06-08T08:00:00Z", 10))
      }
      expect([removed, await find("new")]).toEqual([[10, 10, 5, 0], bob])
    })

    test("deletes the invitation with its account", async () => {
      await insert("ada's", ada)
      await owners.remove(store, "ada")
      expect(await find("ada's")).toBeNull()
    })
  })
