import { describe, expect, test } from "bun:test"
import { createPublicKey } from "node:crypto"
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server"
import fc from "fast-check"
import { createClock } from "../../tests/harness/clock.ts"
import {
  AT,
  type Authenticator,
  type Ceremony,
  createAuthenticator,
  encodeCbor,
  UP,
  UV,
} from "../../tests/harness/software-authenticator.ts"
import { createPasskeyVerifier, type Passkey, userHandleOf } from "./passkey.ts"

const [origin, host, formToken, personId] = ["https://api.example.com", "api.example.com", "T", 7]
const masterKey = new Uint8Array(32).fill(7)
const clock = createClock()
const verifier = createPasskeyVerifier(masterKey, origin, clock.now)

type Changes = Partial<Ceremony>

const ceremony = (type: string, flags: number, changes: Changes): Ceremony => ({
  challenge: verifier.createChallenge(formToken),
  userHandle: userHandleOf(personId),
  ...{ type, origin, host, crossOrigin: false, flags, counter: 0 },
  ...changes,
})
const creation = (changes: Changes = {}) => ceremony("webauthn.create", UP | UV | AT, changes)
const assertion = (changes: Changes = {}) => ceremony("webauthn.get", UP | UV, changes)

const register = (authenticator: Authenticator, changes: Changes = {}) =>
  verifier.readRegistration({ ...authenticator.register(creation(changes)), formToken })

const passkeyOf = (authenticator: Authenticator): Passkey => {
  const credential = register(authenticator)
  if (credential === null) throw new Error("not registered")
  return { ...credential, personId, name: "", createdAt: "", lastUsedAt: null }
}
const verifyWith = (passkey: Passkey, authenticator: Authenticator, changes: Changes = {}) =>
  verifier.verifyAssertion(passkey, { ...authenticator.sign(assertion(changes)), formToken })

const type = "public-key" as const
const expected = (challenge: string) => ({
  expectedChallenge: Buffer.from(challenge).toString("base64url"),
  expectedOrigin: origin,
  expectedRPID: host,
})
const accepted = (verified: Promise<Readonly<{ verified: boolean }>>) =>
  verified.then(
    (result) => result.verified,
    () => false,
  )

const askOracleToRegister = (
  { id }: Authenticator,
  response: ReturnType<Authenticator["register"]>,
  challenge: string,
) =>
  verifyRegistrationResponse({
    response: { id, rawId: id, type, response, clientExtensionResults: {} },
    ...expected(challenge),
    supportedAlgorithmIDs: [-8, -7, -257],
  })

const askOracle = (
  { id, coseKey }: Authenticator,
  response: ReturnType<Authenticator["sign"]>,
  challenge: string,
) =>
  verifyAuthenticationResponse({
    response: { id, rawId: id, type, response, clientExtensionResults: {} },
    ...expected(challenge),
    credential: { id, publicKey: new Uint8Array(coseKey), counter: 0 },
  })

const kinds = ["ed25519", "p256", "rsa"] as const
const jwkTypes = { ed25519: "OKP", p256: "EC", rsa: "RSA" }

describe.each(kinds)("a key of %s", (kind) => {
  const authenticator = createAuthenticator(kind)
  const passkey = passkeyOf(authenticator)

  test("is registered and signs in, as the oracle says", async () => {
    const { id, publicKey, counter } = passkey
    expect([id, counter]).toEqual([authenticator.id, 0])
    const key = createPublicKey({ key: Buffer.from(publicKey), format: "der", type: "spki" })
    expect(key.export({ format: "jwk" }).kty).toBe(jwkTypes[kind])
    const { challenge } = creation()
    const created = authenticator.register(creation({ challenge }))
    const { registrationInfo } = await askOracleToRegister(authenticator, created, challenge)
    expect(registrationInfo?.credential.id).toBe(id)
    expect(registrationInfo?.credential.publicKey).toEqual(new Uint8Array(authenticator.coseKey))

    const signed = authenticator.sign(assertion({ challenge, counter: 9 }))
    const verified = verifier.verifyAssertion(passkey, { ...signed, formToken })
    expect(verified).toEqual({ challenge, counter: 9 })
    expect(await accepted(askOracle(authenticator, signed, challenge))).toBe(true)
  })

  test("a signature by another key of its kind is rejected", () => {
    expect(verifyWith(passkey, createAuthenticator(kind))).toBeNull()
  })

  test("any changed bit of what is signed, or of the signature, is rejected", () => {
    const signed = authenticator.sign(assertion())
    const fields = ["clientDataJSON", "authenticatorData", "signature"] as const
    const changed = fc.tuple(fc.constantFrom(...fields), fc.nat(), fc.nat(7))
    fc.assert(
      fc.property(changed, ([field, at, bit]) => {
        const bytes = Buffer.from(signed[field], "base64url")
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit)
        const sent = { ...signed, formToken, [field]: bytes.toString("base64url") }
        expect(verifier.verifyAssertion(passkey, sent)).toBeNull()
      }),
    )
  })

  test.each(kinds.filter((other) => other !== kind))(
    "does not verify what a key of %s signed, whatever the stored algorithm is",
    (other) => {
      for (const algorithm of [-7, -8, -257, 0])
        expect(verifyWith({ ...passkey, algorithm }, createAuthenticator(other))).toBeNull()
    },
  )
})

