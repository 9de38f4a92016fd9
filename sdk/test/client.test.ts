/** Options, base URLs, timeouts, malformed responses, release, offline activation and author reads. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { listItems, PazarError, readAccount, readItem } from "../src/author.ts"
import { createPazar, type PazarOptions, type Release } from "../src/index.ts"
import {
  createMemoryStore,
  day,
  encodeReceipt,
  type FakeServer,
  item,
  type MemoryStore,
  openProduct,
  plain,
  receiptFields,
  respondInvalid,
  respondValid,
  serverMs,
  signedResponse,
  startFakeServer,
  validBody,
} from "./fake-server.ts"
import { createSigner, jwk, type SignedParts } from "./signer.ts"

const code = "CODE-11"
const site = "shop.example.com"
let server: FakeServer
let nowMs: number
beforeAll(() => {
  server = startFakeServer()
})
afterAll(() => server.close())
beforeEach(() => {
  nowMs = serverMs
  server.respond(respondValid(server.signer))
})

const open = (changes: Partial<PazarOptions> = {}) =>
  openProduct(server, () => nowMs, { site, ...changes })
const openBlocked = (changes: Partial<PazarOptions> = {}) =>
  open({ fetch: () => Promise.reject(new Error("blocked")), ...changes })

describe("invalid options throw a TypeError", () => {
  const store = createMemoryStore()
  const wrong: readonly (readonly [string, Partial<PazarOptions>])[] = [
    ["a URL without a scheme", { baseUrl: "licenses.example.com" }],
    ["a URL with a query", { baseUrl: "https://licenses.example.com/?a=1" }],
    ["no URL", { baseUrl: [] }],
    ["one wrong URL of two", { baseUrl: ["https://licenses.example.com", "old.example.com"] }],
    ["an empty key", { key: " " }],
    ["a key of invisible characters", { key: "\u200b\ufeff" }],
    ["a validation key without items", { key: "pzr_vk_a", store }],
    ["a validation key after whitespace, without items", { key: "\ufeff pzr_vk_a", store }],
    ["a validation key without a store", { key: "pzr_vk_a", items: [11] }],
    ["an empty list of items", { items: [] }],
    ["an item that is not an id", { items: ["eleven"] }],
    ["half an item", { items: [1.5] }],
    ["an empty list of pinned keys", { keys: [] }],
    ["a pinned key that is too short", { keys: ["AAAA"] }],
    ["a pinned key in hexadecimal", { keys: ["00".repeat(32)] }],
    ["a timeout of 0", { timeoutMs: 0 }],
    ["a timeout that is not a number", { timeoutMs: Number.NaN }],
    // `as`: JavaScript callers have no compiler.
    ["a misspelled option", { pinnedKeys: ["AAAA"] } as Partial<PazarOptions>],
  ]
  test.each(wrong)("%s", (_, options) => {
    const create = () => createPazar({ baseUrl: server.url, key: "pzr_sk_a", ...options })
    expect(create).toThrow(TypeError)
  })
})

test("item ids may be strings", async () => {
  for (const items of [[11], ["11"], [" 11\n", "12"]]) {
    expect(await open({ items }).check(code)).toMatchObject({ state: "valid" })
  }
  expect(await open({ items: ["12"] }).check(code)).toMatchObject({ reason: "other_item" })
})

test("without a store a secret key keeps responses in memory", async () => {
  const { url: baseUrl, signer } = server
  const pazar = createPazar({ baseUrl, key: "pzr_sk_a", keys: [signer.x], now: () => nowMs })
  expect(await pazar.check(code)).toMatchObject({ source: "server" })
  expect(await pazar.check(code)).toMatchObject({ source: "cache" })
})

test("the buyer page gets the code in the fragment only", () => {
  const pazar = open({ baseUrl: ["https://a.example/pazar/", "https://b.example"] })
  expect(pazar.licenseUrl()).toBe("https://a.example/pazar/license")
  expect(pazar.licenseUrl(" A B&c\n")).toBe("https://a.example/pazar/license#code=A+B%26c")
})

describe("two URLs", () => {
  let second: FakeServer
  beforeAll(() => {
    second = startFakeServer(server.signer)
  })
  afterAll(() => second.close())
  const both = () => [server.url, second.url]

  test("a server that hangs leaves time for the other", async () => {
    server.respond(() => new Promise(() => {}))
    const result = await open({ baseUrl: both(), timeoutMs: 3_000 }).check(code)
    expect(result).toMatchObject({ state: "valid", source: "server" })
  })

  test("two servers that hang share one timeout, whatever the number of calls", async () => {
    server.respond(() => new Promise(() => {}))
    second.respond(() => new Promise(() => {}))
    const pazar = open({ baseUrl: both(), timeoutMs: 1_000 })
    const startedAt = performance.now()
    const calls = Array.from({ length: 10 }, (_, at) => pazar.check(`CODE-${at}`))
    const reasons = (await Promise.all(calls)).map(({ reason }) => reason)
    // Ten calls one after another with two timeouts each would take twenty seconds.
    expect(performance.now() - startedAt).toBeLessThan(15_000)
    expect(reasons).toEqual(Array(10).fill("timeout"))
  })

  test("the key set is fetched from the server that signed the response", async () => {
    const next = createSigner()
    server.respond(() => plain(503, ""))
    second.publish([jwk(next, server.signer)])
    second.respond(respondValid(next))
    expect(await open({ baseUrl: both() }).check(code)).toMatchObject({ state: "valid" })
  })
})

describe("a malformed response", () => {
  const bytesMax = 256 * 1024
  /** A genuine body, padded with whitespace. */
  const longBody = (bytes: number) => {
    const { length } = Buffer.from(validBody())
    return " ".repeat(bytes - length) + validBody()
  }

  test("a body may have 256 KB", async () => {
    server.respond(respondValid(server.signer, { body: longBody(bytesMax) }))
    expect(await open().check(code)).toMatchObject({ state: "valid" })
    server.respond(respondValid(server.signer, { body: longBody(bytesMax + 1) }))
    expect(await open().check(code)).toMatchObject({ reason: "invalid_response" })
  })

  test("16 MB compressed to 16 KB", async () => {
    server.respond((form) => {
      const { headers } = signedResponse(server.signer, form, { body: longBody(16 << 20) })
      headers.set("Content-Encoding", "gzip")
      return new Response(Bun.gzipSync(longBody(16 << 20)), { headers })
    })
    expect(await open().check(code)).toMatchObject({ reason: "invalid_response" })
  })

  test("an endless body: the connection is closed", async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const endless = createServer((_, response) => {
      response.on("close", resolve)
      response.writeHead(200, { "Pazar-Reason": "ok" })
      response.write(" ".repeat(16 << 20))
    })
    await new Promise<void>((listening) => endless.listen(0, "127.0.0.1", listening))
    // `as`: a server that listens on a port has an AddressInfo.
    const { port } = endless.address() as AddressInfo
    const patient = open({ baseUrl: `http://127.0.0.1:${port}`, timeoutMs: 30_000 })
    expect(await patient.check(code)).toMatchObject({ reason: "invalid_response" })
    await closed
    endless.close()
  })

  test("invalid UTF-8", async () => {
    const damaged = Buffer.from(validBody().replace("Tema", "T\u0001ma")).map((byte) =>
      byte === 1 ? 0xff : byte,
    )
    server.respond(() => new Response(damaged, { headers: { "Pazar-Reason": "ok" } }))
    expect(await open().check(code)).toMatchObject({ reason: "invalid_response" })
  })

  test("a server that hangs within its body, and a fetch that ignores its signal", async () => {
    const half = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("{")),
    })
    server.respond(() => new Response(half, { headers: { "Pazar-Reason": "ok" } }))
    expect(await open({ timeoutMs: 50 }).check(code)).toMatchObject({ reason: "timeout" })
    const deaf = open({ timeoutMs: 20, fetch: () => new Promise(() => {}) })
    expect(await deaf.check(code)).toMatchObject({ reason: "timeout" })
  })
})

