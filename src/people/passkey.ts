/** Passkeys (WebAuthn). The authenticator verifies the person, so one replaces password and code. */

import { createHash, createPublicKey, verify } from "node:crypto"
import { createCipher, type MasterKey, type MasterKeys } from "../platform/crypto/cipher.ts"
import type { Timestamp } from "../platform/time.ts"

/** `id` is in base64url, `publicKey` in SPKI, `algorithm` a number of COSE. */
type Credential = Readonly<{
  id: string
  publicKey: Uint8Array
  algorithm: number
  /** Of signatures; 0 if the authenticator does not count. */
  counter: number
}>

export type Passkey = Credential &
  Readonly<{
    personId: number
    name: string
    createdAt: Timestamp
    lastUsedAt: Timestamp | null
  }>

export const passkeysMax = 20

export const passkeyAlgorithms = { edDsa: -8, es256: -7, rs256: -257 } as const

export interface PasskeyStore {
  find(id: string): Promise<Passkey | null>
  /** Oldest first. */
  list(personId: number): Promise<readonly Passkey[]>
  /**
   * Returns false and inserts nothing if the id exists, the person has `passkeysMax`, or was deleted. Concurrent calls
   * may insert a few more.
   */
  insert(passkey: Passkey): Promise<boolean>
  /**
   * Returns false and changes nothing if the passkey was removed, or if the counter did not grow, unless both are 0: a
   * copy of the authenticator may exist.
   */
  use(id: string, counter: number, at: Timestamp): Promise<boolean>
  /** Never removes one of another person. Returns how many were removed. */
  remove(personId: number, id: string | "all"): Promise<number>
}

/** Fields of a form, named as in WebAuthn, in base64url. `formToken` is that of the page with the challenge. */
type Sent<Field extends string> = Readonly<Record<Field | "clientDataJSON" | "formToken", string>>

export type Registration = Sent<"attestationObject">
export type Assertion = Sent<"id" | "authenticatorData" | "signature" | "userHandle">

export interface PasskeyVerifier {
  /** For the page with this form token, for ten minutes. The browser signs it. */
  createChallenge(formToken: string): string
  /** Null for a response that is invalid in any way, here and below. Attestation is not verified. */
  readRegistration(registration: Registration): Credential | null
  /** The caller checks that the challenge was not used before, and the counter. */
  verifyAssertion(
    passkey: Passkey,
    assertion: Assertion,
  ): Readonly<{ challenge: string; counter: number }> | null
}

/** What the browser returns with a signature: whose passkey it is. */
export const userHandleOf = (personId: number) => String(personId)

const challengeMsMax = 10 * 60_000

/** Flags of the authenticator: a person was present, was verified by PIN or biometrics; a new key follows. */
const [isPresent, isVerified, hasKey] = [0x01, 0x04, 0x40]
/** Digest of the host, flags, counter; then AAGUID and length of the id. */
const [flagsAt, counterAt, idLengthAt, idAt] = [32, 33, 53, 55]
const idBytesMax = 1023

const { edDsa, es256, rs256 } = passkeyAlgorithms

/**
 * WebAuthn Level 2, sections 7.1 and 7.2, for passkeys without attestation. Browsers use a passkey only for the host of
 * `publicUrl`.
 */
