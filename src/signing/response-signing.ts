import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
} from "node:crypto"
import type { KeyKind } from "../contract/operation.ts"
import { type Reason, StoreUnavailable } from "../platform/error.ts"
import { daySeconds } from "../platform/time.ts"
import type {
  Challenge,
  PrepareSigning,
  Signature,
  SigningKey,
  SigningKeyCipher,
  SigningKeyMaker,
  SigningKeyStore,
  SignResponse,
} from "./signing-key.ts"

export type Signing = Readonly<{
  prepareSigning: PrepareSigning
  readKeys(): Promise<readonly SigningKey[]>
}>

type Lifetime = Readonly<{
  now: () => Date
  /** The offline grace period: how long a signed 200 response is valid. */
  receiptDays: number
}>

type ReadSigningKeys = () => Promise<Readonly<{ keys: readonly SigningKey[]; signer: Signer }>>

export const createSigning = (read: ReadSigningKeys, lifetime: Lifetime): Signing => ({
  prepareSigning: async (challenge, kind) =>
    createSignResponse((await read()).signer, challenge, kind, lifetime),
  readKeys: async () => (await read()).keys,
})

type DecryptedKeys = Awaited<ReturnType<ReadSigningKeys>>

type Sources = Readonly<{
  signingKeys: Pick<SigningKeyStore, "list">
  cipher: Pick<SigningKeyCipher, "decrypt">
  /** Monotonic. */
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
      cached = decryptKeys(await signingKeys.list(), cipher)
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

function decryptKeys(keys: readonly SigningKey[], cipher: Sources["cipher"]): DecryptedKeys {
  const current = keys.find(({ state }) => state === "current")
  if (current === undefined) {
    throw new StoreUnavailable(
      "the database has no signing keys, because its creation was interrupted; run `pazar migrate`",
    )
  }
  return { keys, signer: { keyId: current.id, privateKey: decryptPrivateKey(current, cipher) } }
}

type Signer = Readonly<{ keyId: string; privateKey: KeyObject }>

/** An invalid response cannot be used offline, so it expires soon. */
const invalidResponseSeconds = 300

/** Clients accept the tag of test keys on test sites only, so that no test code unlocks a product. */
const tagOf = (kind: KeyKind) => (kind === "tk" ? "pazar-test" : "pazar-validation")

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
    const parameters = { ...times, tag: tagOf(kind) }
    return signResponse(signer, challenge, { status, reason, body }, parameters)
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

export const createSigningKeyMaker = (cipher: SigningKeyCipher): SigningKeyMaker => ({
  createPair() {
    const { x = "", d = "" } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })
    const id = thumbprintOf(x)
    return { id, publicKey: x, encrypted: cipher.encrypt(d, id) }
  },
  endorse: (by, id) => ({ by: by.id, sig: endorse(decryptPrivateKey(by, cipher), id) }),
})

export const thumbprintOf = (publicKey: string) =>
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
