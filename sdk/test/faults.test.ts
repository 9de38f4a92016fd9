/** A product with a receipt keeps working whatever happens between it and the server. */
import { afterAll, beforeAll, beforeEach, describe, expect, spyOn, test } from "bun:test"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { PazarOptions, Store } from "../src/index.ts"
import {
  createMemoryStore,
  day,
  errorBody,
  type FakeServer,
  type MemoryStore,
  openProduct,
  plain,
  purchase,
  type Respond,
  sayNo,
  sayYes,
  serverMs,
  signedAnswer,
  startFakeServer,
  validBody,
} from "./fake-server.ts"
import { createSigner } from "./signer.ts"

const code = "CODE-11"
let server: FakeServer
let nowMs: number
let store: MemoryStore

beforeAll(() => {
  server = startFakeServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  nowMs = serverMs
  store = createMemoryStore()
  server.respond(sayYes(server.signer))
  const first = await open().check(code, store)
  expect(first).toMatchObject({ state: "valid", source: "server", purchase })
  // A day and an hour later the answer is no longer fresh.
  nowMs += 25 * 3_600_000
})

const open = (changes: Partial<PazarOptions> = {}) => openProduct(server, () => nowMs, changes)

const success = { "Pazar-Reason": "ok" }
const refusal = { "Pazar-Reason": "unknown_code" }
const html = "<!doctype html><title>Hotel Wi-Fi</title>"

const damaged = Buffer.from(validBody().replace("Tema", "T\u0001ma")).map((byte) =>
  byte === 1 ? 0xff : byte,
)

type Fault = readonly [name: string, reason: string, respond: Respond]

const faults: readonly Fault[] = [
  ["500", "unavailable", () => plain(500, html)],
  ["503 of Pazar", "unavailable", () => plain(503, "{}", { "Pazar-Reason": "unavailable" })],
  ["429", "rate_limited", () => plain(429, "")],
  ["401", "revoked_key", () => plain(401, "{}", { "Pazar-Reason": "revoked_key" })],
  ["403", "account_suspended", () => plain(403, "{}", { "Pazar-Reason": "account_suspended" })],
  ["403 of a newer server", "key_not_allowed", () => plain(403, "{}", { "Pazar-Reason": "new" })],
  ["a login page", "not_json", () => plain(200, html)],
  ["a login page that says ok", "not_json", () => plain(200, html, success)],
  ["a redirect", "not_json", () => plain(302, "", { Location: "https://example.com/" })],
  ["an empty answer", "not_json", () => new Response(null, { status: 204 })],
  ["bad UTF-8", "not_json", () => new Response(damaged, { headers: success })],
  ["a fake success", "unsigned", () => plain(200, validBody(), success)],
  ["a bare success", "not_json", () => plain(200, `{"status":"success"}`, success)],
  ["a fake 404", "unsigned", () => plain(404, errorBody, refusal)],
  ["somebody else's 404", "not_json", () => plain(404, `{"message":"no route"}`)],
  ["a wrong path", "unknown_path", () => plain(404, "{}", { "Pazar-Reason": "unknown_path" })],
  ["another server's key", "unknown_signer", (asked) => signedAnswer(createSigner(), asked)],
  [
    "another server's no",
    "unknown_signer",
    (asked) => signedAnswer(createSigner(), asked, { status: 404 }),
  ],
  [
    "a relay that asks about another code",
    "forged",
    (asked) => signedAnswer(server.signer, asked, { code: "CODE-12" }),
  ],
  [
    "a relay that asks with another author's key",
    "forged",
    (asked) => signedAnswer(server.signer, asked, { key: "pzr_vk_another", status: 404 }),
  ],
  [
    "a relay that asks for another site",
    "forged",
    (asked) => signedAnswer(server.signer, asked, { site: "elsewhere.example", status: 404 }),
  ],
  [
    "an answer that was recorded earlier",
    "replayed",
    (asked) => signedAnswer(server.signer, asked, { nonce: "0123456789abcdef" }),
  ],
  [
    "a test key's answer",
    "forged",
    (asked) => signedAnswer(server.signer, asked, { tag: "pazar-test" }),
  ],
  [
    "half a signature",
    "forged",
    (asked) => {
      const { body, headers } = signedAnswer(server.signer, asked)
      headers.set("Signature", "pazar=:AAAA:")
      return new Response(body, { headers })
    },
  ],
]

