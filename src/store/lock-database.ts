import { type Connection, connect, isBusy } from "../platform/database/sqlite.ts"
import { UserError } from "../platform/error.ts"
import { assertPazarDatabase } from "./migrate-sqlite.ts"

/** Long enough for another command to end. */
const lockWaitMs = 1_000

/**
 * Begins a transaction that locks all other connections out until it is closed. Throws UserError if the database is in
 * use.
 *
 * SQLite cannot leave WAL mode while another connection has the file open, so a successful change of the journal mode
 * proves that the database is not in use.
 */
export function lockDatabase(path: string): Connection {
  const lock = connect(path)
  try {
    lock.run(`PRAGMA busy_timeout = ${lockWaitMs}`)
    assertPazarDatabase(lock, path)
    lock.run("PRAGMA journal_mode = DELETE")
    lock.run("BEGIN EXCLUSIVE")
    return lock
  } catch (error) {
    lock.close()
    if (!isBusy(error)) throw error
    throw new UserError(
      `${path} is in use; stop every pazar and every other program that has it open, then run the command again`,
    )
  }
}
