/** Input that the PHP client must not believe: changed answers, changed records, any text at all. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHmac, createPrivateKey } from "node:crypto"
import fc from "fast-check"
import { trimBlank } from "../../../src/domain/values/text.ts"
import { type FakePazar, signAnswer, startFakePazar } from "../../harness/http/fake-pazar.ts"
import vector from "../../harness/http/signature-vector.json"
import { openInstalledClient, type PhpClient, type Step } from "../../harness/php/php-client.ts"
import { runs } from "../../harness/tier.ts"

const day = 86_400
const start = 1_800_000_000
const key = "pzr_sk_key-of-the-author"

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

const character = fc.oneof(
  fc.string({ unit: "binary-ascii", maxLength: 1 }),
  fc.constantFrom("é", "ı", "漢", "😀", "\u2028", "\ufffd", '{"', "null"),
)
const at = (mode: string) => ({ base_url: `${pazar.url}/${mode}/${start}` })
const run = (steps: readonly Step[]) =>
  client.run({
    options: { key, items: [7], keys: [pazar.pinned], timeout: 60, ...at("signed") },
    steps,
  })

const [handMade = never()] = vector.answers

function never(): never {
  throw new Error("the vector has no answer")
}

describe.each(vector.answers)("the answer $status computed by hand", (given) => {
  const { status, body, nonce, api_key: apiKey, purchase_code: code, headers } = given
  const site = given.site ?? null
  const { "Pazar-Reason": reason, ...signature } = headers
  const answer = {
    status,
    body,
    reason,
    nonce,
    key: apiKey,
    site: site ?? "",
    created: 0,
    expires: 0,
    input: headers["Signature-Input"],
    signature: headers.Signature,
    keys: [],
  }
  const question = { answer, code, tag: "pazar-validation", key: "pzr_vk_another" }
  const keys = [vector.public_jwk.x]
  const findFault = async (changed: unknown) => {
    const options = { keys }
    const [fault] = await client.run({ options, steps: [{ call: "fault", arguments: [changed] }] })
    return fault
  }

  test("is good, and the signer of these tests makes the same", async () => {
    expect(await findFault(question)).toBeNull()
    const prefix = Buffer.from("302e020100300506032b657004220420", "hex")
    const seed = Buffer.from(vector.private_seed_hex, "hex")
    const der = Buffer.concat([prefix, seed])
    const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" })
    const { x, kid } = vector.public_jwk
    const signed = { key: apiKey, code, site, nonce, createdAt: 1_770_000_000 }
    expect(
      signAnswer(
        { privateKey, x, kid },
        { status, reason, body },
        { ...signed, tag: "pazar-validation" },
      ),
    ).toEqual(signature)
  })

  test("is good without its key to the client that asked, and to no other", async () => {
    const stored = { ...answer, key: "" }
    expect(await findFault({ ...question, answer: stored, key: apiKey })).toBeNull()
    expect(await findFault({ ...question, answer: stored })).toBe("forged")
  })

  const changedText = (text: string) =>
    fc
      .tuple(fc.nat({ max: text.length - 1 }), fc.string({ unit: "binary-ascii", maxLength: 2 }))
      .map(([position, instead]) => text.slice(0, position) + instead + text.slice(position + 1))
      .filter((changed) => changed !== text)
  const members = ["body", "reason", "input", "signature", "nonce", "key"] as const

  test("has one spelling of its signature", async () => {
    const spelt = answer.signature.replace(/.(?===:$)/, (last) => (last === "g" ? "h" : "R"))
    expect(spelt).not.toBe(answer.signature)
    expect(await findFault({ ...question, answer: { ...answer, signature: spelt } })).toBe("forged")
  })

  test("is not, if a character of it is another", async () => {
    const changed = fc.oneof(
      ...members.map((member) =>
        changedText(answer[member]).map((text) => ({
          ...question,
          answer: { ...answer, [member]: text },
        })),
      ),
      changedText(code).map((changedCode) => ({ ...question, code: changedCode })),
      changedText(answer.site || "https://").map((changedSite) => ({
        ...question,
        answer: { ...answer, site: changedSite || "x" },
      })),
      fc.constantFrom(201, 400, 403, 405, 4040).map((changedStatus) => ({
        ...question,
        answer: { ...answer, status: changedStatus },
      })),
      fc.constantFrom("pazar-test", "", "pazar").map((tag) => ({ ...question, tag })),
    )
    await fc.assert(
      fc.asyncProperty(changed, async (hostile) => {
        expect(await findFault(hostile)).toMatch(/^(unsigned|unknown_signer|forged|replayed)$/)
      }),
      { numRuns: runs(300) },
    )
  })
})

describe("a stored record", () => {
  const check = (now: number, mode: string): Step => ({
    call: "check",
    arguments: ["good"],
    now,
    options: at(mode),
  })
  const cached = (now: number): Step => ({ call: "cached", arguments: ["good"], now })
  const write = (text: string): Step => ({ call: "writeStore", arguments: [text] })
  const readRecord = async () => {
    const results = await run([check(start, "signed"), { call: "readStore" }])
    return String(results[1])
  }
  /** As the site's owner can, who knows the secret. */
  const seal = (json: string) => {
    const secret = createHmac("sha256", key).update("pazar-validation").digest("hex")
    return `${createHmac("sha256", secret).update(json).digest("hex")} ${json}`
  }
  const forged = { state: "unknown", reason: "forged" }

  test("does not hold the key or the code", async () => {
    const record = await readRecord()
    expect(record).toContain('"verdict":"valid"')
    expect(record).not.toContain(key)
    expect(JSON.parse(record.slice(65)).code).not.toContain("good")
  })

  test("counts no more, if a character of it is another, but the receipt in it does", async () => {
    const record = await readRecord()
    const restored = { state: "valid", source: "cache", purchase_code: "good" }
    const change = fc.tuple(fc.nat({ max: record.length - 1 }), fc.constantFrom(...'09afz{}" '))
    await fc.assert(
      fc.asyncProperty(change, async ([position, instead]) => {
        fc.pre(record[position] !== instead)
        const changed = record.slice(0, position) + instead + record.slice(position + 1)
        const results = await run([write(changed), cached(start + 1), check(start + 1, "signed")])
        const allowed: readonly unknown[] = [forged, restored]
        expect(allowed).toContainEqual(results[1])
        expect(results[2]).toMatchObject({ source: "server" })
      }),
      { numRuns: runs(100) },
    )
  })

  test("is never read as a verdict, whatever text it is", async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: character }), async (text) => {
        const results = await run([write(text), cached(start), check(start, "401")])
        const failed = {
          state: "unknown",
          reason: "revoked_key",
          retryAfter: 60,
          requestId: "request-1",
        }
        expect(results).toEqual([null, forged, failed])
      }),
      { numRuns: runs(100) },
    )
  })

  test("of version 0.8.0, which has other members, is none", async () => {
    const record = JSON.parse((await readRecord()).slice(65))
    const answer = { ...record.answer, key: undefined, site: undefined }
    const text = seal(JSON.stringify({ ...record, answer, kept: undefined }))
    expect(await run([write(text), cached(start + 1), check(start + 1, "signed")])).toEqual([
      null,
      forged,
      expect.objectContaining({ state: "valid", source: "server" }),
    ])
  })

  test.each([
    { change: "an answer without a signature", member: "signature", to: "", reason: "unsigned" },
    { change: "another purchase", member: "body", to: '{"data":{}}', reason: "forged" },
    { change: "an earlier answer's nonce", member: "nonce", to: "other", reason: "replayed" },
  ])("with $change fails at the next check, even under the right secret", async (forgery) => {
    const record = JSON.parse((await readRecord()).slice(65))
    const answer = { ...record.answer, [forgery.member]: forgery.to }
    const text = seal(JSON.stringify({ ...record, answer }))
    const results = await run([write(text), check(start + day, "500"), cached(start + day)])
    const refused = expect.objectContaining({ state: "unknown", reason: forgery.reason })
    expect(results).toEqual([null, refused, refused])
  })
})

