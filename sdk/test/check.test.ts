/** When `check` asks, what it remembers, and which clock it believes. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { runs } from "../../tests/harness/tier.ts"
import { createPazar, type PazarOptions, type Receipt, type Store } from "../src/index.ts"
import {
  createMemoryStore,
  day,
  errorBody,
  type FakeServer,
  openProduct,
  plain,
  purchase,
  sayNo,
  sayYes,
  serverMs,
  startFakeServer,
  validBody,
} from "./fake-server.ts"

const code = "CODE-11"
const hourMs = 3_600_000
const dayMs = day * 1000
let server: FakeServer
let nowMs: number
let before: number

beforeAll(() => {
  server = startFakeServer()
})
afterAll(() => server.close())
beforeEach(() => {
  nowMs = serverMs
  before = server.asked.length
  server.respond(sayYes(server.signer))
})

const asks = () => server.asked.length - before

const open = (changes: Partial<PazarOptions> = {}) => openProduct(server, () => nowMs, changes)
const openUnsigned = () => {
  const { url: baseUrl } = server
  return createPazar({ baseUrl, key: "pzr_sk_test", retries: 0, now: () => nowMs })
}
const down = () => server.respond(() => plain(503, ""))

describe("when it asks", () => {
  test("once a day", async () => {
    const store = createMemoryStore()
    expect(await open().check(code, store)).toMatchObject({ source: "server" })
    nowMs += dayMs - 1
    const cached = await open().check(code, store)
    expect(cached).toMatchObject({ state: "valid", source: "cache", purchase })
    expect(asks()).toBe(1)
    nowMs += 1
    expect(await open().check(code, store)).toMatchObject({ source: "server" })
    expect(asks()).toBe(2)
  })

  test("once an hour while it fails", async () => {
    const store = createMemoryStore()
    await open().check(code, store)
    nowMs += dayMs
    down()
    await open().check(code, store)
    nowMs += hourMs - 1
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
    expect(asks()).toBe(2)
    nowMs += 1
    await open().check(code, store)
    expect(asks()).toBe(3)
  })

  test("once an hour without a receipt too, and says why and when", async () => {
    const store = createMemoryStore()
    server.respond(() => plain(401, "{}", { "Pazar-Reason": "unknown_key" }))
    const first = await open().check(code, store)
    expect(first).toMatchObject({ reason: "unknown_key", retryAfterMs: hourMs })
    nowMs += hourMs / 2
    expect(await open().check(code, store)).toEqual({
      state: "unknown",
      reason: "unknown_key",
      retryAfterMs: hourMs / 2,
    })
    expect(asks()).toBe(1)
  })

  test("once an hour after a no", async () => {
    const store = createMemoryStore()
    server.respond(sayNo(server.signer))
    await open().check(code, store)
    nowMs += hourMs - 1
    const outcome = await open().check(code, store)
    expect(outcome).toEqual({ state: "invalid", reason: "unknown_code" })
    expect(asks()).toBe(1)
  })

  test("at once after a no or a failure, if the call says so: for somebody who waits", async () => {
    const store = createMemoryStore()
    down()
    await open().check(code, store)
    server.respond(sayYes(server.signer))
    expect(await open().check(code, store)).toMatchObject({ state: "unknown" })
    const call = { retryMs: 0 }
    server.respond(sayNo(server.signer, "site_limit"))
    expect(await open().check(code, store, call)).toMatchObject({ reason: "site_limit" })
    server.respond(sayYes(server.signer))
    expect(await open().check(code, store)).toMatchObject({ reason: "site_limit" })
    expect(await open().check(code, store, call)).toMatchObject({ source: "server" })
  })

  test("at once for another code", async () => {
    const store = createMemoryStore()
    server.respond(sayNo(server.signer))
    await open().check("CODE-1", store)
    server.respond(sayYes(server.signer))
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "server" })
  })

  test("a mistyped code loses nothing, whether the server says no or nothing", async () => {
    const store = createMemoryStore()
    await open().check(code, store)
    nowMs += dayMs
    for (const answer of [sayNo(server.signer), () => plain(503, "")]) {
      server.respond(answer)
      expect((await open().check("CODE-1l", store)).state).not.toBe("valid")
      down()
      expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
    }
    const before = asks()
    await open().check("CODE-1l", store)
    await open().check(code, store)
    expect(asks()).toBe(before)
  })

  test("as the call says", async () => {
    const store = createMemoryStore()
    await open().check(code, store)
    nowMs += 11
    await open().check(code, store, { ttlMs: 10 })
    expect(asks()).toBe(2)
    nowMs += 2 * dayMs
    down()
    const outcome = await open().check(code, store, { graceDays: 2 })
    expect(outcome).toMatchObject({ state: "unknown", reason: "receipt_expired" })
    nowMs += 5
    await open().check(code, store, { retryMs: 5 })
    expect(asks()).toBe(4)
  })

  test("once for a hundred calls at the same time", async () => {
    const store = createMemoryStore()
    const pazar = open()
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => pazar.check(code, store)))
    expect(outcomes.filter(({ state }) => state === "valid").length).toBe(100)
    expect(asks()).toBe(1)
  })

  test("once for two processes: the time of the next question is stored before asking", async () => {
    const store = createMemoryStore()
    await open().check(code, store)
    nowMs += dayMs
    const inside: unknown[] = []
    server.respond(async (asked) => {
      inside.push(await open().check(code, store))
      inside.push(await open().check("CODE-2", createMemoryStore(renamed(store.text()))))
      return sayYes(server.signer)(asked, new Request(server.url))
    })
    await open().check(code, store)
    expect(inside).toMatchObject([
      { state: "valid", source: "receipt" },
      // The first process is still asking: it takes no longer than its time limit.
      { state: "unknown", reason: "unreachable", retryAfterMs: 5_000 },
    ])
    expect(asks()).toBe(2)
  })
  test("again after the time limit, if the process that asked was killed", async () => {
    const store = createMemoryStore()
    let atKill: string | null = null
    server.respond((asked) => {
      atKill ??= store.text()
      return sayYes(server.signer)(asked, new Request(server.url))
    })
    await open().check(code, store)
    const left = createMemoryStore(atKill ?? "")
    nowMs += 4_999
    expect(await open().check(code, left)).toMatchObject({ state: "unknown", retryAfterMs: 1 })
    nowMs += 1
    expect(await open().check(code, left)).toMatchObject({ state: "valid", source: "server" })
  })
  const renamed = (text: string | null) =>
    (text ?? "").replace('"code":"CODE-11"', '"code":"CODE-2"')
})

describe("the clock", () => {
  const slowMs = 400 * dayMs

  test("400 days slow, it works as long as a right one", async () => {
    const store = createMemoryStore()
    nowMs = serverMs - slowMs
    await open().check(code, store)
    down()
    nowMs += 14 * dayMs - 1
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
    nowMs += 1
    expect(await open().check(code, store)).toMatchObject({ reason: "receipt_expired" })
  })

  test("set back, it does not revive a dead receipt", async () => {
    const store = createMemoryStore()
    await open().check(code, store)
    down()
    nowMs += 14 * dayMs
    await open().check(code, store)
    nowMs = serverMs + 2 * dayMs
    expect(await open().check(code, store)).toMatchObject({ reason: "receipt_expired" })
    // A live answer starts anew.
    nowMs += 2 * hourMs
    server.respond(sayYes(server.signer))
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "server" })
    nowMs += 2 * dayMs
    down()
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
  })

  test("set back behind the last answer, it makes no answer fresh", async () => {
    const store = createMemoryStore()
    await open().check(code, store)
    nowMs -= 1
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "server" })
  })

  test("put right after it was years ahead, it does not stop the questions", async () => {
    const store = createMemoryStore()
    nowMs = serverMs + 10 * slowMs
    down()
    await open().check(code, store)
    nowMs = serverMs
    server.respond(sayYes(server.signer))
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "server" })
  })

  test.each([
    ["with pinned keys", () => open()],
    ["without them", () => openUnsigned()],
  ])("put right after it was years ahead, it counts the days on: %s", async (_, make) => {
    const store = createMemoryStore()
    nowMs = serverMs + 10 * slowMs
    await make().check(code, store)
    down()
    nowMs = serverMs + dayMs
    expect(await make().check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
    nowMs += 14 * dayMs - 1
    expect(await make().check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
    nowMs += 1
    expect(await make().check(code, store)).toMatchObject({ reason: "receipt_expired" })
  })

  test("an answer is judged by its nonce, whatever the clocks say", async () => {
    nowMs = 0
    server.respond(sayYes(server.signer, { createdAt: 1, expiresAt: 2 }))
    expect(await open().validate(code)).toMatchObject({ state: "valid" })
  })
})

describe("verify", () => {
  async function receive() {
    const outcome = await open().validate(code)
    if (outcome.state !== "valid" || outcome.receipt === undefined) throw new Error("no receipt")
    return outcome.receipt
  }

  test("takes a receipt that was kept as JSON, without the server", async () => {
    const receipt = JSON.parse(JSON.stringify(await receive()))
    const offline = open({ fetch: () => Promise.reject(new Error("offline")) })
    expect(await offline.verify(receipt, ` ${code}\n`)).toEqual({
      state: "valid",
      purchase,
      source: "receipt",
      receipt,
    })
    nowMs += 14 * dayMs
    expect(await offline.verify(receipt, code)).toMatchObject({ reason: "receipt_expired" })
  })

  test("ends after the days of grace, or with the receipt's own end if that is earlier", async () => {
    const receipt = await receive()
    nowMs += 3 * dayMs
    expect(await open().verify(receipt, code, { graceDays: 3 })).toMatchObject({
      reason: "receipt_expired",
    })
    expect(await open().verify(receipt, code, { graceDays: 4 })).toMatchObject({ state: "valid" })
    nowMs += 11 * dayMs
    expect(await open().verify(receipt, code, { graceDays: 30 })).toMatchObject({
      reason: "receipt_expired",
    })
  })

  test("needs pinned keys", async () => {
    const receipt = await receive()
    expect(await openUnsigned().verify(receipt, code)).toMatchObject({ reason: "unsigned" })
  })
})

describe("without pinned keys", () => {
  test("outcomes are the same, without receipts, and the last answer holds for the days of grace", async () => {
    const store = createMemoryStore()
    const pazar = openUnsigned()
    server.respond(() => plain(200, validBody(), { "Pazar-Reason": "ok", "Request-Id": "r1" }))
    expect(await pazar.check(code, store)).toEqual({
      state: "valid",
      purchase,
      source: "server",
      requestId: "r1",
    })
    expect(server.asked.at(-1)).not.toHaveProperty("nonce")
    expect(await pazar.check(code, store)).toMatchObject({ state: "valid", source: "cache" })
    down()
    nowMs += 14 * dayMs - 1
    expect(await pazar.check(code, store)).toEqual({ state: "valid", purchase, source: "receipt" })
    nowMs += 1
    expect(await pazar.check(code, store)).toMatchObject({ reason: "receipt_expired" })
    server.respond(() => plain(404, errorBody, { "Pazar-Reason": "revoked_code" }))
    nowMs += hourMs
    expect(await pazar.check(code, store)).toEqual({ state: "invalid", reason: "revoked_code" })
  })

  describe("a no ends a yes when it comes twice, an hour apart", () => {
    const yes = () => server.respond(() => plain(200, validBody(), { "Pazar-Reason": "ok" }))
    const no = () => server.respond(() => plain(404, errorBody, { "Pazar-Reason": "unknown_code" }))
    const refused = { state: "invalid", reason: "unknown_code" }
    const kept = { state: "valid", source: "receipt" }
    let store = createMemoryStore()
    const check = () => openUnsigned().check(code, store)
    beforeEach(async () => {
      store = createMemoryStore()
      yes()
      await check()
      nowMs += dayMs
      no()
    })

    test("the second one counts", async () => {
      expect(await check()).toMatchObject(kept)
      nowMs += hourMs - 1
      expect(await check()).toMatchObject(kept)
      expect(asks()).toBe(2)
      nowMs += 1
      expect(await check()).toMatchObject(refused)
      expect(asks()).toBe(3)
    })

    test("not after a yes in between", async () => {
      await check()
      nowMs += hourMs
      yes()
      expect(await check()).toMatchObject({ state: "valid", source: "server" })
      nowMs += dayMs
      no()
      expect(await check()).toMatchObject(kept)
    })

    test("an outage in between changes nothing", async () => {
      await check()
      nowMs += hourMs
      down()
      expect(await check()).toMatchObject(kept)
      nowMs += hourMs
      no()
      expect(await check()).toMatchObject(refused)
    })

    test("a code of another item is such a no", async () => {
      const other = validBody({ ...purchase, item: { ...purchase.item, id: 12 } })
      server.respond(() => plain(200, other, { "Pazar-Reason": "ok" }))
      const product = () =>
        createPazar({
          baseUrl: server.url,
          key: "pzr_vk_test",
          items: [11],
          retries: 0,
          now: () => nowMs,
        })
      expect(await product().check(code, store)).toMatchObject(kept)
      nowMs += hourMs
      expect(await product().check(code, store)).toMatchObject({ reason: "other_item" })
    })

    test("the first one counts where there was no yes, or where it has expired", async () => {
      expect(await openUnsigned().check(code, createMemoryStore())).toMatchObject(refused)
      nowMs += 13 * dayMs
      expect(await check()).toMatchObject(refused)
    })
  })

  test("a purchase in an answer without Pazar's reason is not believed", async () => {
    server.respond(() => plain(200, validBody()))
    expect(await openUnsigned().validate(code)).toMatchObject({ reason: "not_json" })
  })

  test.each([
    ["yes", 200, "ok", validBody()],
    ["no", 404, "unknown_code", errorBody],
  ])("a %s in the store is worth nothing once keys are pinned", async (_, status, reason, body) => {
    const store = createMemoryStore()
    server.respond(() => plain(status, body, { "Pazar-Reason": reason }))
    await openUnsigned().check(code, store)
    down()
    expect(await open().check(code, store)).toMatchObject({ state: "unknown" })
  })
})

describe("a hostile or broken store", () => {
  const offline = () => open({ fetch: async () => new Response("", { status: 503 }), retries: 0 })

  const texts = fc.oneof(
    fc.string(),
    fc.json(),
    fc
      .record(
        {
          code: fc.constant(code),
          seenAtMs: fc.anything(),
          answeredAtMs: fc.oneof(fc.double(), fc.anything()),
          nextAskAtMs: fc.oneof(fc.double(), fc.anything()),
          failure: fc.anything(),
          receipt: fc.oneof(
            fc.anything(),
            fc.record({ nonce: fc.string(), signatureInput: fc.string(), body: fc.string() }),
          ),
          body: fc.anything(),
        },
        { requiredKeys: ["code"] },
      )
      .map((stored) =>
        JSON.stringify(stored, (_, value) => (typeof value === "bigint" ? 1 : value)),
      ),
  )

  test("no text makes it throw, or makes it say yes", async () => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const outcome = await offline().check(code, createMemoryStore(text))
        expect(outcome.state).toBe("unknown")
      }),
      { numRuns: runs(100) },
    )
  })

  test("no receipt makes verify throw, or say yes", async () => {
    await fc.assert(
      fc.asyncProperty(fc.anything(), async (receipt) => {
        // `as`: the compiler would refuse it, a file on a disk does not.
        const outcome = await offline().verify(receipt as Receipt, code)
        expect(outcome).toMatchObject({ state: "unknown", reason: "forged" })
      }),
      { numRuns: runs(100) },
    )
  })

  test("no code at all is a question like any other", async () => {
    // `as`: JavaScript has no compiler that would refuse it.
    const nothing = undefined as unknown as string
    expect(await open().check(nothing, createMemoryStore())).toMatchObject({ state: "valid" })
    expect(server.asked.at(-1)).toMatchObject({ purchase_code: "" })
    expect(await open().validate(nothing)).toMatchObject({ state: "valid" })
  })

  test("nothing that JavaScript can pass makes a question throw", async () => {
    // `as`: JavaScript has no compiler that would refuse it.
    const anything = (value: unknown) => value as never
    const missing = anything(undefined)
    expect(await open().check(code, missing)).toMatchObject({ state: "valid", source: "server" })
    for (const odd of [null, 7, "store", {}]) {
      expect(await open().check(code, anything(odd))).toMatchObject({ state: "valid" })
    }
    const wrong = { state: "unknown", reason: "invalid_parameter" }
    const good = { state: "valid" }
    expect(await open().check(code, createMemoryStore(), anything(null))).toMatchObject(good)
    expect(await open().validate(code, anything(null))).toMatchObject(good)
    expect(await open().verify(anything({}), code, anything(null))).toMatchObject(wrong)
    const bare = anything(Object.create(null))
    expect(await open().importReceipt(bare, createMemoryStore())).toMatchObject({
      ...wrong,
      code: "",
    })
    const call = anything({ signal: "now" })
    expect(await open().validate(code, call)).toMatchObject({ ...wrong, cause: expect.any(Error) })
  })

  test("one that fails is like an empty one", async () => {
    const broken: Store = {
      get: () => Promise.reject(new Error("gone")),
      set: () => Promise.reject(new Error("full")),
    }
    expect(await open().check(code, broken)).toMatchObject({ state: "valid", source: "server" })
    down()
    expect(await open().check(code, broken)).toMatchObject({ state: "unknown" })
  })
})
