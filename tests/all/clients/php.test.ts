/** The PHP client in the product of a buyer: what keeps it working, and what stops it. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { type FakePazar, startFakePazar } from "../../harness/http/fake-pazar.ts"
import {
  openBundledClient,
  openInstalledClient,
  type PhpClient,
  type Step,
} from "../../harness/php/php-client.ts"

const hour = 3_600
const day = 24 * hour
const start = 1_800_000_000

let pazar: FakePazar
beforeAll(async () => {
  pazar = await startFakePazar()
})
afterAll(() => pazar.close())

/** The behaviour of the server, and the reason that the client then gives. */
const reasons: Readonly<Record<string, string>> = {
  "500": "unavailable",
  "503": "unavailable",
  "401": "revoked_key",
  html: "not_json",
  redirect: "not_json",
  "plain-404": "unsigned",
  "always-yes": "unsigned",
  "always-no": "unsigned",
  "refund-signed-for-another": "forged",
  "no-to-another-key": "forged",
  "other-site": "forged",
  "other-tag": "forged",
  replayed: "replayed",
  stranger: "unknown_signer",
}

type Fault = Readonly<{
  fault: string
  options(): Record<string, unknown>
  /** A text, or what it must match. */
  reason: string
}>

/** The others have no network of their own, so there is nothing to learn from its faults. */
const withNetwork = "the installed PHP"
const versions = [
  { version: withNetwork, open: async () => openInstalledClient() },
  { version: "PHP 7.4", open: () => openBundledClient("7.4") },
  { version: "PHP 8.4", open: () => openBundledClient("8.4") },
]

