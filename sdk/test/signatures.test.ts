/** Verification of signatures by pinned and endorsed keys. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import vector from "../../tests/harness/http/signature-vector.json"
import type { PazarOptions } from "../src/index.ts"
import { verifySignature } from "../src/signature.ts"
import { createTrustedKeys } from "../src/trusted-keys.ts"
import {
  type FakeServer,
  openProduct,
  respondValid,
  serverMs,
  startFakeServer,
} from "./fake-server.ts"
import { createSigner, jwk, signHeaders } from "./signer.ts"

const code = "CODE-11"
let server: FakeServer
beforeAll(() => {
  server = startFakeServer()
})
afterAll(() => server.close())
beforeEach(() => server.respond(respondValid(server.signer)))

const open = (changes: Partial<PazarOptions> = {}) => openProduct(server, () => serverMs, changes)

describe.each(vector.answers)("the response $status of the test vector", (vectorResponse) => {
  const { status, body, nonce, headers, api_key: key, purchase_code, site = "" } = vectorResponse
  const response = {
    status,
    body,
    nonce,
    reason: headers["Pazar-Reason"],
    signatureInput: headers["Signature-Input"],
    signature: headers.Signature,
  }
  const createdAt = 1_770_000_000
  const expiresAt = createdAt + (status === 200 ? 14 * 86_400 : 300)

  test("is verified as a response to its own request only", async () => {
    const trusted = createTrustedKeys([vector.public_jwk.x])
    const request = { key, code: purchase_code, site }
    const verify = (other: Partial<typeof request>, tag = "pazar-validation") =>
      verifySignature(response, { ...request, ...other }, { tag, trusted })
    expect(await verify({})).toMatchObject({
      createdAtMs: createdAt * 1000,
      expiresAtMs: expiresAt * 1000,
    })
    for (const other of [{ code: "CODE-11" }, { key: "pzr_vk_other" }, { site: "elsewhere" }]) {
      expect(await verify(other)).toBe("forged")
    }
    expect(await verify({}, "pazar-test")).toBe("forged")
  })

  test("equals the output of the test signer", () => {
    const signer = createSigner(Buffer.from(vector.private_seed_hex, "hex"))
    const { kid } = vector.public_jwk
    expect(signer.kid).toBe(kid)
    expect(signer.endorse(kid).sig).toBe(vector.endorsement.sig_base64url)
    const { reason } = response
    const parts = { status, body, nonce, reason, key, code: purchase_code, site: site || undefined }
    const times = { tag: "pazar-validation", createdAt, expiresAt }
    expect(signHeaders(signer, { ...parts, ...times })).toEqual(headers)
  })
})

describe("an endorsed key", () => {
  const [second, stranger] = [createSigner(), createSigner()]

  test("is fetched only if a response needs it", async () => {
    server.publish([jwk(second, server.signer)])
    const paths: string[] = []
    const fetch = (url: string, init: RequestInit) => {
      paths.push(new URL(url).pathname)
      return globalThis.fetch(url, init)
    }
    const pazar = open({ fetch })
    await pazar.check(code, { force: true })
    server.respond(respondValid(second))
    await pazar.check(code, { force: true })
    await pazar.check(code, { force: true })
    const [validation, keySet] = ["/api/purchases/validation", "/.well-known/pazar-keys.json"]
    expect(paths).toEqual([validation, validation, keySet, validation])
  })

  test("is not trusted without an endorsement, or with one by itself, by a stranger or for another key", async () => {
    const wrong = [
      [jwk(stranger)],
      [jwk(stranger, stranger)],
      [jwk(stranger, second), jwk(second)],
      [{ ...jwk(stranger), endorsed: jwk(second, server.signer).endorsed }],
      [{ ...jwk(stranger), kid: server.signer.kid }],
    ]
    server.respond(respondValid(stranger))
    for (const keys of wrong) {
      server.publish(keys)
      expect(await open().check(code)).toMatchObject({ reason: "unknown_signer" })
    }
  })

  test("is never added by a malformed key set", async () => {
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
        await trusted.addEndorsed(keys)
        expect(await trusted.find(stranger.kid)).toBeNull()
      }),
      { numRuns: propertyRuns(100) },
    )
  })
})

describe("pasted codes", () => {
  const pasted = [
    [" CODE-11\n", "CODE-11"],
    ["\u200bCODE\u201311\ufeff", "CODE-11"],
    ["ö\u0000 ç", "ö ç"],
    ["\u{e0041}x\u2060", "x"],
    ["o\ufb00er", "offer"],
    ["CODE-\r\n11", "CODE-11"],
  ] as const
  test.each(pasted)("%j is sent and signed as %j", async (typed, sent) => {
    expect(await open().check(typed)).toMatchObject({ state: "valid" })
    expect(server.requests.at(-1)?.purchase_code).toBe(sent)
  })

  test("a lone surrogate does not throw", async () => {
    expect(await open().check("a\ud800")).toMatchObject({ state: "valid" })
  })
})
