/**
 * API keys at rest. Two sub-keys come from the master key: one makes the value a key is found by,
 * one seals the copy that can be shown again. Without the master key the database gives nothing away.
 */
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
  type KeyIdentity,
  type KeyVault,
  randomLength,
} from "../domain/api-key.ts"

const nonceBytes = 12
const tagBytes = 16
const keyIdLength = 16

export type MasterKey = Uint8Array

const subKey = (master: MasterKey, purpose: string) =>
  new Uint8Array(hkdfSync("sha256", master, new Uint8Array(0), `pazar ${purpose} v1`, 32))

export function createKeyVault(master: MasterKey): KeyVault {
  const lookupKey = subKey(master, "key look-up")
  const sealKey = subKey(master, "key seal")
  return {
    createSecret: (kind) => formatSecret(kind, randomBase62(randomLength)),
    createKeyId: () => `key_${randomBase62(keyIdLength)}`,
    lookup: (secret) => createHmac("sha256", lookupKey).update(secret).digest(),
    seal(secret, identity) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv("aes-256-gcm", sealKey, nonce).setAAD(binding(identity))
      return Buffer.concat([
        nonce,
        cipher.update(secret, "utf8"),
        cipher.final(),
        cipher.getAuthTag(),
      ])
    },
    unseal(sealed, identity) {
      const nonce = sealed.subarray(0, nonceBytes)
      const decipher = createDecipheriv("aes-256-gcm", sealKey, nonce)
      decipher.setAAD(binding(identity)).setAuthTag(sealed.subarray(-tagBytes))
      const opened = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
      return Buffer.concat([opened, decipher.final()]).toString("utf8")
    },
  }
}

/** By name, not by row number: a sealed copy stays good when the account moves to another store. */
const binding = ({ id, username, kind }: KeyIdentity) =>
  Buffer.from(JSON.stringify([id, username, kind]))

function randomBase62(length: number): string {
  let text = ""
  while (text.length < length) text += encodeBase62(randomBytes(2 * length))
  return text.slice(0, length)
}

/** What a store keeps to recognise its master key by. Says nothing about the key itself. */
export function createCanary(master: MasterKey): string {
  return createHmac("sha256", subKey(master, "canary")).update("pazar").digest("base64")
}

export function isSameCanary(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}