const elsewhere = createPasskeyVerifier(masterKey, "https://other.example.com", clock.now)
const otherMaster = createPasskeyVerifier(new Uint8Array(32).fill(8), origin, clock.now)

const attacks: readonly (readonly [string, Changes, asOracle?: boolean])[] = [
  ["another origin", { origin: "https://api.example.com.evil.test" }],
  ["the host without TLS", { origin: "http://api.example.com" }],
  ["another port", { origin: "https://api.example.com:8443" }],
  ["another relying party", { host: "example.com" }],
  ["nobody present", { flags: UV | AT }],
  ["nobody verified", { flags: UP | AT }],
  ["a frame of another site", { crossOrigin: true }, false],
  ["no challenge", { challenge: "" }],
  ["a challenge of its own", { challenge: "a".repeat(55) }],
  ["the challenge of another page", { challenge: verifier.createChallenge("another token") }],
  ["the challenge under another master key", { challenge: otherMaster.createChallenge(formToken) }],
]

describe("attacks", () => {
  const authenticator = createAuthenticator("p256")
  const passkey = passkeyOf(authenticator)

  test.each(attacks)("%s", async (_, changes, isAsOracle = true) => {
    const challenge = verifier.createChallenge(formToken)
    const sent = { challenge, ...changes }
    expect(register(authenticator, sent)).toBeNull()
    expect(verifyWith(passkey, authenticator, sent)).toBeNull()
    if (!isAsOracle) return
    const [created, signed] = [creation(sent), assertion(sent)]
    const oracles = [
      askOracleToRegister(authenticator, authenticator.register(created), challenge),
      askOracle(authenticator, authenticator.sign(signed), challenge),
    ]
    expect(await Promise.all(oracles.map(accepted))).toEqual([false, false])
  })

  test("the other ceremony", () => {
    expect(register(authenticator, { type: "webauthn.get" })).toBeNull()
    expect(verifyWith(passkey, authenticator, { type: "webauthn.create" })).toBeNull()
  })

  test("another person's credential", () => {
    for (const userHandle of ["8", "", "07", "7\0"])
      expect(verifyWith(passkey, authenticator, { userHandle })).toBeNull()
    expect(verifyWith({ ...passkey, personId: 8 }, authenticator)).toBeNull()
  })

  test("a server under another name, with the same master key", () => {
    const sent = { ...authenticator.sign(assertion()), formToken }
    expect(elsewhere.verifyAssertion(passkey, sent)).toBeNull()
    expect(verifier.verifyAssertion(passkey, sent)).not.toBeNull()
  })

  test("a challenge that is older than ten minutes, or from the future", () => {
    const sent = { ...authenticator.sign(assertion()), formToken }
    clock.forward(600)
    expect(verifier.verifyAssertion(passkey, sent)).not.toBeNull()
    clock.forward(1)
    expect(verifier.verifyAssertion(passkey, sent)).toBeNull()
    const later = { ...authenticator.sign(assertion()), formToken }
    clock.forward(-601)
    expect(verifier.verifyAssertion(passkey, later)).toBeNull()
  })

  test.each([
    ["an algorithm that is not offered", createAuthenticator("p384")],
    ["P-384 as ES256", createAuthenticator("p384", -7)],
    ["RSA as ES256", createAuthenticator("rsa", -7)],
    ["P-256 as RS256", createAuthenticator("p256", -257)],
    ["P-256 as EdDSA", createAuthenticator("p256", -8)],
    ["Ed25519 as ES256", createAuthenticator("ed25519", -7)],
    ["RSA with 1,024 bits", createAuthenticator("rsa1024")],
  ])("a key of %s is not registered", (_, one) => {
    expect(register(one)).toBeNull()
  })
})

