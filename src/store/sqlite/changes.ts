import type { Database } from "bun:sqlite"
import { asUnavailable, endReading, writesOf } from "./database.ts"

/** Another number once a row that may be cached has changed: every cache is then out of date. */
export type ChangeCount = () => number

/** Asking SQLite takes 2 µs, an eighth of a request; a command takes longer than this to end. */
const theirsEveryMs = 1

/**
 * The database counts the changes of cached tables in `cached_rows`, whoever makes them. Reading that
 * row costs as much as a look-up, so it is read only after a write: at once for writes of this
 * process, on whichever thread, and within a millisecond for commits of other processes.
 */
export function sqliteChangeCount(db: Database): ChangeCount {
  const findChanges = db.query<{ changes: number }, []>("SELECT changes FROM cached_rows")
  const theirs = db.query<{ data_version: number }, []>("PRAGMA data_version")
  let seenTheirs = theirs.get()?.data_version
  let seenOurs = writesOf(db)
  let lookedAtMs = 0
  let isOld = false
  let changes = readChanges()

  function readChanges(): number {
    const row = findChanges.get()
    if (row === null) throw new Error("the count of changes is missing")
    return row.changes
  }
  function isWrittenByUs(): boolean {
    const found = writesOf(db)
    if (found === seenOurs) return false
    seenOurs = found
    // Later reads must not come from a snapshot older than that write.
    endReading(db)
    return true
  }
  function isWrittenByOthers(): boolean {
    const nowMs = performance.now()
    if (nowMs - lookedAtMs <= theirsEveryMs) return false
    lookedAtMs = nowMs
    const found = theirs.get()?.data_version
    if (found === seenTheirs) return false
    seenTheirs = found
    return true
  }
  return () => {
    try {
      isOld ||= isWrittenByUs() || isWrittenByOthers()
      if (isOld) changes = readChanges()
      isOld = false
    } catch (error) {
      throw asUnavailable(error)
    }
    return changes
  }
}
