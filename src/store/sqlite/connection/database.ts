/** The embedded database: one connection a thread, and all that belongs to it. */

import { StoreUnavailable } from "../../../domain/store.ts"
import {
  type CacheCounts,
  createCacheCounts,
  createWriteTimes,
  type WriteTimes,
} from "../../../domain/usage/measures.ts"
import { createWorkQueue, untilNextTurn } from "../../../domain/values/work-queue.ts"
import {
  createShortcuts,
  type Dialect,
  type SqlDatabase,
  type Steps,
  type StoreUse,
  type Value,
} from "../../sql/database.ts"
import { newestOf, upgradedUnderUs } from "../../sql/migrate.ts"
import { assertNotMoving, explainMoved, selectClosing, selectMoved } from "../../sql/move/marks.ts"
import { migrations } from "../migrations/migrations.ts"
import { type Changes, watchChanges } from "./changes.ts"
import { createLogLimit, oldestOf, openConnection } from "./connection.ts"
import { asUnavailable, diskFailed, isBusy, isDiskFailure } from "./errors.ts"
import { watchFile } from "./file.ts"
import { createSharedRead } from "./shared-read.ts"
import { countWrite, hasDiskFailed, noteDiskFailure, type SharedState } from "./shared-state.ts"
import { createStatements, type Prepare } from "./statements.ts"

/** How long a command or a request waits for another process's transaction, which takes milliseconds. */
const writeWaitMs = 5_000
/** A feed waits longer: an index that a migration makes takes a second for each 100,000 purchases. */
export const feedWaitMs = 50_000
const retryEveryMs = 5

/** A read runs before it returns: no write of this thread comes between two reads that begin together. */
export type Database = SqlDatabase &
  Changes &
  Readonly<{
    /** All of `change` or nothing of it. Nothing else of this thread runs between BEGIN and COMMIT. */
    transact<T>(change: (client: Client) => T, waitMs?: number): Promise<T>
    /**
     * The same for what a power cut may lose; a crash of the process loses nothing. It does not wait for
     * the disk, which would stop every request for 5 to 25 ms. Not for cached rows: no thread is told.
     */
    transactUnsynced<T>(change: (client: Client) => T, waitMs?: number): Promise<T>
    /** For statements that run often. They run inside `transact` or `shareRead`. */
    prepare: Prepare
    /** Makes a look-up that shares one read transaction with all others of its turn. */
    shareRead<Found, First, Second = void, Third = void>(
      lookUp: (first: First, second: Second, third: Third) => Found,
    ): (first: First, second: Second, third: Third) => Found
    /** Of all row caches on this database. */
    rowCounts: CacheCounts
    writes: Readonly<WriteTimes>
    /** Throws StoreUnavailable once the file was moved or replaced, the store upgraded beyond this program, or the disk failed. */
    assertUnchanged(): void
    close(): Promise<void>
  }>

export type Client = Readonly<{
  query<Row>(sql: string, values?: readonly Value[]): readonly Row[]
}>

export function runSteps<T>({ query }: Client, steps: Steps<T>): T {
  let step = steps.next([])
  while (step.done !== true) step = steps.next(query(...step.value))
  return step.value
}

export const dialect: Dialect = {
  each: (list, type) =>
    `SELECT ${type === "bytea" ? dialect.bytes("value") : "value"} FROM json_each(${list})`,
  among: (list, type) => `IN (${dialect.each(list, type)})`,
  rows(columns) {
    const members = columns.replace(/"?(\w+)"? \w+/g, "value ->> '$1' AS \"$1\"")
    return `(SELECT ${members} FROM json_each($1)) AS new`
  },
  bytes: (digits) => `unhex(${digits})`,
  newVersion: "hex(randomblob(9))",
  lock: () => "",
}