export function createPasskeyVerifier(
  master: MasterKey | MasterKeys,
  publicUrl: string,
  now: () => Date,
): PasskeyVerifier {
  const { origin, hostname } = new URL(publicUrl)
  const cipher = createCipher<string>(master, "passkey", (formToken) => [formToken])

  function checkClientData(json: Buffer, type: string, formToken: string): string {
    const data = JSON.parse(json.toString())
    check(data.type === type && data.origin === origin && data.crossOrigin !== true)
    const challenge = decode(data.challenge).toString()
    const createdMs = Number(cipher.decrypt(decode(challenge), formToken))
    // The clock of another node may be ahead.
    check(Math.abs(now().getTime() - createdMs) <= challengeMsMax)
    return challenge
  }

  function checkAuthenticatorData(data: Buffer, flags: number): number {
    check(data.subarray(0, flagsAt).equals(sha256(hostname)))
    check((data.readUInt8(flagsAt) & flags) === flags)
    return data.readUInt32BE(counterAt)
  }

  return {
    createChallenge: (formToken) =>
      Buffer.from(cipher.encrypt(String(now().getTime()), formToken)).toString("base64url"),
    readRegistration: ({ clientDataJSON, attestationObject, formToken }) =>
      orNull(() => {
        checkClientData(decode(clientDataJSON), "webauthn.create", formToken)
        const data = readCborMap(decode(attestationObject)).get("authData")
        check(data instanceof Buffer)
        const counter = checkAuthenticatorData(data, isPresent | isVerified | hasKey)
        const keyAt = idAt + data.readUInt16BE(idLengthAt)
        check(keyAt > idAt && keyAt <= idAt + idBytesMax && keyAt < data.length)
        const id = data.subarray(idAt, keyAt).toString("base64url")
        return { id, counter, ...readPublicKey(readCborMap(data.subarray(keyAt))) }
      }),
    verifyAssertion: ({ personId, publicKey, algorithm }, assertion) =>
      orNull(() => {
        const clientData = decode(assertion.clientDataJSON)
        const data = decode(assertion.authenticatorData)
        const challenge = checkClientData(clientData, "webauthn.get", assertion.formToken)
        const counter = checkAuthenticatorData(data, isPresent | isVerified)
        check(decode(assertion.userHandle).toString() === userHandleOf(personId))
        const key = createPublicKey({ key: Buffer.from(publicKey), format: "der", type: "spki" })
        const signed = Buffer.concat([data, sha256(clientData)])
        const digest = algorithm === edDsa ? null : "sha256"
        check(verify(digest, signed, key, decode(assertion.signature)))
        return { challenge, counter }
      }),
  }
}

const decode = (text: string) => Buffer.from(text, "base64url")
const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest()

function check(isValid: boolean): asserts isValid {
  if (!isValid) throw new Error("invalid passkey")
}

/** Everything that is read here comes from outside: whatever is wrong with it, it is rejected. */
function orNull<T>(read: () => T): T | null {
  try {
    return read()
  } catch {
    return null
  }
}

/** A COSE key (RFC 9053), by the numbers of its fields. */
function readPublicKey(fields: ReadonlyMap<unknown, unknown>) {
  const [kind, algorithm] = [fields.get(1), fields.get(3)]
  const read = (field: number, bytesMin: number, bytesMax = bytesMin): string => {
    const bytes = fields.get(field)
    check(bytes instanceof Buffer && bytes.length >= bytesMin && bytes.length <= bytesMax)
    return bytes.toString("base64url")
  }
  let jwk: Readonly<Record<string, string>>
  if (algorithm === edDsa && kind === 1 && fields.get(-1) === 6)
    jwk = { kty: "OKP", crv: "Ed25519", x: read(-2, 32) }
  else if (algorithm === es256 && kind === 2 && fields.get(-1) === 1)
    jwk = { kty: "EC", crv: "P-256", x: read(-2, 32), y: read(-3, 32) }
  else {
    check(algorithm === rs256 && kind === 3)
    jwk = { kty: "RSA", n: read(-1, 256, 512), e: read(-2, 3) }
  }
  const key = createPublicKey({ key: jwk, format: "jwk" })
  return { publicKey: key.export({ format: "der", type: "spki" }), algorithm }
}

const cborDepthMax = 4

/**
 * CBOR (RFC 8949) as authenticators write it: without tags, floats, indefinite and 64-bit lengths. Ignores what follows
 * the map. Every value has at least one byte, so the bytes bound the work.
 */
function readCborMap(bytes: Buffer): ReadonlyMap<unknown, unknown> {
  let at = 0
  const take = (length: number) => {
    check(length <= bytes.length - at)
    at += length
    return bytes.subarray(at - length, at)
  }
  const readNumber = (info: number) => {
    if (info < 24) return info
    const length = 2 ** (info - 24)
    // Throws for more than 6 bytes.
    return take(length).readUIntBE(0, length)
  }
  function read(depth: number): unknown {
    check(depth <= cborDepthMax)
    const first = take(1).readUInt8()
    const [type, info] = [first >> 5, first & 31]
    const number = readNumber(info)
    if (type === 0) return number
    if (type === 1) return -1 - number
    if (type === 2) return take(number)
    if (type === 3) return take(number).toString()
    if (type === 7) return [false, true, null][number - 20]
    check(type === 4 || type === 5)
    const map = new Map<unknown, unknown>()
    for (let index = 0; index < number; index += 1)
      map.set(type === 5 ? read(depth + 1) : index, read(depth + 1))
    return map
  }
  const map = read(1)
  check(map instanceof Map)
  return map
}