describe.each(versions)("$version", ({ version, open }) => {
  let client: PhpClient
  beforeAll(async () => {
    client = await open()
  })
  afterAll(() => client.close())

  /** A server that behaves in this way, with the given clock. */
  const at = (mode: string, createdAt = start) => ({
    base_url: `${pazar.url}/${mode}/${createdAt}`,
  })
  const options = () => ({
    key: "pzr_sk_key-of-the-author",
    items: [7],
    keys: [pazar.pinned],
    timeout: 60,
    ...at("signed"),
  })
  const run = (steps: readonly Step[], changes: Record<string, unknown> = {}) =>
    client.run({ options: { ...options(), ...changes }, steps })

  const check = (now: number, changes: Record<string, unknown> = {}, code = "good"): Step => ({
    call: "check",
    arguments: [code],
    now,
    options: changes,
  })
  const cached = (now: number, code = "good"): Step => ({
    call: "cached",
    arguments: [code],
    now,
  })
  const valid = (source: string) => expect.objectContaining({ state: "valid", source })
  const invalid = (reason: string) => expect.objectContaining({ state: "invalid", reason })
  const unknown = (reason: string) => expect.objectContaining({ state: "unknown", reason })

  const networkFaults: readonly Fault[] = [
    {
      fault: "a name that does not resolve",
      options: () => ({ base_url: "http://pazar.invalid", timeout: 10 }),
      reason: expect.stringMatching(/^(unreachable|timeout)$/),
    },
    {
      fault: "half an answer",
      options: () => ({ base_url: pazar.truncatingUrl }),
      reason: "unreachable",
    },
    {
      fault: "a server that does not answer",
      options: () => ({ ...at("hang"), timeout: 0.2 }),
      reason: "timeout",
    },
  ]
  const faults: readonly Fault[] = [
    {
      fault: "a refused connection",
      options: () => ({ base_url: "http://127.0.0.1:1" }),
      reason: "unreachable",
    },
    ...(version === withNetwork ? networkFaults : []),
    ...Object.entries(reasons).map(([mode, reason]) => ({
      fault: mode,
      options: () => at(mode),
      reason,
    })),
  ]

  test("a code that was pasted over two lines is one code", async () => {
    expect(await run([check(start, {}, "go\nod"), cached(start)])).toEqual([
      valid("server"),
      valid("cache"),
    ])
  })

  test.each(faults)("works on through $fault until the receipt ends", async (faulty) => {
    const results = await run([
      { call: "validate", arguments: ["good"], options: faulty.options() },
      check(start),
      check(start + day, faulty.options()),
      cached(start + 14 * day),
      cached(start + 14 * day + 1),
      check(start + 14 * day + 1, faulty.options()),
    ])
    expect(results).toEqual([
      unknown(faulty.reason),
      valid("server"),
      valid("receipt"),
      valid("receipt"),
      unknown("receipt_expired"),
      unknown("receipt_expired"),
    ])
  })

  test("asks once a day, and page loads never ask", async () => {
    const results = await run([
      cached(start),
      check(start),
      cached(start + 1),
      check(start + day - 1, at("html")),
      check(start + day, at("signed", start + day)),
      cached(start + day + 1),
    ])
    const purchase = { state: "valid", purchase_code: "good" }
    const asked = { ...purchase, source: "server", requestId: "request-1", retryAfter: day }
    expect(results).toEqual([
      { state: "unknown", reason: "not_asked" },
      asked,
      { ...purchase, source: "cache", retryAfter: day - 1 },
      { ...purchase, source: "cache", retryAfter: 1 },
      asked,
      { ...purchase, source: "cache", retryAfter: day - 1 },
    ])
  })

  test("with a receipt asks once an hour while it fails, or later if the server says so", async () => {
    const before = pazar.count("/html/3") + pazar.count("/503/3")
    const later = start + day
    const results = await run([
      check(start),
      check(later, at("html", 3)),
      check(later + hour - 1, at("html", 3)),
      check(later + hour, at("503", 3)),
      check(later + 3 * hour - 1, at("503", 3)),
      check(later + 3 * hour, at("signed", later + 3 * hour)),
    ])
    const receipt = { state: "valid", source: "receipt", purchase_code: "good" }
    expect(results).toEqual([
      valid("server"),
      { ...receipt, retryAfter: hour },
      { ...receipt, retryAfter: 1 },
      { ...receipt, retryAfter: 2 * hour, requestId: "request-1" },
      { ...receipt, retryAfter: 1 },
      valid("server"),
    ])
    expect(pazar.count("/html/3") + pazar.count("/503/3") - before).toBe(2)
  })

  test("without one asks again after a minute, and each pause is twice as long, up to an hour", async () => {
    const pauses = [60, 120, 240, 480, 960, 1_920, hour, hour]
    const times = pauses.map((_, index) =>
      pauses.slice(0, index).reduce((time, pause) => time + pause, start),
    )
    const results = await run([
      ...times.flatMap((now) => [check(now, at("html")), check(now + 59, at("html"))]),
      check(start + 10 * day, at("503")),
      check(start + 10 * day + hour),
    ])
    const failed = { state: "unknown", reason: "not_json" }
    expect(results).toEqual([
      ...pauses.flatMap((pause) => [
        { ...failed, retryAfter: pause },
        { ...failed, retryAfter: pause - 59 },
      ]),
      { state: "unknown", reason: "unavailable", retryAfter: hour, requestId: "request-1" },
      valid("server"),
    ])
  })

  test("a signed no stops it at once, and outlasts an outage", async () => {
    const results = await run([
      check(start),
      check(start + day, at("refunded", start + day)),
      cached(start + day + 1),
      check(start + day + 60, at("refunded", start + day)),
      check(start + 2 * day, at("500")),
      check(start + 3 * day, at("signed", start + 3 * day)),
    ])
    const refused = { state: "invalid", reason: "revoked_code" }
    expect(results).toEqual([
      valid("server"),
      { ...refused, requestId: "request-1", retryAfter: 60 },
      { ...refused, retryAfter: 59 },
      { ...refused, requestId: "request-1", retryAfter: 120 },
      invalid("revoked_code"),
      valid("server"),
    ])
  })

  test("a code that was never sold, and one of another item", async () => {
    const results = await run([
      { call: "validate", arguments: ["nope"] },
      check(start, {}, "nope"),
      { call: "forget" },
      { ...check(start), options: { items: [8, "9"] } },
      { ...check(start + 1), options: { items: ["7"] } },
      { call: "validate", arguments: ["good"], options: { items: ["8", " 007\n"] } },
    ])
    const [unknownCode, otherItem] = [invalid("unknown_code"), invalid("other_item")]
    expect(results).toEqual([unknownCode, unknownCode, null, otherItem, otherItem, valid("server")])
  })

  test("what is known of a code says nothing of another", async () => {
    expect(await run([check(start), cached(start, "nope"), cached(start)])).toEqual([
      ...[valid("server"), { state: "unknown", reason: "not_asked" }, valid("cache")],
    ])
  })

  test("the answer to another question is no answer", async () => {
    const relayed = { call: "validate", arguments: ["nope"], options: at("relay") }
    expect(await run([relayed, check(start, at("relay"), "nope")])).toEqual([
      unknown("forged"),
      unknown("forged"),
    ])
  })

  test("a receipt ends after the product's own grace, if that is shorter", async () => {
    const steps = [check(start), cached(start + 3 * day), cached(start + 3 * day + 1)]
    expect(await run(steps, { grace_days: 3 })).toEqual([
      valid("server"),
      valid("receipt"),
      unknown("receipt_expired"),
    ])
  })

  test("a clock that is 400 days slow counts the same days", async () => {
    const slow = start - 400 * day
    const results = await run([
      check(slow),
      check(slow + day, at("500")),
      cached(slow + 14 * day),
      cached(slow + 14 * day + 1),
    ])
    expect(results).toEqual([
      valid("server"),
      valid("receipt"),
      valid("receipt"),
      unknown("receipt_expired"),
    ])
  })

  test("setting the clock back does not bring a receipt back", async () => {
    const results = await run([
      check(start),
      cached(start + 14 * day + 1),
      cached(start + day),
      check(start + day, at("500")),
      cached(start + day + 1),
    ])
    const expired = unknown("receipt_expired")
    expect(results).toEqual([valid("server"), expired, expired, expired, expired])
  })

  test("a clock that was far ahead does not keep it from asking", async () => {
    const ahead = start + 400 * day
    expect(await run([check(ahead), check(start, at("refunded"))])).toEqual([
      valid("server"),
      invalid("revoked_code"),
    ])
  })

  test("a clock that was put right after it was far ahead counts the days on", async () => {
    const right = start + day
    const results = await run([
      check(start + 400 * day),
      check(right, at("500")),
      cached(right + 14 * day),
      cached(right + 14 * day + 1),
      check(right + 14 * day + 1, at("500")),
    ])
    const expired = unknown("receipt_expired")
    expect(results).toEqual([valid("server"), valid("cache"), valid("receipt"), expired, expired])
  })

  test.each(["endorsed", "endorsed-twice"])(
    "follows a key that is %s, and keeps it",
    async (mode) => {
      const path = `/${mode}/${start}/.well-known/`
      const before = pazar.count(path)
      const results = await run([
        check(start, at(mode)),
        check(start + day, at("500")),
        check(start + 2 * day, at(mode)),
        {
          call: "validate",
          arguments: ["good"],
          options: { ...at(mode), base_url: `${at(mode).base_url}/` },
        },
      ])
      const asked = valid("server")
      expect(results).toEqual([asked, valid("receipt"), asked, asked])
      expect(pazar.count(path) - before).toBe(2)
    },
  )

  test("remembers a key that it followed, after that left the key set", async () => {
    const results = await run([
      check(start, at("second-alone")),
      check(start + day, at("third-alone")),
      check(start + 2 * day, at("500")),
      { call: "validate", arguments: ["good"], options: at("third-alone") },
    ])
    const stranger = unknown("unknown_signer")
    expect(results).toEqual([valid("server"), valid("server"), valid("receipt"), stranger])
  })

  test("the digest is of the decoded body", async () => {
    expect(await run([check(start, at("gzip"))])).toEqual([valid("server")])
  })

  describe("a test key", () => {
    const key = "pzr_tk_key"
    test("takes answers to test keys, and no others", async () => {
      const steps = [check(start, at("other-tag")), { call: "forget" }, check(start)]
      expect(await run(steps, { key })).toEqual([valid("server"), null, unknown("forged")])
    })

    test("leaves a record that no other key reads", async () => {
      const steps = [check(start, { ...at("other-tag"), key, secret: "s" }), cached(start)]
      expect(await run(steps, { secret: "s" })).toEqual([valid("server"), unknown("forged")])
    })
  })

  describe("without pinned keys", () => {
    const unsigned = () => ({ keys: [], ...at("unsigned") })

    test("a yes lasts as long", async () => {
      const steps = [
        check(start),
        check(start + day, at("500")),
        cached(start + 14 * day),
        cached(start + 14 * day + 1),
      ]
      expect(await run(steps, unsigned())).toEqual([
        valid("server"),
        valid("receipt"),
        valid("receipt"),
        unknown("receipt_expired"),
      ])
    })

    test("a no ends a yes only when it is said again an hour later", async () => {
      const no = at("always-no")
      const steps = [
        check(start),
        check(start + day, no),
        check(start + day + hour - 1, no),
        check(start + day + hour),
        check(start + 3 * day, no),
        check(start + 3 * day + hour, no),
        cached(start + 3 * day + hour),
      ]
      const receipt = valid("receipt")
      const refused = invalid("unknown_code")
      expect(await run(steps, unsigned())).toEqual([
        ...[valid("server"), receipt, receipt, valid("server"), receipt, refused, refused],
      ])
    })

    test("a header that is not plain text does no harm", async () => {
      const results = await run([check(start, at("odd-header")), cached(start)], unsigned())
      expect(results).toEqual([valid("server"), valid("cache")])
    })

    test("a no about a new code counts at once", async () => {
      expect(await run([check(start, {}, "nope")], unsigned())).toEqual([invalid("unknown_code")])
    })

    test("a page that is not Pazar's is no answer", async () => {
      const steps = ["html", "plain-404", "redirect", "500"].map((mode) => ({
        call: "validate",
        arguments: ["good"],
        options: at(mode),
      }))
      expect(await run(steps, unsigned())).toEqual([
        ...[unknown("not_json"), unknown("not_json"), unknown("not_json"), unknown("unavailable")],
      ])
    })
  })

  test("a code that is no text is not asked about", async () => {
    const before = pazar.count("/")
    const calls = ["validate", "check", "cached"].flatMap((call) =>
      ["", " \u200b\ufeff\n", "x".repeat(5_000)].map((code) => ({ call, arguments: [code] })),
    )
    const [missing, malformed] = [unknown("missing_parameter"), unknown("invalid_parameter")]
    const results = [missing, missing, malformed]
    expect(await run(calls)).toEqual([...results, ...results, ...results])
    expect(pazar.count("/") - before).toBe(0)
  })

  test.each(["lockStore", "breakStore"])(
    "a store that cannot be written or throws is no reason to ask on every page load: %s",
    async (call) => {
      const before = pazar.count("/")
      const results = await run([{ call }, check(start), check(start)])
      expect(results).toEqual([null, unknown("not_asked"), unknown("not_asked")])
      expect(pazar.count("/") - before).toBe(0)
    },
  )

  test.each([
    { named: '"base_url"', changes: { base_url: "pazar" } },
    { named: '"key"', changes: { key: " \u200b" } },
    { named: '"items"', changes: { key: "pzr_vk_1", items: [] } },
    { named: '"items"', changes: { key: "\ufeff pzr_vk_1", items: [] } },
    { named: '"keys"', changes: { keys: ["x"] } },
    { named: '"timeout"', changes: { timeout: 0 } },
    { named: '"items"', changes: { items: ["seven"] } },
    { named: '"items"', changes: { items: [[7]] } },
    { named: '"lang"', changes: { lang: "de" } },
    { named: "base_url, key,", changes: { kye: 1 } },
  ])("refuses options, and names the one that is wrong: $named", async ({ named, changes }) => {
    expect(await run([{ call: "validate", arguments: ["good"] }], changes)).toEqual([
      { thrown: "InvalidArgumentException", message: expect.stringContaining(named) },
    ])
  })

  test("a read that fails says why, and never the key", async () => {
    const [refused] = await run([{ call: "account" }], at("401"))
    expect(refused).toEqual({
      thrown: "Pazar\\ReadFailure",
      message: expect.stringMatching(/^(?!.*pzr_).*\brevoked_key\b/),
    })
  })
})