describe("hostile bytes", () => {
  const readBytes = (bytes: Uint8Array) =>
    verifier.readRegistration({
      ...createAuthenticator("ed25519").register(creation()),
      attestationObject: Buffer.from(bytes).toString("base64url"),
      formToken,
    })
  const valid = Buffer.from(
    createAuthenticator("p256").register(creation()).attestationObject,
    "base64url",
  )

  test("are rejected, or are a credential within its bounds", () => {
    const changed = fc
      .tuple(fc.nat(valid.length), fc.nat(20), fc.uint8Array({ maxLength: 20 }))
      .map(([at, dropped, inserted]) =>
        Buffer.concat([valid.subarray(0, at), inserted, valid.subarray(at + dropped)]),
      )
    const hostile = fc.oneof(fc.uint8Array({ maxLength: 400 }), changed)
    fc.assert(
      fc.property(hostile, (bytes) => {
        const credential = readBytes(bytes)
        if (credential === null) return
        expect(credential.id).toMatch(/^[\w-]{2,1364}$/)
        expect(credential.algorithm).toBe(-7)
        expect(credential.counter).toBeLessThan(2 ** 32)
      }),
    )
  })

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["a map of four billion", Buffer.from("bbffffffff", "hex")],
    ["a text of four billion bytes", Buffer.from("a1187affffffff", "hex")],
    ["a map with 64 bits of length", Buffer.from("bb0000000000000001", "hex")],
    ["a map without an end", Buffer.from("bf6161", "hex")],
    ["40,000 nested lists", Buffer.alloc(40_000, 0x81)],
    ["40,000 nested maps", Buffer.alloc(40_000, 0xa1)],
    ["a list", Buffer.from("80", "hex")],
    ["no authenticator data", encodeCbor(new Map([["fmt", "none"]]))],
    ["a text as authenticator data", encodeCbor(new Map([["authData", "a".repeat(200)]]))],
  ])("%s", (_, bytes) => {
    expect(readBytes(bytes)).toBeNull()
  })

  test("a point that is not on the curve", () => {
    const bytes = Buffer.from(valid)
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    expect(readBytes(bytes)).toBeNull()
  })

  test("fewer bytes than their length says", () => {
    const lengthAt = valid.indexOf("authData") + "authData".length + 1
    const bytes = Buffer.from(valid)
    bytes.writeUInt8(bytes.readUInt8(lengthAt) + 1, lengthAt)
    expect(readBytes(bytes)).toBeNull()
  })

  test("attestation is ignored, unless it is nested too deeply", () => {
    const register = (statement: Map<string, unknown>) => {
      const sent = createAuthenticator("p256").register(creation(), statement)
      return verifier.readRegistration({ ...sent, formToken })
    }
    const [once, deeply] = [1, 9].map((times) => {
      const nested = Array.from({ length: times }).reduce((inner) => new Map([["x", inner]]), 1)
      return register(new Map([["x5c", nested]]))
    })
    expect([once?.algorithm, deeply]).toEqual([-7, null])
  })

  test("an id of no or too many bytes", () => {
    const credentials = [0, 1, 1023, 1024].map((bytes) =>
      register(createAuthenticator("p256", -7, bytes)),
    )
    expect(credentials.map((each) => each?.id.length)).toEqual([undefined, 2, 1364, undefined])
    const bytes = Buffer.from(valid)
    bytes.writeUInt16BE(65_535, valid.indexOf(Buffer.from([0, 32]), 60))
    expect([readBytes(bytes), readBytes(valid)?.algorithm]).toEqual([null, -7])
  })

  test("any texts in place of the fields of a form", () => {
    const passkey = passkeyOf(createAuthenticator("ed25519"))
    const json = fc.json().map((text) => Buffer.from(text).toString("base64url"))
    const field = fc.oneof(fc.string(), json)
    const names = ["clientDataJSON", "attestationObject", "authenticatorData", "signature"] as const
    const fields = fc.record(
      Object.fromEntries([...names, "id", "userHandle"].map((name) => [name, field])),
    )
    fc.assert(
      fc.property(fields, (sent) => {
        const { attestationObject = "", clientDataJSON = "", ...rest } = sent
        const registration = { attestationObject, clientDataJSON, formToken }
        expect(verifier.readRegistration(registration)).toBeNull()
        const { id = "", authenticatorData = "", signature = "", userHandle = "" } = rest
        const assertion = {
          id,
          authenticatorData,
          signature,
          userHandle,
          clientDataJSON,
          formToken,
        }
        expect(verifier.verifyAssertion(passkey, assertion)).toBeNull()
      }),
    )
  })
})
