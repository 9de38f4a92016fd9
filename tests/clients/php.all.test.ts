import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { trimWhitespace } from "../../src/platform/text.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import {
  createSigningKey,
  endorse,
  type Script,
  type ScriptedPazar,
  type ScriptedResponse,
  startScriptedPazar,
} from "../harness/http/scripted-pazar.ts"
import { openInstalledClient, type PhpClient, type Step } from "../harness/php/php-client.ts"

const day = 86_400
const start = 1_800_000_000
const site = "shop.example.com"

let pazar: ScriptedPazar
let client: PhpClient
beforeAll(async () => {
  pazar = await startScriptedPazar()
  client = openInstalledClient()
})
afterAll(async () => {
  await client.close()
  await pazar.close()
})

type Fields = Readonly<Record<string, unknown>>

const at = (response: ScriptedResponse = {}, changes: Partial<Script> = {}) => ({
  base_url: pazar.url({ at: start, response, ...changes }),
})
const away = { base_url: "http://127.0.0.1:1" }
const optionsWith = (changes: Fields = {}) => ({
  key: "pzr_vk_1",
  items: [7],
  keys: [pazar.pin("a")],
  timeout: 60,
  site,
  ...at(),
  ...changes,
})
const step = (call: string, given: readonly unknown[] = ["good"], options: Fields = {}): Step => ({
  call,
  arguments: given,
  options,
  now: start,
})
const run = (steps: readonly Step[], changes: Fields = {}) =>
  client.run({ options: optionsWith(changes), steps })
const valid = (source: string) => expect.objectContaining({ state: "valid", source })
const invalid = (reason: string) => expect.objectContaining({ state: "invalid", reason })
const unknown = (reason: string) => expect.objectContaining({ state: "unknown", reason })

describe("options", () => {
  test.each([
    { named: '"base_url"', changes: { base_url: "pazar" } },
    { named: '"base_url"', changes: { base_url: [] } },
    { named: '"key"', changes: { key: " \u200b" } },
    { named: '"items"', changes: { items: [] } },
    { named: '"items"', changes: { key: "\ufeff pzr_vk_1", items: [] } },
    { named: '"items"', changes: { items: ["seven"] } },
    { named: '"items"', changes: { items: [[7]] } },
    { named: '"keys"', changes: { keys: ["x"] } },
    { named: '"timeout"', changes: { timeout: 0 } },
    { named: '"site"', changes: { site: 7 } },
    { named: '"store"', changes: { store: "file" } },
    ...["kye", "lang", "secret", "ttl", "retry"].map((name) => ({
      named: "base_url, key,",
      changes: { [name]: "x" },
    })),
  ])("are rejected with the name of the invalid one: $named", async (row) => {
    expect(await run([step("cached")], row.changes)).toEqual([
      { thrown: "InvalidArgumentException", message: expect.stringContaining(row.named) },
    ])
  })

  test("accepts an item's id in several notations", async () => {
    const items = ["8", " 007\n"]
    expect(await run([step("check", ["good"], { items })])).toEqual([valid("server")])
  })

  test("ignores a site that is not UTF-8, such as the name of a Windows machine", async () => {
    const steps = [step("check"), step("cached")]
    const { site: _, ...options } = optionsWith({ latin1_site: "Büro-PC" })
    expect(await client.run({ options, steps })).toEqual([valid("server"), valid("cache")])
  })
})

