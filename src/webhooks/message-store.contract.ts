import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { endpointRecord, overdue } from "../../tests/harness/endpoint-records.ts"
import type { StoreOpening } from "../../tests/harness/stores/contracts.ts"
import { accountId, accountRecord, put } from "../../tests/harness/stores/store-records.ts"
import { message } from "../platform/problem.ts"
import type { Store } from "../store/store.ts"
import {
  type Attempt,
  type AttemptResult,
  attemptsMax,
  type DeliveryState,
  type LeasedMessage,
  type PreviousAttempts,
} from "./delivery.ts"
import type { NewEvent } from "./webhook.ts"

const ok: Attempt = { status: 200, problem: null, response: "thanks", durationMs: 12 }
const broken: Attempt = {
  status: null,
  problem: message("no_response", { seconds: 10 }),
  response: "",
  durationMs: 12,
}
const delivered: AttemptResult = {
  state: "delivered",
  nextAtMs: null,
  failingSinceMs: null,
  disabled: null,
}
const nowMs = Date.parse("2026-06-02T08:00:00Z")

const leakOf = (username: string, id: number): NewEvent => ({
  type: "key.leaked",
  at: "2026-06-02T08:00:00Z",
  account: { id, username },
  data: "{}",
})

export const messageStoreContract = (adapter: string, openTwo: StoreOpening["openTwo"]) =>
  describe(`MessageStore on ${adapter}`, () => {
    let stores: readonly [Store, Store]
    let store: Store
    beforeEach(async () => {
      stores = await openTwo()
      store = stores[0]
      await store.endpoints.insert(endpointRecord("ep_a"))
    })
    afterEach(async () => {
      for (const each of stores) await each.close()
    })

    const idOf = (inserted: Awaited<ReturnType<Store["messages"]["insertTest"]>>) => {
      if (inserted === null || inserted === "limited") throw new Error("nothing was inserted")
      return inserted.messageId
    }
    const due = async (atMs = nowMs) =>
      (await store.messages.listDue(atMs, true)).flatMap(({ messageIds }) => messageIds)
    const pendingMessages = async () => (await store.endpoints.find("ep_a"))?.pendingMessages
    const later = (pauseMs: number) => (): AttemptResult => ({
      state: "waiting",
      nextAtMs: nowMs + pauseMs,
      failingSinceMs: nowMs,
      disabled: null,
    })
    async function leaseOne(of: Store = store, atMs = nowMs): Promise<LeasedMessage> {
      const [message] = await of.messages.lease(await due(atMs), atMs, atMs + 60_000)
      if (message === undefined) throw new Error("nothing was leased")
      return message
    }

    test("an event creates one message per subscribed endpoint", async () => {
      await store.endpoints.insert(endpointRecord("ep_b", { events: ["import.failed"] }))
      await store.messages.enqueue(overdue("shop"))
      const [delivery, ...others] = await store.messages.list("ep_a", null, 10)
      expect(others).toEqual([])
      expect(delivery).toEqual({
        id: expect.stringMatching(/^msg_[0-9A-Za-z]{24}$/),
        endpointId: "ep_a",
        type: "pull.overdue",
        createdAt: "2026-06-02T08:00:00Z",
        state: "waiting",
        attempts: 0,
        nextAt: expect.any(String),
        last: null,
      })
      expect(await store.messages.list("ep_b", null, 10)).toEqual([])
      expect(await pendingMessages()).toBe(1)
      expect(await store.messages.countPending()).toEqual([
        { endpointId: "ep_a", isSuspended: false, pendingMessages: 1, failingSinceMs: null },
      ])
    })

    test("an event with an idempotency key is created once", async () => {
      const once = overdue("shop", { idempotencyKey: "pull.overdue shop" })
      await Promise.all(stores.map(({ messages }) => messages.enqueue(once)))
      await store.messages.enqueue(once)
      await store.messages.enqueue(overdue("other", { idempotencyKey: "pull.overdue other" }))
      expect((await store.messages.list("ep_a", null, 10)).length).toBe(2)
    })

    test("one node leases a message with its event and secrets", async () => {
      await store.messages.enqueue(overdue("shop"))
      const ids = await due()
      const leases = await Promise.all(
        stores.map(({ messages }) => messages.lease(ids, nowMs, nowMs + 60_000)),
      )
      const [message, ...others] = leases.flat()
      expect(others).toEqual([])
      expect(message).toMatchObject({
        id: ids[0],
        leasedUntilMs: nowMs + 60_000,
        attempts: 0,
        endpoint: { id: "ep_a", accountId: null, url: "https://shop.example.com/hook" },
        event: { type: "pull.overdue", at: "2026-06-02T08:00:00Z", username: null },
      })
      expect(message?.event.data).toBe('{"name":"shop"}')
      expect(message?.event.isEncrypted).toBe(false)
      expect(await due()).toEqual([])
      // Messages of a dead node can be leased after its lease has expired.
      expect(await due(nowMs + 60_000)).toEqual(ids)
    })

    test("a delivered message is not sent again", async () => {
      expect(await store.messages.hasPending()).toBe(false)
      await store.messages.enqueue(overdue("shop"))
      const message = await leaseOne()
      expect(await store.messages.hasPending()).toBe(true)
      await store.messages.completeAttempt(message, ok, nowMs, () => delivered)
      expect(await store.messages.hasPending()).toBe(false)
      expect(await due(nowMs + 100_000)).toEqual([])
      expect(await pendingMessages()).toBe(0)
      expect((await store.messages.find(message.id))?.delivery).toMatchObject({
        state: "delivered",
        attempts: 1,
        nextAt: null,
        last: { ...ok, at: "2026-06-02T08:00:00Z" },
      })
    })

    test("a failed message stays pending, and its endpoint is failing", async () => {
      await store.messages.enqueue(overdue("shop"))
      const message = await leaseOne()
      const seen: PreviousAttempts[] = []
      const decide = (earlier: PreviousAttempts) => {
        seen.push(earlier)
        return later(5_000)()
      }
      await store.messages.completeAttempt(message, broken, nowMs, decide)
      expect(await due(nowMs + 4_999)).toEqual([])
      const listed = await store.messages.listDue(nowMs + 5_000, true)
      expect(listed).toMatchObject([{ isFailing: true }])
      expect(await store.messages.listDue(nowMs + 5_000, false)).toEqual([])
      const again = await leaseOne(store, nowMs + 5_000)
      expect(again.attempts).toBe(1)
      await store.messages.completeAttempt(again, broken, nowMs, decide)
      expect(seen).toEqual([
        { failingSinceMs: null, attemptedAtMs: 0 },
        { failingSinceMs: nowMs, attemptedAtMs: nowMs },
      ])
      expect(await store.endpoints.find("ep_a")).toMatchObject({
        failingSince: "2026-06-02T08:00:00Z",
        pendingMessages: 1,
      })
    })

    test("every attempt is recorded, newest first, and an old one gives way to a redelivery", async () => {
      await store.messages.enqueue(overdue("shop"))
      let message = await leaseOne()
      for (const attempt of [broken, { ...broken, status: 500, problem: null, response: "oops" }]) {
        await store.messages.completeAttempt(message, attempt, nowMs, later(0))
        message = await leaseOne()
      }
      await store.messages.completeAttempt(message, ok, nowMs + 1_000, () => delivered)
      const attempts = async () => (await store.messages.find(message.id))?.attempts ?? []
      const at = "2026-06-02T08:00:00Z"
      expect(await attempts()).toEqual([
        { ...ok, at: "2026-06-02T08:00:01Z" },
        { ...broken, status: 500, problem: null, response: "oops", at },
        { ...broken, at },
      ])
      for (let nth = 0; nth < attemptsMax; nth += 1) {
        await store.messages.redeliver(message.id, nowMs)
        await store.messages.completeAttempt(await leaseOne(), ok, nowMs, () => delivered)
      }
      expect(await attempts()).toEqual(Array(attemptsMax).fill({ ...ok, at }))
      expect((await store.messages.find(message.id))?.delivery).toMatchObject({
        attempts: attemptsMax + 3,
        last: { ...ok, at },
      })
    })

    test("filters deliveries by state and event type", async () => {
      const ids: string[] = []
      for (const result of [
        delivered,
        { ...delivered, state: "failed" },
        later(5_000)(),
      ] as const) {
        await store.messages.enqueue(overdue("shop"))
        const message = await leaseOne()
        ids.push(message.id)
        await store.messages.completeAttempt(message, ok, nowMs, () => result)
      }
      ids.push(idOf(await store.messages.insertTest("ep_a", "2026-06-02T08:00:00Z")))
      const list = async (state: DeliveryState | null, type: string | null) =>
        (await store.messages.list("ep_a", null, 10, { state, type })).map(({ id }) => id)
      const states = ["delivered", "failed", "retrying", "pending"] as const
      const found = await Promise.all(states.map((state) => list(state, null)))
      expect(found).toEqual(ids.map((id) => [id]))
      expect(await list(null, "endpoint.test")).toEqual(ids.slice(3))
      expect(new Set(await list(null, "pull.overdue"))).toEqual(new Set(ids.slice(0, 3)))
      expect(await list("failed", "endpoint.test")).toEqual([])
    })

    test("an expired lease cannot complete an attempt", async () => {
      await store.messages.enqueue(overdue("shop"))
      const slow = await leaseOne()
      const fast = await leaseOne(stores[1], nowMs + 60_000)
      await store.messages.completeAttempt(slow, broken, nowMs, later(5_000))
      expect((await store.messages.find(slow.id))?.delivery.attempts).toBe(0)
      await stores[1].messages.completeAttempt(fast, ok, nowMs, () => delivered)
      await store.messages.completeAttempt(slow, broken, nowMs, later(5_000))
      expect((await store.messages.find(slow.id))?.delivery.state).toBe("delivered")
      expect(await pendingMessages()).toBe(0)
    })

    test("disables an endpoint and keeps its pending messages", async () => {
      for (const name of ["a", "b"]) await store.messages.enqueue(overdue(name))
      const gone = (): AttemptResult => ({
        state: "failed",
        nextAtMs: null,
        failingSinceMs: nowMs,
        disabled: "gone",
      })
      await store.messages.completeAttempt(await leaseOne(), { ...ok, status: 410 }, nowMs, gone)
      expect(await store.endpoints.find("ep_a")).toMatchObject({
        disabled: { at: "2026-06-02T08:00:00Z", reason: "gone" },
        pendingMessages: 1,
      })
      expect([await due(nowMs + 100_000), await store.messages.countPending()]).toEqual([[], []])
      await store.endpoints.enable("ep_a", nowMs)
      expect((await due(nowMs)).length).toBe(1)
      expect(await store.messages.failPending("ep_a", 10)).toBe(1)
      expect([await pendingMessages(), await due()]).toEqual([0, []])
    })

    test("a suspended author receives nothing, and the pending messages after the suspension", async () => {
      await put(store, accountRecord("ada"))
      const ada = await accountId(store, "ada")
      await store.endpoints.insert(endpointRecord("ep_ada", { accountId: ada }))
      await store.accounts.setSuspended(ada, true, new Date())
      await store.messages.enqueue(leakOf("ada", ada))
      const idsOf = async (id: string) =>
        (await store.messages.list(id, null, 10)).map((delivery) => delivery.id)
      const [toOperators, toAda] = [await idsOf("ep_a"), await idsOf("ep_ada")]
      expect([toOperators.length, toAda.length]).toEqual([1, 1])
      expect(await due()).toEqual(toOperators)
      const suspended = async () =>
        (await store.messages.countPending()).map((each) => [each.endpointId, each.isSuspended])
      expect(await suspended()).toEqual([
        ["ep_a", false],
        ["ep_ada", true],
      ])
      await store.accounts.setSuspended(ada, false, new Date())
      expect(new Set(await due())).toEqual(new Set([...toOperators, ...toAda]))
      expect(await suspended()).toEqual([
        ["ep_a", false],
        ["ep_ada", false],
      ])
    })

    test("redelivers a message under its id, and sends a test event to any endpoint", async () => {
      await store.endpoints.insert(endpointRecord("ep_b", { events: ["import.failed"] }))
      const id = await store.messages.insertTest("ep_b", "2026-06-02T08:00:00Z")
      expect(await due()).toEqual([idOf(id)])
      const message = await leaseOne()
      expect(message.event).toMatchObject({ type: "endpoint.test", data: '{"endpoint_id":"ep_b"}' })
      await store.messages.completeAttempt(message, ok, nowMs, () => delivered)
      expect(await store.messages.redeliver(message.id, nowMs)).toBe(true)
      expect(await due()).toEqual([message.id])
      expect((await store.endpoints.find("ep_b"))?.pendingMessages).toBe(1)
      expect(await store.messages.redeliver("msg_none", nowMs)).toBe(false)
      expect(await store.messages.insertTest("ep_none", "2026-06-02T08:00:00Z")).toBeNull()
    })

    test("an author can send ten test events per minute to all endpoints together; operators have no limit", async () => {
      await put(store, accountRecord("ada"), accountRecord("bora"))
      const [ada, bora] = [await accountId(store, "ada"), await accountId(store, "bora")]
      await store.endpoints.insert(endpointRecord("ep_1", { accountId: ada }))
      await store.endpoints.insert(endpointRecord("ep_2", { accountId: ada }))
      await store.endpoints.insert(endpointRecord("ep_bora", { accountId: bora }))
      const at = "2026-06-02T08:00:30Z"
      const send = (id: string, when = at) => store.messages.insertTest(id, when)
      const sent = await Promise.all(
        Array.from({ length: 24 }, (_, nth) =>
          stores[nth % 2 === 0 ? 0 : 1].messages.insertTest(`ep_${1 + (nth % 2)}`, at),
        ),
      )
      expect(sent.filter((each) => each !== "limited").length).toBe(10)
      // A new endpoint does not reset the count.
      await store.endpoints.remove("ep_1", at)
      await store.endpoints.insert(endpointRecord("ep_3", { accountId: ada }))
      expect(await send("ep_3", "2026-06-02T08:01:29Z")).toBe("limited")
      expect(await send("ep_3", "2026-06-02T08:01:30Z")).toEqual({ messageId: expect.any(String) })
      expect(await send("ep_bora")).toEqual({ messageId: expect.any(String) })
      const toOperators = await Promise.all(Array.from({ length: 11 }, () => send("ep_a")))
      expect(toOperators).not.toContain("limited")
    })

    test("keeps the newest 1,000 deliveries of an endpoint, and all pending ones", async () => {
      await store.endpoints.insert(endpointRecord("ep_b", { events: ["import.failed"] }))
      const at = (nth: number) => new Date(nowMs + nth * 1_000).toISOString().replace(".000", "")
      const failed = (nth: number): NewEvent => ({
        ...overdue(`${nth}`, { at: at(nth), type: "import.failed" }),
        ...(nth === 1 ? { idempotencyKey: "import.failed 1" } : {}),
      })
      for (let nth = 0; nth < 1_006; nth += 1) await store.messages.enqueue(failed(nth))
      const list = async (id: string) =>
        (await store.messages.list(id, null, 2_000)).map(({ createdAt }) => createdAt)
      const thinAll = async () => {
        for (let after: string | null = ""; after !== null; ) {
          after = await store.messages.prune(after, 2)
        }
      }
      await thinAll()
      expect([(await list("ep_a")).length, (await list("ep_b")).length]).toEqual([1_006, 1_006])
      // All messages of the first endpoint are delivered, and all of the second except the oldest.
      while ((await store.messages.failPending("ep_a", 500)) > 0);
      const oldest = (await store.messages.list("ep_b", null, 2_000)).at(-1)
      while ((await store.messages.failPending("ep_b", 500)) > 0);
      await store.messages.redeliver(oldest?.id ?? "", nowMs)
      await thinAll()
      const newest = Array.from({ length: 1_000 }, (_, nth) => at(1_005 - nth))
      expect(await list("ep_a")).toEqual(newest)
      expect(await list("ep_b")).toEqual([...newest, at(0)])
      // An event with an idempotency key is kept; a pending one has its data.
      await store.messages.enqueue(failed(1))
      expect(await list("ep_a")).toEqual(newest)
      expect((await store.messages.find(oldest?.id ?? ""))?.event.data).toBe('{"name":"0"}')
    })

    test("lists in pages, and deletes expired messages with their count", async () => {
      for (const day of [1, 2, 3]) {
        await store.messages.enqueue(overdue(`${day}`, { at: `2026-06-0${day}T08:00:00Z` }))
      }
      const [newest, ...older] = await store.messages.list("ep_a", null, 10)
      expect(await store.messages.list("ep_a", newest?.id ?? "", 1)).toEqual(older.slice(0, 1))
      expect(await store.messages.deleteExpired("2026-06-02T09:00:00Z", 10)).toBe(2)
      expect(await store.messages.list("ep_a", null, 10)).toEqual(newest ? [newest] : [])
      expect(await pendingMessages()).toBe(1)
    })
  })
