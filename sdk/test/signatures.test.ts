/** Which signatures count: those over this very answer, by a key that a pinned key leads to. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import vector from "../../tests/harness/http/signature-vector.json"
import { runs } from "../../tests/harness/tier.ts"
import { createPazar, type PazarOptions, type Receipt, type ValidateCall } from "../src/index.ts"
import { verifySignature } from "../src/signature.ts"
import { createTrustedKeys } from "../src/trusted-keys.ts"
import {
  createMemoryStore,
  type FakeServer,
  plain,
  sayNo,
  sayYes,
  serverMs,
  signedAnswer,
  startFakeServer,
} from "./fake-server.ts"
import { createSigner, type Signer, signHeaders } from "./signer.ts"

const code = "CODE-11"
let server: FakeServer
beforeAll(() => {
  server = startFakeServer()
})
afterAll(() => server.close())
beforeEach(() => server.respond(sayYes(server.signer)))

const open = (changes: Partial<PazarOptions> = {}) =>
  createPazar({
    baseUrl: server.url,
    key: "pzr_sk_test",
    keys: [server.signer.x],
    retries: 0,
    now: () => serverMs,
    ...changes,
  })

async function receive(pazar = open()): Promise<Receipt> {
  const outcome = await pazar.validate(code)
  if (outcome.state !== "valid" || outcome.receipt === undefined) throw new Error("no receipt")
  return outcome.receipt
}

describe.each(vector.answers)("the answer $status that was computed by hand", (given) => {
  const { status, body, nonce, headers, api_key: key, purchase_code, site } = given
  const answer = {
    status,
    body,
    nonce,
    reason: headers["Pazar-Reason"],
    signatureInput: headers["Signature-Input"],
    signature: headers.Signature,
  }
  const createdAt = 1_770_000_000
  const expiresAt = createdAt + (status === 200 ? 14 * 86_400 : 300)

  test("is verified, as the answer to its own question only", async () => {
    const keys = createTrustedKeys([vector.public_jwk.x])
    const question = { key, code: purchase_code, site: site ?? null }
    const verify = (asked: typeof question) =>
      verifySignature(answer, { question: asked, nonce, tag: "pazar-validation" }, keys)
    expect(await verify(question)).toEqual({
      kid: vector.public_jwk.kid,
      createdAtMs: createdAt * 1000,
      expiresAtMs: expiresAt * 1000,
    })
    for (const other of [{ code: "CODE-11" }, { key: "pzr_vk_other" }, { site: "elsewhere" }]) {
      expect(await verify({ ...question, ...other })).toBe("forged")
    }
  })

  test("is what the signer of these tests makes", () => {
    const signer = createSigner(Buffer.from(vector.private_seed_hex, "hex"))
    const { kid } = vector.public_jwk
    expect(signer.kid).toBe(kid)
    expect(signer.endorse(kid).sig).toBe(vector.endorsement.sig_base64url)
    const parts = {
      status,
      body,
      nonce,
      reason: answer.reason,
      key,
      code: purchase_code,
      site,
      tag: "pazar-validation",
      createdAt,
      expiresAt,
    }
    expect(signHeaders(signer, parts)).toEqual(headers)
  })
})

describe("any change is noticed", () => {
  /** One character of `text` is another one. */
  const changed = (text: string) =>
    fc
      .tuple(fc.nat(text.length - 1), fc.integer({ min: 0x20, max: 0x7e }))
      .map(([at, unit]) => text.slice(0, at) + String.fromCharCode(unit) + text.slice(at + 1))
      .filter((other) => other !== text)

  test("in a receipt", async () => {
    const receipt = await receive()
    expect(await open().verify(receipt, code)).toMatchObject({ state: "valid" })
    const changes = fc.oneof(
      ...(["body", "reason", "nonce", "signatureInput", "signature"] as const).map((name) =>
        changed(receipt[name]).map((text) => ({ ...receipt, [name]: text })),
      ),
      fc.integer({ min: 100, max: 599 }).map((status) => ({ ...receipt, status })),
    )
    await fc.assert(
      fc.asyncProperty(changes, async (other) => {
        fc.pre(other.status !== 200 || JSON.stringify(other) !== JSON.stringify(receipt))
        const outcome = await open().verify(other, code)
        expect(outcome.state).toBe("unknown")
      }),
      { numRuns: runs(300) },
    )
    await fc.assert(
      fc.asyncProperty(changed(code), async (other) => {
        fc.pre(other.trim() !== code)
        expect(await open().verify(receipt, other)).toMatchObject({ reason: "forged" })
      }),
      { numRuns: runs(30) },
    )
  })

  test("in the times, nonce and tag of a receipt", async () => {
    const receipt = await receive()
    const names = ["created", "expires", "nonce", "keyid", "alg", "tag"]
    for (const name of names) {
      const value = new RegExp(`;${name}="?([^;"]+)`).exec(receipt.signatureInput)?.[1] ?? ""
      expect(value).not.toBe("")
      const next = value.slice(0, -1) + (value.endsWith("1") ? "2" : "1")
      const signatureInput = receipt.signatureInput.replace(value, next)
      const nonce = name === "nonce" ? next : receipt.nonce
      const outcome = await open().verify({ ...receipt, signatureInput, nonce }, code)
      expect([name, outcome.state]).toEqual([name, "unknown"])
    }
  })

  test("on the way", async () => {
    const parts = ["status", "body", "pazar-reason", "signature-input", "signature"] as const
    const way = fc.record({
      part: fc.constantFrom(...parts),
      at: fc.nat(10_000),
      unit: fc.integer({ min: 0x21, max: 0x7e }),
      status: fc.constantFrom(404, 201, 400),
    })
    const fetchSigned = async (init: RequestInit) =>
      signedAnswer(server.signer, Object.fromEntries(new URLSearchParams(String(init.body))))
    await fc.assert(
      fc.asyncProperty(way, async ({ part, at, unit, status }) => {
        let isChanged = true
        const change = (text: string) => {
          const index = at % text.length
          const other = text.slice(0, index) + String.fromCharCode(unit) + text.slice(index + 1)
          isChanged = other !== text
          return other
        }
        const fetch = async (url: string, init: RequestInit) => {
          if (url.endsWith("/pazar-keys.json")) return Response.json({ keys: [] })
          const answer = await fetchSigned(init)
          const { headers } = answer
          if (part !== "status" && part !== "body")
            headers.set(part, change(headers.get(part) ?? ""))
          const body = await answer.text()
          return new Response(part === "body" ? change(body) : body, {
            status: part === "status" ? status : answer.status,
            headers,
          })
        }
        const outcome = await open({ fetch }).validate(code)
        expect(outcome.state).toBe(isChanged ? "unknown" : "valid")
      }),
      { numRuns: runs(200) },
    )
  })
})

