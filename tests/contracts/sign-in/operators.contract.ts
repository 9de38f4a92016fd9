import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { Operator, OperatorRole } from "../../../src/domain/sign-in/operator.ts"
import type { Store } from "../../../src/domain/store.ts"
import { signInOwners } from "../sign-in-owners.ts"
import type { OpenEmpty } from "../store-records.ts"

export const operatorStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`OperatorStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const at = "2026-06-01T08:00:00Z"
    const add = (name: string, role: OperatorRole = "viewer", email: string | null = null) =>
      store.operators.insert({ name, role, createdAt: at, email })

    test("hasAny returns whether an operator exists", async () => {
      expect(await store.operators.hasAny()).toBe(false)
      const id = await add("deniz")
      expect(await store.operators.hasAny()).toBe(true)
      await store.operators.remove(id ?? 0)
      expect(await store.operators.hasAny()).toBe(false)
    })

    test("finds an operator by id, and by name ignoring the case of ASCII letters", async () => {
      const id = (await add("Deniz.Şen")) ?? 0
      const deniz: Operator = {
        id,
        name: "Deniz.Şen",
        createdAt: at,
        email: null,
        role: "viewer",
      }
      expect(await store.operators.find(id)).toEqual(deniz)
      const names = ["Deniz.Şen", "dENIZ.Şen", "deniz.şen", "deniz", ""]
      expect(await Promise.all(names.map(store.operators.findByName))).toEqual([
        ...[deniz, deniz, null, null, null],
      ])
      expect(await store.operators.find(id + 1)).toBeNull()
    })

    test("stores an e-mail address, changes it and deletes it", async () => {
      const id = (await add("deniz", "admin", "deniz@example.com")) ?? 0
      const read = async () => [
        (await store.operators.find(id))?.email,
        (await store.operators.list())[0]?.email,
      ]
      expect(await read()).toEqual(["deniz@example.com", "deniz@example.com"])
      await store.operators.putEmail(id, "d@example.com")
      expect(await read()).toEqual(["d@example.com", "d@example.com"])
      await store.operators.putEmail(id, null)
      expect(await read()).toEqual([null, null])
    })

    test("another e-mail address ends the links of the operator, but not the first one", async () => {
      const [id, other] = [(await add("deniz")) ?? 0, (await add("cem")) ?? 0]
      const { invitations } = store.operatorSignIn
      const digest = (ownerId: number) => new Uint8Array([ownerId])
      const link = (ownerId: number) => ({
        tokenDigest: digest(ownerId),
        ownerId,
        expiresAt: "2026-06-08T08:00:00Z",
      })
      await invitations.insertAll([link(id), link(other)], [], [])
      const find = () => Promise.all([id, other].map((each) => invitations.find(digest(each), at)))
      await store.operators.putEmail(id, "deniz@exmaple.com")
      await store.operators.putEmail(id, "deniz@exmaple.com")
      expect(await find()).toEqual([id, other])
      await store.operators.putEmail(id, "deniz@example.com")
      expect(await find()).toEqual([null, other])
      await invitations.insertAll([link(id)], [], [])
      await store.operators.putEmail(id, null)
      expect(await find()).toEqual([null, other])
    })

    test("rejects a name that already exists, also for concurrent insertions", async () => {
      const ids = await Promise.all(["ada", "ADA", "Ada", "ada"].map((name) => add(name)))
      expect(ids.filter((id) => id !== null).length).toBe(1)
      expect((await store.operators.list()).length).toBe(1)
    })

    test("lists operators by name with password, two-factor authentication and last seen", async () => {
      const [cem, ada] = [(await add("cem")) ?? 0, (await add("Ada")) ?? 0]
      await store.operatorSignIn.passwords.put(ada, "$hash")
      const times = { createdAt: at, lastSeenAt: "2026-06-02T08:00:00Z", confirmedAt: at }
      const session = { id: "one", ownerId: ada, ...times, ipRange: "192.0.2.0/24", device: "" }
      await store.operatorSignIn.sessions.insert(new Uint8Array([1]), session, "$hash")
      await store.operatorSignIn.twoFactor.put(cem, "", new Uint8Array([1]), 0, [])
      await store.operators.putAlerts(cem, false)
      expect(await store.operators.list()).toEqual([
        {
          id: ada,
          name: "Ada",
          createdAt: at,
          email: null,
          role: "viewer",
          hasPassword: true,
          hasTwoFactor: false,
          lastSeenAt: "2026-06-02T08:00:00Z",
          hasAlerts: true,
        },
        {
          id: cem,
          name: "cem",
          createdAt: at,
          email: null,
          role: "viewer",
          hasPassword: false,
          hasTwoFactor: true,
          lastSeenAt: null,
          hasAlerts: false,
        },
      ])
    })

    test("changes a role, but neither demotes nor removes the last admin", async () => {
      const { operators } = store
      const [ada, cem] = [(await add("ada", "admin")) ?? 0, (await add("cem", "support")) ?? 0]
      const roles = async () => (await operators.list()).map(({ name, role }) => [name, role])
      const unchanged = [
        ["ada", "admin"],
        ["cem", "support"],
      ]
      expect(await operators.putRole(ada, "viewer")).toBe(false)
      expect(await operators.remove(ada)).toBe(false)
      expect(await operators.putRole(ada, "admin")).toBe(true)
      expect(await roles()).toEqual(unchanged)
      expect(await operators.putRole(cem, "viewer")).toBe(true)
      expect(await operators.putRole(cem, "admin")).toBe(true)
      expect(await operators.putRole(ada, "support")).toBe(true)
      expect((await operators.find(ada))?.role).toBe("support")
      expect(await operators.remove(cem)).toBe(false)
      expect(await operators.remove(ada)).toBe(true)
    })

    test("of admins that are demoted and removed concurrently, one remains", async () => {
      const { operators } = store
      for (let round = 0; round < 5; round += 1) {
        const ids: number[] = []
        for (const name of ["ada", "bob", "cem", "deniz"]) {
          ids.push((await add(`${name}${round}`, "admin")) ?? 0)
        }
        const others = (await operators.list()).filter(
          ({ id, role }) => role === "admin" && !ids.includes(id),
        )
        for (const { id } of others) await operators.remove(id)
        const done = await Promise.all(
          ids.map((id, at) => (at % 2 ? operators.remove(id) : operators.putRole(id, "viewer"))),
        )
        expect(done.filter((isDone) => isDone).length).toBe(3)
        const admins = (await operators.list()).filter(({ role }) => role === "admin")
        expect(admins.length).toBe(1)
      }
    })

    test("never reuses an id", async () => {
      const first = (await add("ada")) ?? 0
      await store.operators.remove(first)
      expect(await add("ada")).toBeGreaterThan(first)
    })

    test("sessions, passwords and links of authors and operators are separate", async () => {
      const { authors, operators } = signInOwners
      const [author, operator] = [
        await authors.add(store, "ada"),
        await operators.add(store, "ada"),
      ]
      const digest = (text: string) => new TextEncoder().encode(text)
      const sides = [
        { mine: authors.storesOf(store), other: operators.storesOf(store), id: author },
        { mine: operators.storesOf(store), other: authors.storesOf(store), id: operator },
      ]
      for (const { mine, other, id } of sides) {
        const session = { createdAt: at, lastSeenAt: at, confirmedAt: at, device: "" }
        const token = digest(`token ${id} ${mine === store}`)
        expect(await other.passwords.find(id)).toBeNull()
        await mine.passwords.put(id, "$hash")
        const one = { id: "one", ownerId: id, ipRange: "192.0.2.0/24", ...session }
        await mine.sessions.insert(token, one, "$hash")
        const invitation = { tokenDigest: token, ownerId: id, expiresAt: "2026-06-08T08:00:00Z" }
        await mine.invitations.insertAll([invitation], [], [])
        expect(await other.sessions.findByToken(token)).toBeNull()
        expect(await other.sessions.list(id)).toEqual([])
        expect(await other.invitations.find(token, at)).toBeNull()
        expect(await other.invitations.accept(token, at, "$mine")).toBeNull()
        await mine.passwords.put(id, "$hash")
        await store.operators.remove(mine === store ? 0 : id)
        await authors.remove(store, mine === store ? "ada" : "nobody")
      }
    })
  })
