/** Encryption at rest: AES-256-GCM with a subkey of the master key per purpose. Layout: nonce, ciphertext, tag. */
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from "node:crypto"
import {
  encodeBase62,
  formatSecret,
  type KeyCipher,
  type KeyIdentity,
  randomLength,
} from "../../keys/key.ts"
import type { EmailCipher } from "../../mail/email.ts"
import type { AwayVisit, AwayVisits } from "../../people/identity.ts"
import type { PendingSignIn, PendingSignIns } from "../../people/two-factor.ts"
import type { ReleaserIds, SiteIds } from "../../purchases/site.ts"
import type { SigningKeyCipher } from "../../signing/signing-key.ts"
import type { EndpointCipher } from "../../webhooks/endpoint.ts"
import type { EventCipher } from "../../webhooks/event.ts"
import { DecryptionFailed } from "../error.ts"

const nonceBytes = 12
const tagBytes = 16

/** A text encrypted for one purpose cannot be decrypted for another. */
export const subKey = (master: Uint8Array, purpose: string) =>
  new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), `pazar ${purpose} v1`, 32))

/** The ciphertext is bound to `owner`. A nonce must never be used twice with the same key. */
function encrypt(key: Uint8Array, nonce: Uint8Array, text: string, owner: readonly string[]) {
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(additionalData(owner))
  return Buffer.concat([nonce, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()])
}

/** Throws DecryptionFailed for another key or owner, and for a damaged ciphertext. */
function decrypt(key: Uint8Array, encrypted: Uint8Array, owner: readonly string[]): string {
  if (encrypted.length < nonceBytes + tagBytes) throw new DecryptionFailed()
  const decipher = createDecipheriv("aes-256-gcm", key, encrypted.subarray(0, nonceBytes))
  decipher.setAAD(additionalData(owner)).setAuthTag(encrypted.subarray(-tagBytes))
  const plaintext = decipher.update(encrypted.subarray(nonceBytes, -tagBytes))
  try {
    return Buffer.concat([plaintext, decipher.final()]).toString("utf8")
  } catch (cause) {
    throw new DecryptionFailed({ cause })
  }
}

const additionalData = (owner: readonly string[]) => Buffer.from(JSON.stringify(owner))

export type MasterKey = Uint8Array

/** Ciphers encrypt with `current`. During a rotation they also decrypt with `previous`. */
export type MasterKeys = Readonly<{
  current: MasterKey
  previous: MasterKey | null
  /** The HMAC key of recovery codes. It does not change when the master key is rotated. */
  recoveryKey: Uint8Array
}>

export const keysOf = (master: MasterKey | MasterKeys): MasterKeys =>
  master instanceof Uint8Array
    ? { current: master, previous: null, recoveryKey: recoveryKeyOf(master) }
    : master

/** A digest cannot be recomputed without its code, so this subkey of the first master key is stored, encrypted. */
export const recoveryKeyOf = (master: MasterKey) => subKey(master, "recovery code digest")

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

/** Tokens for URLs and cookies that only this server can create and read. */
export function createTokenCipher<Value, Owner>(
  master: MasterKey | MasterKeys,
  purpose: string,
  bind: (owner: Owner) => readonly string[],
) {
  const cipher = createCipher(master, purpose, bind)
  return {
    createToken: (value: Value, owner: Owner): string =>
      Buffer.from(cipher.encrypt(JSON.stringify(value), owner)).toString("base64url"),
    /** Null if the token is invalid or of another owner. */
    parseToken(token: string, owner: Owner): Value | null {
      const bytes = Buffer.from(token, "base64url")
      // The decoder ignores padding, unused bits and unknown characters.
      if (bytes.toString("base64url") !== token) return null
      try {
        return JSON.parse(cipher.decrypt(bytes, owner))
      } catch (error) {
        if (error instanceof DecryptionFailed) return null
        throw error
      }
    },
  }
}

const idLength = 16

/** 64 bytes always encode to more than 16 characters: the encoding skips only 8 of 256 byte values. */
const deriveId = (key: Uint8Array, text: string) =>
  encodeBase62(createHmac("sha512", key).update(text).digest()).slice(0, idLength)

