import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { endpointRecord, overdue } from "../../tests/harness/endpoint-records.ts"
import {
  accountId,
  accountRecord,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import { type Endpoint, endpointsMax } from "./webhook.ts"

export const endpointStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`EndpointStore on ${adapter}`, () => {
    let store: Store
    let ada = 0
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bora"))
      ada = await accountId(store, "ada")
    })
    afterEach(() => store.close())

    const plain = <Known extends Endpoint>({ encrypted, oldSecret, ...endpoint }: Known) => ({
      ...endpoint,
      encrypted: [...encrypted],
      oldSecret: oldSecret && { ...oldSecret, encrypted: [...oldSecret.encrypted] },
    })
    const find = async (id: string) => {
      const found = await store.endpoints.find(id)
      return found && plain(found)
    }

    test("lists the endpoints of an owner and of all owners", async () => {
      const own = endpointRecord("ep_own", { accountId: ada, events: ["purchase.created"] })
      const later = endpointRecord("ep_later", { createdAt: "2026-06-02T08:00:00Z" })
      const first = endpointRecord("ep_first")
      for (const each of [own, later, first]) {
        expect(await store.endpoints.insert(each)).toBe("inserted")
      }
      expect((await store.endpoints.list(ada)).map(plain)).toEqual([plain(own)])
      expect((await store.endpoints.list(null)).map(plain)).toEqual([plain(first), plain(later)])
      expect(await store.endpoints.list(await accountId(store, "bora"))).toEqual([])
      const all = (await store.endpoints.listAll()).map(({ id, username }) => [id, username])
      expect(all).toEqual([
        ["ep_first", null],
        ["ep_later", null],
        ["ep_own", "ada"],
      ])
      expect(await find("ep_own")).toEqual({ ...plain(own), username: "ada" })
      expect(await find("ep_none")).toBeNull()
    })

    test("limits the endpoints of an owner, also for concurrent insertions", async () => {
      const outcomes = await Promise.all(
        Array.from({ length: endpointsMax + 2 }, (_, at) =>
          store.endpoints.insert(endpointRecord(`ep_${at}`, { accountId: ada })),
        ),
      )
      expect(outcomes.filter((outcome) => outcome === "inserted").length).toBe(endpointsMax)
      expect(new Set(outcomes)).toEqual(new Set(["inserted", "full"]))
      expect(await store.endpoints.insert(endpointRecord("ep_of_operators"))).toBe("inserted")
    })

    test("an id is unique, also after the endpoint was removed", async () => {
      const same = Array.from({ length: 3 }, () => store.endpoints.insert(endpointRecord("ep_a")))
      expect((await Promise.all(same)).toSorted()).toEqual(["inserted", "known", "known"])
      await store.endpoints.remove("ep_a", "2026-06-02T08:00:00Z")
      expect(await store.endpoints.insert(endpointRecord("ep_a"))).toBe("known")
      expect(await find("ep_a")).toBeNull()
    })

    test("changes an endpoint, and rotates its secret with an overlap period", async () => {
      await store.endpoints.insert(endpointRecord("ep_a"))
      const changed = { url: "https://b.example/", events: ["key.leaked" as const] }
      expect(await store.endpoints.change("ep_a", changed)).toBe(true)
      const until = "2026-06-03T08:00:00Z"
      expect(await store.endpoints.rotateSecret("ep_a", new Uint8Array([4]), until)).toBe(true)
      expect(await find("ep_a")).toMatchObject({
        ...changed,
        encrypted: [4],
        oldSecret: { encrypted: [1, 2, 3], until },
      })
      expect(await store.endpoints.change("ep_none", changed)).toBe(false)
    })

    test("keeps the first reason of disabling until it is enabled", async () => {
      await store.endpoints.insert(endpointRecord("ep_a"))
      const at = "2026-06-03T08:00:00Z"
      expect(await store.endpoints.disable("ep_a", at, "owner")).toBe(true)
      await store.endpoints.disable("ep_a", "2026-06-04T08:00:00Z", "gone")
      expect(await find("ep_a")).toMatchObject({ disabled: { at, reason: "owner" } })
      await store.messages.enqueue(overdue("shop"))
      expect(await find("ep_a")).toMatchObject({ pendingMessages: 0 })
      expect(await store.endpoints.enable("ep_a", 0)).toBe(true)
      expect(await find("ep_a")).toMatchObject({ disabled: null })
    })

    test("a removed endpoint disappears immediately, and its messages in batches", async () => {
      await store.endpoints.insert(endpointRecord("ep_a"))
      for (const name of ["a", "b", "c"]) await store.messages.enqueue(overdue(name))
      expect(await store.endpoints.remove("ep_a", "2026-06-03T08:00:00Z")).toBe(true)
      expect(await store.endpoints.remove("ep_a", "2026-06-03T08:00:00Z")).toBe(false)
      expect(await find("ep_a")).toBeNull()
      expect(await store.endpoints.list(null)).toEqual([])
      expect(await store.messages.countPending()).toEqual([])
      const forget = () => store.messages.deleteExpired("2026-05-01T00:00:00Z", 2)
      const removed = [await forget(), await forget(), await forget()]
      expect(removed).toEqual([2, 1, 0])
      expect(await store.messages.list("ep_a", null, 10)).toEqual([])
    })

    test("is deleted with its account", async () => {
      await store.endpoints.insert(endpointRecord("ep_a", { accountId: ada }))
      await put(store, { type: "deleted account", username: "ada" })
      expect(await find("ep_a")).toBeNull()
    })
  })
