/** Sealing under a sub-key of the master key: AES-256-GCM, laid out as nonce, text and tag. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"
import type { EndpointCipher } from "../domain/events/endpoint.ts"
import type { EventCipher } from "../domain/events/event.ts"
import {
  encodeBase62,
  formatSecret,
  type KeyCipher,
  type KeyIdentity,
  randomLength,
} from "../domain/keys/api-key.ts"
import type { SigningKeyCipher } from "../domain/keys/signing-key.ts"
import { DecryptionFailed } from "../domain/values/error.ts"

const nonceBytes = 12
const tagBytes = 16

/** Each purpose has its own key, so a text sealed for one purpose does not open for another. */
export const subKey = (master: Uint8Array, purpose: string) =>
  new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), `pazar ${purpose} v1`, 32))

/** The sealed text is bound to `owner`. A nonce must never be used for two texts under one key. */
function encrypt(
  key: Uint8Array,
  nonce: Uint8Array,
  text: string,
  owner: readonly string[],
): Uint8Array {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(additionalData(owner))
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
}

/** Throws SealBroken unless it was sealed under this key, for this owner, and is whole. */
function decrypt(key: Uint8Array, encrypted: Uint8Array, owner: readonly string[]): string {
  if (encrypted.length < nonceBytes + tagBytes) throw new DecryptionFailed()
  const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, nonceBytes))
  decipher.setAAD(additionalData(owner)).setAuthTag(encrypted.subarray(-tagBytes))
  const opened = decipher.update(encrypted.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([opened, decipher.final()]).toString("utf8")
  } catch (cause) {
    throw new DecryptionFailed({ cause })
  }
}

const additionalData = (owner: readonly string[]) => Buffer.from(JSON.stringify(owner))

export type MasterKey = Uint8Array

/** The configured master keys. All encrypt with `current`; during a rotation they decrypt with `previous` too. */
export type MasterKeys = Readonly<{
  current: MasterKey
  previous: MasterKey | null
  /** The key of the digests of recovery codes. It stays the same when the master key is rotated. */
  recoveryKey: Uint8Array
}>

export const keysOf = (master: MasterKey | MasterKeys): MasterKeys =>
  master instanceof Uint8Array
    ? { current: master, previous: null, recoveryKey: recoveryKeyOf(master) }
    : master

/** A digest cannot be computed again without its code, so this sub-key of the first master key is kept, encrypted. */
export const recoveryKeyOf = (master: MasterKey) => subKey(master, "recovery code digest")

/** Texts of one purpose, each bound to its owner. */
export type Cipher<Owner> = Readonly<{
  encrypt(text: string, owner: Owner): Uint8Array
  decrypt(encrypted: Uint8Array, owner: Owner): string
}>

export function createCipher<Owner>(
  master: MasterKey | MasterKeys,
  purpose: string,
  bind: (owner: Owner) => readonly string[],
): Cipher<Owner> {
  const { current, previous } = keysOf(master)
  const key = subKey(current, `${purpose} seal`)
  const previousKey = previous && subKey(previous, `${purpose} seal`)
  return {
    encrypt: (text, owner) => encrypt(key, randomBytes(nonceBytes), text, bind(owner)),
    decrypt(encrypted, owner) {
      try {
        return decrypt(key, encrypted, bind(owner))
      } catch (error) {
        if (previousKey === null || !(error instanceof DecryptionFailed)) throw error
        return decrypt(previousKey, encrypted, bind(owner))
      }
    },
  }
}

const idLength = 16

/** 64 bytes give far more than 16 characters: only 8 of 256 values are skipped. */
const deriveId = (key: Uint8Array, text: string) =>
  encodeBase62(createHmac("sha512", key).update(text).digest()).slice(0, idLength)

/**
 * API keys at rest. One sub-key of the master key makes the look-up value, another seals the copy that
 * can be shown again. Without the master key the database reveals no key.
 */
export function createKeyCipher(master: MasterKey | MasterKeys): KeyCipher {
  const { current, previous } = keysOf(master)
  const idKey = subKey(current, "key id")
  const lookupKey = subKey(current, "key look-up")
  const lookupKeys = previous ? [subKey(previous, "key look-up"), lookupKey] : [lookupKey]
  const lookUpBy = (key: Uint8Array, secret: string) =>
    createHmac("sha256", key).update(secret).digest()
  return {
    createSecret: (kind) => formatSecret(kind, randomBase62(randomLength)),
    createKeyId: () => `key_${randomBase62(idLength)}`,
    deriveKeyId: (text) => `key_${deriveId(idKey, text)}`,
    lookup: (secret) => lookUpBy(lookupKey, secret),
    lookups: (secret) => lookupKeys.map((key) => lookUpBy(key, secret)),
    // By name, not by row id: a sealed copy stays valid when the account moves to another store.
    ...createCipher<KeyIdentity>(master, "key", ({ id, username, kind }) => [id, username, kind]),
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

export const createSigningKeyCipher = (master: MasterKey | MasterKeys): SigningKeyCipher =>
  createCipher(master, "signing key", (id) => [id])

const secretBytes = 32

/** The id of an endpoint is bound, not its owner: an author may be renamed. */
export function createEndpointCipher(master: MasterKey | MasterKeys): EndpointCipher {
  const idKey = subKey(keysOf(master).current, "webhook id")
  return {
    createEndpointId: () => `ep_${randomBase62(idLength)}`,
    deriveEndpointId: (text) => `ep_${deriveId(idKey, text)}`,
    createSecret: () => `whsec_${randomBytes(secretBytes).toString("base64")}`,
    ...createCipher<string>(master, "webhook", (endpointId) => [endpointId]),
  }
}

export const createEventCipher = (master: MasterKey | MasterKeys): EventCipher =>
  createCipher<string>(master, "event", (type) => [type])
