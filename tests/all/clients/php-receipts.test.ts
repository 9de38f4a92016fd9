/** What the PHP client does not lose: a receipt, the way to a server that moved, the next question. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { until } from "../../contracts/until.ts"
import {
  createSigningKey,
  endorse,
  type FakePazar,
  startFakePazar,
} from "../../harness/http/fake-pazar.ts"
import { openInstalledClient, type PhpClient, type Step } from "../../harness/php/php-client.ts"

const hour = 3_600
const day = 24 * hour
const start = 1_800_000_000
const away = "http://127.0.0.1:1"

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

const url = (mode: string, createdAt = start) => `${pazar.url}/${mode}/${createdAt}`
const at = (mode: string, createdAt = start) => ({ base_url: url(mode, createdAt) })
const run = (steps: readonly Step[], changes: Changes = {}) => {
  const options = { key: "pzr_vk_1", items: [7], keys: [pazar.pinned], timeout: 60 }
  return client.run({ options: { ...options, ...at("signed"), ...changes }, steps })
}
const step = (call: string, now: number, options: Changes = {}, code = "good"): Step => ({
  call,
  arguments: [code],
  now,
  options,
})
const check = (now: number, options: Changes = {}, code = "good") =>
  step("check", now, options, code)
const cached = (now: number, options: Changes = {}) => step("cached", now, options)
const valid = (source: string) => expect.objectContaining({ state: "valid", source })
const invalid = (reason: string) => expect.objectContaining({ state: "invalid", reason })
const unknown = (reason: string) => expect.objectContaining({ state: "unknown", reason })

describe("a receipt", () => {
  test("outlives typing errors, until a signed no for its code", async () => {
    const later = start + day
    const refused = at("refunded", later)
    const results = await run([
      check(start),
      check(later, { base_url: away }, "typo"),
      check(later, { base_url: away }, "another typo"),
      check(later, { base_url: away }),
      check(later, at("signed", later), "typo"),
      step("checkNow", later + 1, refused),
      check(later + 2, { base_url: away }, "typo"),
      cached(later + 3),
    ])
    expect(results).toEqual([
      ...[valid("server"), unknown("unreachable"), unknown("unreachable"), valid("receipt")],
      ...[invalid("unknown_code"), invalid("revoked_code"), unknown("unreachable")],
      unknown("not_asked"),
    ])
  })

  test.each([
    { what: "the secret", before: { secret: "old salts" }, after: { secret: "new salts" } },
    { what: "the validation key", before: {}, after: { key: "pzr_vk_2" } },
  ])("outlives a change of $what, and a question follows", async ({ before, after }) => {
    const results = await run([
      check(start, before),
      cached(start + 1, { ...after, base_url: away }),
      check(start + 2, { ...after, base_url: away }),
      check(start + 2 + hour, { ...after, ...at("signed", start + 2 + hour) }),
      cached(start + 3 + hour, after),
    ])
    expect(results).toEqual([
      ...[valid("server"), valid("cache"), valid("cache"), valid("server"), valid("cache")],
    ])
  })

  test("of a secret key does not hold the key, so it is that key's alone", async () => {
    const key = "pzr_sk_of-the-author"
    const results = await run([
      check(start, { key, secret: "old" }),
      { call: "readStore" },
      cached(start + 1, { key, secret: "new" }),
      cached(start + 1, { key: "pzr_sk_of-another", secret: "new again" }),
    ])
    expect(results).toEqual([
      valid("server"),
      expect.any(String),
      valid("cache"),
      unknown("forged"),
    ])
    expect(results[1]).not.toContain(key)
  })

  test("is not one for another secret without pinned keys", async () => {
    const changes = { keys: [], ...at("unsigned") }
    const steps = [check(start, { secret: "old" }), cached(start + 1, { secret: "new" })]
    expect(await run(steps, changes)).toEqual([valid("server"), unknown("forged")])
  })

  test("of one site is worth nothing on another, and the next check asks", async () => {
    const site = "https://www.Example.com/shop/"
    const later = start + day
    const results = await run([
      check(start, { site }),
      check(later, { site: ` ${site}\n`, base_url: away }),
      cached(later, { site: "https://example.org" }),
      cached(later),
      check(later + hour, { site: "https://example.org", ...at("signed", later + hour) }),
      check(start, { site, ...at("other-site") }, "nope"),
    ])
    expect(results).toEqual([
      ...[valid("server"), valid("receipt"), unknown("other_site"), unknown("other_site")],
      ...[valid("server"), unknown("forged")],
    ])
  })
})

describe("a key that was followed is known", () => {
  const later = start + day
  const second = () => at("second-alone")
  const third = (createdAt = later) => at("third-alone", createdAt)

  test("after a no", async () => {
    const results = await run([
      check(start, second()),
      check(later, at("refunded", later)),
      check(later + 60, third(later + 60)),
      check(later + 3 * day, { base_url: away }),
    ])
    expect(results).toEqual([
      ...[valid("server"), invalid("revoked_code"), valid("server"), valid("receipt")],
    ])
  })

  test.each([
    { what: "code", changes: {} },
    { what: "code and site", changes: { site: "moved.example.com" } },
    { what: "code and secret", changes: { secret: "new salts" } },
  ])("after a no that brought it, with another $what", async ({ changes }) => {
    const results = await run([
      check(start, second(), "full"),
      check(later, { ...changes, ...third() }),
    ])
    expect(results).toEqual([invalid("site_limit"), valid("server")])
  })

  test("after the answer to another code", async () => {
    const results = await run([
      check(start, second()),
      check(later, third(), "nope"),
      check(later, third()),
    ])
    expect(results).toEqual([valid("server"), invalid("unknown_code"), valid("server")])
  })

  test("after a receipt by hand, which brings none", async () => {
    const [, url, text] = await run([
      check(start, second()),
      step("activationUrl", start),
      { call: "readStore" },
    ])
    const { key = "", nonce = "" } = Object.fromEntries(
      new URLSearchParams(new URL(String(url)).hash.slice(1)),
    )
    const response = await fetch(`${at("signed").base_url}/api/purchases/validation`, {
      method: "POST",
      headers: { "X-Api-Key": key },
      body: new URLSearchParams({ purchase_code: "good", nonce }),
    })
    const headers = Object.fromEntries(response.headers)
    const members = { status: 200, code: "good", nonce, headers, body: await response.text() }
    const line = `pazar1.${Buffer.from(JSON.stringify(members)).toString("base64url")}`
    const results = await run([
      { call: "writeStore", arguments: [text] },
      { call: "importReceipt", arguments: [line], now: start },
      check(later, third()),
    ])
    expect(results).toEqual([null, valid("receipt"), valid("server")])
  })

  test.each([
    { what: "answer", before: [] },
    { what: "answer to the code before", before: [check(start, {}, "nope")] },
  ])("from the $what in a record of version 0.12.2", async ({ before }) => {
    const [text] = (await run([check(start, second()), ...before, { call: "readStore" }])).slice(-1)
    const { keys, is_signed, ...record } = JSON.parse(String(text).slice(65))
    expect([keys.length, is_signed]).toEqual([1, before.length > 0])
    const secret = createHmac("sha256", "pzr_vk_1").update("pazar-validation").digest("hex")
    const json = JSON.stringify(record)
    const old = `${createHmac("sha256", secret).update(json).digest("hex")} ${json}`
    const results = await run([
      { call: "writeStore", arguments: [old] },
      cached(start + 1),
      check(later, third(), "full"),
    ])
    expect(results.slice(1)).toEqual([valid("cache"), invalid("site_limit")])
  })

  test("once, with the endorsement that counts, however often a false server lists it", async () => {
    const [first, next, last] = [createSigningKey(), createSigningKey(), createSigningKey()]
    const genuine = { x: next.x, endorsed: [endorse(first, next)] }
    const forged = { x: next.x, endorsed: [endorse(last, next)] }
    const pinned = { x: first.x, endorsed: [] }
    const newest = { x: last.x, endorsed: [endorse(next, last)] }
    const follow = (known: readonly object[], listed: readonly object[]) => ({
      call: "follow",
      arguments: [known, listed],
    })
    const [copies, followed] = await client.run({
      options: { keys: [first.x] },
      steps: [
        follow([], [forged, ...Array(15).fill(genuine)]),
        follow(Array(16).fill(genuine), [newest, pinned]),
      ],
    })
    expect([copies, followed]).toEqual([[genuine], [genuine, newest]])
  })

  test("up to a number, and without texts that are none of an endorsement", async () => {
    const keys = Array.from({ length: 20 }, createSigningKey)
    const [first] = keys
    const listed = keys.slice(1).map((key, index) => {
      const by = keys[index] ?? key
      const junk = { by: by.kid, sig: "A".repeat(100_000) }
      return { x: key.x, endorsed: [junk, endorse(by, key), { ...junk, by: junk.sig }] }
    })
    const follow = { call: "follow", arguments: [listed.slice(0, 10), listed.slice(10)] }
    const [followed] = await client.run({ options: { keys: [first?.x] }, steps: [follow] })
    const kept = listed.slice(0, 16).map(({ x, endorsed: [, real] }) => ({ x, endorsed: [real] }))
    expect(followed).toEqual(kept)
  })
})

describe("a no that was stored before keys were pinned", () => {
  const unpinned = () => ({ keys: [], ...at("always-no") })
  const later = start + day

  test("counts until the next question, as a yes does", async () => {
    const results = await run([
      check(start, unpinned()),
      cached(start + 1),
      check(later, { base_url: away }),
      cached(later + 1),
      check(later + hour, at("signed", later + hour)),
    ])
    const refused = invalid("unknown_code")
    const failed = unknown("unreachable")
    expect(results).toEqual([refused, refused, failed, failed, valid("server")])
  })

  test("counts on without keys, and once the server has signed it", async () => {
    const results = await run([
      check(start, unpinned()),
      check(later, { keys: [], base_url: away }),
      check(later + hour, at("refunded", later + hour)),
      check(later + 2 * day, { base_url: away }),
    ])
    const refused = invalid("revoked_code")
    expect(results).toEqual([
      ...[invalid("unknown_code"), invalid("unknown_code"), refused, refused],
    ])
  })
})

describe("the next question", () => {
  test.each([
    { when: "just after an answer", now: start + 1 },
    { when: "just before the next question", now: start + day - 60 },
  ])("comes at once after a clock that was wrong for a while, $when", async ({ now }) => {
    const results = await run([
      check(start),
      cached(start + 400 * day),
      cached(now),
      step("isDue", now),
      check(now, at("signed", now)),
      step("isDue", now + 1),
    ])
    const expired = unknown("receipt_expired")
    expect(results).toEqual([valid("server"), expired, expired, true, valid("server"), false])
  })

  test("comes at once when nobody asked until the receipt ended", async () => {
    const later = start + 15 * day
    const results = await run([check(start), cached(later), check(later, at("signed", later))])
    expect(results).toEqual([valid("server"), unknown("receipt_expired"), valid("server")])
  })

  test("is due for as long as nobody asks it", async () => {
    const results = await run([
      step("isDue", start),
      check(start),
      step("isDue", start + day - 1),
      step("isDue", start + day),
      { ...step("isDue", start + day + hour - 1), arguments: ["good", hour] },
      { ...step("isDue", start + day + hour), arguments: ["good", hour] },
      step("isDue", start + day, {}, ""),
    ])
    expect(results).toEqual([true, valid("server"), false, true, false, true, false])
  })

  test("is asked now by somebody who waits for it", async () => {
    const before = pazar.count("/signed")
    const results = await run([
      check(start),
      check(start + 1),
      step("checkNow", start + 1, at("signed", start + 1)),
      step("checkNow", start + 2, at("500")),
      step("checkNow", start + 3, {}, " "),
    ])
    expect(results).toEqual([
      ...[valid("server"), valid("cache"), valid("server"), valid("cache")],
      unknown("missing_parameter"),
    ])
    expect(pazar.count("/signed") - before).toBe(2)
  })
})

describe("several base URLs", () => {
  const ask = (...base_url: string[]) => step("validate", start, { base_url })

  test.each([
    { first: "a refused connection", base: () => away },
    { first: "half an answer", base: () => pazar.truncatingUrl },
    ...["html", "429", "500", "503", "401", "plain-404", "unsigned", "stranger", "replayed"].map(
      (mode) => ({ first: mode, base: () => url(mode) }),
    ),
    { first: "no-to-another-key", base: () => url("no-to-another-key") },
  ])("after $first the next is asked", async ({ base }) => {
    expect(await run([ask(base(), url("signed"))])).toEqual([valid("server")])
  })

  test("after a time-out the next is asked", async () => {
    const base_url = [url("hang"), url("unsigned")]
    const steps = [step("validate", start, { base_url, keys: [], timeout: 1 })]
    // The other one has a second too, which can be short on a busy machine.
    const results = await until(async () => {
      const found = await run(steps)
      return JSON.stringify(found).includes("timeout") ? undefined : found
    })
    expect(results).toEqual([valid("server")])
  })

  test("a verdict of the first ends it", async () => {
    const before = pazar.count("/refunded")
    const results = await run([
      ask(url("signed"), url("refunded")),
      { ...ask(url("signed"), url("refunded")), arguments: ["nope"] },
    ])
    expect(results).toEqual([valid("server"), invalid("unknown_code")])
    expect(pazar.count("/refunded") - before).toBe(0)
  })

  test("if none has a verdict, the first says why", async () => {
    expect(await run([ask(url("html"), away, url("503"))])).toEqual([unknown("not_json")])
  })

  test("the key set is that of the server that answered", async () => {
    expect(await run([ask(away, url("endorsed"))])).toEqual([valid("server")])
  })

  test("a refused read is not repeated elsewhere, a failed one is, and the refusal says why", async () => {
    const read = (...base_url: string[]) => ({ call: "account", options: { base_url } })
    const results = await run([
      read(url("401", 1), url("401", 2)),
      read(away, url("401", 3)),
      read(url("500"), url("401", 4)),
    ])
    const refused = {
      thrown: "Pazar\\ReadFailure",
      message: expect.stringContaining("revoked_key"),
    }
    expect(results).toEqual([refused, refused, refused])
    expect([1, 2, 3, 4].map((clock) => pazar.count(`/401/${clock}/`))).toEqual([1, 0, 1, 1])
  })

  test("an empty list is refused", async () => {
    expect(await run([ask()])).toEqual([
      { thrown: "InvalidArgumentException", message: expect.stringContaining('"base_url"') },
    ])
  })
})
