import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHash, createPublicKey, verify } from "node:crypto"
import fc from "fast-check"
import { isFullTestRun, propertyRuns } from "../harness/full-test-run.ts"
import { purchaseValidation } from "../harness/http/contract-messages.ts"
import { openNginx } from "../harness/http/nginx.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { type SignedCase, verifiers } from "../harness/http/verifiers.ts"
import { type Marketplace, openMarketplace, revoked, sold } from "../harness/marketplace.ts"
import { item, purchase } from "../harness/records.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace({ PAZAR_RECEIPT_DAYS: "30" })
  const long = item("ada", 15, { description: "Çok uzun bir açıklama. ".repeat(200) })
  await market.load([long, purchase("long-1", 15)])
})
afterAll(() => market.close())

const nonce = "f00dfeed_0123456789-ABCDEF"
const signatureHeaders = ["unencoded-digest", "pazar-question", "signature-input", "signature"]
const code = String(sold.purchase_code)

type Sent = Readonly<{ headers: Record<string, string>; status: number; body: string }>

async function send(
  parameters: Record<string, unknown>,
  key: string | null = market.keys.validation,
  url = market.url,
): Promise<Sent> {
  // A proxy adds headers that the description does not have.
  const fetchResponse = url === market.url ? openapiFetch : fetch
  const response = await fetchResponse(`${url}${purchaseValidation.path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key === null ? {} : { "X-Api-Key": key }) },
    body: JSON.stringify(parameters),
  })
  const headers = Object.fromEntries(response.headers)
  return { status: response.status, headers, body: await response.text() }
}

type PublicKey = Readonly<{
  kid: string
  x: string
  endorsed: readonly Readonly<{ by: string; sig: string }>[]
}>
type KeySet = Readonly<{ keys: readonly PublicKey[] }>

const readKeySet = (init: RequestInit = {}) =>
  openapiFetch(`${market.url}/.well-known/pazar-keys.json`, init)

/** A valid case with the response to this request. */
async function sign(
  purchaseCode: string,
  options: Partial<Record<"key" | "tag" | "url" | "site", string>> = {},
): Promise<SignedCase> {
  const { key = market.keys.validation, tag = "pazar-validation", url, site } = options
  const requested = { purchase_code: purchaseCode, nonce, site }
  const { status, headers, body } = await send(requested, key, url)
  const { keys }: KeySet = JSON.parse(await (await readKeySet()).text())
  const [current] = keys
  return {
    status,
    body,
    nonce,
    tag,
    reason: headers["pazar-reason"] ?? "",
    signature_input: headers["signature-input"] ?? "",
    signature: headers.signature ?? "",
    keys: { [current?.kid ?? ""]: current?.x ?? "" },
    question: [key, purchaseCode, ...(site === undefined ? [] : [site])].join("\n"),
    now: Math.floor(Date.now() / 1000),
  }
}

function spoil(valid: SignedCase): readonly SignedCase[] {
  const expires = Number(/expires=(\d+)/.exec(valid.signature_input)?.[1])
  const otherKey = Buffer.alloc(32, 1).toString("base64url")
  return [
    { ...valid, body: `${valid.body} ` },
    { ...valid, body: valid.body.replace("s", "S") },
    { ...valid, status: valid.status === 200 ? 404 : 200 },
    { ...valid, reason: "revoked_key" },
    { ...valid, question: `${valid.question}x` },
    { ...valid, question: `${valid.question}\nelsewhere.example` },
    { ...valid, question: valid.question.replace(market.keys.validation, market.keys.bob) },
    { ...valid, nonce: `${nonce}x` },
    { ...valid, signature_input: valid.signature_input.replace(nonce, `${nonce}x`) },
    {
      ...valid,
      nonce: `${nonce}x`,
      signature_input: valid.signature_input.replace(nonce, `${nonce}x`),
    },
    { ...valid, tag: valid.tag === "pazar-test" ? "pazar-validation" : "pazar-test" },
    {
      ...valid,
      tag: "pazar-other",
      signature_input: valid.signature_input.replace(valid.tag, "pazar-other"),
    },
    { ...valid, now: expires + 1 },
    {
      ...valid,
      now: expires + 1,
      signature_input: valid.signature_input.replace(`${expires}`, `${expires + 1}`),
    },
    { ...valid, keys: { other: otherKey } },
    { ...valid, keys: { [Object.keys(valid.keys)[0] ?? ""]: otherKey } },
    { ...valid, signature: "" },
    { ...valid, signature_input: "" },
  ]
}

describe("verified", () => {
  let valid: readonly SignedCase[]
  let spoiled: readonly SignedCase[]
  beforeAll(async () => {
    valid = [
      await sign(code),
      await sign(`\u200b ${code} \n`.replaceAll("-", "–")),
      await sign("long-1"),
      await sign("no such code ğ 😀"),
      await sign(String(revoked.purchase_code)),
      await sign(code, { key: market.keys.secret }),
      await sign("test-regular", { key: market.keys.test, tag: "pazar-test" }),
      await sign(code, { site: " https://www.Example.com/mağaza/ " }),
    ]
    spoiled = [0, 3].flatMap((index) => (valid[index] === undefined ? [] : spoil(valid[index])))
  })

  test("responses of both kinds were requested", () => {
    expect(valid.map(({ status, reason }) => `${status} ${reason}`)).toEqual([
      ...["200 ok", "200 ok", "200 ok", "404 unknown_code", "404 revoked_code"],
      ...["200 ok", "200 ok", "200 ok"],
    ])
    expect(spoiled).toHaveLength(36)
  })

  test.each(verifiers)("by $name, which accepts no change", async (verifier) => {
    const outcomes = await verifier.verify([...valid, ...spoiled])
    expect(outcomes).toEqual([...valid.map(() => true), ...spoiled.map(() => false)])
  })

  async function requestGzip(url: string, purchaseCode: string): Promise<void> {
    const response = await fetch(`${url}${purchaseValidation.path}`, {
      method: "POST",
      headers: { "X-Api-Key": market.keys.validation, "Accept-Encoding": "gzip" },
      body: new URLSearchParams({ purchase_code: purchaseCode, nonce }),
    })
    expect(response.headers.get("content-encoding")).toBe("gzip")
    const digest = createHash("sha256")
      .update(await response.text())
      .digest("base64")
    expect(response.headers.get("unencoded-digest")).toBe(`sha-256=:${digest}:`)
  }

  test("with gzip, compressed by Pazar", () => requestGzip(market.url, "long-1"))

  if (isFullTestRun) {
    test("with gzip, compressed by nginx", async () => {
      const nginx = await openNginx(market.url)
      await requestGzip(nginx.url, "nobody")
      const response = await sign("nobody", { url: nginx.url })
      expect(await verifiers[0]?.verify([response])).toEqual([true])
      await nginx.close()
    })
  }
})

describe("signed:", () => {
  const timesOf = (input = "") =>
    /created=(\d+);expires=(\d+)/.exec(input)?.slice(1).map(Number) ?? []

  test.each([
    [code, 30 * 86_400],
    ["nobody", 300],
  ])("%s, created now, for %d seconds", async (purchaseCode, seconds) => {
    const before = Math.floor(Date.now() / 1000)
    const { headers } = await send({ purchase_code: purchaseCode, nonce })
    const [created = 0, expires = 0] = timesOf(headers["signature-input"])
    expect(created).toBeWithin(before, Math.floor(Date.now() / 1000) + 1)
    expect(expires - created).toBe(seconds)
  })

  test("the same response as without a nonce, except for the signature headers", async () => {
    for (const purchase_code of [code, "nobody"]) {
      const [plain, signed] = [
        await send({ purchase_code }),
        await send({ purchase_code, nonce: ` ${nonce}\n` }),
      ]
      expect([signed.status, signed.body]).toEqual([plain.status, plain.body])
      const added = Object.keys(signed.headers).filter((name) => !(name in plain.headers))
      expect(added.toSorted()).toEqual(signatureHeaders.toSorted())
    }
  })
})

describe("the request is signed as it was sent:", () => {
  const digest = (...parts: readonly string[]) =>
    `sha-256=:${createHash("sha256").update(parts.join("\n")).digest("base64")}:`

  type Way = readonly [name: string, request: (key: string) => RequestInit, sent: string]
  const form = (parameters: Record<string, string>) => ({
    body: new URLSearchParams({ ...requested, ...parameters }),
  })
  const requested = { purchase_code: "nobody", nonce }
  const ways: readonly Way[] = [
    ["a parameter", (key) => form({ api_key: key }), "KEY"],
    ["a parameter with blanks", (key) => form({ api_key: ` \u200b${key}\n` }), " \u200bKEY\n"],
    [
      "a JSON parameter with blanks",
      (key) => ({ body: JSON.stringify({ ...requested, api_key: `\ufeff${key}\t` }) }),
      "\ufeffKEY\t",
    ],
    [
      "a parameter, and not the header",
      (key) => ({ ...form({ api_key: key }), headers: { "X-Api-Key": market.keys.bob } }),
      "KEY",
    ],
    [
      "a header beside a blank parameter; HTTP itself drops the blanks around it",
      (key) => ({ ...form({ api_key: " " }), headers: { "X-Api-Key": ` ${key}\t` } }),
      "KEY",
    ],
    [
      "a header with a character that nobody sees",
      (key) => ({ ...form({}), headers: { "X-Api-Key": latin1(`${key}\u200b`) } }),
      "KEY\u200b",
    ],
    [
      "a bearer token",
      (key) => ({ ...form({}), headers: { Authorization: `bearer   ${key} ` } }),
      "KEY",
    ],
    [
      "a bearer token with a character that nobody sees",
      (key) => ({ ...form({}), headers: { Authorization: latin1(`Bearer \ufeff${key}`) } }),
      "\ufeffKEY",
    ],
  ]
  const latin1 = (text: string) => Buffer.from(text).toString("latin1")

  test.each(ways)("the key as %s", async (_, request, sent) => {
    const key = market.keys.validation
    const response = await fetch(`${market.url}${purchaseValidation.path}`, {
      method: "POST",
      ...request(key),
    })
    expect(response.status).toBe(404)
    const question = response.headers.get("pazar-question")
    expect(question).toBe(digest(sent.replace("KEY", key), "nobody"))
  })

  test("the code with its whitespace, and the site if one was sent", async () => {
    const key = market.keys.validation
    const signedRequestOf = async (more: Record<string, unknown>) =>
      (await send({ ...requested, ...more })).headers["pazar-question"]
    expect(await signedRequestOf({ purchase_code: "\u200b CODE–11 \n" })).toBe(
      digest(key, "\u200b CODE–11 \n"),
    )
    for (const site of ["a.example", " https://www.Example.com/\n", "x".repeat(300)]) {
      expect(await signedRequestOf({ site })).toBe(digest(key, "nobody", site))
    }
    for (const site of [undefined, null, "", " \u200b", 7, true, ["a.example"], { a: 1 }]) {
      expect(await signedRequestOf({ site, domain: "a.example" })).toBe(digest(key, "nobody"))
    }
  })

  test("the site in the query, if the body has none", async () => {
    const signedRequestOf = async (body: Record<string, string>) => {
      const response = await fetch(`${market.url}${purchaseValidation.path}?site=+a.example`, {
        method: "POST",
        headers: { "X-Api-Key": market.keys.validation },
        body: new URLSearchParams({ ...requested, ...body }),
      })
      return response.headers.get("pazar-question")
    }
    const { validation } = market.keys
    expect(await signedRequestOf({})).toBe(digest(validation, "nobody", " a.example"))
    expect(await signedRequestOf({ site: "b.example" })).toBe(
      digest(validation, "nobody", "b.example"),
    )
  })

  test("400: a line feed within the code or the site, which could replace the separator", async () => {
    const site = "shop.example"
    for (const joined of [{ purchase_code: `${code}\n${site}` }, { site: `nobody\n${site}` }]) {
      const sent = await send({ ...requested, ...joined })
      expect([sent.status, sent.headers["pazar-reason"]]).toEqual([400, "invalid_parameter"])
      expect(sent.headers).not.toHaveProperty("pazar-question")
    }
    const plain = await send({ purchase_code: code.replace("-", "-\n") })
    expect(plain.status).toBe(200)
  })
})

describe("not signed:", () => {
  const isUnsigned = ({ headers }: Sent) => signatureHeaders.every((name) => !(name in headers))

  test("200: an empty nonce is ignored", async () => {
    for (const empty of ["", " \t", "\u200b", null]) {
      const sent = await send({ purchase_code: code, nonce: empty })
      expect([sent.status, isUnsigned(sent)]).toEqual([200, true])
    }
  })

  test("400: a nonce of another format, whatever the code", async () => {
    const wrong = ["a".repeat(15), "a".repeat(129), `${nonce} x`, `${nonce}"`, `${nonce}ğ`]
    for (const bad of [...wrong, 1_234_567_890_123_456, true, [nonce], { nonce }]) {
      for (const purchase_code of [code, "nobody"]) {
        const sent = await send({ purchase_code, nonce: bad })
        expect([sent.status, sent.headers["pazar-reason"]]).toEqual([400, "invalid_parameter"])
        expect(isUnsigned(sent)).toBe(true)
      }
    }
  })

  test("400: without a code", async () => {
    const sent = await send({ nonce })
    expect([sent.status, sent.headers["pazar-reason"]]).toEqual([400, "missing_parameter"])
    expect(isUnsigned(sent)).toBe(true)
  })

  test("401: the key is validated before the nonce", async () => {
    for (const key of [null, "nobody", market.inactiveKeys.revoked]) {
      for (const each of [nonce, "bad"]) {
        const sent = await send({ purchase_code: code, nonce: each }, key)
        expect([sent.status, isUnsigned(sent)]).toEqual([401, true])
      }
    }
  })

  test.each([
    [429, "test-rate-limited"],
    [503, "test-unavailable"],
  ])("%d", async (status, purchase_code) => {
    const sent = await send({ purchase_code, nonce }, market.keys.test)
    expect([sent.status, isUnsigned(sent)]).toEqual([status, true])
  })

  test("413", async () => {
    const sent = await send({ purchase_code: code, nonce, more: "x".repeat(70_000) })
    expect([sent.status, isUnsigned(sent)]).toEqual([413, true])
  })

  test("200: the three reads ignore a nonce", async () => {
    for (const path of ["account/details?", "items/all?", "items/item?item_id=11&"]) {
      const response = await fetch(`${market.url}/api/${path}nonce=${nonce}`, {
        headers: { "X-Api-Key": market.keys.secret },
      })
      const headers = Object.fromEntries(response.headers)
      expect([response.status, isUnsigned({ status: 0, body: "", headers })]).toEqual([200, true])
    }
  })
})

