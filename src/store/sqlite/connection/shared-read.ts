import type { Connection } from "./connection.ts"
import type { Prepare } from "./statements.ts"

/**
 * One read transaction for all look-ups of a turn of the event loop. Taking and releasing SQLite's lock costs more
 * than finding a row does: without this, a validation takes 10 % more CPU.
 */
export function createSharedRead(connection: Connection, prepare: Prepare) {
  const begin = prepare("BEGIN")
  const commit = prepare("COMMIT")
  let isOpen = false

  /** Ends it early: before a write, which needs a transaction of its own, and before closing. */
  function end(): void {
    if (!isOpen) return
    isOpen = false
    // After some errors, such as a failing disk, SQLite has ended the transaction by itself.
    if (connection.inTransaction) commit.run()
  }
  return {
    /** Begins the transaction unless this turn has one. It ends with the turn. */
    join(): void {
      if (isOpen) return
      begin.run()
      isOpen = true
      setImmediate(end)
    },
    end,
  }
}
