import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountRecord,
  addOwner,
  addPerson,
  invitationFor,
  type OpenEmpty,
  openWithAuthors,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"

export const personStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`PersonStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
    })
    afterEach(() => store.close())

    const at = "2026-06-01T08:00:00Z"
    const account = (username: string, email: string) =>
      accountRecord(username, JSON.stringify({ username, email }))
    const names = async (email: string, rowsMax = 5) =>
      (await store.people.listByEmail(email, rowsMax)).map(({ name }) => name)

    test("finds a person by id, and by name ignoring the case of ASCII letters", async () => {
      const id = await addPerson(store, "Deniz.Şen", "deniz@example.com")
      const deniz = { id, name: "Deniz.Şen", email: "deniz@example.com", locale: null, theme: null }
      expect(await store.people.find(id)).toEqual(deniz)
      const found = ["dENIZ.Şen", "deniz.şen", "deniz", "deniz%", ""].map(store.people.findByName)
      expect(await Promise.all(found)).toEqual([deniz, null, null, null, null])
      expect(await store.people.find(id + 1)).toBeNull()
    })

    test("rejects a name that exists, also for concurrent insertions", async () => {
      const ids = await Promise.all(
        ["cem", "CEM", "Cem", "cem"].map((name) =>
          store.people.insert({ name, email: null, createdAt: at }),
        ),
      )
      expect(ids.filter((id) => id !== null).length).toBe(1)
    })

    test("never reuses an id", async () => {
      const first = await addPerson(store, "cem")
      await store.people.remove(first)
      expect(await addPerson(store, "cem")).toBeGreaterThan(first)
    })

    test("without an own address, an owner has that of the account, also after a change", async () => {
      await put(store, account("ada", "ada@example.com"))
      const id = await addOwner(store, ada, "Ada")
      const read = async () => (await store.people.find(id))?.email
      expect([await read(), await names("ADA@example.com")]).toEqual(["ada@example.com", ["Ada"]])
      await put(store, account("ada", "new@example.com"))
      expect([await read(), await names("ada@example.com")]).toEqual(["new@example.com", []])
      await store.people.putEmail(id, "own@example.com")
      expect([await read(), await names("new@example.com")]).toEqual(["own@example.com", []])
      expect(await names("OWN@example.com")).toEqual(["Ada"])
    })

    test("compares other letters than ASCII ones exactly, and all characters literally", async () => {
      await put(store, account("ada", "ÇINAR@EXAMPLE.COM"))
      await addOwner(store, ada, "Ada")
      await addPerson(store, "ÇINAR", "ÇINAR@own.example")
      for (const domain of ["example.com", "own.example"]) {
        const addresses = ["Çinar", "çinar", "çınar", "_INAR", "%"].map(
          (name) => `${name}@${domain}`,
        )
        const found = await Promise.all(addresses.map((email) => names(email)))
        expect(found.map(({ length }) => length)).toEqual([1, 0, 0, 0, 0])
      }
      expect(await names("")).toEqual([])
      expect(await store.people.findByName("çinar")).toBeNull()
      expect((await store.people.findByName("Çinar"))?.name).toBe("ÇINAR")
    })

    test("the address of an account is not that of its developers", async () => {
      await put(store, account("ada", "ada@example.com"))
      const cem = await addPerson(store, "cem")
      await store.people.putMember(ada, cem, "developer", at)
      expect((await store.people.find(cem))?.email).toBeNull()
      expect(await names("ada@example.com")).toEqual([])
      await store.people.putMember(ada, cem, "owner", at)
      expect(await names("ada@example.com")).toEqual(["cem"])
    })

    test("lists accounts with an address that nobody owns, unless they are suspended", async () => {
      await put(store, account("ada", "We@example.com"), account("bob", "we@example.com"))
      const unowned = async () =>
        (await store.people.listUnowned("wE@example.com", 5)).map(({ username }) => username)
      expect(await unowned()).toEqual(["ada", "bob"])
      await store.people.putMember(bob, await addPerson(store, "cem"), "developer", at)
      await store.accounts.setSuspended(ada, true, new Date(at))
      expect(await unowned()).toEqual(["bob"])
      await addOwner(store, bob, "Bob")
      expect(await unowned()).toEqual([])
    })

    test("lists people with one address, at most as many as asked for", async () => {
      for (const name of ["one", "two", "three"]) await addPerson(store, name, "we@example.com")
      expect(await names("we@example.com")).toEqual(["one", "two", "three"])
      expect(await names("we@example.com", 2)).toEqual(["one", "two"])
    })

    test("another address ends links to a new password, but the same one does not", async () => {
      const [cem, deniz] = [await addPerson(store, "cem"), await addPerson(store, "deniz")]
      const digest = (id: number) => new Uint8Array([id])
      const invite = (id: number) =>
        store.invitations.insertAll([invitationFor(digest(id), id)], [], [])
      for (const id of [cem, deniz]) await invite(id)
      const isOpen = async (id: number) => (await store.invitations.find(digest(id), at)) !== null
      await store.people.putEmail(cem, null)
      expect([await isOpen(cem), await isOpen(deniz)]).toEqual([true, true])
      await store.people.putEmail(cem, "cem@example.com")
      expect([await isOpen(cem), await isOpen(deniz)]).toEqual([false, true])
    })

    test("a changed address of the account ends the links of its owner and to it", async () => {
      await put(store, account("ada", "ada@example.com"), account("bob", "bob@example.com"))
      const [owner, other] = [await addOwner(store, ada, "ada"), await addOwner(store, bob, "bob")]
      const [mailed, toOther, role] = [1, 2, 3].map((id) => new Uint8Array([id]))
      if (!mailed || !toOther || !role) throw new Error("unreachable")
      await store.invitations.insertAll(
        [
          invitationFor(mailed, owner),
          invitationFor(toOther, other),
          invitationFor(role, null, { accountId: ada, role: "owner" }),
        ],
        [],
        [],
      )
      const areOpen = async () => {
        const found = [mailed, toOther, role].map((digest) => store.invitations.find(digest, at))
        return (await Promise.all(found)).map((each) => each !== null)
      }
      await put(store, accountRecord("ada", '{"email":"ada@example.com","balance":1}'))
      expect(await areOpen()).toEqual([true, true, true])
      await put(store, account("ada", "new@example.com"))
      expect(await areOpen()).toEqual([false, true, false])
    })

    test("stores a language and a theme", async () => {
      const id = await addPerson(store, "cem")
      await store.people.putLocale(id, "tr")
      await store.people.putTheme(id, "dark")
      expect(await store.people.find(id)).toMatchObject({ locale: "tr", theme: "dark" })
    })

    test("lists teams of a person, suspended ones last, and members of a team", async () => {
      const cem = await addPerson(store, "cem")
      const owner = await addOwner(store, ada, "Ada")
      await store.people.putMember(ada, cem, "support", at)
      await store.people.putMember(bob, cem, "developer", at)
      await store.accounts.setSuspended(ada, true, new Date(at))
      const teams = await store.people.listMemberships(cem)
      expect(teams.map(({ username, role, isSuspended }) => [username, role, isSuspended])).toEqual(
        [
          ["bob", "developer", false],
          ["ada", "support", true],
        ],
      )
      expect(await store.people.listMembers(ada)).toEqual([
        { personId: owner, name: "Ada", role: "owner" },
        { personId: cem, name: "cem", role: "support" },
      ])
      expect(await store.people.listMemberships(owner + cem + 1)).toEqual([])
    })

    test("changes a role and removes a member, but never the last owner, also concurrently", async () => {
      const [one, two] = [await addOwner(store, ada, "one"), await addOwner(store, ada, "two")]
      const cem = await addPerson(store, "cem")
      await store.people.putMember(bob, cem, "owner", at)
      expect(await store.people.changeMember(ada, cem, null)).toBe(false)
      const left = await Promise.all([
        store.people.changeMember(ada, one, null),
        store.people.changeMember(ada, two, "support"),
      ])
      expect(left.toSorted()).toEqual([false, true])
      const owners = async (accountId: number) =>
        (await store.people.listMembers(accountId)).filter(({ role }) => role === "owner").length
      expect([await owners(ada), await owners(bob)]).toEqual([1, 1])
      expect(await store.people.changeMember(bob, cem, "owner")).toBe(true)
    })

    test("deletes a removed member who has no role anywhere", async () => {
      const [cem, deniz] = [await addPerson(store, "cem"), await addPerson(store, "deniz")]
      for (const id of [cem, deniz]) await store.people.putMember(ada, id, "support", at)
      await store.people.putMember(bob, deniz, "support", at)
      for (const id of [cem, deniz])
        expect(await store.people.changeMember(ada, id, null)).toBe(true)
      expect([await store.people.find(cem), await store.people.find(deniz)]).toEqual([
        ...[null, expect.objectContaining({ name: "deniz" })],
      ])
    })

    test("the author of an account is its first owner, in any role, and never an operator", async () => {
      const [author, other] = [await addPerson(store, "author"), await addPerson(store, "other")]
      expect(await store.people.findOwner(ada)).toBeNull()
      await store.people.putMember(ada, author, "owner", at)
      await store.people.putMember(ada, other, "owner", "2026-01-01T08:00:00Z")
      expect((await store.people.findOwner(ada))?.id).toBe(author)
      expect((await store.people.findOwnerOf("ada"))?.id).toBe(author)
      expect(await store.people.changeMember(ada, author, "support")).toBe(true)
      expect((await store.people.findOwner(ada))?.id).toBe(author)
      await store.operators.insert(author, "viewer")
      expect(await store.people.findOwner(ada)).toBeNull()
      await store.people.changeMember(ada, author, null)
      expect(await store.people.findOwner(ada)).toBeNull()
      expect([await store.people.findOwnerOf("bob"), await store.people.findOwnerOf("x")]).toEqual([
        null,
        null,
      ])
    })

    test("adds no member to a missing account", async () => {
      const cem = await addPerson(store, "cem")
      await store.people.putMember(ada + bob + 1, cem, "owner", at)
      await store.people.putMember(ada, cem + 1, "owner", at)
      expect(await store.people.listMemberships(cem)).toEqual([])
      expect(await store.people.listMembers(ada)).toEqual([])
    })

    test("a deleted account takes the people along who have no other role", async () => {
      const only = await addOwner(store, ada, "only")
      const [both, operator] = [await addPerson(store, "both"), await addPerson(store, "operator")]
      await store.people.putMember(ada, both, "owner", at)
      await store.people.putMember(bob, both, "support", at)
      await store.people.putMember(ada, operator, "owner", at)
      await store.operators.insert(operator, "admin")
      await put(store, { type: "deleted account", username: "ada" })
      const left = await Promise.all([only, both, operator].map((id) => store.people.find(id)))
      expect(left.map((person) => person?.name ?? null)).toEqual([null, "both", "operator"])
    })

    test("lists all people in pages", async () => {
      const owner = await addOwner(store, ada, "Ada")
      const cem = await addPerson(store, "cem", "cem@example.com")
      await store.operators.insert(cem, "viewer")
      await store.passwords.put(cem, "$hash")
      const common = {
        locale: null,
        theme: null,
        createdAt: at,
        hasTwoFactor: false,
        passkeys: 0,
        lastSeenAt: null,
      }
      const [first] = await store.people.list(0, 1)
      expect(first).toEqual({
        ...common,
        id: owner,
        name: "Ada",
        email: null,
        role: null,
        accounts: 1,
        hasPassword: false,
      })
      expect(await store.people.list(owner, 10)).toEqual([
        {
          ...common,
          id: cem,
          name: "cem",
          email: "cem@example.com",
          role: "viewer",
          accounts: 0,
          hasPassword: true,
        },
      ])
    })
  })
