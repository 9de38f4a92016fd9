import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  addPerson,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { OperatorRole } from "../access/actor.ts"
import type { Store } from "../store/store.ts"
import type { Operator } from "./person.ts"

export const operatorStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`OperatorStore on ${adapter}`, () => {
    let store: Store
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const at = "2026-06-01T08:00:00Z"
    const add = async (
      name: string,
      role: OperatorRole = "viewer",
      email: string | null = null,
    ) => {
      const id = await addPerson(store, name, email)
      await store.operators.insert(id, role)
      return id
    }

    test("hasAny returns whether an operator exists", async () => {
      expect(await store.operators.hasAny()).toBe(false)
      const id = await add("deniz")
      expect(await store.operators.hasAny()).toBe(true)
      await store.operators.remove(id)
      expect(await store.operators.hasAny()).toBe(false)
    })

    test("finds an operator by id, and by name ignoring the case of ASCII letters", async () => {
      const id = await add("Deniz.Şen")
      const deniz: Operator = {
        id,
        name: "Deniz.Şen",
        email: null,
        locale: null,
        theme: null,
        role: "viewer",
      }
      expect(await store.operators.find(id)).toEqual(deniz)
      const names = ["Deniz.Şen", "dENIZ.Şen", "deniz.şen", "deniz", ""]
      expect(await Promise.all(names.map(store.operators.findByName))).toEqual([
        ...[deniz, deniz, null, null, null],
      ])
      expect(await store.operators.find(id + 1)).toBeNull()
    })

    test("lists operators by name with password, two-factor authentication and last seen", async () => {
      const [cem, ada] = [await add("cem"), await add("Ada")]
      await store.passwords.put(ada, "$hash")
      const times = { createdAt: at, lastSeenAt: "2026-06-02T08:00:00Z", confirmedAt: at }
      const from = { ipRange: "192.0.2.0/24", device: "", isByPasskey: false }
      const session = { id: "one", personId: ada, ...times, ...from }
      await store.sessions.insert(new Uint8Array([1]), session, "$hash")
      await store.twoFactor.put(cem, "", {
        encrypted: new Uint8Array([1]),
        usedStep: 0,
        recoveryDigests: [],
      })
      await store.operators.putAlerts(cem, false)
      expect(await store.operators.list()).toEqual([
        {
          id: ada,
          name: "Ada",
          createdAt: at,
          email: null,
          locale: null,
          theme: null,
          role: "viewer",
          hasPassword: true,
          hasTwoFactor: false,
          passkeys: 0,
          lastSeenAt: "2026-06-02T08:00:00Z",
          hasAlerts: true,
        },
        {
          id: cem,
          name: "cem",
          createdAt: at,
          email: null,
          locale: null,
          theme: null,
          role: "viewer",
          hasPassword: false,
          hasTwoFactor: true,
          passkeys: 0,
          lastSeenAt: null,
          hasAlerts: false,
        },
      ])
    })

    test("changes a role, but neither demotes nor removes the last admin", async () => {
      const { operators } = store
      const [ada, cem] = [await add("ada", "admin"), await add("cem", "support")]
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
          ids.push(await add(`${name}${round}`, "admin"))
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

    test("a removed operator is deleted, unless they belong to a team", async () => {
      await put(store, accountRecord("shop"))
      const [cem, deniz] = [await add("cem"), await add("deniz")]
      await store.people.putMember(await accountId(store, "shop"), deniz, "support", at)
      expect([await store.operators.remove(cem), await store.operators.remove(deniz)]).toEqual([
        true,
        true,
      ])
      expect(await store.operators.list()).toEqual([])
      expect(await store.people.find(cem)).toBeNull()
      expect((await store.people.find(deniz))?.name).toBe("deniz")
    })
  })
