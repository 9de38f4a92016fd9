import type { Connection } from "./connection.ts"
import type { Prepare } from "./statements.ts"

/**
 * One read transaction for all lookups of a turn of the event loop, because locking in SQLite costs more than finding a
 * row.
 */
export function createSharedRead(connection: Connection, prepare: Prepare) {
  const begin = prepare("BEGIN")
  const commit = prepare("COMMIT")
  let isOpen = false

  /** Ends the transaction early: after a write, so that later reads see it, and before closing. */
  function end(): void {
    if (!isOpen) return
    isOpen = false
    // After some errors, such as a disk failure, SQLite has already ended the transaction.
    if (connection.inTransaction) commit.run()
  }
  return {
    /** Begins a transaction that ends with the turn, unless the turn has one. */
    join(): void {
      if (isOpen) return
      begin.run()
      isOpen = true
      setImmediate(end)
    },
    end,
  }
}
