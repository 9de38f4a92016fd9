import { StoreUnavailable } from "../error.ts"
import { createWorkQueue, withTimeout } from "../timers.ts"
import type { Schema } from "./schema-versions.ts"
import {
  createShortcuts,
  type Dialect,
  type SqlDatabase,
  type StoreUse,
  type Transaction,
} from "./sql.ts"
import {
  type Connection,
  createLogLimit,
  createStatements,
  openConnection,
} from "./sqlite-connection.ts"
import { asUnavailable, diskFailed, isBusy, isDiskFailure } from "./sqlite-errors.ts"
import { watchFiles } from "./sqlite-file.ts"
import { fieldOf, listPart, rawSql, Sql, sql, type Value, type Written } from "./statement.ts"
import { createWriteTimes, type WriteTimes } from "./write-times.ts"

/** Feeds wait longer: creating an index in a migration takes a second per 100,000 purchases. */
export const feedWaitMs = 50_000
const retryEveryMs = 5

/** Reads run synchronously: no write of this thread can run between two reads that start together. */
export type Database = SqlDatabase &
  Readonly<{
    /** `waitMs` is how long to wait for the transaction of another process. */
    transaction<T>(work: (tx: Transaction) => Promise<T>, waitMs?: number): Promise<T>
    /** For frequent statements, which run inside `shareRead`. */
    readNow<Row>(...written: Written): readonly Row[]
    /** Reads one row at a time. */
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
    const fields = names.map(fieldOf)
    // `as`: a field that an object lacks is null.
    const values = rows.map((row) => fields.map((field) => (row as Record<string, unknown>)[field]))
    const selected = names.map((name, at) => `value ->> ${at} AS ${name}`).join(", ")
    return sql`(SELECT ${rawSql(selected)} FROM json_each(${JSON.stringify(values)})) AS new`
  },
  // One statement for each row: reading a row from JSON takes six times as long as inserting it.
  inserts(table, columns, rows, onConflict = "") {
    const fields = columns.split(/,\s+/).map(fieldOf)
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
  // `openConnection` has read once, which creates the `-wal` file.
  const assertInPlace = watchFiles(path, `${path}-wal`)
  const { query, iterate, read, finalize } = createStatements(reading)
  const write = createStatements(writing)
  const sharedRead = createSharedRead(reading)
  const limitLog = createLogLimit(path, writing, use)
  const failure = Promise.withResolvers<StoreUnavailable>()
  let hasDiskFailed = false

  function assertUnchanged(): void {
    if (hasDiskFailed) throw diskFailed()
    assertInPlace()
  }
  const tx: Transaction = { ...dialect, query: async (...written) => write.query(...written) }
  async function transact<T>(work: (tx: Transaction) => Promise<T>, waitMs: number): Promise<T> {
    await beginWrite(writing, waitMs)
    let result: T
    try {
      assertUnchanged()
      result = await work(tx)
      writing.run("COMMIT")
      // If the file was moved concurrently, the change is lost with it and must not be acknowledged.
      assertInPlace()
    } catch (error) {
      if (isDiskFailure(error)) {
        hasDiskFailed = true
        failure.resolve(diskFailed())
      }
      if (writing.inTransaction) writing.run("ROLLBACK")
      throw asUnavailable(error)
    }
    // Later reads must see the change.
    sharedRead.end()
    limitLog()
    return result
  }
  const writes = createWriteTimes()
  const mutex = createWorkQueue(1, () => Promise.resolve())
  function transaction<T>(work: (tx: Transaction) => Promise<T>, waitMs = writeWaitMs): Promise<T> {
    const deadline = performance.now() + waitMs
    let hasStarted = false
    const result = mutex(async () => {
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
  }
  return {
    ...dialect,
    read,
    // SQLite has no timeouts.
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
    writes,
    assertUnchanged,
    untilFailed: () => failure.promise,
    async close() {
      // Closing the last connection would copy the log into the database, unverified pages included.
      if (hasDiskFailed) return
      sharedRead.close()
      finalize()
      reading.close()
      write.finalize()
      writing.close()
    },
  }
}

const queuedTooLong = () =>
  new StoreUnavailable("the database is unavailable: another transaction of this server takes long")

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
    await Bun.sleep(retryEveryMs)
  }
}
