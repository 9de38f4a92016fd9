import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto"
import type { KeyKind } from "../contract/operation.ts"
import { createCipher, type MasterKey, type MasterKeys } from "../platform/crypto/cipher.ts"
import { type Reason, StoreUnavailable } from "../platform/error.ts"
import { daySeconds, type Timestamp } from "../platform/time.ts"

/** `current` signs, `next` is published so that products can pin it, `retired` only verifies. */
type SigningKeyState = "current" | "next" | "retired"

/** The signature of the key `by` over the endorsed key's id, in base64url. */
type Endorsement = Readonly<{ by: string; sig: string }>

export type SigningKey = Readonly<{
  /** The RFC 7638 thumbprint of the public key. */
  id: string
  state: SigningKeyState
  publicKey: string
  encrypted: Uint8Array
  endorsements: readonly Endorsement[]
  createdAt: Timestamp
}>

export interface SigningKeyStore {
  /** In insertion order. Empty until the first two are created. */
  list(): Promise<readonly SigningKey[]>
  /** In one transaction. Returns false and changes nothing if the stored ids are not `expectedIds`. */
  replaceAll(expectedIds: readonly string[], keys: readonly SigningKey[]): Promise<boolean>
}

const order: readonly SigningKeyState[] = ["current", "next", "retired"]

/** Retired keys are published forever: a product that pins one follows its endorsements to the current key. */
export const sortByState = (keys: readonly SigningKey[]): readonly SigningKey[] =>
  keys.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))

export type DatedSigningKey = SigningKey &
  Readonly<{
    signsSince: Timestamp | null
    retiredAt: Timestamp | null
  }>

/**
 * The current key first, then the next one, then the retired ones, latest first. Each rotation creates a key that the
 * new current key endorses, so that the keys it endorsed date the rotation.
 */
export function dateSigningKeys(keys: readonly SigningKey[]): readonly DatedSigningKey[] {
  const sorted = sortByState(keys)
  const since = ({ id, createdAt }: SigningKey) =>
    keys
      .filter(({ endorsements }) => endorsements.some(({ by }) => by === id))
      .map((endorsed) => endorsed.createdAt)
      .toSorted()[0] ?? createdAt
  const signing = sorted.filter(({ state }) => state !== "next")
  return sorted.map((key) => {
    const successor = signing[signing.indexOf(key) - 1]
    return {
      ...key,
      signsSince: key.state === "next" ? null : since(key),
      retiredAt: key.state !== "retired" || successor === undefined ? null : since(successor),
    }
  })
}

/** The signature is bound to the client's nonce and the text of `renderQuestion`. */
export type Challenge = Readonly<{ nonce: string; question: string }>

/** Exactly as sent. Without the key, a relay could use another author's key and pass on a genuine `invalid`. */
export const renderQuestion = (key: string, code: string, site: string | null) =>
  site === null ? `${key}\n${code}` : `${key}\n${code}\n${site}`

export type Signature = Readonly<Record<string, string>>

/** Null for a response that is not signed. `body` has no content coding. A 200 expires at `validUntil` at the latest, and says when that is. */
export type SignResponse = (
  status: number,
  reason: Reason,
  body: string,
  validUntil?: Timestamp | null,
) => Signature | null

/** Waits only if the signing key has to be read. Throws StoreUnavailable if it cannot be read. */
export type PrepareSigning = (challenge: Challenge, kind: KeyKind) => Promise<SignResponse>

export const signNothing: SignResponse = () => null

/** Encrypts private keys. A ciphertext decrypts only for the id it was encrypted for. */
export const createSigningKeyCipher = (master: MasterKey | MasterKeys) =>
  createCipher<string>(master, "signing key", (id) => [id])
type SigningKeyCipher = ReturnType<typeof createSigningKeyCipher>

type Lifetime = Readonly<{
  now: () => Date
  /** The offline grace period: how long a signed 200 response is valid. */
  receiptDays: number
}>

type ReadSigningKeys = () => Promise<Readonly<{ keys: readonly SigningKey[]; signer: Signer }>>

export const createSigning = (read: ReadSigningKeys, lifetime: Lifetime) => ({
  prepareSigning: async (challenge: Challenge, kind: KeyKind) =>
    createSignResponse((await read()).signer, challenge, kind, lifetime),
  readKeys: async () => (await read()).keys,
})
export type Signing = ReturnType<typeof createSigning>

type DecryptedKeys = Awaited<ReturnType<ReadSigningKeys>>

type Sources = Readonly<{
  signingKeys: Pick<SigningKeyStore, "list">
  cipher: Pick<SigningKeyCipher, "decrypt">
  nowMs(): number
}>

const cachedMsMax = 1_000

