/** API keys on their way from one store to another of the same master key, and the seal of the whole file. */
import { createHmac, timingSafeEqual } from "node:crypto"
import type { FeedSeal, TravelVault } from "../../domain/feed/feed.ts"
import type { MasterKey } from "./key-vault.ts"
import { nonceBytes, seal, subKey, unseal } from "./sealing.ts"

/**
 * The nonce is a keyed digest of the sealed text and its owner, as for passwords: the same key gives the
 * same bytes.
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