describe("release", () => {
  const respond = (status: number, reason: string, headers: Record<string, string> = {}) =>
    plain(status, '{"status":"success"}', { "Pazar-Reason": reason, ...headers })
  const unknown = (reason: string, retryAfter = 0): Release => ({
    state: "unknown",
    reason,
    retryAfter,
  })
  const absent = (reason: string): Release => ({ state: "absent", reason, retryAfter: 0 })

  test.each<readonly [string, Response, Release]>([
    ["a freed slot", respond(200, "ok"), { ...absent(""), state: "released" }],
    ["no such code or site", respond(404, "unknown_code"), absent("unknown_code")],
    ["a refund", respond(404, "revoked_code"), absent("revoked_code")],
    [
      "the sixth release in 30 days",
      respond(429, "rate_limited", { "Retry-After": "2592000" }),
      unknown("rate_limited", 2_592_000),
    ],
    ["an unavailable server", respond(503, "unavailable"), unknown("unavailable")],
    ["an older server", respond(404, "unknown_path"), unknown("unknown_path")],
    ["a page of another server", plain(404, "<p>Not here"), unknown("invalid_response")],
    ["a captive portal", plain(200, "<p>Sign in"), unknown("invalid_response")],
    [
      "a truncated body",
      plain(200, '{"status"', { "Pazar-Reason": "ok" }),
      unknown("invalid_response"),
    ],
  ])("%s", async (_, response, expected) => {
    server.respond(() => response)
    expect(await open().release(` ${code}\n`)).toEqual(expected)
    expect(server.requests.at(-1)).toEqual({ api_key: "pzr_vk_test", purchase_code: code, site })
  })

  test("uses the next URL, and sends no request without a code or a site", async () => {
    server.respond(() => respond(200, "ok"))
    const baseUrl = ["http://127.0.0.1:1", server.url]
    expect(await open({ baseUrl }).release(code)).toMatchObject({ state: "released" })
    expect(await openBlocked().release(code)).toMatchObject({ reason: "unreachable" })
    const before = server.requests.length
    expect(await open({ site: "" }).release(code)).toMatchObject({ reason: "missing_parameter" })
    expect(await open().release(" ")).toMatchObject({ reason: "missing_parameter" })
    expect(server.requests.length).toBe(before)
  })
})

