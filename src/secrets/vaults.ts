/** Sealing under a sub-key of the master key: AES-256-GCM, laid out as nonce, text and tag. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"
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
import type { NoteIdentity, NoteVault } from "../domain/sign-in/session.ts"
import { SealBroken } from "../domain/values/error.ts"

export const nonceBytes = 12
const tagBytes = 16

/** Each purpose has its own key, so a text sealed for one purpose does not open for another. */
export const subKey = (master: Uint8Array, purpose: string) =>
  new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), `pazar ${purpose} v1`, 32))

/** The sealed text is bound to `owner`. A nonce must never be used for two texts under one key. */
export function seal(
  key: Uint8Array,
  nonce: Uint8Array,
  text: string,
  owner: readonly string[],
): Uint8Array {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(binding(owner))
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
}

/** Throws SealBroken unless it was sealed under this key, for this owner, and is whole. */
export function unseal(key: Uint8Array, sealed: Uint8Array, owner: readonly string[]): string {
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

const keyIdLength = 16

export type MasterKey = Uint8Array

/**
 * API keys at rest. One sub-key of the master key makes the look-up value, another seals the copy that
 * can be shown again. Without the master key the database reveals no key.
 */
export function createKeyVault(master: MasterKey): KeyVault {
  const lookupKey = subKey(master, "key look-up")
  const sealKey = subKey(master, "key seal")
  const idKey = subKey(master, "key id")
  return {
    createSecret: (kind) => formatSecret(kind, randomBase62(randomLength)),
    createKeyId: () => `key_${randomBase62(keyIdLength)}`,
    // 64 bytes give far more than 16 characters: only 8 of 256 values are skipped.
    deriveKeyId: (text) =>
      `key_${encodeBase62(createHmac("sha512", idKey).update(text).digest()).slice(0, keyIdLength)}`,
    lookup: (secret) => createHmac("sha256", lookupKey).update(secret).digest(),
    seal: (secret, identity) => seal(sealKey, randomBytes(nonceBytes), secret, ownerOf(identity)),
    unseal: (sealed, identity) => unseal(sealKey, sealed, ownerOf(identity)),
  }
}

/** By name, not by row id: a sealed copy stays valid when the account moves to another store. */
const ownerOf = ({ id, username, kind }: KeyIdentity) => [id, username, kind]

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

export function createSigningKeyVault(master: MasterKey): SigningKeyVault {
  const sealKey = subKey(master, "signing key seal")
  return {
    seal: (privateKey, id) => seal(sealKey, randomBytes(nonceBytes), privateKey, [id]),
    unseal: (sealed, id) => unseal(sealKey, sealed, [id]),
  }
}

/**
 * API keys on their way from one store to another of the same master key, and the seal of the whole file. The
 * nonce is a keyed digest, as for passwords: the same key gives the same bytes.
 */
export function createTravelVault(master: MasterKey): TravelVault {
  const sealKey = subKey(master, "travelling key seal")
  const nonceKey = subKey(master, "travelling key nonce")
  const feedKey = subKey(master, "feed seal")
  return {
    sealKey(secret, key) {
      const bound = bindingOf(key)
      const sealed = JSON.stringify([bound, secret])
      const nonce = createHmac("sha256", nonceKey).update(sealed).digest().subarray(0, nonceBytes)
      return seal(sealKey, nonce, secret, [bound])
    },
    unsealKey: (sealed, key) => unseal(sealKey, sealed, [bindingOf(key)]),
    createFeedSeal: () => createFeedSeal(feedKey),
  }
}

/** All that a key may do and for how long; only its name may be changed on the way. */
const bindingOf: (key: Parameters<TravelVault["unsealKey"]>[1]) => string = (key) => {
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

/** A sealed note is bound to its session, kind and id: moved to another row, it no longer opens. */
export function createNoteVault(master: MasterKey): NoteVault {
  const sealKey = subKey(master, "session note seal")
  const ownerOf = ({ sessionId, kind, id }: NoteIdentity) => [sessionId, kind, id]
  return {
    seal: (text, identity) => seal(sealKey, randomBytes(nonceBytes), text, ownerOf(identity)),
    unseal: (sealed, identity) => unseal(sealKey, sealed, ownerOf(identity)),
  }
}

/**
 * Password hashes on the same way. The nonce is a keyed digest of the sealed text and its owner: the same hash gives the same bytes, as an
 * export needs, and different ones are as unlikely to share a nonce as with random nonces. Two exports
 * reveal only whether a password changed between them.
 */
export function createPasswordVault(master: MasterKey): PasswordVault {
  const sealKey = subKey(master, "password seal")
  const nonceKey = subKey(master, "password nonce")
  return {
    seal(hash, username) {
      const sealed = JSON.stringify([username, hash])
      const nonce = createHmac("sha256", nonceKey).update(sealed).digest().subarray(0, nonceBytes)
      return seal(sealKey, nonce, hash, [username])
    },
    unseal: (sealed, username) => unseal(sealKey, sealed, [username]),
  }
}
