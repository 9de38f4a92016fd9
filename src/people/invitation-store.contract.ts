import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  addPerson,
  invitationFor,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import type { Invitation } from "./session.ts"

export const invitationStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`InvitationStore on ${adapter}`, () => {
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
    const find = async (id: string, at = "2026-06-01T08:00:00Z") =>
      (await store.invitations.find(digestOf(id), at))?.personId ?? null
    const invitation = (id: string, personId: number, expiresAt = "2026-06-08T08:00:00Z") =>
      invitationFor(digestOf(id), personId, { expiresAt })
    const insert = (id: string, account: number) =>
      store.invitations.insertAll([invitation(id, account)], [], [])

    test("finds the person of each invitation", async () => {
      await insert("ada's", ada)
      await insert("ada's second", ada)
      await insert("bob's", bob)
      const found = await Promise.all(
        ["ada's", "ada's second", "bob's", "nobody's"].map((id) => find(id)),
      )
      expect(found).toEqual([ada, ada, bob, null])
    })

    test("inserts e-mails in the same transaction", async () => {
      await store.invitations.insertAll([invitation("ada's", ada)], [], [email])
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

    test("inserts many invitations or none, except for deleted people", async () => {
      const ids = ["ada's", "bob's", "gone"]
      const found = () => Promise.all(ids.map((id) => find(id)))
      await store.invitations.insertAll(
        [invitation("ada's", ada), invitation("bob's", bob), invitation("gone", bob + 7)],
        [],
        [],
      )
      expect(await found()).toEqual([ada, bob, null])
      const twice = [invitation("gone", ada), invitation("ada's", bob)]
      await expect(store.invitations.insertAll(twice, [], [email])).rejects.toThrow()
      expect(await found()).toEqual([ada, bob, null])
      expect(await store.emails.findWaiting()).toBeNull()
      await store.invitations.insertAll([], [], [])
    })

    test("is found until it expires", async () => {
      await insert("ada's", ada)
      const times = ["2026-06-08T07:59:59Z", "2026-06-08T08:00:00Z", "2026-06-09T00:00:00Z"]
      const found = await Promise.all(times.map((at) => find("ada's", at)))
      expect(found).toEqual([ada, null, null])
    })

    const accept = (id: string, hash: string, at = "2026-06-01T08:00:00Z") =>
      store.invitations.accept(digestOf(id), at, { name: "", hash })

    test("sets the password of its person, and ends all invitations of the person", async () => {
      await insert("ada's", ada)
      await insert("ada's second", ada)
      await insert("bob's", bob)
      expect(await accept("ada's", "hash")).toBe(ada)
      expect([await store.passwords.find(ada), await store.passwords.find(bob)]).toEqual([
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
      expect(await store.passwords.find(ada)).toBeNull()
      await accept("ada's", "first")
      expect(await accept("ada's", "second")).toBeNull()
      expect(await store.passwords.find(ada)).toBe("first")
    })

    test("only one of many concurrent acceptances for a person succeeds", async () => {
      const ids = ["ada's", "ada's second"]
      for (const id of ids) await insert(id, ada)
      const tries = Array.from({ length: 12 }, (_, index) => `hash ${index}`)
      const outcomes = await Promise.all(
        tries.map((hash, index) => accept(ids[index % ids.length] ?? "", hash)),
      )
      const winners = tries.filter((_, index) => outcomes[index] === ada)
      expect(winners).toEqual([(await store.passwords.find(ada)) ?? "nobody"])
    })

    test("rejects a token that already exists", async () => {
      await insert("ada's", ada)
      await expect(insert("ada's", bob)).rejects.toThrow()
      expect(await find("ada's")).toBe(ada)
    })

    test("deletes expired invitations in batches", async () => {
      for (let i = 0; i < 25; i += 1) await insert(`old ${i}`, ada)
      await store.invitations.insertAll([invitation("new", bob, "2026-06-08T08:00:01Z")], [], [])
      const removed: number[] = []
      for (let i = 0; i < 4; i += 1) {
        removed.push(await store.invitations.deleteExpired("2026-06-08T08:00:00Z", 10))
      }
      expect([removed, await find("new")]).toEqual([[10, 10, 5, 0], bob])
    })

    test("deletes the invitation with its person", async () => {
      await insert("ada's", ada)
      await store.people.remove(ada)
      expect(await find("ada's")).toBeNull()
    })

    describe("for a new person", () => {
      const at = "2026-06-01T08:00:00Z"
      let shop: number
      beforeEach(async () => {
        await put(store, accountRecord("shop"))
        shop = await accountId(store, "shop")
      })
      const inviteTo = (id: string, changes: Partial<Invitation>) =>
        store.invitations.insertAll([invitationFor(digestOf(id), null, changes)], [], [])
      const members = async () =>
        (await store.people.listMembers(shop)).map(({ name, role }) => [name, role])
      const isOpen = async (id: string) => (await store.invitations.find(digestOf(id), at)) !== null

      test("creates the person with password, address and role", async () => {
        await inviteTo("one", { accountId: shop, role: "developer", email: "cem@example.com" })
        const id = await store.invitations.accept(digestOf("one"), at, { name: "Cem", hash: "$" })
        const person = await store.people.findByName("cem")
        expect(person).toEqual({
          id: Number(id),
          name: "Cem",
          email: "cem@example.com",
          locale: null,
          theme: null,
        })
        expect(await store.passwords.find(Number(id))).toBe("$")
        expect(await members()).toEqual([["Cem", "developer"]])
        expect(await store.operators.list()).toEqual([])
      })

      test("changes nothing if somebody has the name", async () => {
        await inviteTo("one", { accountId: shop, role: "developer" })
        const accepted = store.invitations.accept(digestOf("one"), at, { name: "ADA", hash: "$" })
        expect(await accepted).toBe("taken")
        expect([await members(), await isOpen("one")]).toEqual([[], true])
        expect(await store.passwords.find(ada)).toBeNull()
      })

      test("gives somebody the role, once", async () => {
        await inviteTo("one", { accountId: shop, role: "support" })
        await inviteTo("two", { operatorRole: "viewer" })
        expect(await store.invitations.join(digestOf("one"), at, ada)).toBe(true)
        expect(await store.invitations.join(digestOf("one"), at, bob)).toBe(false)
        expect(await members()).toEqual([["ada", "support"]])
        expect(await store.invitations.join(digestOf("two"), at, bob)).toBe(true)
        expect((await store.operators.find(bob))?.role).toBe("viewer")
        expect(await store.operators.find(ada)).toBeNull()
      })

      test("of many concurrent uses one succeeds", async () => {
        await inviteTo("one", { operatorRole: "admin" })
        const names = Array.from({ length: 8 }, (_, index) => `new ${index}`)
        const used = await Promise.all(
          names.map((name) => store.invitations.accept(digestOf("one"), at, { name, hash: "$" })),
        )
        expect(used.filter((id) => id !== null).length).toBe(1)
        expect((await store.operators.list()).length).toBe(1)
      })

      test("a link to a new password gives no role and cannot be joined", async () => {
        await insert("ada's", ada)
        expect(await store.invitations.join(digestOf("ada's"), at, bob)).toBe(false)
        expect(await find("ada's")).toBe(ada)
      })

      test("ends other links of the account for the same role and address", async () => {
        const owner = { accountId: shop, role: "owner" } as const
        await inviteTo("one", owner)
        await inviteTo("again", owner)
        await inviteTo("support", { accountId: shop, role: "support" })
        await inviteTo("mailed", { ...owner, email: "cem@example.com" })
        await inviteTo("operator", { operatorRole: "admin" })
        await store.invitations.accept(digestOf("one"), at, { name: "shop", hash: "$" })
        const left = ["again", "support", "mailed", "operator"]
        expect(await Promise.all(left.map(isOpen))).toEqual([false, true, true, true])
      })

      test("is listed by account or for operators, withdrawn, and deleted with its account", async () => {
        await inviteTo("one", { accountId: shop, role: "support", name: "Cem" })
        await inviteTo("two", { operatorRole: "viewer", name: "Deniz" })
        const names = async (of: Parameters<Store["invitations"]["list"]>[0], now = at) =>
          (await store.invitations.list(of, now)).map(({ name }) => name)
        expect(await names({ accountId: shop })).toEqual(["Cem"])
        expect(await names("operators")).toEqual(["Deniz"])
        expect(await names("operators", "2026-06-08T08:00:00Z")).toEqual([])
        const [listed] = await store.invitations.list("operators", at)
        await store.invitations.remove(listed?.id ?? "")
        expect(await names("operators")).toEqual([])
        await put(store, { type: "deleted account", username: "shop" })
        expect(await isOpen("one")).toBe(false)
      })
    })
  })