/**
 * API keys at rest. One subkey of the master key computes the lookup value, another encrypts the copy that can be shown
 * again. Without the master key the database reveals no API key.
 */
export function createKeyCipher(master: MasterKey | MasterKeys): KeyCipher {
  const { current, previous } = keysOf(master)
  const idKey = subKey(current, "key id")
  const lookupKey = subKey(current, "key look-up")
  const lookupKeys = previous ? [subKey(previous, "key look-up"), lookupKey] : [lookupKey]
  const computeLookup = (key: Uint8Array, secret: string) =>
    createHmac("sha256", key).update(secret).digest()
  return {
    createSecret: (kind) => formatSecret(kind, randomBase62(randomLength)),
    createKeyId: () => `key_${randomBase62(idLength)}`,
    deriveKeyId: (text) => `key_${deriveId(idKey, text)}`,
    lookup: (secret) => computeLookup(lookupKey, secret),
    lookups: (secret) => lookupKeys.map((key) => computeLookup(key, secret)),
    ...createCipher<KeyIdentity>(master, "key", ({ id, accountId, kind }) => [
      id,
      String(accountId),
      kind,
    ]),
  }
}

function randomBase62(length: number): string {
  let text = ""
  while (text.length < length) text += encodeBase62(randomBytes(2 * length))
  return text.slice(0, length)
}

/** Stored to recognize the master key. It reveals nothing about the key. */
export function createCanary(master: MasterKey): string {
  return createHmac("sha256", subKey(master, "canary")).update("pazar").digest("base64")
}

export function isSameCanary(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Names a site to a buyer who must not read it: without the master key, no guess can be compared with the id. */
export function createSiteIds(master: MasterKey | MasterKeys): SiteIds {
  const idKey = subKey(keysOf(master).current, "site id")
  return ({ code, site }) => deriveId(idKey, `${code}\n${site}`)
}

export function createReleaserIds(master: MasterKey | MasterKeys): ReleaserIds {
  const idKey = subKey(keysOf(master).current, "site release")
  return (code, text) => deriveId(idKey, `${code}\n${text}`)
}

export const createSigningKeyCipher = (master: MasterKey | MasterKeys): SigningKeyCipher =>
  createCipher(master, "signing key", (id) => [id])

const secretBytes = 32

export function createEndpointCipher(master: MasterKey | MasterKeys): EndpointCipher {
  const idKey = subKey(keysOf(master).current, "webhook id")
  return {
    createEndpointId: () => `ep_${randomBase62(idLength)}`,
    deriveEndpointId: (text) => `ep_${deriveId(idKey, text)}`,
    createSecret: () => `whsec_${randomBytes(secretBytes).toString("base64")}`,
    ...createCipher<string>(master, "webhook", (endpointId) => [endpointId]),
  }
}

/** Bound to the id, so that ciphertexts cannot be exchanged. */
export const createEmailCipher = (master: MasterKey | MasterKeys): EmailCipher => ({
  createEmailId: () => `mail_${randomBase62(idLength)}`,
  ...createCipher<string>(master, "e-mail", (id) => [id]),
})

/** Bound to the browser that typed the password. */
export const createPendingSignIns = (master: MasterKey | MasterKeys): PendingSignIns =>
  createTokenCipher<PendingSignIn, string>(master, "pending sign-in", (browser) => [browser])

export const createEventCipher = (master: MasterKey | MasterKeys): EventCipher =>
  createCipher<string>(master, "event", (type) => [type])

export const createAwayVisits = (master: MasterKey | MasterKeys): AwayVisits =>
  createTokenCipher<AwayVisit, null>(master, "visit of the identity provider", () => [])

const passMsMax = 300_000

/** A pass proves for five minutes that its creator has the master key. */
export function createDoctorPasses(master: MasterKey | MasterKeys) {
  const { createToken, parseToken } = createTokenCipher<number, null>(master, "doctor", () => [])
  return {
    create: (nowMs: number) => createToken(nowMs, null),
    isValid(pass: string, nowMs: number): boolean {
      const createdMs = parseToken(pass, null)
      return createdMs !== null && Math.abs(nowMs - createdMs) <= passMsMax
    },
  }
}
