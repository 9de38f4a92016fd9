import { releasedSitesMark } from "../../sql/move/marks.ts"
import { asUnavailable } from "./errors.ts"
import type { SharedRead } from "./shared-read.ts"
import { readWriteCount, type SharedState } from "./shared-state.ts"
import type { Prepare } from "./statements.ts"

/** Returns another number once a row that may be cached has changed: every cache is then out of date. */
export type ChangeCount = () => number

export type Changes = Readonly<{
  changeCount: ChangeCount
  /** The mark of released sites. */
  readReleased(): string | null
}>

/** Asking SQLite takes 2 µs, an eighth of a request; a command takes longer than this to end. */
const askEveryMs = 1

/**
 * Triggers count the changes of cached tables in `cached_rows`, also those of other processes. Reading
 * that row costs as much as a look-up, so it is read only after a write: at once for synced writes of any
 * thread here, and within a millisecond for commits of other processes.
 */
export function watchChanges(
  prepare: Prepare,
  sharedRead: SharedRead,
  shared: SharedState,
): Changes {
  const findChanges = prepare<Changed, []>(
    `SELECT changes, (SELECT value FROM metadata WHERE name = '${releasedSitesMark}') AS released FROM cached_rows`,
  )
  const findVersion = prepare<{ data_version: number }, []>("PRAGMA data_version")
  let seenVersion = findVersion.get()?.data_version
  let seenWrites = readWriteCount(shared)
  let askedAtMs = 0
  let isOld = false
  let changed = readChanges()

  function readChanges(): Changed {
    const row = findChanges.get()
    if (row === null) throw new Error("the count of changes is missing")
    return row
  }
  function isWrittenByUs(): boolean {
    const found = readWriteCount(shared)
    if (found === seenWrites) return false
    seenWrites = found
    // Later reads must not come from a snapshot older than that write.
    sharedRead.end()
    return true
  }
  function isWrittenByOthers(): boolean {
    const nowMs = performance.now()
    if (nowMs - askedAtMs <= askEveryMs) return false
    askedAtMs = nowMs
    const found = findVersion.get()?.data_version
    if (found === seenVersion) return false
    seenVersion = found
    return true
  }
  function catchUp(): Changed {
    try {
      isOld ||= isWrittenByUs() || isWrittenByOthers()
      if (isOld) changed = readChanges()
      isOld = false
    } catch (error) {
      throw asUnavailable(error)
    }
    return changed
  }
  return { changeCount: () => catchUp().changes, readReleased: () => catchUp().released }
}

type Changed = Readonly<{ changes: number; released: string | null }>