describe("the network", () => {
  test("the digest covers the decoded body", async () => {
    expect(await run([step("check", ["good"], at("gzip"))])).toEqual([valid("server")])
  })

  test("a name that does not resolve, and a server that does not respond", async () => {
    const steps = [
      step("check", ["good", true], { base_url: "http://pazar.invalid", timeout: 10 }),
      step("check", ["good", true], { ...at("hang"), timeout: 0.2 }),
    ]
    expect(await run(steps)).toEqual([
      unknown(expect.stringMatching(/^(unreachable|timeout)$/)),
      unknown("timeout"),
    ])
  })

  test("two URLs share one time-out", async () => {
    const [first, second] = [crypto.randomUUID(), crypto.randomUUID()]
    const base_url = [at("hang", { id: first }), at("valid", { id: second })].map(
      (each) => each.base_url,
    )
    const [result] = await run([step("check", ["good"], { base_url, timeout: 0.2 })])
    expect(result).toEqual(unknown("timeout"))
    expect([pazar.forms(first).length, pazar.forms(second).length]).toEqual([1, 0])
  })

  test("a host that disables curl_exec breaks no page", async () => {
    const disabled = openInstalledClient(["-d", "disable_functions=curl_exec,curl_multi_exec"])
    const steps = [step("check"), step("release"), step("activationUrl", [])]
    const results = await disabled.run({ options: optionsWith(), steps })
    await disabled.close()
    const unreachable = unknown("unreachable")
    expect(results).toEqual([unreachable, unreachable, expect.stringContaining("/activate#key=")])
  })

  test.each(["bomb", "bomb_in_a_bomb", "endless", "headers", "stranger_with_a_bomb"])(
    "a response of any length uses little memory: %s",
    async (kind) => {
      const small = openInstalledClient(["-d", "memory_limit=24M"])
      const hostile = kind === "headers" ? { base_url: pazar.headersUrl } : at(kind)
      const steps = [step("check"), step("check", ["good", true], hostile), step("cached")]
      const again = step("check", ["another", true], hostile)
      const results = await small.run({ options: optionsWith(), steps: [...steps, again] })
      await small.close()
      const rejected = unknown("invalid_response")
      expect(results).toEqual([valid("server"), valid("cache"), valid("cache"), rejected])
    },
  )
})

describe("any response", () => {
  const character = fc.oneof(
    fc.string({ unit: "binary-ascii", maxLength: 1 }),
    fc.constantFrom("é", "ı", "漢", "😀", "\u2028", "\ufffd", '{"', "null"),
  )
  const names = ["pazar-reason", "signature-input", "signature", "retry-after"]
  const body = fc.oneof(
    fc.string({ unit: character }),
    fc.json({ maxDepth: 3 }),
    fc
      .record({ data: fc.record({ purchase: fc.anything({ maxDepth: 3 }) }) })
      .map((value) => JSON.stringify(value)),
  )
  const encode = (text: string) => Buffer.from(text).toString("base64")
  const response = fc.record({
    status: fc.oneof(fc.constantFrom(200, 404), fc.nat({ max: 599 })),
    headers: fc.dictionary(
      fc.constantFrom(...names),
      fc.oneof(fc.string({ unit: character }), fc.constantFrom("ok", "revoked_code", "-1", "9e9")),
    ),
    body: body.map(encode),
  })
  const validate = (responses: unknown, keys: readonly string[]) => {
    const steps = [step("check"), step("cached"), step("release"), step("reclaim")]
    return run(steps, { base_url: "http://pazar.invalid", keys, responses })
  }

  test("that no pinned key signed is never a verdict, and never an error", async () => {
    await fc.assert(
      fc.asyncProperty(response, response, async (given, keySet) => {
        const responses = {
          "/api/purchases/validation": given,
          "/api/purchases/release": given,
          "/.well-known/pazar-keys.json": keySet,
        }
        const [checked, cached, , reclaimed] = await validate(responses, [pazar.pin("a")])
        const nothing = expect.objectContaining({ state: "unknown", isActive: false })
        expect([checked, cached, reclaimed]).toEqual([nothing, nothing, nothing])
        expect(JSON.stringify(await validate(responses, []))).not.toContain("thrown")
      }),
      { numRuns: propertyRuns(300) },
    )
  })

  test("with an item that has no number is not a verdict", async () => {
    const items = [{ id: [7] }, { id: {} }, { id: "x" }, "7"]
    for (const purchase of [...items.map((item) => ({ item })), "7", [7], null]) {
      const given = { status: 200, headers: { "pazar-reason": "ok" } }
      const text = encode(JSON.stringify({ data: { purchase } }))
      const responses = { "/api/purchases/validation": { ...given, body: text } }
      const [result] = await validate(responses, [])
      expect(result).toEqual(unknown("invalid_response"))
    }
  })
})

