/** Connections to the embedded database, with the settings that the rest of the adapter relies on. */
import { Database, SQLiteError } from "bun:sqlite"
import { assertCurrent } from "../../sql/schema-versions.ts"
import type { StoreUse } from "../../sql/sql-database.ts"
import { schema } from "../schema/schema.ts"
import { asUnavailable } from "./errors.ts"
import { findFileSize, watchDatabase } from "./file.ts"

export type Connection = Database

/**
 * The pages of a memory map belong to the system, and all threads share them. But they count as memory of the
 * process: an import of two million purchases would seem to take 700 MB. So a command uses a cache of its own instead.
 */
const memory: Readonly<Record<StoreUse, readonly string[]>> = {
  serve: [`PRAGMA mmap_size = ${64 * 1024 ** 3}`, "PRAGMA cache_size = -2000"],
  command: ["PRAGMA mmap_size = 0", "PRAGMA cache_size = -49152"],
}

/** Throws MigrationNeeded where there is no store, or an older one: opening never makes or changes one. */
export function openConnection(path: string, use: StoreUse): Connection {
  // An interrupted creation leaves an empty file behind; SQLite would begin a store in it.
  if (!findFileSize(path)) assertCurrent(schema, null, path)
  const assertInPlace = watchDatabase(path)
  const connection = connect(path)
  try {
    // Before any setting: a file that we cannot use must stay as it is.
    assertCurrent(schema, versionOf(connection), path)
    assertInPlace()
    configure(connection)
    // A copy that `VACUUM INTO` made comes without WAL; the first read after the change makes its `-wal`.
    versionOf(connection)
    connection.run("PRAGMA foreign_keys = ON")
    for (const setting of memory[use]) connection.run(setting)
    connection.run("PRAGMA busy_timeout = 0")
    connection.run(`PRAGMA journal_size_limit = ${logBytesMax}`)
    if (use === "serve") emptyLog(connection, "PASSIVE")
    return connection
  } catch (error) {
    connection.close()
    throw asUnavailable(error)
  }
}

/** The write-ahead log is emptied when it is larger. While processes write by turns, or a backup reads, it can grow further. */
const logBytesMax = 64 * 1024 ** 2

/** A command may wait for readers and writers. Requests wait for a server, so it only tries. */
const emptyingMsMax: Readonly<Record<StoreUse, number>> = { serve: 0, command: 250 }

/**
 * Returns what a writer calls after each transaction. SQLite restarts the log only when all of it was copied into the
 * database. Processes that write by turns never let its own checkpoints reach the end, and the log grows as long as they write.
 */
export function createLogLimit(path: string, connection: Connection, use: StoreUse): () => void {
  const measure = () => findFileSize(`${path}-wal`) ?? 0
  let nextBytes = logBytesMax
  return () => {
    const bytes = measure()
    // Another process may have emptied the log.
    nextBytes = Math.min(nextBytes, bytes + logBytesMax)
    if (bytes < nextBytes) return
    connection.run(`PRAGMA busy_timeout = ${emptyingMsMax[use]}`)
    emptyLog(connection, "TRUNCATE")
    connection.run("PRAGMA busy_timeout = 0")
    // Where a long read needs the log, other writers do not wait for it again at every transaction.
    nextBytes = measure() + logBytesMax
  }
}

/**
 * Moves the log into the database as far as no reader needs it. After a failed fsync the log may have pages that
 * can be read and are not on the disk: a write that follows them would be lost with them in a power cut.
 */
function emptyLog(connection: Connection, mode: "PASSIVE" | "TRUNCATE"): void {
  try {
    connection.run(`PRAGMA wal_checkpoint(${mode})`)
  } catch (error) {
    // A full or read-only disk must not keep a server from reading.
    if (!(error instanceof SQLiteError)) throw error
  }
}

/** Connects to a file that exists, and changes nothing in it. */
export function connect(path: string): Connection {
  const connection = new Database(path, { readwrite: true, create: false, strict: true })
  // Opening and recovering take locks of their own; later on `transact` does the waiting.
  connection.run("PRAGMA busy_timeout = 5000")
  return connection
}

/** The settings that migrations need too. */
export function configure(connection: Connection): void {
  connection.run("PRAGMA journal_mode = WAL")
  // FULL: a write that was acknowledged survives a power cut, not only a crash.
  connection.run("PRAGMA synchronous = FULL")
  connection.run("PRAGMA trusted_schema = OFF")
  for (const setting of memory.command) connection.run(setting)
}

/**
 * The version of the schema, which SQLite keeps in the head of the file. Programs before 0.13 kept there which version
 * could still use the store, and the version in a table.
 */
export function versionOf(connection: Connection): number {
  const row = connection
    .query<{ version: number }, []>("SELECT user_version AS version FROM pragma_user_version")
    .get()
  const version = row?.version ?? 0
  if (!hasTable(connection, "schema_steps")) return version
  const select = "SELECT max(version) AS version FROM schema_steps WHERE is_done = 1"
  const step = connection.query<{ version: number | null }, []>(select).get()
  return Math.max(version, step?.version ?? 0)
}

export const hasTable = (connection: Connection, name: string): boolean =>
  connection.query("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?").get(name) !==
  null
