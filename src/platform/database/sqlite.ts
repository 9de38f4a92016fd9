import {
  Database as Connection,
  SQLiteError,
  type SQLQueryBindings,
  type Statement,
} from "bun:sqlite"
import { StoreUnavailable } from "../error.ts"
import { createWorkQueue, withTimeout } from "../timers.ts"
import { assertCurrent, type Schema } from "./schema-versions.ts"
import {
  createShortcuts,
  type Dialect,
  listPart,
  rawSql,
  renderWritten,
  Sql,
  type SqlDatabase,
  type StoreUse,
  sql,
  type Transaction,
  toFieldName,
  type Value,
  type WriteTimes,
  type Written,
} from "./sql.ts"
import { findFileSize, watchFiles } from "./sqlite-file.ts"

export type { Connection }

/** Reads run synchronously: no write of this thread can run between two reads that start together. */
export type Database = SqlDatabase &
  Readonly<{
    /** `waitMs` is how long to wait for the transaction of another process. */
    transaction<T>(work: (tx: Transaction) => Promise<T>, waitMs?: number): Promise<T>
    /** For frequent statements, which run inside `shareRead`. */
    readNow<Row>(...written: Written): readonly Row[]
    iterate<Row>(...written: Written): Generator<Row>
    /** Returns a lookup that shares one read transaction with all others of its turn of the event loop. */
    shareRead<Found, First, Second = void, Third = void>(
      lookUp: (first: First, second: Second, third: Third) => Found,
    ): (first: First, second: Second, third: Third) => Promise<Found>
    writes: Readonly<WriteTimes>
    /** Throws StoreUnavailable if the file was moved or replaced, or after a disk failure. */
    assertUnchanged(): void
    /** Resolves after a disk failure, after which this thread rejects all writes. */
    untilFailed(): Promise<StoreUnavailable>
    close(): Promise<void>
  }>

export const dialect: Dialect = {
  each: (list, type) =>
    sql`SELECT ${rawSql(type === "bytea" ? "unhex(value)" : "value")} FROM json_each(${listPart(list)})`,
  among: (list, type) => sql`IN (${dialect.each(list, type)})`,
  rowsFor(_table, columns, rows) {
    const names = columns.split(/,\s+/)
    const fields = names.map(toFieldName)
    // `as`: a field that an object lacks is null.
    const values = rows.map((row) => fields.map((field) => (row as Record<string, unknown>)[field]))
    const selected = names.map((name, at) => `value ->> ${at} AS ${name}`).join(", ")
    return sql`(SELECT ${rawSql(selected)} FROM json_each(${JSON.stringify(values)})) AS new`
  },
  // One statement for each row: reading a row from JSON takes six times as long as inserting it.
  inserts(table, columns, rows, onConflict = "") {
    const fields = columns.split(/,\s+/).map(toFieldName)
    const commas = fields.slice(1).map(() => ", ")
    const strings = [`INSERT INTO ${table} (${columns}) VALUES (`, ...commas, `) ${onConflict}`]
    return rows.map((row) => {
      // `as`: a field that an object lacks is null.
      const values = row as Record<string, Value | undefined>
      return new Sql(
        strings,
        fields.map((field) => values[field] ?? null),
      )
    })
  },
  fromJson: (column, ...path) => rawSql(`${column} ->> '$.${path.join(".")}'`),
  lock: () => rawSql(""),
  indexedBy: (index) => rawSql(`INDEXED BY ${index}`),
}

/** Feeds wait longer: creating an index in a migration takes a second per 100,000 purchases. */
export const feedWaitMs = 50_000
/** How long a write waits for other transactions, which usually take milliseconds. A request has two seconds in all. */
const waitMsMax: Readonly<Record<StoreUse, number>> = { serve: 1_500, command: 5_000 }

/**
 * Reads and writes use separate connections, so that requests can be processed between the statements of a transaction.
 * Throws MigrationNeeded for a missing or older database.
 */
export function openDatabase(
  path: string,
  schema: Schema,
  use: StoreUse,
  writeWaitMs = waitMsMax[use],
): Database {
  const reading = openConnection(path, schema, use)
  const writing = openConnection(path, schema, use)
  const { query, iterate, read, finalize } = createStatements(reading)
  const sharedRead = createSharedRead(reading)
  const limitLog = createLogLimit(path, writing, use)
  const writer = createWriter(path, writing, () => {
    // Later reads must see the change.
    sharedRead.end()
    limitLog()
  })
  const transaction = <T>(work: (tx: Transaction) => Promise<T>, waitMs = writeWaitMs) =>
    writer.transaction(work, waitMs)
  return {
    ...dialect,
    read,
    readLong: read,
    transaction,
    ...createShortcuts({ read, transaction }),
    readNow: query,
    iterate,
    shareRead: (lookUp) => async (first, second, third) => {
      try {
        sharedRead.join()
        return lookUp(first, second, third)
      } catch (error) {
        throw asUnavailable(error)
      }
    },
    writes: writer.writes,
    assertUnchanged: writer.assertUnchanged,
    untilFailed: writer.untilFailed,
    async close() {
      // Closing the last connection would copy the log into the database, unverified pages included.
      if (writer.hasFailed()) return
      sharedRead.close()
      finalize()
      reading.close()
      writer.finalize()
      writing.close()
    },
  }
}

