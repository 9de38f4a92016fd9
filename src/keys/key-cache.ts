import { type FoundKey, publicTestKey, publicTestSecret } from "../contract/operation.ts"
import { createBoundedMap } from "../platform/collections.ts"
import { isPlaceholder } from "../platform/text.ts"
import { type ApiKeyStore, couldBeKey, type KeyCipher } from "./key.ts"

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

type CachedKey = Readonly<{ key: FoundKey; readAtMs: number }>

type Sources = Readonly<{
  keys: Pick<ApiKeyStore, "findByLookup" | "revoke" | "rotate">
  keyCipher: Pick<KeyCipher, "lookups">
  /** Monotonic. */
  nowMs(): number
}>

export function createKeyCache({ keys, keyCipher, nowMs }: Sources): KeyCache {
  const cache = createBoundedMap<CachedKey>(keysPerGenerationMax)
  const drop = (id: string) => cache.deleteWhere(({ key }) => key.id === id)

  async function read(secret: string): Promise<FoundKey | null> {
    const readAtMs = nowMs()
    const key = await keys.findByLookup(...keyCipher.lookups(secret))
    if (key !== null) cache.set(secret, { key, readAtMs })
    return key
  }
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
      return couldBeKey(secret) && !isPlaceholder(secret) ? read(secret) : null
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
