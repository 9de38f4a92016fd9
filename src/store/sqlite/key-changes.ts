import type { Database } from "bun:sqlite"
import type { ChangedKeys, KeyChanges } from "../../domain/key-changes.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { writesOf } from "./database.ts"

/** Asking for it takes 2 µs, a tenth of a request: often enough for everybody but a stopwatch. */
const theirsEveryMs = 5

/**
 * SQLite counts what other connections commit and what this one writes, whatever it is: if either
 * count moved, any key may have changed.
 */
export function sqliteKeyChanges(db: Database): KeyChanges {
  const theirs = db.query<{ data_version: number }, []>("PRAGMA data_version")
  const watchers: ((changed: ChangedKeys) => void)[] = []
  let seenTheirs = theirs.get()?.data_version
  let seenOurs = writesOf(db)
  let lookedAtMs = 0

  function hasChanged(): boolean {
    const theirsBefore = seenTheirs
    const oursBefore = seenOurs
    seenOurs = writesOf(db)
    const nowMs = performance.now()
    if (nowMs - lookedAtMs > theirsEveryMs) {
      lookedAtMs = nowMs
      seenTheirs = theirs.get()?.data_version
    }
    return theirsBefore !== seenTheirs || oursBefore !== seenOurs
  }
  return {
    watch(onChange) {
      watchers.push(onChange)
    },
    isCurrent() {
      try {
        if (hasChanged()) for (const tell of watchers) tell("all")
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
