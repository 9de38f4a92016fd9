import {
  type ApiKey,
  type FoundKey,
  type Operation,
  publicTestKey,
  publicTestSecret,
} from "../contract/operation.ts"
import { createBoundedMap } from "../platform/collections.ts"
import { DomainError } from "../platform/error.ts"
import type { Caller } from "../platform/ip-range.ts"
import { isPlaceholder } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import { type ApiKeyStore, couldBeKey, type KeyCipher, KeyRejected } from "./key.ts"
import type { RateLimits } from "./rate-limits.ts"

export type Authentication = Readonly<{
  keyCache: Pick<KeyCache, "findCached" | "findStale" | "lookUp">
  limits: Pick<RateLimits, "admitLookup" | "countInvalid">
  now: () => Date
}>

/** `secret` is trimmed; null if the request had none. Throws RateLimited after too many invalid keys. */
export async function authenticate(
  { keyCache, limits, now }: Authentication,
  secret: string | null,
  caller: Caller,
  operation: Operation | null = null,
): Promise<ApiKey> {
  if (secret === null) throw new DomainError("missing_key")
  let key = keyCache.findCached(secret)
  if (key === null) {
    // A key that was valid is always looked up: neighbors with wrong keys must not lock it out.
    const earlier = keyCache.findStale(secret)
    if (earlier === null || findRejection(earlier, now, operation) !== null)
      limits.admitLookup(caller)
    key = await keyCache.lookUp(secret)
  }
  const rejection =
    key === null ? new DomainError("unknown_key") : findRejection(key, now, operation)
  if (key !== null && rejection === null) return key
  limits.countInvalid(caller)
  throw rejection
}

function findRejection(
  key: FoundKey,
  now: () => Date,
  operation: Operation | null,
): KeyRejected | null {
  if (!mayDownloadAfterEnd(key, operation)) {
    if (key.revokedAt !== null) return new KeyRejected("revoked_key", key)
    if (key.expiresAt !== null && key.expiresAt <= formatTimestamp(now())) {
      return new KeyRejected("expired_key", key)
    }
  }
  return key.isSuspended ? new KeyRejected("account_suspended", key) : null
}

export type KeyCache = Readonly<{
  /** Returns null unless the key was read within the last second. */
  findCached(secret: string): FoundKey | null
  /** Returns the key as it was when it was last read, however long ago. */
  findStale(secret: string): FoundKey | null
  /** Reads the key from the store. Returns null for an unknown key. */
  lookUp(secret: string): Promise<FoundKey | null>
  /** The methods of the store. A changed key is evicted immediately. */
  changes: Pick<ApiKeyStore, "revoke" | "rotate">
}>

/** About 40 MB per generation and thread; the map keeps two generations. */
const keysPerGenerationMax = 100_000

const cachedMsMax = 1_000

type KeySources = Readonly<{
  keys: Pick<ApiKeyStore, "findByLookup" | "revoke" | "rotate">
  keyCipher: Pick<KeyCipher, "lookups">
  nowMs(): number
}>

export function createKeyCache({ keys, keyCipher, nowMs }: KeySources): KeyCache {
  const cache =
    createBoundedMap<Readonly<{ key: FoundKey; readAtMs: number }>>(keysPerGenerationMax)
  const drop = (id: string) => cache.deleteWhere(({ key }) => key.id === id)
  return {
    findCached(secret) {
      const cached = cache.find(secret)
      if (cached === undefined || nowMs() - cached.readAtMs >= cachedMsMax) return null
      return cached.key
    },
    findStale: (secret) =>
      secret === publicTestSecret ? publicTestKey : (cache.find(secret)?.key ?? null),
    async lookUp(secret) {
      if (secret === publicTestSecret) return publicTestKey
      // Earlier versions imported placeholders as keys.
      if (!couldBeKey(secret) || isPlaceholder(secret)) return null
      const readAtMs = nowMs()
      const key = await keys.findByLookup(...keyCipher.lookups(secret))
      if (key !== null) cache.set(secret, { key, readAtMs })
      return key
    },
    changes: {
      async revoke(id, ...rest) {
        await keys.revoke(id, ...rest)
        drop(id)
      },
      async rotate(id, ...rest) {
        const isRotated = await keys.rotate(id, ...rest)
        drop(id)
        return isRotated
      },
    },
  }
}

/** The update that contains the new key must reach products with the old one. */
const mayDownloadAfterEnd = (
  { kind, revokedAt, replacedAt, isLeaked }: FoundKey,
  operation: Operation | null,
): boolean =>
  operation === "create_download" &&
  kind === "vk" &&
  (revokedAt !== null || replacedAt !== null) &&
  !isLeaked
