/** The Ed25519 keys that sign answers: their states, and the ports that keep, seal and make them. */
import type { Reason } from "../values/error.ts"
import type { Timestamp } from "../values/time/timestamp.ts"
import type { KeyKind } from "./api-key.ts"

/** `current` signs, `next` is published so that products can pin it, `retired` only verifies. */
type SigningKeyState = "current" | "next" | "retired"

/** The signature of the key `by` over the id of the key that it endorses, in base64url. */
type Endorsement = Readonly<{ by: string; sig: string }>

export type SigningKey = Readonly<{
  /** The RFC 7638 thumbprint of the public key. */
  id: string
  state: SigningKeyState
  /** The member `x` of the JWK. */
  publicKey: string
  encrypted: Uint8Array
  endorsements: readonly Endorsement[]
  createdAt: Timestamp
}>

export interface SigningKeyStore {
  /** In the order they were put. Empty until the first two are made. */
  list(): Promise<readonly SigningKey[]>
  /**
   * Replaces all keys in one transaction. False, and nothing is changed, when the ids in the store are not
   * `expectedIds`, because of a concurrent change.
   */
  replaceAll(expectedIds: readonly string[], keys: readonly SigningKey[]): Promise<boolean>
}

/** Seals the private key. A sealed copy opens for the id it was sealed for, and for no other. */
export type SigningKeyCipher = Readonly<{
  encrypt(privateKey: string, id: string): Uint8Array
  /** Throws SealBroken. */
  decrypt(encrypted: Uint8Array, id: string): string
}>

export type SigningKeyMaker = Readonly<{
  createPair(): Pick<SigningKey, "id" | "publicKey" | "encrypted">
  endorse(by: SigningKey, id: string): Endorsement
}>

const order: readonly SigningKeyState[] = ["current", "next", "retired"]

/** Retired keys come last. They are published forever: a product that pins one follows its endorsements to the current key. */
export const sortByState = (keys: readonly SigningKey[]): readonly SigningKey[] =>
  keys.toSorted((one, other) => order.indexOf(one.state) - order.indexOf(other.state))

/** A new next key. Its predecessor endorses it; the first key of all has none. */
export function createNextKey(
  maker: SigningKeyMaker,
  predecessor: SigningKey | null,
  createdAt: Timestamp,
): SigningKey {
  const pair = maker.createPair()
  const endorsements = predecessor === null ? [] : [maker.endorse(predecessor, pair.id)]
  return { ...pair, state: "next", endorsements, createdAt }
}

/** The signature is bound to it: the client's nonce, and the text of `renderQuestion`. */
export type Challenge = Readonly<{ nonce: string; question: string }>

/**
 * The key that asked, the code and, if one was sent, the site: each exactly as the client sent it. Without the
 * key, a relay could ask with the key of another author and pass on a genuine "no".
 */
export const renderQuestion = (key: string, code: string, site: string | null) =>
  site === null ? `${key}\n${code}` : `${key}\n${code}\n${site}`

/** The values by which a client verifies an answer, by name. */
export type Signature = Readonly<Record<string, string>>

/** Null for an answer that is not signed. `body` is the text before any content coding. */
export type SignResponse = (status: number, reason: Reason, body: string) => Signature | null

/** Waits only when the signing key has to be read. Throws StoreUnavailable when it cannot be. */
export type PrepareSigning = (challenge: Challenge, kind: KeyKind) => Promise<SignResponse>

export const signNothing: SignResponse = () => null
