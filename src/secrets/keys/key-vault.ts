/**
 * API keys at rest. One sub-key of the master key makes the look-up value, another seals the copy that
 * can be shown again. Without the master key the database reveals no key.
 */
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto"
import {
  encodeBase62,
  formatSecret,
  type KeyIdentity,
  type KeyVault,
  randomLength,
} from "../../domain/keys/api-key.ts"
import { nonceBytes, seal, subKey, unseal } from "./sealing.ts"

const keyIdLength = 16

export type MasterKey = Uint8Array

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