describe("a receipt is for its own question", () => {
  const site = "https://shop.example/"
  const offline = (changes: Partial<PazarOptions> = {}) =>
    open({ fetch: () => Promise.reject(new Error("offline")), ...changes })
  const product = { key: "pzr_vk_shipped", items: [11] }

  async function receiveFor(changes: Partial<PazarOptions>, call: ValidateCall = {}) {
    const outcome = await open(changes).validate(code, call)
    if (outcome.state !== "valid" || outcome.receipt === undefined) throw new Error("no receipt")
    return outcome.receipt
  }

  test("it has the site, and counts there only", async () => {
    const receipt = await receiveFor(product, { site: ` ${site}\n` })
    expect(server.asked.at(-1)).toMatchObject({ site })
    expect(receipt).toMatchObject({ key: product.key, site })
    const verify = (call: ValidateCall) => offline(product).verify(receipt, code, call)
    expect(await verify({ site })).toMatchObject({ state: "valid" })
    for (const other of [{}, { site: " " }, { site: "https://other.example/" }]) {
      expect(await verify(other)).toMatchObject({ state: "unknown", reason: "forged" })
    }
    const moved = { ...receipt, site: "https://other.example/" }
    const elsewhere = { site: "https://other.example/" }
    expect(await offline(product).verify(moved, code, elsewhere)).toMatchObject({
      reason: "forged",
    })
  })

  test("a blank site is none", async () => {
    const receipt = await receiveFor(product, { site: "\u200b " })
    expect(receipt).not.toHaveProperty("site")
    expect(server.asked.at(-1)).not.toHaveProperty("site")
    expect(await offline(product).verify(receipt, code)).toMatchObject({ state: "valid" })
  })

  test("check asks at once for another site, and believes no receipt of another", async () => {
    const store = createMemoryStore()
    const pazar = open(product)
    expect(await pazar.check(code, store, { site })).toMatchObject({ source: "server" })
    expect(await pazar.check(code, store, { site })).toMatchObject({ source: "cache" })
    const copied = createMemoryStore((store.text() ?? "").replaceAll(site, "https://b.example/"))
    const other = { site: "https://b.example/" }
    expect(await offline(product).check(code, copied, other)).toMatchObject({
      state: "unknown",
      reason: "unreachable",
    })
    expect(await pazar.check(code, store, other)).toMatchObject({ source: "server" })
  })

  test("a product that is given a new key keeps it; without items only the own key counts", async () => {
    const receipt = await receiveFor(product)
    const next = { key: "pzr_vk_next", items: [11] }
    expect(await offline(next).verify(receipt, code)).toMatchObject({ state: "valid" })
    expect(await offline({ ...next, items: [12] }).verify(receipt, code)).toMatchObject({
      state: "invalid",
      reason: "other_item",
    })
    expect(await offline().verify(receipt, code)).toMatchObject({ reason: "forged" })
    const { key: _, ...bare } = receipt
    expect(await offline(next).verify(bare, code)).toMatchObject({ reason: "forged" })
  })

  test("a secret key is in no receipt and in no store", async () => {
    const store = createMemoryStore()
    const outcome = await open().check(code, store)
    expect(outcome).toMatchObject({ state: "valid" })
    expect(JSON.stringify(outcome) + store.text()).not.toContain("pzr_sk_test")
  })
})

