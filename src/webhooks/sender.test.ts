import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { Webhook } from "standardwebhooks"
import { endpointRecord, overdue } from "../../tests/harness/endpoint-records.ts"
import { temporaryFolder } from "../../tests/harness/program.ts"
import { createSqlite } from "../../tests/harness/stores/create-stores.ts"
import { accountId, accountRecord, put } from "../../tests/harness/stores/store-records.ts"
import { until } from "../../tests/harness/until.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { message } from "../platform/problem.ts"
import type { Store } from "../store/store.ts"
import { leaseMs } from "./delivery.ts"
import { createFindTarget, createTargetRules, openSender, type SenderOptions } from "./sender.ts"
import { createEndpointCipher, renderEvent } from "./webhook.ts"

type Received = Readonly<{ path: string; headers: Record<string, string>; body: string }>

const cipher = createEndpointCipher(new Uint8Array(32).fill(7))
const loopback = [{ address: "127.0.0.0", bits: 8, family: "ipv4" }] as const
const rules = createTargetRules({ webhookIpRanges: loopback, webhookReceiver: null })
/** Allows all addresses, because the receivers are on this machine. */
const openRules = { findHostProblem: () => null, check: () => null }

describe("a sender", () => {
  let folder = ""
  let store: Store
  let sender: ReturnType<typeof openSender> | null = null
  let received: Received[] = []
  let results: string[] = []
  let faults: unknown[] = []
  let nowMs = Date.now()
  let poll = () => {}
  let response: (path: string) => Response | Promise<Response> = () => new Response("thanks")
  const receiver = () =>
    Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      async fetch(request) {
        const { pathname: path } = new URL(request.url)
        received.push({ path, headers: request.headers.toJSON(), body: await request.text() })
        return response(path)
      },
    })
  let server = receiver()

  beforeEach(async () => {
    folder = temporaryFolder()
    store = await createSqlite(join(folder, "pazar.db"))
    server = receiver()
    response = () => new Response("thanks")
    received = []
    results = []
    faults = []
    nowMs = Date.now()
  })
  afterEach(async () => {
    await sender?.close()
    sender = null
    await server.stop(true)
    await store.close()
    rmSync(folder, { recursive: true })
    expect(faults).toEqual([])
  })

  const options = (changes: Partial<SenderOptions> = {}): SenderOptions => ({
    messages: store.messages,
    cipher,
    bodyOf: ({ event }) => renderEvent(event, "operator"),
    findTarget: createFindTarget(rules, async () => []),
    nowMs: () => nowMs,
    every(_, work) {
      poll = work
      return () => {}
    },
    random: () => 0.5,
    version: "1.2.3",
    onSent: (result) => results.push(result),
    onFault: (fault) => faults.push(fault),
    ...changes,
  })
  const open = (changes: Partial<SenderOptions> = {}) => {
    sender = openSender(options(changes))
    return sender
  }
  async function addEndpoint(id: string, changes: Parameters<typeof endpointRecord>[1] = {}) {
    const secret = cipher.createSecret()
    const url = `http://127.0.0.1:${server.port}/${id}`
    const encrypted = cipher.encrypt(secret, id)
    await store.endpoints.insert(endpointRecord(id, { url, encrypted, ...changes }))
    return secret
  }
  const untilSent = (count: number) =>
    until(() => (results.length >= count && received.length >= count ? true : undefined))
  const untilAttempted = (id: string, attempts: number) =>
    until(async () => {
      const [delivery] = await store.messages.list(id, null, 1)
      return delivery?.attempts === attempts ? delivery : undefined
    })

  test("sends messages that the reference library verifies", async () => {
    const secret = await addEndpoint("ep_a")
    await store.messages.enqueue(overdue("dükkân"))
    open()
    await untilAttempted("ep_a", 1)
    const [message] = received
    const verified = new Webhook(secret).verify(message?.body ?? "", message?.headers ?? {})
    expect(verified).toEqual({
      type: "pull.overdue",
      timestamp: "2026-06-02T08:00:00Z",
      data: { name: "dükkân" },
    })
    expect(message?.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "user-agent": "Pazar/1.2.3",
      "webhook-id": expect.stringMatching(/^msg_/),
    })
    expect(results).toEqual(["delivered"])
    const [delivery] = await store.messages.list("ep_a", null, 1)
    expect(delivery).toMatchObject({
      state: "delivered",
      last: { status: 200, response: "thanks", durationMs: expect.any(Number) },
    })
    expect(() => new Webhook(cipher.createSecret()).verify("{}", message?.headers ?? {})).toThrow()
  })

  test("both secrets sign during the overlap period, then only the new one", async () => {
    const old = await addEndpoint("ep_a")
    const fresh = cipher.createSecret()
    const until = new Date(nowMs + 86_400_000).toISOString().replace(/\.\d+/, "")
    await store.endpoints.rotateSecret("ep_a", cipher.encrypt(fresh, "ep_a"), until)
    await store.messages.enqueue(overdue("a"))
    open()
    await untilSent(1)
    const verify = (secret: string, { body, headers }: Received) =>
      new Webhook(secret).verify(body, headers)
    for (const secret of [old, fresh]) {
      expect(received.map((each) => verify(secret, each))).toMatchObject([{ data: { name: "a" } }])
    }
    expect(received[0]?.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/)
    nowMs += 2 * 86_400_000
    await store.messages.enqueue(overdue("b"))
    poll()
    await untilSent(2)
    expect(received[1]?.headers["webhook-signature"]).toMatch(/^v1,\S+$/)
  })

  test("a failed message is retried with the same id and body", async () => {
    await addEndpoint("ep_a")
    await store.messages.enqueue(overdue("a"))
    response = () => new Response("later", { status: 503 })
    open()
    await untilAttempted("ep_a", 1)
    response = () => new Response("now")
    nowMs += 5_001
    poll()
    const delivery = await untilAttempted("ep_a", 2)
    expect(delivery).toMatchObject({ state: "delivered", last: { response: "now" } })
    const [first, second] = received
    expect(second?.body).toBe(first?.body ?? "")
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"] ?? "")
    expect(results).toEqual(["failed", "delivered"])
  })

  test("a store that is unavailable when the result is recorded causes no second delivery", async () => {
    await addEndpoint("ep_a")
    await store.messages.enqueue(overdue("a"))
    let failures = 2
    const messages: SenderOptions["messages"] = {
      ...store.messages,
      async completeAttempt(...completed) {
        failures -= 1
        if (failures >= 0) throw new StoreUnavailable("the database is unavailable")
        return await store.messages.completeAttempt(...completed)
      },
    }
    open({ messages })
    await untilAttempted("ep_a", 1)
    nowMs += leaseMs
    await store.messages.enqueue(overdue("b"))
    poll()
    await until(async () => ((await store.messages.hasPending()) === false ? true : undefined))
    expect(received.map(({ body }) => JSON.parse(body).data.name)).toEqual(["a", "b"])
    expect(results).toEqual(["delivered", "delivered"])
  })

  test("a sender closes although its last result cannot be recorded", async () => {
    await addEndpoint("ep_a")
    await store.messages.enqueue(overdue("a"))
    const failing = Promise.withResolvers<void>()
    const messages: SenderOptions["messages"] = {
      ...store.messages,
      async completeAttempt() {
        failing.resolve()
        throw new StoreUnavailable("the database is unavailable")
      },
    }
    open({ messages })
    await failing.promise
    await sender?.close()
    expect(faults.splice(0)).toMatchObject([{ name: "StoreUnavailable" }])
  })

  test("a failing endpoint gets one attempt per poll", async () => {
    await addEndpoint("ep_a")
    await store.messages.enqueue(overdue("a"))
    response = (path) => new Response(null, { status: path === "/ep_a" ? 503 : 200 })
    open()
    await untilAttempted("ep_a", 1)
    await addEndpoint("ep_b")
    for (let at = 0; at < 40; at += 1) await store.messages.enqueue(overdue(`${at}`))
    const countOf = (expected: string) => received.filter(({ path }) => path === expected).length
    poll()
    await until(() => (countOf("/ep_b") === 40 && countOf("/ep_a") > 1 ? true : undefined))
    expect(countOf("/ep_a")).toBe(2)
    poll()
    await until(() => (countOf("/ep_a") === 3 ? true : undefined))
  })

  test("410 disables an endpoint, and a private address is never connected to", async () => {
    await addEndpoint("ep_gone")
    await addEndpoint("ep_inside", { url: "https://10.0.0.1/" })
    await store.messages.enqueue(overdue("a"))
    response = () => new Response(null, { status: 410 })
    open()
    await untilAttempted("ep_gone", 1)
    expect(await store.endpoints.find("ep_gone")).toMatchObject({ disabled: { reason: "gone" } })
    expect(await untilAttempted("ep_inside", 1)).toMatchObject({
      state: "waiting",
      last: { status: null, problem: message("address_not_allowed") },
    })
  })

  test("an endpoint that never responds uses four slots of its author and no others", async () => {
    const slow: Promise<Response>[] = []
    const freed = Promise.withResolvers<void>()
    response = (path) => {
      if (path !== "/ep_slow") return new Response("thanks")
      const held = freed.promise.then(() => new Response("at last"))
      slow.push(held)
      return held
    }
    await put(store, accountRecord("ada"), accountRecord("bora"))
    for (const [id, name] of [
      ["ep_slow", "ada"],
      ["ep_fast", "bora"],
    ] as const) {
      await addEndpoint(id, { accountId: await accountId(store, name) })
      const account = { id: await accountId(store, name), username: name }
      for (let at = 0; at < 9; at += 1) {
        await store.messages.enqueue(overdue(`${at}`, { account }))
      }
    }
    open({ findTarget: createFindTarget(openRules, async () => []) })
    await until(async () => {
      const { length } = received.filter(({ path }) => path === "/ep_fast")
      return length === 9 && slow.length === 4 ? true : undefined
    })
    expect(slow.length).toBe(4)
    freed.resolve()
    await until(async () => ((await store.messages.hasPending()) === false ? true : undefined))
    expect(received.length).toBe(18)
  })

  test("without pending messages a poll reads no endpoints; messages of other nodes are sent by the next poll", async () => {
    await addEndpoint("ep_a")
    const queries: string[] = []
    const messages: SenderOptions["messages"] = {
      ...store.messages,
      listDue: (...query) => {
        queries.push("due")
        return store.messages.listDue(...query)
      },
      hasPending: () => {
        queries.push("has")
        return store.messages.hasPending()
      },
    }
    open({ messages })
    // The sender polls once when it opens.
    await until(() => (queries.length === 1 ? true : undefined))
    poll()
    await until(() => (queries.length === 2 ? true : undefined))
    expect(queries).toEqual(["due", "has"])
    await store.messages.enqueue(overdue("a"))
    poll()
    await untilAttempted("ep_a", 1)
  })

  test("two senders on one database send each message once", async () => {
    await addEndpoint("ep_a")
    for (let at = 0; at < 40; at += 1) await store.messages.enqueue(overdue(`${at}`))
    const second = openSender(options())
    open()
    await until(async () => ((await store.messages.hasPending()) === false ? true : undefined))
    await second.close()
    expect(new Set(received.map(({ headers }) => headers["webhook-id"])).size).toBe(40)
    expect(received.length).toBe(40)
  })
})
