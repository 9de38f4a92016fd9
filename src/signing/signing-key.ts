import type { KeyKind } from "../contract/operation.ts"
import type { Reason } from "../platform/error.ts"
import type { Timestamp } from "../platform/time.ts"

/** `current` signs, `next` is published so that products can pin it, `retired` only verifies. */
type SigningKeyState = "current" | "next" | "retired"

/** The signature of the key `by` over the endorsed key's id, in base64url. */
type Endorsement = Readonly<{ by: string; sig: string }>

export type SigningKey = Readonly<{
  /** The RFC 7638 thumbprint of the public key. */
  id: string
  state: SigningKeyState
  /** The JWK field `x`. */
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

/** Encrypts private keys. A ciphertext decrypts only for the id it was encrypted for. */
export type SigningKeyCipher = Readonly<{
  encrypt(privateKey: string, id: string): Uint8Array
  decrypt(encrypted: Uint8Array, id: string): string
}>

export type SigningKeyMaker = Readonly<{
  createPair(): Pick<SigningKey, "id" | "publicKey" | "encrypted">
  endorse(by: SigningKey, id: string): Endorsement
}>

const order: readonly SigningKeyState[] = ["current", "next", "retired"]

/** Retired keys are published forever: a product that pins one follows its endorsements to the current key. */
export const sortByState = (keys: readonly SigningKey[]): readonly SigningKey[] =>
  keys.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))

export type DatedSigningKey = SigningKey &
  Readonly<{
    /** Null for the next key. */
    signsSince: Timestamp | null
    /** Null while the key is not retired. */
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

export function createNextKey(
  maker: SigningKeyMaker,
  predecessor: SigningKey | null,
  createdAt: Timestamp,
): SigningKey {
  const pair = maker.createPair()
  const endorsements = predecessor === null ? [] : [maker.endorse(predecessor, pair.id)]
  return { ...pair, state: "next", endorsements, createdAt }
}

/** The signature is bound to the client's nonce and the text of `renderQuestion`. */
export type Challenge = Readonly<{ nonce: string; question: string }>

/** Exactly as sent. Without the key, a relay could use another author's key and pass on a genuine `invalid`. */
export const renderQuestion = (key: string, code: string, site: string | null) =>
  site === null ? `${key}\n${code}` : `${key}\n${code}\n${site}`

/** The signature headers by name. */
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