/** Returns cached keys while the store is unavailable. Throws StoreUnavailable if nothing is cached. */
export function cacheSigningKeys({ signingKeys, cipher, nowMs }: Sources): ReadSigningKeys {
  let cached: DecryptedKeys | null = null
  let readAtMs = 0
  let reading: Promise<DecryptedKeys> | null = null

  async function readStore(): Promise<DecryptedKeys> {
    const startedAtMs = nowMs()
    try {
      const keys = await signingKeys.list()
      const current = keys.find(({ state }) => state === "current")
      if (current === undefined) {
        throw new StoreUnavailable(
          "the database has no signing keys, because its creation was interrupted; run `pazar migrate`",
        )
      }
      const privateKey = decryptPrivateKey(current, cipher)
      cached = { keys, signer: { keyId: current.id, privateKey } }
    } catch (error) {
      if (cached === null || !(error instanceof StoreUnavailable)) throw error
    }
    readAtMs = startedAtMs
    return cached
  }
  return async () => {
    if (cached !== null && nowMs() - readAtMs < cachedMsMax) return cached
    reading ??= readStore().finally(() => {
      reading = null
    })
    return reading
  }
}

type Signer = Readonly<{ keyId: string; privateKey: KeyObject }>

/** An invalid response cannot be used offline, so it expires soon. */
const invalidResponseSeconds = 300

/** Signs responses with status 200 and 404; returns null for other responses. */
export function createSignResponse(
  signer: Signer,
  challenge: Challenge,
  kind: KeyKind,
  { now, receiptDays }: Lifetime,
): SignResponse {
  return (status, reason, body, validUntil = null) => {
    if (status !== 200 && status !== 404) return null
    const lifetime = status === 200 ? receiptDays * daySeconds : invalidResponseSeconds
    const created = Math.floor(now().getTime() / 1000)
    const times =
      validUntil === null
        ? { created, expires: created + lifetime }
        : encodeEnd(created, lifetime, Date.parse(validUntil) / 1000)
    // Clients accept the tag of test keys on test sites only, so that no test code unlocks a product.
    const tag = kind === "tk" ? "pazar-test" : "pazar-validation"
    return signResponse(signer, challenge, { status, reason, body }, { ...times, tag })
  }
}

/** More days than this could not be told from a purchase without an end. */
const daysMax = daySeconds / 2 - 1

/**
 * The times of a response about a purchase that ends. No field of the signature is free, so the lifetime says when: an
 * odd one ends with the purchase, and the seconds above whole days are twice the days until the end (0017).
 */
function encodeEnd(created: number, lifetime: number, end: number) {
  const days = Math.ceil((end - created) / daySeconds)
  if (days > daysMax) return { created, expires: created + lifetime }
  const expires = created + lifetime + 2 * days
  return end <= expires
    ? { created: created - ((end - created) % 2 === 0 ? 1 : 0), expires: end }
    : { created, expires }
}

/** Uses node:crypto because it is synchronous and needs less CPU than WebCrypto. */
export function signResponse(
  { keyId, privateKey }: Signer,
  { nonce, question }: Challenge,
  { status, reason, body }: Readonly<{ status: number; reason: Reason; body: string }>,
  { created, expires, tag }: Readonly<{ created: number; expires: number; tag: string }>,
): Signature {
  const bodyDigest = digest(body)
  const questionDigest = digest(question)
  const parameters = `("@status" "unencoded-digest" "pazar-reason" "pazar-question");created=${created};expires=${expires};nonce="${nonce}";keyid="${keyId}";alg="ed25519";tag="${tag}"`
  const base = `"@status": ${status}
"unencoded-digest": ${bodyDigest}
"pazar-reason": ${reason}
"pazar-question": ${questionDigest}
"@signature-params": ${parameters}`
  const signature = sign(null, Buffer.from(base), privateKey).toString("base64")
  return {
    "Unencoded-Digest": bodyDigest,
    "Pazar-Question": questionDigest,
    "Signature-Input": `pazar=${parameters}`,
    Signature: `pazar=:${signature}:`,
  }
}

const digest = (text: string) => `sha-256=:${Bun.SHA256.hash(text, "base64")}:`

export type SigningKeyMaker = ReturnType<typeof createSigningKeyMaker>

export const createSigningKeyMaker = (cipher: SigningKeyCipher) => ({
  createPair() {
    const { x = "", d = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
    const id = computeThumbprint(x)
    return { id, publicKey: x, encrypted: cipher.encrypt(d, id) }
  },
  endorse: (by: SigningKey, id: string): Endorsement => ({
    by: by.id,
    sig: endorse(decryptPrivateKey(by, cipher), id),
  }),
})

export const computeThumbprint = (publicKey: string) =>
  createHash("sha256")
    .update(`{"crv":"Ed25519","kty":"OKP","x":"${publicKey}"}`)
    .digest("base64url")

export const endorse = (privateKey: KeyObject, id: string) =>
  sign(null, Buffer.from(`pazar-key:${id}`), privateKey).toString("base64url")

function decryptPrivateKey(
  { id, publicKey, encrypted }: Pick<SigningKey, "id" | "publicKey" | "encrypted">,
  cipher: Pick<SigningKeyCipher, "decrypt">,
): KeyObject {
  const key = { kty: "OKP", crv: "Ed25519", x: publicKey, d: cipher.decrypt(encrypted, id) }
  return createPrivateKey({ format: "jwk", key })
}
