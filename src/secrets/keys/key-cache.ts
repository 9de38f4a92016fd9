/** A cache of keys by their secrets. A cached key is read again from the store after a second. */
import { isPlaceholder } from "../../domain/catalog/purchase-code.ts"
import {
  type ApiKeyStore,
  couldBeKey,
  type FoundKey,
  type KeyCipher,
  publicTestKey,
  publicTestSecret,
} from "../../domain/keys/api-key.ts"
import { createBoundedMap } from "../../domain/values/bounded-map.ts"

export type KeyCache = Readonly<{
  /** Returns null for a key that was not read within the last second. Most requests need no more. */
  findCached(secret: string): FoundKey | null
  /** Returns the key as it was when it was last read, however long ago. */
  findStale(secret: string): FoundKey | null
  /** Reads the key from the store. Returns null for an unknown key. */
  lookUp(secret: string): Promise<FoundKey | null>
  /** The methods of the store; a key that they change is dropped from the cache immediately. */
  changes: Pick<ApiKeyStore, "revoke" | "rotate">
}>

/** About 40 MB on each thread; twice that when as many keys again are in use. */
const keysOfGeneration = 100_000

const cachedMsMax = 1_000

type CachedKey = Readonly<{ key: FoundKey; readAtMs: number }>

type Sources = Readonly<{
  keys: Pick<ApiKeyStore, "findByLookup" | "revoke" | "rotate">
  keyCipher: Pick<KeyCipher, "lookups">
  /** Monotonic. */
  nowMs(): number
}>

export function createKeyCache({ keys, keyCipher, nowMs }: Sources): KeyCache {
  const known = createBoundedMap<CachedKey>(keysOfGeneration)
  const drop = (id: string) => known.deleteWhere(({ key }) => key.id === id)

  async function read(secret: string): Promise<FoundKey | null> {
    const readAtMs = nowMs()
    for (const lookup of keyCipher.lookups(secret)) {
      const key = await keys.findByLookup(lookup)
      if (key === null) continue
      known.set(secret, { key, readAtMs })
      return key
    }
    return null
  }
  return {
    findCached(secret) {
      const cached = known.find(secret)
      if (cached === undefined || nowMs() - cached.readAtMs >= cachedMsMax) return null
      return cached.key
    },
    findStale: (secret) =>
      secret === publicTestSecret ? publicTestKey : (known.find(secret)?.key ?? null),
    async lookUp(secret) {
      // Compared only where a look-up would follow, so that known keys do not pay for it.
      if (secret === publicTestSecret) return publicTestKey
      // An earlier version may have taken a placeholder with a feed.
      return couldBeKey(secret) && !isPlaceholder(secret) ? read(secret) : null
    },
    changes: {
      async revoke(id, ...rest) {
        await keys.revoke(id, ...rest)
        drop(id)
      },
      async rotate(id, ...rest) {
        const isReplaced = await keys.rotate(id, ...rest)
        drop(id)
        return isReplaced
      },
    },
  }
}
