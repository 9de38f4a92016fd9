import type { ChangedKeys, KeyChanges } from "../../domain/key-changes.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import type { ChangeCount } from "./changes.ts"

/** SQLite does not tell what it was that changed: any key may have. */
export function sqliteKeyChanges(changeCount: ChangeCount): KeyChanges {
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
        // A file that cannot be read: the look-up that follows says so.
        return false
      }
    },
    isStoreLost: () => false,
    async findCopy() {
      throw new StoreUnavailable("an embedded store has no copies")
    },
  }
}