describe("endorsed keys are stored", () => {
  const follow = (known: readonly object[], listed: readonly object[]) =>
    step("follow", [known, listed])

  test("once, with the valid endorsement, however often a forged server lists it", async () => {
    const [first, next, last] = [createSigningKey(), createSigningKey(), createSigningKey()]
    const genuine = { x: next.x, endorsed: [endorse(first, next)] }
    const forged = { x: next.x, endorsed: [endorse(last, next)] }
    const newest = { x: last.x, endorsed: [endorse(next, last)] }
    const steps = [
      follow([], [forged, ...Array(15).fill(genuine)]),
      follow(Array(16).fill(genuine), [newest, { x: first.x, endorsed: [] }]),
    ]
    expect(await run(steps, { keys: [first.x] })).toEqual([[genuine], [genuine, newest]])
  })

  test("up to a maximum, and without invalid endorsements", async () => {
    const keys = Array.from({ length: 110 }, createSigningKey)
    const listed = keys.slice(1).map((key, index) => {
      const by = keys[index] ?? key
      const junk = { by: by.kid, sig: "A".repeat(100_000) }
      return { x: key.x, endorsed: [junk, endorse(by, key), { ...junk, by: junk.sig }] }
    })
    const steps = [follow(listed.slice(0, 20), listed.slice(20, 120))]
    const stored = listed
      .slice(0, 100)
      .map(({ x, endorsed: [, real] }) => ({ x, endorsed: [real] }))
    expect(await run(steps, { keys: [keys[0]?.x] })).toEqual([stored])
  })
})

describe("a code", () => {
  test("pasted over two lines is one code", async () => {
    const steps = [step("check", ["go\nod"]), step("cached")]
    expect(await run(steps)).toEqual([valid("server"), valid("cache")])
  })

  test.each(["", " \u200b\ufeff\n", "x".repeat(5_000)])("%p is not sent", async (code) => {
    const id = crypto.randomUUID()
    const calls = ["check", "cached", "release", "reclaim"].map((call) => step(call, [code]))
    const results = await run(calls, at({}, { id }))
    const reason = code.length > 100 ? "invalid_parameter" : "missing_parameter"
    expect(results).toEqual(calls.map(() => unknown(reason)))
    expect([...pazar.forms(id), ...pazar.forms(id, "api/purchases/release")]).toEqual([])
  })

  test("is trimmed as the server trims it", async () => {
    const blanks = Array.from({ length: 0xe1000 }, (_, code) => code)
      .filter((code) => code < 0x20000 || code >= 0xe0000)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((character) => trimWhitespace(character) === "")
    const [trimmed] = await run([step("trim", blanks)])
    expect(trimmed).toEqual(blanks.map(() => ""))
    const any = fc.string({ unit: fc.constantFrom(...blanks, "x", "-", "é", "\u0001", "\u0600") })
    await fc.assert(
      fc.asyncProperty(fc.array(any, { maxLength: 50 }), async (codes) => {
        const [results] = await run([step("trim", codes)])
        expect(results).toEqual(codes.map(trimWhitespace))
      }),
      { numRuns: propertyRuns(50) },
    )
  })
})

test("the URL of the license page has the code only in its fragment", async () => {
  const { base_url } = at()
  const steps = [step("licenseUrl", []), step("licenseUrl", [" a&b c "])]
  expect(await run(steps)).toEqual([`${base_url}/license`, `${base_url}/license#code=a%26b%20c`])
})

test("a secret key is neither stored nor printed", async () => {
  const key = "pzr_sk_of-the-author"
  const steps = [step("check"), step("readStore"), step("cached"), step("dump", [])]
  const [first, text, again, dumped] = await run(steps, { key })
  expect([first, again]).toEqual([valid("server"), valid("cache")])
  expect(`${text}${dumped}`).not.toContain(key)
  const restored = [step("writeStore", [text]), step("cached")]
  expect(await run(restored, { key: "pzr_sk_of-another" })).toEqual([null, unknown("not_checked")])
})

