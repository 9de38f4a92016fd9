/** The PHP client and sites: the limit, giving a place up, and receipts that a buyer pastes. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type FakePazar, startFakePazar } from "../../harness/http/fake-pazar.ts"
import { openInstalledClient, type PhpClient, type Step } from "../../harness/php/php-client.ts"

const day = 86_400
const start = 1_800_000_000
const away = "http://127.0.0.1:1"
const site = "shop.example.com"

let pazar: FakePazar
let client: PhpClient
beforeAll(async () => {
  pazar = await startFakePazar()
  client = openInstalledClient()
})
afterAll(async () => {
  await client.close()
  await pazar.close()
})

type Changes = Readonly<Record<string, unknown>>

const at = (mode: string, createdAt = start) => ({
  base_url: `${pazar.url}/${mode}/${createdAt}`,
})
const run = (steps: readonly Step[], changes: Changes = {}) => {
  const options = { key: "pzr_vk_1", items: [7], keys: [pazar.pinned], timeout: 60, site }
  return client.run({ options: { ...options, ...at("signed"), ...changes }, steps })
}
const step = (call: string, given: readonly unknown[], options: Changes = {}, now = start) => ({
  call,
  arguments: given,
  options,
  now,
})
const check = (options: Changes = {}, now = start, code = "good") =>
  step("check", [code], options, now)
const offline = { base_url: away }
const valid = (source: string) => expect.objectContaining({ state: "valid", source })
const unknown = (reason: string) => expect.objectContaining({ state: "unknown", reason })

describe("the limit", () => {
  test("is a no, and asked about again soon", async () => {
    const [first, cached, isDue] = await run([
      check({}, start, "full"),
      step("cached", ["full"], {}, start + 1),
      step("isDue", ["full"], {}, start + 60),
    ])
    const limited = expect.objectContaining({ state: "invalid", reason: "site_limit" })
    expect([first, cached, isDue]).toEqual([limited, limited, true])
  })

  test("is one of that site: after a move the new address asks, at most once a minute", async () => {
    const moved = { site: "moved.example.com" }
    const full = (options: Changes, seconds: number) => check(options, start + seconds, "full")
    const isDue = (options: Changes, seconds: number) =>
      step("isDue", ["full"], options, start + seconds)
    const limited = expect.objectContaining({ state: "invalid", reason: "site_limit" })
    expect(
      await run([
        ...[full({}, 0), full({}, 60), full({}, 180), full({}, 420), isDue({}, 480)],
        ...[isDue(moved, 421), isDue(moved, 480), step("cached", ["full"], moved, start + 480)],
        full(moved, 480),
        ...[isDue({}, 481), isDue({}, 540), full({ ...offline }, 540), isDue({}, 541)],
      ]),
    ).toEqual([
      ...[limited, limited, limited, limited, false],
      ...[false, true, unknown("other_site")],
      limited,
      ...[false, true, unknown("unreachable"), false],
    ])
  })

  test("is none if nobody signed it", async () => {
    expect(await run([check(at("unsigned"), start, "full")])).toEqual([unknown("unsigned")])
  })
})

test("a product that sends its site only since an update keeps its receipt", async () => {
  const results = await run([
    check({ site: "" }),
    check(offline, start + 2 * day),
    check(at("signed", start + 3 * day), start + 3 * day),
    step("cached", ["good"], { site: "b.example" }, start + 3 * day),
  ])
  expect(results).toEqual([
    ...[valid("server"), valid("receipt"), valid("server"), unknown("other_site")],
  ])
})

test.each([
  { part: "the site", code: site, changes: { site: "" } },
  { part: "a site with another", code: "x", changes: { site: "b.example" }, asked: "x\nb.example" },
])("a stored line feed passes $part off as the code", async (forgery) => {
  const { code, changes, asked = site } = forgery
  const [, text] = await run([check({ site: asked }), { call: "readStore" }])
  const record = JSON.parse(String(text).slice(65))
  const answer = { ...record.answer, ...changes, key: "pzr_vk_1\ngood" }
  const forged = ` ${JSON.stringify({ ...record, answer })}`
  const results = await run([
    { call: "writeStore", arguments: [forged] },
    step("cached", [code], changes),
  ])
  expect(results).toEqual([null, unknown("forged")])
})

test("addresses that take turns ask once a minute", async () => {
  const other = { site: "other.example.com" }
  const isDue = (options: Changes, now: number) => step("isDue", ["good"], options, now)
  expect(
    await run([
      check(),
      ...[isDue({}, start + 1), isDue(other, start + 59), isDue(other, start + 60)],
      isDue(other, start - 2 * day),
      check({ ...other, ...at("signed", start + 60) }, start + 60),
      ...[isDue({}, start + 61), isDue({}, start + 120), isDue(other, start + 120)],
    ]),
  ).toEqual([
    ...[valid("server"), false, false, true, true],
    ...[valid("server"), false, true, false],
  ])
})

test("an answer of another site says when this one may ask", async () => {
  const cached = (seconds: number) =>
    step("cached", ["good"], { site: "other.example.com" }, start + seconds)
  const other = { state: "unknown", reason: "other_site" }
  expect(await run([check(), cached(10), cached(60)])).toEqual([
    valid("server"),
    { ...other, retryAfter: 50 },
    other,
  ])
})

test("a site that is not UTF-8, as the name of a Windows machine, counts as none", async () => {
  const machine = { latin1_site: "Büro-PC" }
  const unsigned = { ...machine, ...at("unsigned"), keys: [] }
  expect(await run([check(machine)])).toEqual([valid("server")])
  expect(await run([check(unsigned), step("cached", ["good"], unsigned)])).toEqual([
    valid("server"),
    valid("cache"),
  ])
})

describe("release", () => {
  const release = (given: readonly unknown[], options: Changes = {}) =>
    step("release", given, options)

  test("frees the place, if the store throws", async () => {
    const [, result] = await run([{ call: "breakStore" }, release(["good"])])
    expect(result).toMatchObject({ state: "released" })
  })
  const ended = (state: string, changes: Changes = {}) => ({
    state,
    reason: "",
    retryAfter: 0,
    requestId: "request-1",
    ...changes,
  })

  test("frees the own place and forgets the answer, or frees another site's", async () => {
    const results = await run([
      check(),
      release(["good", "old.example"]),
      step("cached", ["good"]),
      release([" good\n"]),
      step("cached", ["good"]),
    ])
    expect(results).toEqual([
      ...[valid("server"), ended("released"), valid("cache"), ended("released")],
      unknown("not_asked"),
    ])
    expect(pazar.releases.slice(-2)).toEqual(["good old.example", `good ${site}`])
  })

  test.each([
    ["no such code or site", "signed", ended("absent")],
    ["too often", "429-for-a-day", ended("unknown", { reason: "rate_limited", retryAfter: day })],
    ["a failure", "500", ended("unknown", { reason: "unavailable", requestId: "" })],
    ["somebody else's page", "html", ended("unknown", { reason: "not_json", requestId: "" })],
  ])("%s", async (_, mode, expected) => {
    expect(await run([release(["other"], at(mode))])).toEqual([expected])
  })

  test("keeps the answer while it cannot say", async () => {
    const results = await run([check(), release(["good"], offline), step("cached", ["good"])])
    const unreachable = ended("unknown", { reason: "unreachable", requestId: "" })
    expect(results).toEqual([valid("server"), unreachable, valid("cache")])
  })

  test("asks the next address, and nobody without a site", async () => {
    const base_url = [away, at("signed").base_url]
    const before = pazar.releases.length
    const missing = ended("unknown", { reason: "missing_parameter", requestId: "" })
    expect(
      await run([
        release(["good"], { base_url }),
        release(["good"], { site: "" }),
        release([" "], {}),
        release(["good"], { store: null }),
      ]),
    ).toEqual([ended("released"), missing, missing, ended("released")])
    expect(pazar.releases.length - before).toBe(2)
  })
})

describe("by hand", () => {
  type Fields = Readonly<Record<string, string>>

  const link = (options: Changes = {}, code = "") => step("activationUrl", [code], options)
  const paste = (line: string, options: Changes = {}, now = start) =>
    step("importReceipt", [line], { ...offline, ...options }, now)
  const fieldsOf = (url: unknown): Fields =>
    Object.fromEntries(new URLSearchParams(new URL(String(url)).hash.slice(1)))

  /** The receipt that the page shows for the fields of a link. */
  async function lineOf(
    { key = "", nonce = "", ...rest }: Fields,
    code = "good",
    mode = "signed",
  ): Promise<string> {
    const response = await fetch(`${at(mode).base_url}/api/purchases/validation`, {
      method: "POST",
      headers: { "X-Api-Key": key },
      body: new URLSearchParams({ purchase_code: code, nonce, ...rest }),
    })
    const names = ["pazar-reason", "signature-input", "signature"]
    const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)]))
    const body = await response.text()
    return encode({ status: response.status, body, headers, nonce, key, code, ...rest })
  }
  const encode = (members: unknown) =>
    `pazar1.${Buffer.from(JSON.stringify(members)).toString("base64url")}`

  /** A store in which a link was made, and the fields of the link. */
  async function begin(options: Changes = {}) {
    const [url, text] = await run([link(options), { call: "readStore" }])
    return { fields: fieldsOf(url), restore: { call: "writeStore", arguments: [text] } }
  }

  test("the link has key, nonce and site in its fragment, until a receipt was imported", async () => {
    const { fields, restore } = await begin()
    const line = await lineOf(fields)
    const [, again, imported, next] = await run([restore, link(), paste(line), link({}, "good")])
    expect(String(again)).toStartWith(`${at("signed").base_url}/activate#key=pzr_vk_1&nonce=`)
    expect(fieldsOf(again)).toEqual(fields)
    expect([fields.site, fields.nonce]).toEqual([site, expect.stringMatching(/^[0-9a-f]{32}$/)])
    expect(imported).toMatchObject({ state: "valid", source: "receipt", code: "good" })
    expect(fieldsOf(next).nonce).not.toBe(fields.nonce)
    expect((await begin({ site: "" })).fields).not.toHaveProperty("site")
  })

  test("a link never holds a secret key, and is empty if its nonce cannot be kept", async () => {
    const thrown = expect.objectContaining({ thrown: "LogicException" })
    expect(
      await run([
        link({ key: "pzr_sk_1" }),
        link({ keys: [] }),
        { call: "lockStore" },
        link({ key: "pzr_tk_1" }),
      ]),
    ).toEqual([thrown, thrown, null, ""])
  })

  test("the receipt is what cached() finds, until it ends, whatever the clock says", async () => {
    const { fields, restore } = await begin()
    const line = await lineOf(fields)
    const late = start + 400 * day
    const results = await run([
      restore,
      paste(` ${line.slice(0, 50)}\r\n${line.slice(50)}\n`, {}, late),
      step("cached", ["good"], offline, late + 1),
      check(offline, late + 13 * day),
      check(offline, late + 15 * day),
    ])
    expect(results.slice(2)).toEqual([
      ...[valid("cache"), valid("receipt"), unknown("receipt_expired")],
    ])
  })

  test("questions in between do not lose the nonce, nor does the link an earlier receipt", async () => {
    const [, url, text] = await run([check(), link(), { call: "readStore" }])
    const line = await lineOf(fieldsOf(url))
    const results = await run([
      { call: "writeStore", arguments: [text] },
      step("cached", ["good"], offline),
      check(offline, start, "typo"),
      check({}, start, "refunded"),
      paste(line),
    ])
    expect(results[1]).toEqual(valid("cache"))
    expect(results[4]).toEqual(valid("receipt"))
  })

  type Case = readonly [string, (fields: Fields) => Promise<string>, unknown]
  const forged = unknown("forged")
  test.each<Case>([
    ["another site", (fields) => lineOf({ ...fields, site: "b.example" }), forged],
    ["no site", ({ key = "", nonce = "" }) => lineOf({ key, nonce }), forged],
    ["another key", (fields) => lineOf({ ...fields, key: "pzr_vk_2" }), forged],
    ["another installation", async () => lineOf((await begin()).fields), unknown("replayed")],
    ["another signer", (fields) => lineOf(fields, "good", "stranger"), unknown("unknown_signer")],
    ["another code", (fields) => lineOf(fields, "typo", "relay"), forged],
    ["a test key", (fields) => lineOf(fields, "good", "other-tag"), forged],
    ["nobody", (fields) => lineOf(fields, "good", "unsigned"), unknown("not_json")],
    ["a no", (fields) => lineOf(fields, "full"), unknown("replayed")],
  ])("a receipt of %s unlocks nothing", async (_, makeLine, expected) => {
    const { fields, restore } = await begin()
    const [, imported, cached] = await run([
      restore,
      paste(await makeLine(fields)),
      step("cached", ["good"]),
    ])
    expect([imported, cached]).toEqual([expected, unknown("not_asked")])
  })

  test("a receipt counts once, and only for an accepted item", async () => {
    const { fields, restore } = await begin()
    const line = await lineOf(fields)
    const other = expect.objectContaining({ state: "invalid", reason: "other_item" })
    expect(
      await run([
        ...[restore, paste(line, { items: [8] }), paste(line, { keys: [] }), paste(line)],
        ...[{ call: "forget" }, paste(line)],
      ]),
    ).toEqual([null, other, unknown("unsigned"), valid("receipt"), null, unknown("replayed")])
  })

  test("a receipt that cannot be kept is none", async () => {
    const { fields, restore } = await begin()
    const line = await lineOf(fields)
    const results = await run([restore, { call: "lockStore" }, paste(line)])
    expect(results[2]).toEqual(unknown("not_asked"))
  })

  test.each([
    ...["", "pazar1.", "pazar1.AAAA", "pazar2.e30", "pazar1.e30=", "\u00ff", "pazar1.%%%"],
    ...["x", 7, [], {}, { headers: "x" }, { headers: { signature: [] } }].map(encode),
    encode({ status: "200", body: [], headers: [], nonce: {}, code: [] }),
  ])("%p is no receipt", async (line) => {
    const { restore } = await begin()
    expect(await run([restore, paste(line)])).toEqual([null, unknown("not_json")])
  })
})