describe("a response", () => {
  const headerNames = ["pazar-reason", "signature-input", "signature", "retry-after", "request-id"]
  const shaped = fc.record({ data: fc.record({ purchase: fc.anything({ maxDepth: 3 }) }) })
  const body = fc.oneof(
    fc.string({ unit: character }),
    fc.json({ maxDepth: 3 }),
    fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("latin1")),
    shaped.map((value) => JSON.stringify(value)),
  )
  const header = fc.oneof(
    fc.string({ unit: character }),
    ...Object.values(handMade.headers).map((value) => fc.constant(value)),
    fc.constantFrom("ok", "unknown_code", "revoked_code", "-1", "99999999999999999999"),
  )
  const response = fc.record({
    status: fc.oneof(fc.constantFrom(200, 404), fc.nat({ max: 599 })),
    headers: fc.dictionary(fc.constantFrom(...headerNames), header),
    body: body.map((text) => Buffer.from(text).toString("base64")),
  })
  const ask = (responses: unknown, keys: readonly string[]) => {
    const base_url = "http://pazar.invalid"
    const steps = ["validate", "check", "cached"].map((call) => ({ call, arguments: ["good"] }))
    return client.run({ options: { base_url, key, keys, responses }, steps })
  }

  test("that no pinned key signed is never an answer, and never an error", async () => {
    await fc.assert(
      fc.asyncProperty(response, response, async (answer, keySet) => {
        const responses = {
          "/api/purchases/validation": answer,
          "/.well-known/pazar-keys.json": keySet,
        }
        const unknown = expect.objectContaining({ state: "unknown" })
        expect(await ask(responses, [pazar.pinned])).toEqual([unknown, unknown, unknown])
        const unsigned = await ask(responses, [])
        expect(JSON.stringify(unsigned)).not.toContain("thrown")
      }),
      { numRuns: runs(300) },
    )
  })

  test("with an item that has no number is no answer", async () => {
    const purchases = [
      { item: { id: [7] } },
      { item: { id: {} } },
      { item: { id: "x" } },
      { item: "7" },
    ]
    for (const purchase of [...purchases, "7", [7], null]) {
      const body = Buffer.from(JSON.stringify({ data: { purchase } })).toString("base64")
      const answer = { status: 200, headers: { "pazar-reason": "ok" }, body }
      const responses = { "/api/purchases/validation": answer }
      const options = { base_url: "http://pazar.invalid", key, items: [7], responses }
      const steps = [{ call: "validate", arguments: ["good"] }]
      const [outcome] = await client.run({ options, steps })
      expect(outcome).toEqual({ state: "unknown", reason: "not_json" })
    }
  })

  test("with a stranger's key set leads to no signer", async () => {
    const name = fc.oneof(fc.constant(vector.public_jwk.kid), fc.string(), fc.integer())
    const endorsement = fc.record({ by: name, sig: fc.oneof(fc.base64String(), fc.constant(null)) })
    const x = fc.oneof(fc.constantFrom(pazar.pinned, vector.public_jwk.x), fc.anything())
    const keySet = fc.record({
      keys: fc.array(fc.record({ x, endorsed: fc.oneof(fc.array(endorsement), fc.anything()) })),
    })
    const { "Pazar-Reason": reason, ...signed } = handMade.headers
    const answer = {
      status: handMade.status,
      headers: { "pazar-reason": reason, ...signed },
      body: Buffer.from(handMade.body).toString("base64"),
    }
    await fc.assert(
      fc.asyncProperty(keySet, async (set) => {
        const text = Buffer.from(JSON.stringify(set)).toString("base64")
        const responses = {
          "/api/purchases/validation": answer,
          "/.well-known/pazar-keys.json": { status: 200, headers: {}, body: text },
        }
        const [outcome] = await ask(responses, [pazar.pinned])
        expect(outcome).toEqual({ state: "unknown", reason: "unknown_signer" })
      }),
      { numRuns: runs(200) },
    )
  })
})

