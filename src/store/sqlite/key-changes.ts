import type { Database } from "bun:sqlite"
import type { ChangedKeys, KeyChanges } from "../../domain/key-changes.ts"
import { StoreUnavailable } from "../../domain/store.ts"

/**
 * SQLite counts what other connections commit and what this one writes, whatever it is: if either
 * count moved, any key may have changed. Asking takes 2 µs, a look-up of the key 12.
 */
export function sqliteKeyChanges(db: Database): KeyChanges {
  const theirs = db.query<{ data_version: number }, []>("PRAGMA data_version")
  const ours = db.query<{ written: number }, []>("SELECT total_changes() AS written")
  const watchers: ((changed: ChangedKeys) => void)[] = []
  let seenTheirs = theirs.get()?.data_version
  let seenOurs = ours.get()?.written

  function lookForChanges(): void {
    const version = theirs.get()?.data_version
    const written = ours.get()?.written
    if (version === seenTheirs && written === seenOurs) return
    seenTheirs = version
    seenOurs = written
    for (const tell of watchers) tell("all")
  }
  return {
    watch(onChange) {
      watchers.push(onChange)
    },
    isCurrent() {
      try {
        lookForChanges()
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