/** Throws MigrationNeeded where there is no store, or an older one: opening never makes or changes one. */
export function openDatabase(path: string, use: StoreUse, shared: SharedState): Database {
  const connection = openConnection(path, use)
  const assertInPlace = watchFile(path)
  const { prepare, query, finalize } = createStatements(connection)
  const sharedRead = createSharedRead(connection, prepare)
  const limitLog = createLogLimit(path, connection, use)
  try {
    assertNotMoving(query(selectClosing))
  } catch (error) {
    finalize()
    connection.close()
    throw error
  }

  function assertUnchanged(): void {
    if (hasDiskFailed(shared)) throw diskFailed()
    assertInPlace()
    const [known, oldest] = [newestOf(migrations), oldestOf(connection)]
    if (oldest > known) throw new StoreUnavailable(upgradedUnderUs(known, oldest))
  }
  function transactNow<T>(change: (client: Client) => T): T {
    sharedRead.end()
    connection.run("BEGIN IMMEDIATE")
    try {
      // Inside the transaction: no upgrade can come between this and the commit.
      assertUnchanged()
      const [moved] = query<{ value: string }>(selectMoved)
      if (moved !== undefined) throw explainMoved(moved.value)
      const result = change({ query })
      connection.run("COMMIT")
      // A file that was moved meanwhile took the change with it: it must not be acknowledged.
      assertInPlace()
      limitLog()
      return result
    } catch (error) {
      if (isDiskFailure(error)) noteDiskFailure(shared)
      if (connection.inTransaction) connection.run("ROLLBACK")
      throw error
    }
  }
  const writes = createWriteTimes()
  async function noteWrite<T>(writing: Promise<T>): Promise<T> {
    try {
      const result = await writing
      writes.succeededAtMs = Date.now()
      return result
    } catch (error) {
      if (error instanceof StoreUnavailable && !isBusy(error.cause)) writes.failedAtMs = Date.now()
      throw error
    }
  }
  const transact: Database["transact"] = (change, waitMs = writeWaitMs) =>
    noteWrite(
      retryWhileBusy(() => {
        const result = transactNow(change)
        countWrite(shared)
        return result
      }, waitMs),
    )
  async function read<Row>(sql: string, values?: readonly Value[]): Promise<readonly Row[]> {
    try {
      return query<Row>(sql, values)
    } catch (error) {
      throw asUnavailable(error)
    }
  }
  const queue = createWorkQueue(1, untilNextTurn)
  const readInTurn: Database["readInTurn"] = <Row>(sql: string, values?: readonly Value[]) =>
    queue(async () => {
      const rows = await read<Row>(sql, values)
      await untilNextTurn()
      return rows
    })
  const transactUnsynced: Database["transactUnsynced"] = (change, waitMs = writeWaitMs) =>
    noteWrite(
      retryWhileBusy(() => {
        // SQLite ignores the setting inside a transaction.
        sharedRead.end()
        connection.run("PRAGMA synchronous = NORMAL")
        try {
          return transactNow(change)
        } finally {
          connection.run("PRAGMA synchronous = FULL")
        }
      }, waitMs),
    )
  const change: Database["change"] = (steps) => transact((client) => runSteps(client, steps()))
  const changeUnsynced: Database["change"] = (steps) =>
    transactUnsynced((client) => runSteps(client, steps()))
  return {
    ...dialect,
    read,
    // SQLite has no deadlines.
    readLong: read,
    readInTurn,
    change,
    changeUnsynced,
    ...createShortcuts({ read, change, changeUnsynced }),
    *lockTable() {},
    transact,
    transactUnsynced,
    prepare,
    shareRead: (lookUp) => (first, second, third) => {
      try {
        sharedRead.join()
        return lookUp(first, second, third)
      } catch (error) {
        throw asUnavailable(error)
      }
    },
    ...watchChanges(prepare, sharedRead, shared),
    rowCounts: createCacheCounts(),
    writes,
    assertUnchanged,
    async close() {
      // The last one to close copies the log into the database, without checking what it reads there.
      if (hasDiskFailed(shared)) return
      sharedRead.end()
      finalize()
      connection.close()
    },
  }
}

/** Waits for another process between tries: SQLite's own waiting would stop every request. */
async function retryWhileBusy<T>(work: () => T, waitMs: number): Promise<T> {
  const deadline = performance.now() + waitMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw asUnavailable(error)
    }
    await Bun.sleep(retryEveryMs)
  }
}
