/** Concurrent checks, failing stores and stored records. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import type { PazarOptions, Store } from "../src/index.ts"
import {
  createMemoryStore,
  day,
  type FakeServer,
  item,
  openProduct,
  plain,
  purchase,
  respondInvalid,
  respondValid,
  serverMs,
  signedResponse,
  startFakeServer,
} from "./fake-server.ts"
import { createSigner, jwk } from "./signer.ts"

const code = "CODE-11"
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
  before = server.requests.length
  server.respond(respondValid(server.signer))
})

const requests = () => server.requests.length - before
const open = (changes: Partial<PazarOptions> = {}) => openProduct(server, () => nowMs, changes)
const openBlocked = (changes: Partial<PazarOptions> = {}) =>
  open({ fetch: () => Promise.reject(new Error("blocked")), ...changes })

test("the result has all documented fields", async () => {
  const supported_until = "2026-07-01T00:00:00Z"
  const body = JSON.stringify({ data: { purchase: { ...purchase, supported_until } } })
  server.respond(respondValid(server.signer, { body }))
  expect(await open().check(code)).toEqual({
    isActive: true,
    state: "valid",
    reason: "",
    purchase: { ...purchase, supported_until },
    retryAfter: 86_400,
    source: "server",
    isVerified: true,
    isValid: true,
    isExpired: false,
    item,
    isSupported: true,
    supportedUntil: new Date(supported_until),
    mayUpdate: true,
  })
})

describe("one request at a time", () => {
  test("for a hundred concurrent calls of a process", async () => {
    const pazar = open()
    const calls = Array.from({ length: 100 }, (_, at) => pazar.check(code, { force: at % 2 > 0 }))
    const results = await Promise.all(calls)
    expect(results.filter(({ isActive }) => isActive).length).toBe(100)
    expect(requests()).toBe(1)
  })

  test("for twenty processes on one store", async () => {
    const store = createMemoryStore()
    await Promise.all(Array.from({ length: 20 }, () => open({ store }).check(code)))
    expect(requests()).toBe(1)
    expect(await open({ store }).cached(code)).toMatchObject({ isActive: true })
    nowMs += dayMs
    await Promise.all(Array.from({ length: 20 }, () => open({ store }).check(code)))
    expect(requests()).toBe(2)
  })

  test("while a request is pending, other processes return the stored result", async () => {
    const store = createMemoryStore()
    await open({ store }).check(code)
    nowMs += dayMs
    const inside: unknown[] = []
    server.respond(async (form, request) => {
      inside.push(await open({ store }).check(code))
      return respondValid(server.signer)(form, request)
    })
    await open({ store }).check(code)
    expect(inside).toMatchObject([{ state: "valid", source: "receipt" }])
    expect(requests()).toBe(2)
  })

  test("a claim of a killed process ends after the timeout", async () => {
    const store = createMemoryStore()
    let atKill: string | null = null
    server.respond((form, request) => {
      atKill ??= store.text()
      return respondValid(server.signer)(form, request)
    })
    await open({ store }).check(code)
    const left = createMemoryStore(atKill)
    nowMs += 4_999
    expect(await open({ store: left }).check(code)).toMatchObject({ reason: "not_checked" })
    nowMs += 1
    expect(await open({ store: left }).check(code)).toMatchObject({ source: "server" })
  })

  test("a late failure does not overwrite the verdict of another process", async () => {
    const store = createMemoryStore()
    let isFirst = true
    server.respond(async (form, request) => {
      if (!isFirst) return respondValid(server.signer)(form, request)
      isFirst = false
      expect(await open({ store }).check(code, { force: true })).toMatchObject({ isActive: true })
      return plain(503, "")
    })
    await open({ store }).check(code)
    expect(await open({ store }).cached(code)).toMatchObject({ state: "valid", source: "cache" })
  })
})

describe("a store that fails", () => {
  const broken: Store = {
    get: () => Promise.reject(new Error("gone")),
    set: () => Promise.reject(new Error("full")),
  }

  test("sends a request for a forced check only", async () => {
    const reason = "store_not_writable"
    expect(await open({ store: broken }).check(code)).toMatchObject({ reason, isActive: false })
    expect(requests()).toBe(0)
    const entered = await open({ store: broken }).check(code, { force: true })
    expect(entered).toMatchObject({ isActive: true, source: "server", reason })
  })

  test("that became read-only keeps the product active", async () => {
    const store = createMemoryStore()
    await open({ store }).check(code)
    nowMs += 30 * dayMs
    const readOnly = { ...broken, get: store.get }
    expect(await open({ store: readOnly }).check(code)).toMatchObject({ isActive: true })
  })
})

describe("records", () => {
  test("mistyped codes do not push out a valid record", async () => {
    const store = createMemoryStore()
    await open({ store }).check(code)
    server.respond(respondInvalid(server.signer))
    for (let wrong = 0; wrong < 20; wrong++) await open({ store }).check(`TYPING-ERROR-${wrong}`)
    expect(await openBlocked({ store }).cached(code)).toMatchObject({ isActive: true })
    expect(store.text()?.length).toBeLessThan(20_000)
  })

  test("do not contain a secret key", async () => {
    const store = createMemoryStore()
    const result = await open({ store, key: "pzr_sk_test" }).check(code)
    expect(result.isActive).toBe(true)
    expect(JSON.stringify(result) + store.text()).not.toContain("pzr_sk_test")
  })

  test("forget() removes them all", async () => {
    const store = createMemoryStore()
    await open({ store }).check(code)
    await open({ store }).forget()
    expect(await open({ store }).cached(code)).toMatchObject({ reason: "not_checked" })
  })

  /** Writes a record in the format of version 0.13. */
  async function writeOld(site: string | null, signer = server.signer, others: object = {}) {
    const nonce = "n".repeat(32)
    const form = { api_key: "pzr_vk_test", purchase_code: code, nonce, ...(site && { site }) }
    const { headers, body } = signedResponse(signer, form)
    const receipt = {
      status: 200,
      body: await new Response(body).text(),
      reason: "ok",
      nonce,
      key: "pzr_vk_test",
      clockOffsetMs: 0,
      ...(site && { site }),
      signatureInput: headers.get("signature-input"),
      signature: headers.get("signature"),
    }
    const times = { seenAtMs: serverMs, answeredAtMs: serverMs, nextAskAtMs: 0, refusedAtMs: 0 }
    const record = { code, site, ...times, failure: null, isSigned: true, receipt, ...others }
    return createMemoryStore(JSON.stringify(record))
  }

  test("of version 0.13 stay active during an outage", async () => {
    const [store, untouched] = [await writeOld(null), await writeOld(null)]
    nowMs += 2 * dayMs
    const kept = { isActive: true, isValid: true, source: "receipt" }
    expect(await openBlocked({ store }).cached(code)).toMatchObject(kept)
    expect(await openBlocked({ store }).check(code)).toMatchObject(kept)
    nowMs += 30 * dayMs
    const ended = { isActive: true, isValid: false, mayUpdate: true }
    expect(await openBlocked({ store }).cached(code)).toMatchObject(ended)
    expect(await openBlocked({ store: untouched }).cached(code)).toMatchObject(ended)
  })

  test("of version 0.13 stay active next to another code or another spelling of the code", async () => {
    const earlier = JSON.parse((await writeOld(null)).text() ?? "")
    for (const other of ["TYPING-ERROR", code.toLowerCase()]) {
      const record = { code: other, site: null, refusal: "unknown_code", earlier }
      const store = createMemoryStore(JSON.stringify(record))
      expect(await openBlocked({ store }).cached(code)).toMatchObject({ isActive: true })
    }
  })

  test("of version 0.13 are accepted for the site as the options spell it", async () => {
    const site = "https://www.shop.example.com/shop/"
    const store = await writeOld(site)
    const read = (named: string) => openBlocked({ store, site: named }).cached(code)
    expect(await read(site)).toMatchObject({ isActive: true })
    expect(await read("https://other.example.com/shop/")).toMatchObject({ isActive: false })
    await open({ store, site }).check(code)
    expect(server.requests.at(-1)).toMatchObject({ site: "shop.example.com" })
    expect(await read("shop.example.com")).toMatchObject({ isActive: true })
  })

  test("of version 0.13 keep their endorsed keys", async () => {
    const next = createSigner()
    const endorsedKeys = [jwk(next, server.signer)]
    const store = await writeOld(null, next, { endorsedKeys })
    expect(await openBlocked({ store }).cached(code)).toMatchObject({ isActive: true })
    server.respond(respondValid(next))
    expect(await open({ store }).check("CODE-12")).toMatchObject({ isActive: true })
  })
})

describe("values of the wrong type", () => {
  // `as`: JavaScript callers have no compiler.
  const anything = (value: unknown) => value as never
  const odd = [undefined, null, 7, {}, [], Symbol("odd"), Object.create(null), "x".repeat(2_000)]

  test.each(odd.map((value) => ({ value })))(
    "$value as a code neither throws nor activates",
    async ({ value }) => {
      server.respond(respondInvalid(server.signer))
      const pazar = open()
      for (const result of [
        await pazar.cached(anything(value)),
        await pazar.check(anything(value)),
        await pazar.check(anything(value), anything(null)),
        await pazar.reclaim(anything(value)),
        await pazar.importReceipt(anything(value)),
      ]) {
        expect(result.isActive).toBe(false)
      }
      expect((await pazar.release(anything(value), anything(value))).state).not.toBe("released")
    },
  )

  test("an invalid store counts as a failing one", async () => {
    for (const store of [null, 7, "store", {}]) {
      const result = await open({ store: anything(store) }).check(code, { force: true })
      expect(result).toMatchObject({ isActive: true })
    }
  })
})
