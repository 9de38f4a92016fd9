import { createHmac } from "node:crypto"
import { randomBase62 } from "../platform/crypto/base62.ts"
import {
  createCipher,
  deriveId,
  idLength,
  keysOf,
  type MasterKey,
  type MasterKeys,
  subKey,
} from "../platform/crypto/cipher.ts"
import { formatSecret, type KeyCipher, type KeyIdentity, randomLength } from "./key.ts"

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
