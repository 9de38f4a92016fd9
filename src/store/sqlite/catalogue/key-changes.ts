import type { ChangedKeys, KeyChanges } from "../../../domain/keys/api-key.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import type { Database } from "../connection/database.ts"

/** SQLite does not say what changed: it may have been any key. */
export function sqliteKeyChanges({ changeCount }: Database): KeyChanges {
  const watchers: ((changed: ChangedKeys) => void)[] = []
  let seenChanges = changeCount()
  return {
    watch(onChange) {
      watchers.push(onChange)
    },
    catchUp() {
      try {
        const changes = changeCount()
        if (changes !== seenChanges) for (const tell of watchers) tell("all")
        seenChanges = changes
        return true
      } catch {
        // The file cannot be read; the look-up that follows reports it.
        return false
      }
    },
    isStoreLost: () => false,
    async findCopy() {
      throw new StoreUnavailable("an embedded store has no copies")
    },
  }
}
