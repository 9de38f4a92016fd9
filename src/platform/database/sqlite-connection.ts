import { Database, SQLiteError, type SQLQueryBindings, type Statement } from "bun:sqlite"
import { assertCurrent, type Schema } from "./schema-versions.ts"
import type { StoreUse } from "./sql.ts"
import { asUnavailable } from "./sqlite-errors.ts"
import { findFileSize, watchFiles } from "./sqlite-file.ts"
import { fieldOf, renderWritten, type Written } from "./statement.ts"

export type Connection = Database

/**
 * All threads of a server share the pages of a memory map. A command uses its own cache instead, because mapped pages
 * count as memory of the process: an import of two million purchases would seem to take 700 MB.
 */
export const memory: Readonly<Record<StoreUse, readonly string[]>> = {
  serve: [`PRAGMA mmap_size = ${64 * 1024 ** 3}`, "PRAGMA cache_size = -2000"],
  command: ["PRAGMA mmap_size = 0", "PRAGMA cache_size = -49152"],
}

/** Throws MigrationNeeded for a missing or older database, without changing the file. */
export function openConnection(path: string, schema: Schema, use: StoreUse): Connection {
  // An interrupted creation leaves an empty file, in which SQLite would create a database.
  if (!findFileSize(path)) assertCurrent(schema, null, path)
  const assertInPlace = watchFiles(path)
  const connection = connect(path)
  try {
    // Checked before any setting: an unusable file must not be changed.
    assertCurrent(schema, versionOf(connection), path)
    assertInPlace()
    configure(connection)
    // A copy by `VACUUM INTO` is not in WAL mode. The first read after the change creates the `-wal` file.
    versionOf(connection)
    connection.run("PRAGMA foreign_keys = ON")
    for (const setting of memory[use]) connection.run(setting)
    connection.run("PRAGMA busy_timeout = 0")
    connection.run(`PRAGMA journal_size_limit = ${logBytesMax}`)
    if (use === "serve") checkpoint(connection, "PASSIVE")
    return connection
  } catch (error) {
    connection.close()
    throw asUnavailable(error)
  }
}

/** The write-ahead log is truncated above this size. It can grow further while several processes write or a backup reads. */
const logBytesMax = 64 * 1024 ** 2

/** A command waits for readers and writers. A server does not wait, because requests would wait too. */
const checkpointMsMax: Readonly<Record<StoreUse, number>> = { serve: 0, command: 250 }

/**
 * Returns a function to call after each transaction. SQLite restarts the log only after a complete checkpoint. While
 * several processes write, its automatic checkpoints never complete, and the log would grow without limit.
 */
export function createLogLimit(path: string, connection: Connection, use: StoreUse): () => void {
  const measure = () => findFileSize(`${path}-wal`) ?? 0
  let nextBytes = logBytesMax
  return () => {
    const bytes = measure()
    // Another process may have truncated the log.
    nextBytes = Math.min(nextBytes, bytes + logBytesMax)
    if (bytes < nextBytes) return
    connection.run(`PRAGMA busy_timeout = ${checkpointMsMax[use]}`)
    checkpoint(connection, "TRUNCATE")
    connection.run("PRAGMA busy_timeout = 0")
    // While a long read needs the log, the next attempt is made only after it has grown again.
    nextBytes = measure() + logBytesMax
  }
}

/**
 * Copies the log into the database as far as no reader needs it. After a failed fsync the log may contain pages that are
 * readable but not on the disk. A later write would be lost with them in a power failure.
 */
function checkpoint(connection: Connection, mode: "PASSIVE" | "TRUNCATE"): void {
  try {
    connection.run(`PRAGMA wal_checkpoint(${mode})`)
  } catch (error) {
    // A full or read-only disk must not prevent reads.
    if (!(error instanceof SQLiteError)) throw error
  }
}

/** Connects to an existing file without changing it. */
export function connect(path: string): Connection {
  const connection = new Database(path, { readwrite: true, create: false, strict: true })
  // SQLite waits for locks while opening and recovering. Later, `beginWrite` waits.
  connection.run("PRAGMA busy_timeout = 5000")
  return connection
}

/** The settings that migrations also need. */
export function configure(connection: Connection): void {
  connection.run("PRAGMA journal_mode = WAL")
  // With FULL, an acknowledged write survives a power failure.
  connection.run("PRAGMA synchronous = FULL")
  connection.run("PRAGMA trusted_schema = OFF")
  for (const setting of memory.command) connection.run(setting)
}

export function versionOf(connection: Connection): number {
  const pragma = connection.query<{ user_version: number }, []>("PRAGMA user_version")
  return pragma.get()?.user_version ?? 0
}

export function hasTable(connection: Connection, name: string): boolean {
  const select = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?"
  return connection.query(select).get(name) !== null
}

type Prepared = Readonly<{
  statement: Statement<unknown, SQLQueryBindings[]>
  fields: readonly string[]
  /** The indexes of boolean columns. */
  booleans: readonly number[]
}>

/** Caches all statements of the connection. The cache of Bun keeps only the last 20. */
export function createStatements(connection: Connection) {
  const statements = new Map<string, Prepared>()
  function prepare(text: string): Prepared {
    let prepared = statements.get(text)
    if (prepared === undefined) {
      const statement: Prepared["statement"] = connection.prepare(text)
      const fields = statement.columnNames.map(fieldOf)
      const booleans = [...fields.keys()].filter((at) => isBooleanField(fields[at] ?? ""))
      prepared = { statement, fields, booleans }
      statements.set(text, prepared)
    }
    return prepared
  }
  /** Returns all rows, with fields in camelCase and booleans. */
  function query<Row>(...written: Written): readonly Row[] {
    const { text, values, isTuples } = renderWritten(written)
    const prepared = prepare(text)
    // `as`: the values of SQLite are no lists, and the caller knows the columns of its SQL.
    const rows = prepared.statement.values(...(values as SQLQueryBindings[]))
    for (const row of rows) setBooleans(prepared, row)
    return (isTuples ? rows : rows.map((row) => toObject(prepared, row))) as unknown as Row[]
  }
  return {
    query,
    /** As `query`, but one row at a time. */
    *iterate<Row>(...written: Written): Generator<Row> {
      const { text, values } = renderWritten(written)
      const prepared = prepare(text)
      for (const row of prepared.statement.iterate(...(values as SQLQueryBindings[]))) {
        const tuple = Object.values(row as object)
        setBooleans(prepared, tuple)
        yield toObject(prepared, tuple) as Row
      }
    },
    /** Throws StoreUnavailable. */
    async read<Row>(...written: Written): Promise<readonly Row[]> {
      try {
        return query<Row>(...written)
      } catch (error) {
        throw asUnavailable(error)
      }
    },
    /** Must be called before the connection is closed: open statements would keep its locks. */
    finalize() {
      for (const { statement } of statements.values()) statement.finalize()
      statements.clear()
    },
  }
}

function setBooleans({ booleans }: Prepared, row: unknown[]): void {
  for (const at of booleans) if (row[at] !== null) row[at] = row[at] === 1
}

function toObject({ fields }: Prepared, row: readonly unknown[]): Record<string, unknown> {
  const object: Record<string, unknown> = {}
  for (const [at, field] of fields.entries()) object[field] = row[at]
  return object
}

const isBooleanField = (field: string) => /^(is|has)[A-Z]/.test(field)