describe.each(faults)("%s", (_, reason, respond) => {
  test("alone it is no answer", async () => {
    server.respond(respond)
    expect(await open().validate(code)).toMatchObject({ state: "unknown", reason })
  })

  test("with a receipt the product keeps working, until the receipt ends", async () => {
    server.respond(respond)
    const held = await open().check(code, store)
    expect(held).toMatchObject({ state: "valid", source: "receipt", purchase })
    nowMs = serverMs + 14 * day * 1000
    const ended = await open().check(code, store)
    expect(ended).toMatchObject({ state: "unknown", reason: "receipt_expired" })
  })
})

describe("no answer at all", () => {
  test("connection refused", async () => {
    const refused = startFakeServer()
    await refused.close()
    const outcome = await open({ baseUrl: refused.url }).validate(code)
    expect(outcome).toMatchObject({ state: "unknown", reason: "unreachable" })
    expect(outcome).toHaveProperty("cause")
    expect(await open({ baseUrl: refused.url }).check(code, store)).toMatchObject({
      state: "valid",
      source: "receipt",
    })
  })

  test("a name that does not exist", async () => {
    const away = open({ baseUrl: "http://pazar.invalid", timeoutMs: 1_000 })
    expect(await away.check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
  })

  test("a server that hangs before its answer", async () => {
    server.respond(() => new Promise(() => {}))
    const outcome = await open({ timeoutMs: 20 }).validate(code)
    expect(outcome).toMatchObject({ state: "unknown", reason: "timeout" })
    expect(await open({ timeoutMs: 20 }).check(code, store)).toMatchObject({ state: "valid" })
  })

  test("a server that hangs, and ten calls at once: one time limit for all, whatever the store does", async () => {
    server.respond(() => new Promise(() => {}))
    const readOnly: Store = { get: store.get, set: () => Promise.reject(new Error("read-only")) }
    const pazar = open({ timeoutMs: 1_000 })
    const startedAt = performance.now()
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, () => pazar.check(code, readOnly)),
    )
    // Ten time limits are ten seconds on any machine.
    expect(performance.now() - startedAt).toBeLessThan(9_000)
    expect(outcomes.map(({ state }) => state)).toEqual(Array(10).fill("valid"))
  })

  test("a code that had to wait for another is asked for again at once", async () => {
    const shared = createMemoryStore()
    server.respond(() => new Promise(() => {}))
    const pazar = open({ timeoutMs: 200 })
    const [first, second] = await Promise.all([
      pazar.check("CODE-12", shared),
      pazar.check(code, shared),
    ])
    expect([first, second]).toMatchObject([{ reason: "timeout" }, { reason: "timeout" }])
    server.respond(sayYes(server.signer))
    expect(await open().check(code, shared)).toMatchObject({ state: "valid", source: "server" })
  })

  test("a product that is busy for longer than the time limit, right after it asked", async () => {
    const pending = open({ timeoutMs: 60_000 }).check(code, store)
    const laterMs = performance.now() + 60_000
    const clock = spyOn(performance, "now").mockReturnValue(laterMs)
    const outcome = await pending
    clock.mockRestore()
    expect(outcome).toMatchObject({ state: "valid", source: "server" })
  })

  test.each([code, "CODE-12"])(
    "a question that fails late overwrites no answer of another process: %s",
    async (entered) => {
      const shared = createMemoryStore()
      const enter = () => open().check(entered, shared, { retryMs: 0 })
      let questions = 0
      server.respond(async (asked, request) => {
        if (questions++ > 0) return sayYes(server.signer)(asked, request)
        expect(await enter()).toMatchObject({ state: "valid", source: "server" })
        return plain(503, "")
      })
      expect(await open().check(code, shared)).toMatchObject({ state: "unknown" })
      server.respond(() => plain(503, ""))
      expect(await open().check(entered, shared)).toMatchObject({ state: "valid", source: "cache" })
    },
  )

  test("a server that hangs within its answer", async () => {
    const endless = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    })
    server.respond(() => new Response(endless, { headers: success }))
    expect(await open({ timeoutMs: 50 }).check(code, store)).toMatchObject({
      state: "valid",
      source: "receipt",
    })
  })

  test("a fetch that ignores its signal", async () => {
    const deaf = open({ timeoutMs: 20, fetch: () => new Promise(() => {}) })
    expect(await deaf.check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
  })

  test("a body that is cut off", async () => {
    const head = "HTTP/1.1 200 OK\r\nPazar-Reason: ok\r\nContent-Length: 5000\r\n\r\n"
    const cutter = Bun.listen({
      hostname: "127.0.0.1",
      port: 0,
      socket: { data: (socket) => void socket.end(`${head}{"status":"succ`) },
    })
    const cut = open({ baseUrl: `http://127.0.0.1:${cutter.port}`, timeoutMs: 1_000 })
    expect((await cut.validate(code)).state).toBe("unknown")
    expect(await cut.check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
    cutter.stop(true)
  })

  test("a call that is aborted", async () => {
    const signal = AbortSignal.abort(new Error("the page was left"))
    const outcome = await open().validate(code, { signal })
    expect(outcome).toMatchObject({ state: "unknown", reason: "timeout", cause: signal.reason })
    expect(await open().check(code, store, { signal })).toMatchObject({ state: "valid" })
    // An aborted question does not count as a failed one: the next call asks.
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "server" })
  })
})

