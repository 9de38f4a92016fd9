import { describe, expect, test } from "bun:test"
import { createHash, createPrivateKey, createPublicKey, verify } from "node:crypto"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import vector from "../../tests/harness/http/signature-vector.json"
import { type Reason, StoreUnavailable } from "../platform/error.ts"
import {
  cacheSigningKeys,
  computeThumbprint,
  createSigningKeyCipher,
  createSigningKeyMaker,
  createSignResponse,
  endorse,
  renderQuestion,
  type SigningKey,
  signResponse,
} from "./signing-key.ts"

const { x, kid } = vector.public_jwk
const d = Buffer.from(vector.private_seed_hex, "hex").toString("base64url")
const privateKey = createPrivateKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x, d } })
const signer = { keyId: kid, privateKey }
const nonce = "f00dfeed0123456789abcdef"
const question = "key\ncode"

describe("test vectors", () => {
  test.each(vector.answers)("$status: the headers and their order are equal", (expected) => {
    const { api_key, purchase_code, site, nonce, status, body } = expected
    const question = renderQuestion(api_key, purchase_code, site ?? null)
    expect(question).toBe(expected.question_text)
    const { "Pazar-Reason": reason, ...headers } = expected.headers
    const created = 1_770_000_000
    const expires = created + (status === 200 ? 14 * 86_400 : 300)
    const signed = signResponse(
      signer,
      { nonce, question },
      // `as`: a JSON file has no narrower type.
      { status, reason: reason as Reason, body },
      { created, expires, tag: "pazar-validation" },
    )
    expect(Object.entries(signed)).toEqual(Object.entries(headers))
  })

  test("the key id and the endorsement are equal", () => {
    expect(computeThumbprint(x)).toBe(kid)
    expect(endorse(privateKey, kid)).toBe(vector.endorsement.sig_base64url)
  })
})

/** Verifies the headers of a response as RFC 9421 describes it. */
function isVerified(
  status: number,
  reason: Reason,
  signed: Readonly<Record<string, string>>,
): boolean {
  const input = signed["Signature-Input"]?.replace("pazar=", "") ?? ""
  const base = [
    `"@status": ${status}`,
    `"unencoded-digest": ${signed["Unencoded-Digest"]}`,
    `"pazar-reason": ${reason}`,
    `"pazar-question": ${signed["Pazar-Question"]}`,
    `"@signature-params": ${input}`,
  ].join("\n")
  const signature = Buffer.from(signed.Signature?.slice("pazar=:".length, -1) ?? "", "base64")
  return verify(null, Buffer.from(base), createPublicKey(privateKey), signature)
}

const now = () => new Date("2026-02-02T02:40:00.999Z")
const created = 1_770_000_000
const sign = createSignResponse(signer, { nonce, question }, "vk", { now, receiptDays: 14 })

test.each([
  [200, "ok", 14 * 86_400],
  [404, "unknown_code", 300],
  [404, "revoked_code", 300],
] as const)("%d %s expires after %d seconds", (status, reason, seconds) => {
  const input = sign(status, reason, "{}")?.["Signature-Input"] ?? ""
  expect(input).toContain(`;created=${created};expires=${created + seconds};`)
})

/** `created` and `expires` of a 200 whose purchase ends some seconds after `created`. */
function timesOf(validFor: number, receiptDays = 14): readonly number[] {
  const sign = createSignResponse(signer, { nonce, question }, "vk", { now, receiptDays })
  const until = new Date((created + validFor) * 1000).toISOString().replace(".000", "")
  const input = sign(200, "ok", "{}", until)?.["Signature-Input"] ?? ""
  return (/created=(\d+);expires=(\d+)/.exec(input) ?? []).slice(1).map(Number)
}
const [hour, day] = [3_600, 86_400]

test.each([
  ["1 second", 1, [created, created + 1]],
  ["2 seconds", 2, [created - 1, created + 2]],
  ["3 days", 3 * day, [created - 1, created + 3 * day]],
  ["14 days", 14 * day, [created - 1, created + 14 * day]],
  ["14 days and 30 seconds", 14 * day + 30, [created - 1, created + 14 * day + 30]],
  ["14 days and 31 seconds", 14 * day + 31, [created, created + 14 * day + 30]],
  ["15 days and an hour", 15 * day + hour, [created, created + 14 * day + 32]],
  ["a year", 365 * day, [created, created + 14 * day + 730]],
  ["43,199 days", 43_199 * day, [created, created + 14 * day + 86_398]],
  ["43,200 days", 43_200 * day, [created, created + 14 * day]],
] as const)(
  "a purchase that ends in %s: `expires`, odd or even, says when",
  (_, validFor, times) => {
    expect(timesOf(validFor)).toEqual([...times])
  },
)