test("a nonce is accepted only in its format, and returned in the signature", async () => {
  const letter = fc.constantFrom(..."abcXYZ019_-", '"', "é", " ", "\\")
  const any = fc.oneof(
    fc.string({ unit: fc.constantFrom(..."abcXYZ019_-"), maxLength: 140 }),
    fc.string({ unit: letter, maxLength: 40 }),
  )
  await fc.assert(
    fc.asyncProperty(any, async (nonce) => {
      const { status, headers } = await send({ purchase_code: "nobody", nonce })
      const trimmed = nonce.trim()
      const isValid = /^[A-Za-z0-9_-]{16,128}$/.test(trimmed)
      expect(status).toBe(trimmed === "" || isValid ? 404 : 400)
      const [, back] = /nonce="([^"]*)"/.exec(headers["signature-input"] ?? "") ?? []
      expect(back).toBe(isValid ? trimmed : undefined)
    }),
    { numRuns: propertyRuns(60) },
  )
})

describe("the key set", () => {
  test("200: has the current key and the next one, which the current one endorses", async () => {
    const response = await readKeySet()
    expect(response.headers.get("content-type")).toBe("application/jwk-set+json")
    expect(response.headers.get("cache-control")).toBe("public, max-age=300")
    const { keys, ...rest }: KeySet = JSON.parse(await response.text())
    const [current, next] = keys
    const thumbprint = (key?: PublicKey) =>
      createHash("sha256")
        .update(`{"crv":"Ed25519","kty":"OKP","x":"${key?.x}"}`)
        .digest("base64url")
    const any = { kty: "OKP", crv: "Ed25519", x: expect.stringMatching(/^[\w-]{43}$/) }
    const sig = expect.stringMatching(/^[\w-]{86}$/)
    expect(rest).toEqual({})
    expect(keys).toEqual([
      { ...any, kid: thumbprint(current), endorsed: [] },
      { ...any, kid: thumbprint(next), endorsed: [{ by: thumbprint(current), sig }] },
    ])
    const jwk = { kty: "OKP", crv: "Ed25519", x: current?.x ?? "" }
    const key = createPublicKey({ format: "jwk", key: jwk })
    const endorsement = Buffer.from(next?.endorsed[0]?.sig ?? "", "base64url")
    expect(verify(null, Buffer.from(`pazar-key:${next?.kid}`), key, endorsement)).toBe(true)
  })

  test("304: has an ETag; HEAD is GET without the body", async () => {
    const tag = (await readKeySet()).headers.get("etag") ?? ""
    expect(tag).toMatch(/^"\w+"$/)
    const again = await readKeySet({ headers: { "If-None-Match": tag } })
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", tag])
    const head = await readKeySet({ method: "HEAD" })
    expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", tag])
  })

  test("405: is read-only", async () => {
    const response = await readKeySet({ method: "POST" })
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })
})