/** Transactions of one thread, one after the other. `onCommit` is called after each. */
function createWriter(path: string, connection: Connection, onCommit: () => void) {
  // `openConnection` has read once, which creates the `-wal` file.
  const assertInPlace = watchFiles(path, `${path}-wal`)
  const { query, finalize } = createStatements(connection)
  const tx: Transaction = { ...dialect, query: async (...written) => query(...written) }
  const writes: WriteTimes = { succeededAtMs: 0, failedAtMs: 0 }
  const enqueue = createWorkQueue(1, () => Promise.resolve())
  const failure = Promise.withResolvers<StoreUnavailable>()
  let diskFailure: StoreUnavailable | null = null

  function assertUnchanged(): void {
    if (diskFailure !== null) throw diskFailure
    assertInPlace()
  }
  async function transact<T>(work: (tx: Transaction) => Promise<T>, waitMs: number): Promise<T> {
    await beginWrite(connection, waitMs)
    let result: T
    try {
      assertUnchanged()
      result = await work(tx)
      connection.run("COMMIT")
      // If the file was moved concurrently, the change is lost with it and must not be acknowledged.
      assertInPlace()
    } catch (error) {
      if (isDiskFailure(error)) {
        diskFailure = new StoreUnavailable(
          "the disk could not save a write (fsync); restart this process to open the database again",
        )
        failure.resolve(diskFailure)
      }
      if (connection.inTransaction) connection.run("ROLLBACK")
      throw asUnavailable(error)
    }
    onCommit()
    return result
  }
  return {
    writes,
    assertUnchanged,
    hasFailed: () => diskFailure !== null,
    untilFailed: () => failure.promise,
    transaction<T>(work: (tx: Transaction) => Promise<T>, waitMs: number): Promise<T> {
      const deadline = performance.now() + waitMs
      let hasStarted = false
      const result = enqueue(async () => {
        const leftMs = deadline - performance.now()
        if (leftMs < 0) throw queuedTooLong()
        hasStarted = true
        try {
          const result = await transact(work, leftMs)
          writes.succeededAtMs = performance.now()
          return result
        } catch (error) {
          if (error instanceof StoreUnavailable && !isBusy(error.cause))
            writes.failedAtMs = performance.now()
          throw error
        }
      })
      // A feed of this thread may be first in the queue and wait for another process for much longer.
      return withTimeout(result, waitMs, () => {
        if (hasStarted) return result
        throw queuedTooLong()
      })
    },
    finalize,
  }
}

const queuedTooLong = () =>
  new StoreUnavailable("the database is unavailable: another transaction of this server takes long")

/** Sleeps between attempts, because `busy_timeout` of SQLite would block all requests of the thread. */
export async function beginWrite(connection: Connection, waitMs: number): Promise<void> {
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      connection.run("BEGIN IMMEDIATE")
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw asUnavailable(error)
    }
    await Bun.sleep(5)
  }
}

/**
 * One read transaction for all lookups of a turn of the event loop, because locking in SQLite costs more than finding a
 * row.
 */
function createSharedRead(connection: Connection) {
  const begin = connection.prepare("BEGIN")
  const commit = connection.prepare("COMMIT")
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
    close() {
      end()
      begin.finalize()
      commit.finalize()
    },
  }
}

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
    assertCurrent(schema, readVersion(connection), path)
    assertInPlace()
    configure(connection)
    // A copy by `VACUUM INTO` is not in WAL mode. The first read after the change creates the `-wal` file.
    readVersion(connection)
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
function createLogLimit(path: string, connection: Connection, use: StoreUse): () => void {
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
  const connection = new Connection(path, { readwrite: true, create: false, strict: true })
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

export function readVersion(connection: Connection): number {
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
  booleans: readonly number[]
}>

/** Caches all statements of the connection. The cache of Bun keeps only the last 20. */
export function createStatements(connection: Connection) {
  const statements = new Map<string, Prepared>()
  function prepare(text: string): Prepared {
    let prepared = statements.get(text)
    if (prepared === undefined) {
      const statement: Prepared["statement"] = connection.prepare(text)
      const fields = statement.columnNames.map(toFieldName)
      const booleans = [...fields.keys()].filter((at) => isBooleanField(fields[at] ?? ""))
      prepared = { statement, fields, booleans }
      statements.set(text, prepared)
    }
    return prepared
  }
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

const hasCode = (error: unknown, pattern: RegExp) =>
  error instanceof SQLiteError && pattern.test(error.code ?? "")

export const isBusy = (error: unknown) => hasCode(error, /^SQLITE_BUSY/)

export const isCorrupt = (error: unknown) => hasCode(error, /^SQLITE_(NOTADB|CORRUPT)/)

/** After a failed fsync the system may return bytes that are not on the disk. */
export const isDiskFailure = (error: unknown) => hasCode(error, /^SQLITE_IOERR_(DIR_)?FSYNC/)

const remedies: readonly (readonly [codes: RegExp, remedy: string])[] = [
  [/^SQLITE_FULL/, "reads continue; free disk space to enable writes"],
  [/^SQLITE_IOERR_(DIR_)?FSYNC/, "the disk could not save a write (fsync)"],
  [
    /^SQLITE_(IOERR_(WRITE|TRUNCATE|SHM)|READONLY|CANTOPEN)/,
    "check that its folder is writable and that the disk is not read-only, full or failing",
  ],
]

/** A constraint violation is a bug and is returned unchanged. Every other error of SQLite becomes StoreUnavailable. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof SQLiteError) || hasCode(error, /^SQLITE_CONSTRAINT/)) return error
  const [, remedy] = remedies.find(([codes]) => hasCode(error, codes)) ?? []
  const problem = remedy === undefined ? error.message : `${error.message}; ${remedy}`
  return new StoreUnavailable(`the database is unavailable: ${problem}`, { cause: error })
}