describe("offline activation", () => {
  type Link = Readonly<Record<string, string>>

  const paste = (line: string, options: Fields = {}, now = start) => ({
    ...step("importReceipt", [line], { ...away, ...options }),
    now,
  })
  const fieldsOf = (url: unknown): Link =>
    Object.fromEntries(new URLSearchParams(new URL(String(url)).hash.slice(1)))
  const encode = (fields: unknown) =>
    `pazar1.${Buffer.from(JSON.stringify(fields)).toString("base64url")}`

  async function lineOf(
    { key = "", nonce = "", ...rest }: Link,
    response: ScriptedResponse = {},
    code = "good",
  ) {
    const result = await fetch(`${at(response).base_url}/api/purchases/validation`, {
      method: "POST",
      headers: { "X-Api-Key": key },
      body: new URLSearchParams({ purchase_code: code, nonce, ...rest }),
    })
    const headers = Object.fromEntries(result.headers)
    const { status } = result
    return encode({ status, body: await result.text(), headers, nonce, key, code, ...rest })
  }

  async function begin(options: Fields = {}) {
    const steps = [step("activationUrl", [], options), step("readStore")]
    const [url, text] = await run(steps)
    return { fields: fieldsOf(url), restore: step("writeStore", [text]) }
  }

  test("the link has key, nonce and site in its fragment, until a receipt was imported", async () => {
    const { fields, restore } = await begin()
    const line = await lineOf(fields)
    const link = step("activationUrl", [])
    const [, again, imported, next] = await run([restore, link, paste(line), link])
    expect(String(again)).toStartWith(`${at().base_url}/activate#key=pzr_vk_1&nonce=`)
    expect(fieldsOf(again)).toEqual(fields)
    expect([fields.site, fields.nonce]).toEqual([site, expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(imported).toMatchObject({ state: "valid", source: "receipt", code: "good" })
    expect(fieldsOf(next).nonce).not.toBe(fields.nonce)
    expect((await begin({ site: "" })).fields).not.toHaveProperty("site")
  })

  test("there is no link for a secret key, without pinned keys, or if its nonce cannot be stored", async () => {
    const link = (options: Fields) => step("activationUrl", [], options)
    const steps = [link({ key: "pzr_sk_1" }), link({ keys: [] }), step("lockStore"), link({})]
    expect(await run(steps)).toEqual(["", "", null, ""])
  })

  test("the receipt is valid until it expires, whatever the clock, and despite other requests", async () => {
    const { fields, restore } = await begin()
    const line = await lineOf(fields)
    const late = start + 400 * day
    const results = await run([
      restore,
      step("check", ["typo"], at({ reason: "unknown_code" })),
      paste(` ${line.slice(0, 50)}\r\n${line.slice(50)}\n`, {}, late),
      { ...step("cached"), now: late + 13 * day },
      { ...step("check", ["good"], at("timeout")), now: late + 15 * day },
    ])
    expect(results.slice(1)).toEqual([
      ...[invalid("unknown_code"), valid("receipt"), valid("receipt")],
      expect.objectContaining({ state: "unknown", reason: "timeout", isActive: true }),
    ])
  })

  const forged = unknown("forged")
  test.each<readonly [string, (fields: Link) => Promise<string>, unknown]>([
    ["another site", (fields) => lineOf({ ...fields, site: "b.example" }), forged],
    ["no site", ({ key = "", nonce = "" }) => lineOf({ key, nonce }), forged],
    ["another key", (fields) => lineOf({ ...fields, key: "pzr_vk_2" }), forged],
    ["another installation", async () => lineOf((await begin()).fields), unknown("replayed")],
    ["another signer", (fields) => lineOf(fields, { signed: "z" }), unknown("unknown_signer")],
    ["another code", (fields) => lineOf(fields, { for: { code: "other" } }), forged],
    ["a test key", (fields) => lineOf(fields, { for: { tag: "pazar-test" } }), forged],
    ["nobody", (fields) => lineOf(fields, { signed: false }), unknown("invalid_response")],
    [
      "an invalid code",
      (fields) => lineOf(fields, { reason: "site_limit" }),
      invalid("site_limit"),
    ],
    ["another item", (fields) => lineOf(fields, { item: 8 }), invalid("other_item")],
  ])("a receipt of %s activates nothing", async (_, makeLine, expected) => {
    const { fields, restore } = await begin()
    const steps = [restore, paste(await makeLine(fields)), step("cached")]
    expect((await run(steps)).slice(1)).toEqual([expected, unknown("not_checked")])
  })

  test("a receipt can be imported once, and only if it can be stored", async () => {
    const { fields, restore } = await begin()
    const line = await lineOf(fields)
    const steps = [restore, paste(line, { keys: [] }), paste(line), step("forget", []), paste(line)]
    expect(await run(steps)).toEqual([
      ...[null, unknown("unsigned"), valid("receipt"), null, unknown("replayed")],
    ])
    const locked = [restore, step("lockStore"), paste(line)]
    expect((await run(locked))[2]).toEqual(unknown("store_not_writable"))
  })

  test.each([
    ...["", "pazar1.", "pazar1.AAAA", "pazar2.e30", "pazar1.e30=", "\u00ff", "pazar1.%%%"],
    ...["x", 7, [], {}, { headers: "x" }, { headers: { signature: [] } }].map(encode),
    encode({ status: "200", body: [], headers: [], nonce: {}, code: [] }),
  ])("%p is not a receipt", async (line) => {
    const { restore } = await begin()
    expect(await run([restore, paste(line)])).toEqual([null, unknown("invalid_response")])
  })
})