describe("codes as people paste them", () => {
  const pasted = [
    " CODE-11\n",
    "\u200bCODE\u201311\ufeff",
    "ö\u0000 ç",
    "\u{e0041}x\u2060",
    "a\ud800",
    "CODE-\r\n11",
  ]
  test.each(pasted)("%j is signed as it is sent", async (text) => {
    expect(await open().validate(text)).toMatchObject({ state: "valid" })
    expect(server.asked.at(-1)?.purchase_code).not.toMatch(/^\s|\s$|^\u200b|\ufeff$|\u2060$|\n/)
  })
})

describe("test keys", () => {
  const asTest = () => server.respond(sayYes(server.signer, { tag: "pazar-test" }))

  test("take test answers", async () => {
    asTest()
    expect(await open({ key: "pzr_tk_test" }).validate(code)).toMatchObject({ state: "valid" })
  })

  test("take no others, and nothing else takes theirs", async () => {
    expect(await open({ key: "pzr_tk_test" }).validate(code)).toMatchObject({ reason: "forged" })
    const receipt = await receive()
    expect(await open({ key: "pzr_tk_test" }).verify(receipt, code)).toMatchObject({
      reason: "forged",
    })
    asTest()
    expect(await open().validate(code)).toMatchObject({ reason: "forged" })
  })
})