describe("an answer that is too long", () => {
  const bytesMax = 256 * 1024
  /** A body that is as good as any other, after blanks. */
  const longBody = (bytes: number) => {
    const { length } = Buffer.from(validBody())
    return " ".repeat(bytes - length) + validBody()
  }

  test("256 KB are read, one byte more is not", async () => {
    server.respond(sayYes(server.signer, { body: longBody(bytesMax) }))
    expect(await open().validate(code)).toMatchObject({ state: "valid" })
    server.respond(sayYes(server.signer, { body: longBody(bytesMax + 1) }))
    expect(await open().validate(code)).toMatchObject({ state: "unknown", reason: "not_json" })
  })

  test("16 MB in 16 KB of gzip", async () => {
    server.respond((asked) => {
      const { headers } = signedAnswer(server.signer, asked, { body: longBody(16 << 20) })
      headers.set("Content-Encoding", "gzip")
      return new Response(Bun.gzipSync(longBody(16 << 20)), { headers })
    })
    expect(await open().validate(code)).toMatchObject({ state: "unknown", reason: "not_json" })
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
  })

  test("a body without an end: the connection is given up", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const endless = createServer((_, response) => {
      response.on("close", resolve)
      response.writeHead(200, success)
      response.write(" ".repeat(16 << 20))
    })
    await new Promise<void>((listening) => endless.listen(0, "127.0.0.1", listening))
    // A server that listens on a port has an address of this form.
    const { port } = endless.address() as AddressInfo
    const patient = open({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 30_000 })
    expect(await patient.validate(code)).toMatchObject({ state: "unknown", reason: "not_json" })
    await closed
    endless.close()
  })

  test("a list of items may be longer", async () => {
    const items = [{ ...purchase.item, description: "ü".repeat(bytesMax) }]
    server.respond(() => Response.json({ status: "success", items }))
    expect(await open().items()).toEqual(items)
  })
})

describe("a product stops", () => {
  test.each(["unknown_code", "revoked_code"] as const)("for a signed no: %s", async (reason) => {
    server.respond(sayNo(server.signer, reason))
    expect(await open().check(code, store)).toMatchObject({ state: "invalid", reason })
    // And it stays so while the server cannot be asked again.
    server.respond(() => plain(503, ""))
    nowMs += 2 * 3_600_000
    expect(await open().check(code, store)).toMatchObject({ state: "invalid", reason })
    server.respond(sayYes(server.signer))
    nowMs += 2 * 3_600_000
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "server" })
  })

  test("for a code of another item", async () => {
    const other = validBody({ ...purchase, item: { ...purchase.item, id: 12 } })
    server.respond(sayYes(server.signer, { body: other }))
    expect(await open().check(code, store)).toMatchObject({
      state: "invalid",
      reason: "other_item",
    })
  })

  test("when the stored receipt is not the server's", async () => {
    const forger = createSigner()
    server.respond(sayYes(forger))
    await open({ keys: [forger.x] }).check(code, store)
    server.respond(() => plain(503, ""))
    nowMs += 25 * 3_600_000
    expect(await open().check(code, store)).toMatchObject({
      state: "unknown",
      reason: "unavailable",
    })
  })

  test("when the stored receipt is for another code", async () => {
    const text = (store.text() ?? "").replaceAll('"code":"CODE-11"', '"code":"CODE-12"')
    server.respond(() => plain(503, ""))
    expect(await open().check("CODE-12", createMemoryStore(text))).toMatchObject({
      state: "unknown",
      reason: "unavailable",
    })
  })

  test("when the receipt is of an item that is no longer accepted", async () => {
    server.respond(() => plain(503, ""))
    expect(await open({ items: [12] }).check(code, store)).toMatchObject({
      state: "invalid",
      reason: "other_item",
    })
  })
})
