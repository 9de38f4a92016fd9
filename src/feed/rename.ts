import { SealBroken } from "../domain/error.ts"
import type { FeedSecrets, Rename } from "../domain/feed.ts"

/** The `was` of an account line. */
export function createRename(from: string, keys: FeedSecrets["keys"]): Rename {
  return {
    from,
    reseal(key, username) {
      try {
        return keys.seal(keys.unseal(key.sealed, key), { ...key, username })
      } catch (error) {
        // A damaged copy must not stop the renaming: requests with the key work without it.
        if (error instanceof SealBroken) return key.sealed
        throw error
      }
    },
  }
}