describe("a response of any length", () => {
  /** Less than any of these responses, and enough for a check. */
  const small = () => openInstalledClient(["-d", "memory_limit=24M"])
  const url = (mode: string) => `${pazar.url}/${mode}/${start}`

  test.each([
    { hostile: "a small body that decodes to 64 MB", base: () => url("bomb"), reason: "not_json" },
    { hostile: "one within another", base: () => url("bomb-in-a-bomb"), reason: "not_json" },
    { hostile: "a body without an end", base: () => url("endless"), reason: "not_json" },
    { hostile: "headers without an end", base: () => pazar.headersUrl, reason: "not_json" },
    {
      hostile: "a key set that decodes to 64 MB",
      base: () => url("stranger-with-a-bomb"),
      reason: "unknown_signer",
    },
  ])("is no answer, and takes little memory: $hostile", async ({ base, reason }) => {
    const limited = small()
    const options = { key, items: [7], keys: [pazar.pinned], timeout: 60, ...at("signed") }
    const steps = [
      { call: "check", arguments: ["good"], now: start },
      { call: "validate", arguments: ["good"], options: { base_url: base() } },
      { call: "check", arguments: ["good"], now: start + day, options: { base_url: base() } },
    ]
    const results = await limited.run({ options, steps })
    await limited.close()
    expect(results).toEqual([
      expect.objectContaining({ source: "server" }),
      expect.objectContaining({ state: "unknown", reason }),
      expect.objectContaining({ state: "valid", source: "receipt" }),
    ])
  })
})

test("a code is trimmed as the server trims it", async () => {
  const blank = fc.constantFrom(
    ...[" ", "\t", "\n", "\u00a0", "\u2003", "\u3000", "\u200b", "\u200d", "\ufeff", "\u00ad"],
    ...["\u2060", "\ufe0f", "\u{e0041}", "\u0085", "\u0001", "\u0600", "-", "x", "é"],
  )
  const any = fc.string({ unit: fc.oneof(blank, character) })
  await fc.assert(
    fc.asyncProperty(fc.array(any, { maxLength: 50 }), async (codes) => {
      const [trimmed] = await client.run({ steps: [{ call: "trim", arguments: codes }] })
      expect(trimmed).toEqual(codes.map(trimBlank))
    }),
    { numRuns: runs(50) },
  )
})

test("every blank of Unicode is one to both", async () => {
  const characters = Array.from({ length: 0xe1000 }, (_, code) => code)
    .filter((code) => code < 0x20000 || code >= 0xe0000)
    .filter((code) => code < 0xd800 || code > 0xdfff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => trimBlank(character) === "")
  const [trimmed] = await client.run({ steps: [{ call: "trim", arguments: characters }] })
  expect(trimmed).toEqual(characters.map(() => ""))
})
