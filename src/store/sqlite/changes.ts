import type { Database } from "bun:sqlite"
import { asUnavailable, endReading, writesOf } from "./database.ts"

/** Another number once anything may have changed: what was read before is then out of date. */
export type ChangeCount = () => number

/** Asking SQLite takes 2 µs, an eighth of a request; a command takes longer than this to end. */
const theirsEveryMs = 1

/**
 * Exact for what this process writes, on whichever thread. What other processes commit SQLite
 * counts, and is asked for once a millisecond.
 */
export function sqliteChangeCount(db: Database): ChangeCount {
  const theirs = db.query<{ data_version: number }, []>("PRAGMA data_version")
  let seenTheirs = theirs.get()?.data_version
  let seenOurs = writesOf(db)
  let lookedAtMs = 0
  let changes = 0

  function lookAtOurs(): void {
    const found = writesOf(db)
    if (found === seenOurs) return
    seenOurs = found
    changes += 1
    // What is read from here on must not be of a moment before that write.
    endReading(db)
  }
  function lookAtTheirs(): void {
    const nowMs = performance.now()
    if (nowMs - lookedAtMs <= theirsEveryMs) return
    lookedAtMs = nowMs
    const found = theirs.get()?.data_version
    if (found === seenTheirs) return
    seenTheirs = found
    changes += 1
  }
  return () => {
    try {
      lookAtOurs()
      lookAtTheirs()
    } catch (error) {
      throw asUnavailable(error)
    }
    return changes
  }
}