test("clients read the end of any purchase from the lifetime", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.integer({ min: 1, max: 200 * day }), fc.integer({ min: 1, max: 43_000 * day })),
      fc.integer({ min: 1, max: 90 }),
      (validFor, receiptDays) => {
        const [from = 0, expires = 0] = timesOf(validFor, receiptDays)
        const lifetime = expires - from
        const days = Math.floor((lifetime % day) / 2)
        const end = lifetime % 2 === 1 ? expires : from + days * day
        expect(created - from).toBeWithin(0, 2)
        expect(expires).toBeLessThanOrEqual(created + validFor)
        expect(end - created - validFor).toBeWithin(0, lifetime % 2 === 1 ? 1 : day)
      },
    ),
    { numRuns: propertyRuns(500) },
  )
})

test.each([304, 400, 401, 403, 405, 413, 429, 500, 503])("%d is not signed", (status) => {
  expect(sign(status, "unavailable", "{}")).toBeNull()
})

test.each([
  ["sk", "pazar-validation"],
  ["vk", "pazar-validation"],
  ["imported", "pazar-validation"],
  ["tk", "pazar-test"],
] as const)("the tag of a response to a key of kind %s is %s", (kind, tag) => {
  const signed = createSignResponse(signer, { nonce, question }, kind, { now, receiptDays: 1 })
  expect(signed(200, "ok", "{}")?.["Signature-Input"]).toEndWith(`;tag="${tag}"`)
})

test("any body and request produce a valid signature over their UTF-8", () => {
  const text = fc.string({ unit: "grapheme" })
  const sha256 = (value: string) =>
    `sha-256=:${createHash("sha256").update(value, "utf8").digest("base64")}:`
  fc.assert(
    fc.property(text, text, (anyBody, anyQuestion) => {
      const challenge = { nonce, question: anyQuestion }
      const signed = createSignResponse(signer, challenge, "sk", { now, receiptDays: 1 })(
        ...([200, "ok", anyBody] as const),
      )
      expect(signed).toMatchObject({
        "Unencoded-Digest": sha256(anyBody),
        "Pazar-Question": sha256(anyQuestion),
      })
      expect(isVerified(200, "ok", signed ?? {})).toBe(true)
    }),
    { numRuns: propertyRuns(50) },
  )
})

const cipher = createSigningKeyCipher(new Uint8Array(32).fill(7))
const { createPair } = createSigningKeyMaker(cipher)
const createCurrent = (): SigningKey => ({
  ...createPair(),
  state: "current",
  endorsements: [],
  createdAt: "2026-06-15T12:00:00Z",
})

/** A cache over a store in memory; `state` holds its keys, the number of reads, its error and the clock. */
function open(first: readonly SigningKey[] = [createCurrent()]) {
  const state = { keys: first, reads: 0, fault: null as Error | null, nowMs: 0 }
  const read = cacheSigningKeys({
    signingKeys: {
      async list() {
        state.reads += 1
        if (state.fault !== null) throw state.fault
        return state.keys
      },
    },
    cipher,
    nowMs: () => state.nowMs,
  })
  const signerId = async () => (await read()).signer.keyId
  return { state, signerId }
}

test("the store is read once a second", async () => {
  const { state, signerId } = open()
  const [old] = state.keys
  await Promise.all([signerId(), signerId()])
  const next = createCurrent()
  state.keys = [next]
  state.nowMs = 999
  expect(await signerId()).toBe(old?.id ?? "")
  expect(state.reads).toBe(1)
  state.nowMs = 1_000
  expect(await signerId()).toBe(next.id)
})

test("while the store is unavailable, cached keys stay in use and reads are retried once a second", async () => {
  const { state, signerId } = open()
  const id = await signerId()
  state.fault = new StoreUnavailable("away")
  state.nowMs = 1_000
  expect([await signerId(), await signerId(), state.reads]).toEqual([id, id, 2])
  state.fault = null
  state.keys = [createCurrent()]
  state.nowMs = 2_000
  expect(await signerId()).toBe(state.keys[0]?.id ?? "")
})

test("without cached keys, an unavailable store and one without keys are errors", async () => {
  const lost = open()
  lost.state.fault = new StoreUnavailable("away")
  await expect(lost.signerId()).rejects.toThrow("away")
  await expect(open([]).signerId()).rejects.toThrow("`pazar migrate`")
})
