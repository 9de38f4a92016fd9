/** Where a code is used: the site of a question, giving its place up, and activation by hand. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { createPazar, type PazarOptions, type Release, type Store } from "../src/index.ts"
import {
  createMemoryStore,
  day,
  type FakeServer,
  type MemoryStore,
  openProduct,
  plain,
  sayNo,
  sayYes,
  serverMs,
  signedAnswer,
  startFakeServer,
} from "./fake-server.ts"
import { createSigner, type SignedParts } from "./signer.ts"

const code = "CODE-11"
const site = "https://shop.example/"
let server: FakeServer
let nowMs: number
beforeAll(() => {
  server = startFakeServer()
})
afterAll(() => server.close())
beforeEach(() => {
  nowMs = serverMs
  server.respond(sayYes(server.signer))
})

const open = (changes: Partial<PazarOptions> = {}) =>
  openProduct(server, () => nowMs, { site, ...changes })
const openOffline = (changes: Partial<PazarOptions> = {}) =>
  open({ fetch: () => Promise.reject(new Error("offline")), ...changes })

describe("the site in the options", () => {
  test("is sent with every question, and a call may name another or none", async () => {
    const pazar = open()
    await pazar.validate(code)
    await pazar.check(code, createMemoryStore())
    await pazar.release(code)
    await pazar.validate(code, { site: "b.example" })
    await pazar.validate(code, { site: "" })
    const sites = server.asked.slice(-5).map((asked) => asked.site)
    expect(sites).toEqual([site, site, site, "b.example", undefined])
  })

  test("is sent by a call whose own site has no value", async () => {
    const settings: { site?: string } = {}
    // @ts-expect-error Most compilers are set to allow it.
    await open().validate(code, { site: settings.site })
    expect(server.asked.at(-1)?.site).toBe(site)
  })

  test("is the site of the receipts", async () => {
    const outcome = await open().validate(code)
    if (outcome.state !== "valid" || outcome.receipt === undefined) throw new Error("no receipt")
    expect(await openOffline().verify(outcome.receipt, code)).toMatchObject({ state: "valid" })
    expect(await openOffline({ site: "b.example" }).verify(outcome.receipt, code)).toMatchObject({
      state: "unknown",
      reason: "forged",
    })
  })
})

describe("a limit", () => {
  const refused = { state: "invalid", reason: "site_limit" }

  test("that is signed ends a yes at once, and an hour later the answer may be another", async () => {
    const store = createMemoryStore()
    await open().check(code, store)
    nowMs += day * 1000
    server.respond(sayNo(server.signer, "site_limit"))
    expect(await open().check(code, store)).toMatchObject(refused)
    expect(await openOffline().check(code, store)).toEqual({
      state: "invalid",
      reason: "site_limit",
    })
    server.respond(sayYes(server.signer))
    nowMs += 3_600_000
    expect(await open().check(code, store)).toMatchObject({ state: "valid", source: "server" })
  })

  test("that nobody signed is no answer", async () => {
    server.respond(() => plain(404, "{}", { "Pazar-Reason": "site_limit" }))
    expect(await open().validate(code)).toMatchObject({ state: "unknown", reason: "unsigned" })
  })

  test("that was signed for another site is no answer", async () => {
    server.respond((asked) =>
      signedAnswer(server.signer, asked, {
        status: 404,
        reason: "site_limit",
        site: "full.example",
      }),
    )
    expect(await open().validate(code)).toMatchObject({ state: "unknown", reason: "forged" })
  })
})

describe("release", () => {
  type Answered = readonly [string, Response, Release]
  const answer = (status: number, reason: string, headers: Record<string, string> = {}) =>
    plain(status, "{}", { "Pazar-Reason": reason, ...headers })
  const unknown = (reason: string, retryAfterMs = 60_000) =>
    ({ state: "unknown", reason, retryAfterMs }) as Release

  test.each<Answered>([
    ["a place that is free now", answer(200, "ok"), { state: "released" }],
    ["no such code or site", answer(404, "unknown_code"), { state: "absent" }],
    ["a refund", answer(404, "revoked_code"), { state: "absent" }],
    [
      "the sixth in 30 days",
      answer(429, "rate_limited", { "Retry-After": "2592000" }),
      unknown("rate_limited", 2_592_000_000),
    ],
    ["a server that cannot say", answer(503, "unavailable"), unknown("unavailable")],
    ["an older server", answer(404, "unknown_path"), unknown("unknown_path")],
    ["somebody else's page", plain(404, "<p>Not here"), unknown("not_json")],
    ["a captive portal", plain(200, "<p>Sign in"), unknown("not_json")],
  ])("%s", async (_, response, expected) => {
    server.respond(() => response)
    expect(await open().release(` ${code}\n`)).toEqual(expected)
    expect(server.asked.at(-1)).toEqual({ api_key: "pzr_vk_test", purchase_code: code, site })
  })

  test("goes on to the next address, and never throws", async () => {
    server.respond(() => answer(200, "ok", { "Request-Id": "r1" }))
    const baseUrl = ["http://127.0.0.1:1", server.url]
    expect(await open({ baseUrl }).release(code)).toEqual({ state: "released", requestId: "r1" })
    expect(await openOffline().release(code)).toMatchObject({ reason: "unreachable" })
    // @ts-expect-error JavaScript has no compiler that would refuse it.
    expect(await open().release(undefined, null)).toMatchObject({ state: "released" })
  })
})

describe("by hand", () => {
  /** The fields of a link. */
  async function linkOf(store: Store, changes: Partial<PazarOptions> = {}) {
    const url = new URL(await open(changes).activationUrl(store))
    return { url, ...Object.fromEntries(new URLSearchParams(url.hash.slice(1))) } as Readonly<
      Record<"key" | "nonce" | "site", string> & { url: URL }
    >
  }

  /** The receipt that the page shows for the fields of a link. */
  async function lineOf(
    fields: Readonly<{ key: string; nonce: string; site?: string }>,
    changes: Partial<SignedParts> = {},
    signer = server.signer,
  ): Promise<string> {
    const { key, nonce } = fields
    const asked = { ...fields, api_key: key, purchase_code: code }
    const response = signedAnswer(signer, asked, changes)
    const names = ["pazar-reason", "signature-input", "signature"]
    const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]))
    const { status } = response
    const body = await response.text()
    return encode({ status, body, headers, nonce, key, code, site: fields.site })
  }
  const encode = (members: object) =>
    `pazar1.${Buffer.from(JSON.stringify(members)).toString("base64url")}`

  test("the link has key, nonce and site in its fragment, and the nonce stays until it is used", async () => {
    const store = createMemoryStore()
    const first = await linkOf(store)
    expect(first.url.href).toStartWith(`${server.url}/activate#`)
    expect(first).toMatchObject({ key: "pzr_vk_test", site })
    expect(first.nonce).toMatch(/^[\w-]{32}$/)
    expect((await linkOf(store)).nonce).toBe(first.nonce)
    await open().importReceipt(await lineOf(first), store)
    expect((await linkOf(store)).nonce).not.toBe(first.nonce)
    expect((await linkOf(createMemoryStore())).nonce).not.toBe(first.nonce)
    expect(await linkOf(store, { site: "", baseUrl: `${server.url}//` })).not.toHaveProperty("site")
  })

  test("a link never holds a secret key, and is none without a store", async () => {
    const options = { key: "pzr_sk_test" }
    await expect(open(options).activationUrl(createMemoryStore())).rejects.toThrow(TypeError)
    const full = { get: async () => null, set: () => Promise.reject(new Error("full")) }
    await expect(open().activationUrl(full)).rejects.toThrow("full")
  })

  test("the receipt is what check finds, without the server and until it ends", async () => {
    const store = createMemoryStore()
    // The local clock is a year behind.
    nowMs -= 365 * day * 1000
    const line = await lineOf(await linkOf(store))
    const imported = await openOffline().importReceipt(
      ` ${line.slice(0, 40)}\n${line.slice(40)} `,
      store,
    )
    expect(imported).toMatchObject({ state: "valid", source: "receipt", code })
    expect(await openOffline().check(imported.code, store)).toMatchObject({ source: "cache" })
    nowMs += 13 * day * 1000
    expect(await openOffline().check(code, store)).toMatchObject({ source: "receipt" })
    nowMs += day * 1000
    expect(await openOffline().check(code, store)).toMatchObject({ reason: "receipt_expired" })
  })

  test("questions that fail or are refused in between do not lose the nonce", async () => {
    const store = createMemoryStore()
    const fields = await linkOf(store)
    await openOffline().check(code, store)
    server.respond(sayNo(server.signer))
    await open().check("TYPO", store)
    expect(await open().importReceipt(await lineOf(fields), store)).toMatchObject({
      state: "valid",
    })
    expect(await openOffline().check(code, store)).toMatchObject({ source: "cache" })
  })

  test("works with a test key, whose receipts are worth nothing elsewhere", async () => {
    const store = createMemoryStore()
    const options = { key: "pzr_tk_test", items: [11] }
    const fields = await linkOf(store, options)
    const line = await lineOf(fields, { tag: "pazar-test" })
    expect(await open().importReceipt(line, store)).toMatchObject({ reason: "forged" })
    expect(await open(options).importReceipt(line, store)).toMatchObject({ state: "valid" })
    expect(store.text()).not.toContain("pzr_tk_test")
  })

  type Case = readonly [string, (store: MemoryStore) => Promise<string>, object]
  const no = (reason: string) => ({ state: "unknown", reason })
  test.each<Case>([
    [
      "another site",
      async (store) => lineOf({ ...(await linkOf(store)), site: "b" }),
      no("forged"),
    ],
    [
      "no site",
      async (store) => {
        const { key, nonce } = await linkOf(store)
        return lineOf({ key, nonce })
      },
      no("forged"),
    ],
    ["another installation", async () => lineOf(await linkOf(createMemoryStore())), no("replayed")],
    [
      "an earlier link",
      async (store) => {
        const line = await lineOf(await linkOf(store))
        await open().importReceipt(line, store)
        await linkOf(store)
        store.set((store.text() ?? "").replace("receipt", "forgotten"))
        return line
      },
      no("replayed"),
    ],
    [
      "another signer",
      async (store) => lineOf(await linkOf(store), {}, createSigner()),
      no("unknown_signer"),
    ],
    [
      "another code",
      async (store) => lineOf(await linkOf(store), { code: "CODE-12" }),
      no("forged"),
    ],
    [
      "another item",
      async (store) =>
        lineOf(await linkOf(store), { body: '{"data":{"purchase":{"item":{"id":12}}}}' }),
      { state: "invalid", reason: "other_item" },
    ],
    [
      "a no",
      async (store) => lineOf(await linkOf(store), { status: 404, reason: "site_limit" }),
      { state: "invalid", reason: "site_limit" },
    ],
  ])("a receipt of %s unlocks nothing", async (_, makeLine, expected) => {
    const store = createMemoryStore()
    const line = await makeLine(store)
    expect(await open().importReceipt(line, store)).toMatchObject(expected)
    expect(await openOffline().check(code, store)).toMatchObject({ state: "unknown" })
  })

  test("a line feed cannot pass a part of the site off as the code", async () => {
    const store = createMemoryStore()
    const fields = await linkOf(store)
    // The server cannot use such a site, so no limit applies to it.
    const line = await lineOf({ ...fields, site: `x\n${site}` })
    const members = JSON.parse(Buffer.from(line.slice("pazar1.".length), "base64url").toString())
    const forged = encode({ ...members, key: `${fields.key}\n${code}`, code: "x", site })
    expect(await open().importReceipt(forged, store)).toMatchObject(no("forged"))
    const { status, body, headers, nonce } = members
    const receipt = {
      ...{ status, body, nonce, site, clockOffsetMs: 0, key: `${fields.key}\n${code}` },
      reason: headers["pazar-reason"],
      signatureInput: headers["signature-input"],
      signature: headers.signature,
    }
    expect(await open().verify(receipt, "x")).toMatchObject(no("forged"))
  })

  test("without pinned keys there are no receipts", async () => {
    const store = createMemoryStore()
    const { url: baseUrl } = server
    const pazar = createPazar({ baseUrl, key: "pzr_vk_test", items: [11], site })
    const line = await lineOf(await linkOf(store))
    expect(await pazar.importReceipt(line, store)).toMatchObject({ reason: "unsigned" })
  })

  test.each([
    ...["", "pazar1.", "pazar1.AAAA", "pazar2.e30", `pazar1.${"A".repeat(300_001)}`],
    ...[encode([]), encode({}), encode({ headers: {} }), encode({ headers: { signature: {} } })],
    encode({ nonce: {}, code: 1, body: [], headers: [], status: "x" }),
  ])("%p is no receipt", async (line) => {
    const store = createMemoryStore()
    await linkOf(store)
    expect(await open().importReceipt(line, store)).toMatchObject({ state: "unknown" })
  })

  test("nothing that JavaScript allows makes it throw", async () => {
    for (const [line, store] of [
      [undefined, undefined],
      [{}, createMemoryStore("[]")],
      [12, {}],
    ]) {
      // @ts-expect-error JavaScript has no compiler that would refuse it.
      expect(await open().importReceipt(line, store)).toMatchObject({ state: "unknown", code: "" })
    }
  })
})
