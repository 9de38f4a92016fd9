import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto"
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
    ? { current: master, previous: null, recoveryKey: deriveRecoveryKey(master) }
    : master

/** A digest cannot be recomputed without its code, so this subkey of the first master key is stored, encrypted. */
export const deriveRecoveryKey = (master: MasterKey) => subKey(master, "recovery code digest")

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

export const idLength = 16

/** 64 bytes always encode to more than 16 characters: the encoding skips only 8 of 256 byte values. */
export const deriveId = (key: Uint8Array, text: string) =>
  encodeBase62(createHmac("sha512", key).update(text).digest()).slice(0, idLength)

export const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** 248 = 4 × 62: larger bytes would favor some characters and are skipped. */
export function encodeBase62(bytes: Uint8Array): string {
  let encoded = ""
  for (const byte of bytes) if (byte < 248) encoded += base62[byte % 62]
  return encoded
}

export function randomBase62(length: number): string {
  let text = ""
  while (text.length < length) text += encodeBase62(randomBytes(2 * length))
  return text.slice(0, length)
}