describe("a key that is not pinned", () => {
  const jwk = ({ x, kid }: Signer, ...by: readonly Signer[]) => ({
    kty: "OKP",
    crv: "Ed25519",
    x,
    kid,
    endorsed: by.map((signer) => signer.endorse(kid)),
  })
  const [second, third, stranger] = [createSigner(), createSigner(), createSigner()]

  test("counts when a pinned one endorsed it, through others or directly", async () => {
    server.publish([jwk(third, second), jwk(second, server.signer), jwk(stranger)])
    server.respond(sayYes(third))
    const receipt = await receive()
    expect(receipt.endorsedKeys?.map(({ x }) => x)).toEqual([second.x, third.x])
  })

  test("is remembered with the receipt, for a start without the server", async () => {
    server.publish([jwk(third, second), jwk(second, server.signer)])
    server.respond(sayYes(third))
    const store = createMemoryStore()
    await open().check(code, store)
    const { receipt } = JSON.parse(store.text() ?? "")
    const fetch = () => Promise.reject(new Error("offline"))
    expect(await open({ fetch }).verify(receipt, code)).toMatchObject({ state: "valid" })
    const later = open({ fetch, now: () => serverMs + 2 * 86_400_000 })
    expect(await later.check(code, store)).toMatchObject({ state: "valid", source: "receipt" })
    const { endorsedKeys: _, ...bare } = receipt
    expect(await open({ fetch }).verify(bare, code)).toMatchObject({ reason: "unknown_signer" })
  })

  test("is known from the store, even if the key that endorsed it left the key set", async () => {
    server.publish([jwk(second, server.signer)])
    server.respond(sayYes(second))
    const store = createMemoryStore()
    await open().check(code, store)
    server.publish([jwk(third, second)])
    server.respond(sayYes(third))
    const later = open({ now: () => serverMs + 2 * 86_400_000 })
    expect(await later.check(code, store)).toMatchObject({ state: "valid", source: "server" })
  })

  test("is known after a no, too", async () => {
    server.publish([jwk(second, server.signer)])
    server.respond(sayYes(second))
    const store = createMemoryStore()
    await open().check(code, store)
    server.respond(sayNo(second, "site_limit"))
    expect(await open().check(code, store, { ttlMs: 0 })).toMatchObject({ state: "invalid" })
    server.publish([jwk(third, second)])
    server.respond(sayYes(third))
    const later = open({ now: () => serverMs + 2 * 86_400_000 })
    expect(await later.check(code, store)).toMatchObject({ state: "valid", source: "server" })
  })

  test("is known for another code or site, too", async () => {
    server.publish([jwk(second, server.signer)])
    server.respond(sayYes(second))
    const store = createMemoryStore()
    await open().check(code, store)
    server.publish([jwk(third, second)])
    server.respond(sayYes(third))
    expect(await open().check("CODE-12", store)).toMatchObject({ source: "server" })
    expect(await open({ site: "b.example" }).check(code, store)).toMatchObject({ source: "server" })
  })

  test("is known after a receipt by hand, which brings none", async () => {
    const key = "pzr_tk_test"
    const tag = "pazar-test"
    const byHand = (changes: Partial<PazarOptions> = {}) => open({ key, ...changes })
    server.publish([jwk(second, server.signer)])
    server.respond(sayYes(second, { tag }))
    const store = createMemoryStore()
    await byHand().check(code, store)
    const link = new URL(await byHand().activationUrl(store))
    const nonce = new URLSearchParams(link.hash.slice(1)).get("nonce") ?? ""
    const asked = { api_key: key, purchase_code: code, nonce }
    const given = signedAnswer(server.signer, asked, { tag })
    const headers = Object.fromEntries(given.headers)
    const members = { status: 200, code, nonce, headers, body: await given.text() }
    const line = `pazar1.${Buffer.from(JSON.stringify(members)).toString("base64url")}`
    expect(await byHand().importReceipt(line, store)).toMatchObject({ state: "valid" })
    server.publish([jwk(third, second)])
    server.respond(sayYes(third, { tag }))
    const later = byHand({ now: () => serverMs + 2 * 86_400_000 })
    expect(await later.check(code, store)).toMatchObject({ state: "valid", source: "server" })
  })

  test.each([{ typed: [] }, { typed: ["TYPO"] }])(
    "is known for another code from a record of version 0.12.2, after $typed",
    async ({ typed }) => {
      server.publish([jwk(second, server.signer)])
      server.respond(sayYes(second))
      const store = createMemoryStore()
      await open().check(code, store)
      server.respond(sayNo(server.signer))
      for (const wrong of typed) await open().check(wrong, store)
      const { endorsedKeys, isSigned, ...old } = JSON.parse(store.text() ?? "")
      expect([endorsedKeys.length, isSigned]).toEqual([1, true])
      await store.set(JSON.stringify(old))
      server.publish([jwk(third, second)])
      server.respond(sayYes(third))
      expect(await open().check("CODE-12", store)).toMatchObject({ source: "server" })
    },
  )

  test("asks for the key set only when it meets one", async () => {
    server.publish([jwk(second, server.signer)])
    const paths: string[] = []
    const fetch = (url: string, init: RequestInit) => {
      paths.push(new URL(url).pathname)
      return globalThis.fetch(url, init)
    }
    const pazar = open({ fetch })
    await pazar.validate(code)
    server.respond(sayYes(second))
    await pazar.validate(code)
    await pazar.validate(code)
    const [question, keySet] = ["/api/purchases/validation", "/.well-known/pazar-keys.json"]
    expect(paths).toEqual([question, question, keySet, question])
  })

  test("does not count by TLS, by itself, by a stranger, or by an endorsement of another key", async () => {
    const wrong = [
      [jwk(stranger)],
      [jwk(stranger, stranger)],
      [jwk(stranger, second), jwk(second)],
      [{ ...jwk(stranger), endorsed: jwk(second, server.signer).endorsed }],
      [{ ...jwk(stranger), kid: server.signer.kid }],
    ]
    server.respond(sayYes(stranger))
    for (const keys of wrong) {
      server.publish(keys)
      expect(await open().validate(code)).toMatchObject({ reason: "unknown_signer" })
    }
  })

  test("any key set is harmless", async () => {
    server.respond(sayYes(stranger))
    const odd = fc.oneof(
      fc.anything(),
      fc.array(
        fc.record({
          x: fc.oneof(fc.constant(stranger.x), fc.anything()),
          endorsed: fc.oneof(
            fc.anything(),
            fc.array(
              fc.record({
                by: fc.oneof(fc.constant(server.signer.kid), fc.anything()),
                sig: fc.oneof(fc.constant(second.endorse(second.kid).sig), fc.anything()),
              }),
            ),
          ),
        }),
      ),
    )
    await fc.assert(
      fc.asyncProperty(odd, async (keys) => {
        const trusted = createTrustedKeys([server.signer.x])
        await trusted.follow(keys)
        expect(await trusted.find(stranger.kid)).toBeNull()
      }),
      { numRuns: runs(100) },
    )
  })

  test("does not count while the key set cannot be read, and says why", async () => {
    server.respond(sayYes(stranger))
    const fetch = (url: string, init: RequestInit) =>
      url.includes("well-known") ? Promise.reject(new Error("cut")) : globalThis.fetch(url, init)
    const outcome = await open({ fetch }).validate(code)
    expect(outcome).toMatchObject({
      reason: "unknown_signer",
      cause: { cause: { message: "cut" } },
    })
  })
})

test("where there is no Ed25519 an answer is unsigned, and no receipt is believed", async () => {
  const receipt = await receive()
  const { subtle } = crypto
  // Hides the method of the prototype until it is deleted.
  Object.defineProperty(subtle, "importKey", {
    value: () => Promise.reject(new DOMException("Unrecognized name.", "NotSupportedError")),
    configurable: true,
  })
  try {
    expect(await open().validate(code)).toMatchObject({
      state: "unknown",
      reason: "unsigned",
      cause: { name: "NotSupportedError" },
    })
    expect(await open().verify(receipt, code)).toMatchObject({ reason: "unsigned" })
    server.respond(() => plain(503, ""))
    expect(await open().validate(code)).toMatchObject({ reason: "unavailable" })
  } finally {
    Reflect.deleteProperty(subtle, "importKey")
  }
})
