import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  type OpenEmpty,
  openWithAuthors,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { Store } from "../store/store.ts"
import { commandLine } from "./actor.ts"
import { type AuditEvent, auditActions } from "./audit-event.ts"

export const auditStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`AuditStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
    })
    afterEach(() => store.close())

    const event = (subjectId: string, changes: object = {}): AuditEvent => ({
      at: "2026-06-01T08:00:00Z",
      kind: "key",
      action: "created",
      actor: { kind: "author", name: "ada", ipRange: "192.0.2.0/24" },
      account: { id: ada, username: "ada" },
      subjectId,
      subjectName: "Anahtar 🔑",
      count: 1,
      ...changes,
    })
    const everything = { accountId: null, kind: null }
    const ids = async (filter: object = {}, before: number | null = null, limit = 100) =>
      (await store.audit.list({ ...everything, ...filter }, before, limit)).map(
        ({ subjectId }) => subjectId,
      )

    test("stores every action of every kind", async () => {
      const events = Object.entries(auditActions).flatMap(([kind, actions]) =>
        actions.map((action) => event(`${kind} ${action}`, { kind, action, actor: commandLine })),
      )
      const ofNone = event("deniz", { kind: "operator", action: "removed", account: null })
      const words = [true, false].map((isByFeed) =>
        event("ada", { kind: "account", action: "suspended", isByFeed }),
      )
      events.push(ofNone, ...words)
      await store.audit.insert(...events)
      const listed = await store.audit.list(everything, null, 100)
      expect(listed.map(({ id: _, ...rest }) => rest)).toEqual(events.toReversed())
    })

    test("filters by action and by days, first and last day included", async () => {
      const on = (day: string, changes: object = {}) =>
        event(day, { at: `${day}T23:59:59Z`, ...changes })
      await store.audit.insert(
        on("2026-05-31"),
        on("2026-06-01", { action: "revoked" }),
        on("2026-06-02", { kind: "purchase", action: "refunded" }),
        on("2026-06-03", { action: "revoked" }),
      )
      expect(await ids({ kind: "key", action: "revoked" })).toEqual(["2026-06-03", "2026-06-01"])
      const range = { from: "2026-06-01", to: "2026-06-02" }
      expect(await ids({ range })).toEqual(["2026-06-02", "2026-06-01"])
      expect(await ids({ range, accountId: ada, kind: "key" })).toEqual(["2026-06-01"])
      expect(await ids({ range, accountId: bob })).toEqual([])
    })

    test("filters by actor, or by all actors of a kind", async () => {
      const by = (kind: string, name: string) =>
        event(`${kind} ${name}`, { actor: { kind, name, ipRange: "" } })
      await store.audit.insert(
        ...[by("operator", "ada"), by("author", "ada"), by("operator", "bob"), by("command", "")],
      )
      expect(await ids({ actor: { kind: "operator" } })).toEqual(["operator bob", "operator ada"])
      expect(await ids({ actor: { kind: "operator", name: "ada" } })).toEqual(["operator ada"])
      expect(await ids({ actor: { kind: "author", name: "bob" } })).toEqual([])
    })

    test("tallies the actions of one actor in an hour without an account", async () => {
      const actor = { kind: "token", name: "shop", ipRange: "192.0.2.0/24" } as const
      const pushed = {
        at: "2026-06-01T08:00:00Z",
        kind: "feed",
        action: "pushed",
        actor,
        account: null,
        subjectId: "",
        subjectName: "",
        count: 2,
      } as const
      const tally = (event: AuditEvent) =>
        store.audit.tally(event, `${event.at.slice(0, 13)}:00:00Z`)
      await tally(pushed)
      await tally({ ...pushed, at: "2026-06-01T08:59:59Z", count: 40 })
      await tally({ ...pushed, action: "keys", count: 1 })
      await tally({ ...pushed, actor: { ...actor, name: "crm" }, count: 3 })
      await tally({ ...pushed, actor: { ...actor, ipRange: "" }, count: 4 })
      await tally({ ...pushed, at: "2026-06-01T09:00:00Z", count: 5 })
      await tally({ ...pushed, at: "2026-06-01T09:30:00Z", count: 0 })
      const listed = await store.audit.list(everything, null, 100)
      expect(listed.map(({ id: _, ...rest }) => rest)).toEqual([
        { ...pushed, at: "2026-06-01T09:00:00Z", count: 5 },
        { ...pushed, actor: { ...actor, ipRange: "" }, count: 4 },
        { ...pushed, actor: { ...actor, name: "crm" }, count: 3 },
        { ...pushed, action: "keys", count: 1 },
        { ...pushed, count: 42 },
      ])
    })

    test("a repeated action on one subject is one event with its newest name", async () => {
      const since = "2026-06-01T07:59:30Z"
      const of = (subjectName: string, username: "ada" | "bob") => ({
        ...event("ep_1", { account: { id: username === "ada" ? ada : bob, username } }),
        subjectName,
      })
      const events = [of("a", "ada"), of("a", "ada"), of("b", "ada"), of("a", "bob")]
      for (const each of events) await store.audit.tally(each, since)
      await store.audit.tally(of("a", "ada"), "2099-01-01T00:00:00Z")
      const listed = await store.audit.list(everything, null, 100)
      expect(
        listed.map(({ account, subjectName, count }) => [account?.username, subjectName, count]),
      ).toEqual([
        ["ada", "a", 1],
        ["bob", "a", 1],
        ["ada", "b", 3],
      ])
    })

    test("lists pages, newest first", async () => {
      for (const id of ["1", "2", "3", "4", "5"]) await store.audit.insert(event(id))
      expect(await ids({}, null, 2)).toEqual(["5", "4"])
      const page = await store.audit.list(everything, null, 2)
      expect(await ids({}, page.at(-1)?.id ?? 0, 2)).toEqual(["3", "2"])
      expect(await ids({}, 0)).toEqual([])
    })

    test("filters by account and by kind", async () => {
      const account = { id: bob, username: "bob" }
      const suspended = { kind: "account", action: "suspended" }
      await store.audit.insert(event("1"))
      await store.audit.insert(event("2", { account }))
      await store.audit.insert(event("3", suspended))
      await store.audit.insert(event("4", { account, ...suspended }))
      expect(await ids({ accountId: ada })).toEqual(["3", "1"])
      expect(await ids({ kind: "account" })).toEqual(["4", "3"])
      expect(await ids({ accountId: bob, kind: "account" })).toEqual(["4"])
      const [last] = await store.audit.list(everything, null, 1)
      expect(await ids({ accountId: bob, kind: "key" }, last?.id ?? 0)).toEqual(["2"])
    })

    test("outlives its account, and does not belong to a later one with the same name", async () => {
      await store.audit.insert(event("1"))
      await put(store, { type: "deleted account", username: "ada" }, accountRecord("ada"))
      const [kept] = await store.audit.list(everything, null, 10)
      expect(kept?.account).toEqual({ id: null, username: "ada" })
      expect(await ids({ accountId: await accountId(store, "ada") })).toEqual([])
    })

    test("deletes events before a timestamp in batches", async () => {
      for (let i = 0; i < 5; i += 1) await store.audit.insert(event(`old ${i}`))
      await store.audit.insert(event("new", { at: "2026-06-01T08:00:01Z" }))
      const removed: number[] = []
      for (let i = 0; i < 4; i += 1)
        removed.push(await store.audit.deleteExpired("2026-06-01T08:00:01Z", 2))
      expect([removed, await ids()]).toEqual([[2, 2, 1, 0], ["new"]])
    })
  })