describe("offline activation", () => {
  type Fields = Readonly<Record<"key" | "nonce" | "site", string>>

  /** Parses the fields of the activation URL. */
  async function readActivationUrl(store: MemoryStore, changes: Partial<PazarOptions> = {}) {
    const url = new URL(await openBlocked({ store, ...changes }).activationUrl())
    const {
      key = "",
      nonce = "",
      site = "",
    } = Object.fromEntries(new URLSearchParams(url.hash.slice(1)))
    return { url, key, nonce, site }
  }

  /** The receipt that the activation page displays. */
  async function createReceipt(
    { key, nonce, site }: Fields,
    changes: Partial<SignedParts> = {},
    signer = server.signer,
  ): Promise<string> {
    const form = { api_key: key, purchase_code: code, nonce, ...(site && { site }) }
    const fields = await receiptFields(signedResponse(signer, form, changes))
    return encodeReceipt({ ...fields, nonce, key, code, ...(site && { site }) })
  }

  test("the URL has key, nonce and site in its fragment, and the same nonce until it is used", async () => {
    const store = createMemoryStore()
    const first = await readActivationUrl(store)
    expect(first.url.href).toStartWith(`${server.url}/activate#`)
    expect(first).toMatchObject({ key: "pzr_vk_test", site })
    expect(first.nonce).toMatch(/^[\w-]{32}$/)
    expect((await readActivationUrl(store)).nonce).toBe(first.nonce)
    await openBlocked({ store }).importReceipt(await createReceipt(first))
    expect((await readActivationUrl(store)).nonce).not.toBe(first.nonce)
    expect((await readActivationUrl(createMemoryStore())).nonce).not.toBe(first.nonce)
    expect((await readActivationUrl(store, { site: "", baseUrl: `${server.url}//` })).site).toBe("")
  })

  test("the URL never contains a secret key, and requires a writable store", async () => {
    await expect(open({ key: "pzr_sk_test" }).activationUrl()).rejects.toThrow(TypeError)
    const full = { get: async () => null, set: () => Promise.reject(new Error("full")) }
    await expect(open({ store: full }).activationUrl()).rejects.toThrow(Error)
    await expect(open({ store: full }).forget()).rejects.toThrow(Error)
  })

  test("a receipt activates without the server, whatever the local clock says", async () => {
    const store = createMemoryStore()
    nowMs -= 365 * day * 1000
    const line = await createReceipt(await readActivationUrl(store))
    const product = () => openBlocked({ store })
    const imported = await product().importReceipt(` ${line.slice(0, 40)}\n${line.slice(40)} `)
    expect(imported).toMatchObject({ isActive: true, state: "valid", source: "receipt", code })
    expect(await product().check(imported.code)).toMatchObject({ source: "cache" })
    nowMs += 13 * day * 1000
    expect(await product().check(code)).toMatchObject({ state: "valid", source: "receipt" })
    nowMs += day * 1000
    expect(await product().check(code)).toMatchObject({ state: "unknown", isActive: true })
  })

  test("failed requests keep the nonce", async () => {
    const store = createMemoryStore()
    const fields = await readActivationUrl(store)
    await openBlocked({ store }).check(code)
    server.respond(respondInvalid(server.signer))
    await open({ store }).check("TYPING-ERROR")
    const imported = await openBlocked({ store }).importReceipt(await createReceipt(fields))
    expect(imported).toMatchObject({ isActive: true })
  })

  test("a receipt for a test key activates test sites only", async () => {
    const store = createMemoryStore()
    const options = { key: "pzr_tk_test", site: "localhost" }
    const line = await createReceipt(await readActivationUrl(store, options), { tag: "pazar-test" })
    const elsewhere = await openBlocked({ store, site: "localhost" }).importReceipt(line)
    expect(elsewhere).toMatchObject({ isActive: false, reason: "forged" })
    const imported = await openBlocked({ store, ...options }).importReceipt(line)
    expect(imported).toMatchObject({ isActive: true })
    expect(store.text()).not.toContain("pzr_tk_test")
  })

  type Case = readonly [string, (store: MemoryStore) => Promise<string>, object]
  const unknown = (reason: string) => ({ state: "unknown", reason })
  test.each<Case>([
    [
      "another site",
      async (store) =>
        createReceipt({ ...(await readActivationUrl(store)), site: "b.example.com" }),
      unknown("forged"),
    ],
    [
      "no site",
      async (store) => createReceipt({ ...(await readActivationUrl(store)), site: "" }),
      unknown("forged"),
    ],
    [
      "another installation",
      async () => createReceipt(await readActivationUrl(createMemoryStore())),
      unknown("replayed"),
    ],
    [
      "an earlier URL",
      async (store) => {
        const line = await createReceipt(await readActivationUrl(store))
        await openBlocked({ store }).importReceipt(line)
        await openBlocked({ store }).forget()
        await readActivationUrl(store)
        return line
      },
      unknown("replayed"),
    ],
    [
      "another signer",
      async (store) => createReceipt(await readActivationUrl(store), {}, createSigner()),
      unknown("unknown_signer"),
    ],
    [
      "another code",
      async (store) => createReceipt(await readActivationUrl(store), { code: "CODE-12" }),
      unknown("forged"),
    ],
    [
      "another item",
      async (store) =>
        createReceipt(await readActivationUrl(store), {
          body: '{"data":{"purchase":{"item":{"id":12}}}}',
        }),
      { state: "invalid", reason: "other_item" },
    ],
    [
      "a rejected site",
      async (store) =>
        createReceipt(await readActivationUrl(store), { status: 404, reason: "site_limit" }),
      { state: "invalid", reason: "site_limit" },
    ],
  ])("a receipt of %s is rejected", async (_, createLine, expected) => {
    const store = createMemoryStore()
    const line = await createLine(store)
    expect(await openBlocked({ store }).importReceipt(line)).toMatchObject(expected)
    expect(await openBlocked({ store }).cached(code)).toMatchObject({ isActive: false })
  })

  test("a receipt is rejected without pinned keys or a writable store", async () => {
    const store = createMemoryStore()
    const line = await createReceipt(await readActivationUrl(store))
    const { url: baseUrl } = server
    const unpinned = createPazar({ baseUrl, key: "pzr_vk_test", items: [11], site, store })
    expect(await unpinned.importReceipt(line)).toMatchObject({ reason: "unsigned" })
    const full = { get: store.get, set: () => Promise.reject(new Error("full")) }
    const lost = await openBlocked({ store: full }).importReceipt(line)
    expect(lost).toMatchObject({ isActive: false, reason: "store_not_writable" })
  })

  test.each([
    ...["", "pazar1.", "pazar1.AAAA", "pazar2.e30", `pazar1.${"A".repeat(300_001)}`],
    ...[[], {}, { headers: {} }, { headers: { signature: {} } }].map(encodeReceipt),
    encodeReceipt({ nonce: {}, code: 1, body: [], headers: [], status: "x" }),
  ])("%p is not a receipt", async (line) => {
    const store = createMemoryStore()
    await readActivationUrl(store)
    expect(await openBlocked({ store }).importReceipt(line)).toMatchObject({ state: "unknown" })
  })
})

