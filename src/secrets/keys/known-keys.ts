/**
 * A cache of keys by their secrets. A cached key needs no look-up as long as the store reports every
 * change. When the store is lost, only cached keys are accepted, and only if a copy of the store agrees.
 */
import {
  type ApiKeyStore,
  couldBeKey,
  type FoundKey,
  type KeyChanges,
  type KeyVault,
  publicTestKey,
  publicTestSecret,
} from "../../domain/keys/api-key.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { type CacheCounts, createCacheCounts } from "../../domain/usage/measures.ts"
import { createGenerations } from "../../domain/values/generations.ts"
import type { Awaitable } from "../../domain/values/work-queue.ts"

export type KnownKeys = Readonly<{
  /** Null for a key that is not cached, or not surely current. Most requests need no more. */
  findCached(secret: string): FoundKey | null
  /** Asks the store. Null for an unknown key. */
  lookUp(secret: string): Awaitable<FoundKey | null>
  counts: Readonly<CacheCounts>
}>

/** About 40 MB on each thread; twice that when as many keys again are in use. */
const keysOfGeneration = 100_000

type Sources = Readonly<{
  keys: Pick<ApiKeyStore, "findByLookup">
  keyChanges: KeyChanges
  vault: Pick<KeyVault, "lookup">
}>

export function createKnownKeys({ keys, keyChanges, vault }: Sources): KnownKeys {
  const known = createGenerations<FoundKey>(keysOfGeneration)
  const counts = createCacheCounts()
  let changes = 0

  keyChanges.watch((changed) => {
    changes += 1
    if (changed === "all") return known.clear()
    const ids = new Set(changed)
    known.deleteWhere(({ id }) => ids.has(id))
  })

  async function ask(secret: string): Promise<FoundKey | null> {
    const lookup = vault.lookup(secret)
    const changesBefore = changes
    const key = await keys.findByLookup(lookup)
    // A change during the look-up may make this row stale; do not cache it.
    const isFresh = changes === changesBefore && keyChanges.catchUp()
    if (key !== null && isFresh) known.set(secret, key)
    return key
  }
  /** A copy without the key is out of date: that is no answer. */
  async function askCopy(secret: string, key: FoundKey): Promise<FoundKey> {
    if (key.revokedAt !== null) return key
    const copy = await keyChanges.findCopy(vault.lookup(secret))
    if (copy === null) throw new StoreUnavailable("no copy of the store has this key")
    return copy
  }
  async function askOrCopy(secret: string, key: FoundKey): Promise<FoundKey | null> {
    if (keyChanges.isStoreLost()) return askCopy(secret, key)
    try {
      return await ask(secret)
    } catch (error) {
      if (error instanceof StoreUnavailable) return askCopy(secret, key)
      throw error
    }
  }
  return {
    findCached(secret) {
      const isCurrent = keyChanges.catchUp()
      const key = known.find(secret)
      if (key === undefined || !isCurrent) return null
      counts.hits += 1
      return key
    },
    lookUp(secret) {
      counts.misses += 1
      const key = known.find(secret)
      if (key !== undefined) return askOrCopy(secret, key)
      // Compared only where a look-up would follow, so that known keys do not pay for it.
      if (secret === publicTestSecret) return publicTestKey
      return couldBeKey(secret) ? ask(secret) : null
    },
    counts,
  }
}
