/**
 * A cache of keys by their secrets. A cached key needs no look-up as long as the store reports every
 * change. When the store is lost, a cached key is accepted only if a copy of the store agrees.
 */
import { isPlaceholder } from "../../domain/catalogue/purchase-code.ts"
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
  vault: Pick<KeyVault, "lookups">
  /** After it `vault` knows the master keys of the last second: the store may have been given a new one. */
  refreshMasterKeys(): Promise<void>
}>

export function createKnownKeys({
  keys,
  keyChanges,
  vault,
  refreshMasterKeys,
}: Sources): KnownKeys {
  const known = createGenerations<FoundKey>(keysOfGeneration)
  const counts = createCacheCounts()
  let changes = 0

  keyChanges.watch((changed) => {
    changes += 1
    if (changed === "all") return known.clear()
    const ids = new Set(changed)
    known.deleteWhere(({ id }) => ids.has(id))
  })

  /** In the order of the vault: a key that is sealed anew meanwhile is found by the later value. */
  async function findAny(
    secret: string,
    find: (lookup: Uint8Array) => Promise<FoundKey | null>,
  ): Promise<FoundKey | null> {
    const tried: Uint8Array[] = []
    for (const lookup of vault.lookups(secret)) {
      const key = await find(lookup)
      if (key !== null) return key
      tried.push(lookup)
    }
    await refreshMasterKeys()
    const added = vault
      .lookups(secret)
      .filter((lookup) => !tried.some((other) => Buffer.compare(other, lookup) === 0))
    for (const lookup of added) {
      const key = await find(lookup)
      if (key !== null) return key
    }
    return null
  }
  async function ask(secret: string): Promise<FoundKey | null> {
    const changesBefore = changes
    const key = await findAny(secret, keys.findByLookup)
    // A change during the look-up may make this row stale; do not cache it.
    const isFresh = changes === changesBefore && keyChanges.catchUp()
    if (key !== null && isFresh) known.set(secret, key)
    return key
  }
  /** A copy without the key is out of date: that is no answer. */
  async function askCopy(secret: string, key: FoundKey): Promise<FoundKey> {
    if (key.revokedAt !== null) return key
    const copy = await findAny(secret, keyChanges.findCopy)
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
      // An earlier version may have taken a placeholder with a feed.
      return couldBeKey(secret) && !isPlaceholder(secret) ? ask(secret) : null
    },
    counts,
  }
}