describe("author reads", () => {
  const author = () => ({ baseUrl: `${server.url}//`, key: "pzr_sk_secret" })

  test("send the key in a header, not in the URL", async () => {
    const requests: unknown[] = []
    server.respond((_, { url, headers }) => {
      const { pathname, search } = new URL(url)
      requests.push([pathname + search, headers.get("x-api-key")])
      return Response.json({ status: "success", item })
    })
    expect(await readItem(author(), 11)).toEqual(item)
    expect(requests).toEqual([["/api/items/item?item_id=11", "pzr_sk_secret"]])
  })

  test("return unknown fields, and bodies above 256 KB", async () => {
    const data = { username: "ada", new_field: [1] }
    server.respond(() => Response.json({ status: "success", data }))
    expect<unknown>(await readAccount(author())).toEqual(data)
    const items = [{ ...item, description: "ü".repeat(300_000) }]
    server.respond(() => Response.json({ status: "success", items }))
    expect(await listItems(author())).toEqual(items)
  })

  test("404: no items are an empty list, an unknown item is null", async () => {
    server.respond(() => plain(404, "{}", { "Pazar-Reason": "no_items" }))
    expect(await listItems(author())).toEqual([])
    server.respond(() => plain(404, "{}", { "Pazar-Reason": "unknown_item" }))
    expect(await readItem(author(), 7)).toBeNull()
  })

  test("403: the error has the error code and request id, and not the key", async () => {
    const headers = { "Pazar-Reason": "key_not_allowed", "Request-Id": "r7" }
    server.respond(() => plain(403, "{}", headers))
    const error = await listItems(author()).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(PazarError)
    expect(error).toMatchObject({ reason: "key_not_allowed", status: 403, requestId: "r7" })
    expect(Bun.inspect(error)).not.toContain("pzr_sk_secret")
  })

  test.each([
    ["a login page", () => plain(200, "<html>")],
    ["JSON of another server", () => Response.json({ status: "success" })],
    ["a list instead of an object", () => Response.json([1])],
    ["a 404 of another server", () => plain(404, "{}")],
    ["a redirect", () => plain(302, "", { Location: "/login" })],
  ])("%s is an invalid response", async (_, respond) => {
    server.respond(respond)
    await expect(readAccount(author())).rejects.toMatchObject({ reason: "invalid_response" })
    await expect(readItem(author(), 1)).rejects.toMatchObject({ reason: "invalid_response" })
  })

  test("an unreachable server and a timeout keep their cause", async () => {
    const cause = new Error("no route to host")
    const fetch = () => Promise.reject(cause)
    const expected = { reason: "unreachable", status: 0, requestId: "", cause }
    await expect(readAccount({ ...author(), fetch })).rejects.toMatchObject(expected)
    server.respond(() => new Promise(() => {}))
    const late = { reason: "unreachable", cause: { name: "TimeoutError" } }
    await expect(readAccount({ ...author(), timeoutMs: 20 })).rejects.toMatchObject(late)
  })
})
