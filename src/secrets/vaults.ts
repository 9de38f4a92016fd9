/** Sealing under a sub-key of the master key: AES-256-GCM, laid out as nonce, text and tag. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"
import type { EndpointVault } from "../domain/events/endpoint.ts"
import type { EventVault } from "../domain/events/event.ts"
import type { FeedSeal, TravelVault } from "../domain/feed/feed.ts"
import {
  encodeBase62,
  formatSecret,
  type KeyIdentity,
  type KeyVault,
  randomLength,
} from "../domain/keys/api-key.ts"
import type { SigningKeyVault } from "../domain/keys/signing-key.ts"
import type { PasswordVault } from "../domain/sign-in/password.ts"
import type { NoteVault } from "../domain/sign-in/session.ts"
import { SealBroken } from "../domain/values/error.ts"

const nonceBytes = 12
const tagBytes = 16

/** Each purpose has its own key, so a text sealed for one purpose does not open for another. */
export const subKey = (master: Uint8Array, purpose: string) =>
  new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), `pazar ${purpose} v1`, 32))

/** The sealed text is bound to `owner`. A nonce must never be used for two texts under one key. */
function seal(
  key: Uint8Array,
  nonce: Uint8Array,
  text: string,
  owner: readonly string[],
): Uint8Array {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(binding(owner))
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
}

/** Throws SealBroken unless it was sealed under this key, for this owner, and is whole. */
function unseal(key: Uint8Array, sealed: Uint8Array, owner: readonly string[]): string {
  if (sealed.length < nonceBytes + tagBytes) throw new SealBroken()
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceBytes))
  decipher.setAAD(binding(owner)).setAuthTag(sealed.subarray(-tagBytes))
  const opened = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()]).toString("utf8")
  } catch (cause) {
    throw new SealBroken({ cause })
  }
}

const binding = (owner: readonly string[]) => Buffer.from(JSON.stringify(owner))

export type MasterKey = Uint8Array

/** Texts of one purpose, each bound to its owner. */
type Sealer<Owner> = Readonly<{
  seal(text: string, owner: Owner): Uint8Array
  unseal(sealed: Uint8Array, owner: Owner): string
}>

export function createSealer<Owner>(
  master: MasterKey,
  purpose: string,
  bind: (owner: Owner) => readonly string[],
): Sealer<Owner> {
  const key = subKey(master, `${purpose} seal`)
  return {
    seal: (text, owner) => seal(key, randomBytes(nonceBytes), text, bind(owner)),
    unseal: (sealed, owner) => unseal(key, sealed, bind(owner)),
  }
}

/**
 * The nonce is a keyed digest of the sealed text and its owner: the same text gives the same bytes, as an export
 * needs, and different ones are as unlikely to share a nonce as with random nonces.
 */
function createRepeatableSealer<Owner>(
  master: MasterKey,
  purpose: string,
  bind: (owner: Owner) => string,
): Sealer<Owner> {
  const key = subKey(master, `${purpose} seal`)
  const nonceKey = subKey(master, `${purpose} nonce`)
  return {
    seal(text, owner) {
      const sealed = JSON.stringify([bind(owner), text])
      const nonce = createHmac("sha256", nonceKey).update(sealed).digest().subarray(0, nonceBytes)
      return seal(key, nonce, text, [bind(owner)])
    },
    unseal: (sealed, owner) => unseal(key, sealed, [bind(owner)]),
  }
}

const keyIdLength = 16

/**
 * API keys at rest. One sub-key of the master key makes the look-up value, another seals the copy that
 * can be shown again. Without the master key the database reveals no key.
 */
export function createKeyVault(master: MasterKey): KeyVault {
  const lookupKey = subKey(master, "key look-up")
  const idKey = subKey(master, "key id")
  return {
    createSecret: (kind) => formatSecret(kind, randomBase62(randomLength)),
    createKeyId: () => `key_${randomBase62(keyIdLength)}`,
    // 64 bytes give far more than 16 characters: only 8 of 256 values are skipped.
    deriveKeyId: (text) =>
      `key_${encodeBase62(createHmac("sha512", idKey).update(text).digest()).slice(0, keyIdLength)}`,
    lookup: (secret) => createHmac("sha256", lookupKey).update(secret).digest(),
    // By name, not by row id: a sealed copy stays valid when the account moves to another store.
    ...createSealer<KeyIdentity>(master, "key", ({ id, username, kind }) => [id, username, kind]),
  }
}

function randomBase62(length: number): string {
  let text = ""
  while (text.length < length) text += encodeBase62(randomBytes(2 * length))
  return text.slice(0, length)
}

/** Stored to recognise the master key. It reveals nothing about the key. */
export function createCanary(master: MasterKey): string {
  return createHmac("sha256", subKey(master, "canary")).update("pazar").digest("base64")
}

export function isSameCanary(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

export const createSigningKeyVault = (master: MasterKey): SigningKeyVault =>
  createSealer(master, "signing key", (id) => [id])

/** API keys on their way from one store to another of the same master key, and the seal of the whole file. */
export function createTravelVault(master: MasterKey): TravelVault {
  const { seal: sealKey, unseal: unsealKey } = createRepeatableSealer(
    master,
    "travelling key",
    bindingOf,
  )
  const feedKey = subKey(master, "feed seal")
  return { sealKey, unsealKey, createFeedSeal: () => createFeedSeal(feedKey) }
}

/** All that a key may do and for how long; only its name may be changed on the way. */
function bindingOf(key: Parameters<TravelVault["unsealKey"]>[1]): string {
  const { id, username, kind, itemIds, createdAt, expiresAt, revokedAt, replacedAt } = key
  return JSON.stringify([
    ...[id, username, kind, itemIds],
    ...[createdAt, expiresAt, revokedAt, replacedAt],
  ])
}

function createFeedSeal(key: Uint8Array): FeedSeal {
  const hmac = createHmac("sha256", key)
  return {
    add(bytes) {
      hmac.update(bytes)
    },
    render: () => hmac.digest("base64"),
    isSame(rendered) {
      const [given, own] = [Buffer.from(rendered, "base64"), hmac.digest()]
      return given.length === own.length && timingSafeEqual(given, own)
    },
  }
}

const secretBytes = 32

/** The id of an endpoint is bound, not its owner: an author may be renamed. */
export const createEndpointVault = (master: MasterKey): EndpointVault => ({
  createEndpointId: () => `ep_${randomBase62(keyIdLength)}`,
  createSecret: () => `whsec_${randomBytes(secretBytes).toString("base64")}`,
  ...createSealer<string>(master, "webhook", (endpointId) => [endpointId]),
})

export const createEventVault = (master: MasterKey): EventVault =>
  createSealer<string>(master, "event", (type) => [type])

/** A sealed note is bound to its session, kind and id: moved to another row, it no longer opens. */
export const createNoteVault = (master: MasterKey): NoteVault =>
  createSealer(master, "session note", ({ sessionId, kind, id }) => [sessionId, kind, id])

/** Password hashes on the same way. Two exports reveal only whether a password changed between them. */
export const createPasswordVault = (master: MasterKey): PasswordVault =>
  createRepeatableSealer(master, "password", (username) => username)
