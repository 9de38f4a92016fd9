/** One connection to the embedded database, with the settings everything here relies on. */
import { Database, SQLiteError } from "bun:sqlite"
import { StoreUnavailable } from "../../domain/store.ts"
import { type OnMigration, pendingMigrations } from "../migrate.ts"
import type { StoreUse } from "../use.ts"
import { migrations } from "./migrations.ts"

/**
 * How long a command or a request waits for another process's transaction. Batches take
 * milliseconds, so this is only ever used up by a whole-file import.
 */
const writeWaitMs = 5_000
const retryEveryMs = 5

/**
 * Reading through a memory map takes 12 µs a random look-up instead of 20, and its pages belong to
 * the system. But they count as ours while they are mapped: an import would seem to grow with the
 * store, to 700 MB at two million purchases. It makes do with a cache of its own.
 */
const memory: Readonly<Record<StoreUse, readonly string[]>> = {
  serve: [`PRAGMA mmap_size = ${64 * 1024 ** 3}`, "PRAGMA cache_size = -2000"],
  command: ["PRAGMA mmap_size = 0", "PRAGMA cache_size = -49152"],
}

export function openDatabase(
  path: string,
  use: StoreUse,
  writes = createWriteCount(),
  onMigration: OnMigration = () => {},
): Database {
  const db = new Database(path, { create: true, strict: true })
  writeCounts.set(db, writes)
  // Opening and recovering take locks of their own; everything later goes through `write`.
  db.run("PRAGMA busy_timeout = 5000")
  db.run("PRAGMA journal_mode = WAL")
  // FULL: what was acknowledged survives a power cut, not only a crash.
  db.run("PRAGMA synchronous = FULL")
  db.run("PRAGMA foreign_keys = ON")
  db.run("PRAGMA trusted_schema = OFF")
  // A migration sorts, in the cache.
  for (const setting of memory.command) db.run(setting)
  migrate(db, onMigration)
  for (const setting of memory[use]) db.run(setting)
  db.run("PRAGMA busy_timeout = 0")
  return db
}

/** Asked again inside the transaction: of two processes starting at once, one migrates. */
function migrate(db: Database, onMigration: OnMigration): void {
  const current = versionOf(db)
  const newest = pendingMigrations(migrations, current).at(-1)?.version
  if (newest === undefined) return
  if (current > 0) onMigration(current, newest)
  db.transaction(() => {
    for (const { version, sql, prepare } of pendingMigrations(migrations, versionOf(db))) {
      prepare?.(db)
      db.run(sql)
      db.run(`PRAGMA user_version = ${version}`)
    }
  }).immediate()
}

export function versionOf(db: Database): number {
  return db.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0
}

/** Runs a look-up; what SQLite cannot do is told apart from a bug. */
export async function read<T>(lookUp: () => T): Promise<T> {
  try {
    return lookUp()
  } catch (error) {
    throw asUnavailable(error)
  }
}

/** Connections whose reads of this turn of the event loop are one transaction, still open. */
const reading = new WeakSet<Database>()

/**
 * A look-up of which many come at once. Taking and giving back SQLite's lock costs more than finding
 * a row does (2.0 µs with it, 0.8 without), so all of a turn share one.
 */
export function together<Found, First, Second = void>(
  db: Database,
  lookUp: (first: First, second: Second) => Found,
): (first: First, second: Second) => Found {
  return (first, second) => {
    try {
      if (!reading.has(db)) beginReading(db)
      return lookUp(first, second)
    } catch (error) {
      throw asUnavailable(error)
    }
  }
}

function beginReading(db: Database): void {
  db.query("BEGIN").run()
  reading.add(db)
  setImmediate(endReading, db)
}

/** Before a write, which wants a transaction of its own, and before the end. */
export function endReading(db: Database): void {
  // After some faults, as of a disk, SQLite has ended it by itself.
  if (reading.delete(db) && db.inTransaction) db.query("COMMIT").run()
}

/**
 * Runs `change` as one transaction, in one go: nothing of this thread comes between its BEGIN and
 * its COMMIT. The wait for another process is ours, between tries: SQLite's own would freeze every
 * request.
 */
export function write<T>(db: Database, change: () => T): Promise<T> {
  return whenFree(() => {
    const result = transact(db, change)
    countWrite(db)
    return result
  })
}

/** One number, in memory that all threads of the process share. */
export type WriteCount = Int32Array

export const createWriteCount = (): WriteCount => new Int32Array(new SharedArrayBuffer(4))

const writeCounts = new WeakMap<Database, WriteCount>()

/** After it is written, so that nobody takes an older state for the newer; before anybody is told. */
export function countWrite(db: Database): void {
  Atomics.add(writeCountOf(db), 0, 1)
}

/** How often any thread has written, but for what may be lost. */
export const writesOf = (db: Database) => Atomics.load(writeCountOf(db), 0)

function writeCountOf(db: Database): WriteCount {
  const writes = writeCounts.get(db)
  if (writes === undefined) throw new Error("a database that was opened by somebody else")
  return writes
}

/**
 * The same for what may be lost with the power, though not with the process: nobody waits for the
 * disk, which would freeze every request for as long as it takes, 5 to 25 ms here.
 */
export function writeUnsynced<T>(db: Database, change: () => T): Promise<T> {
  return whenFree(() => {
    endReading(db)
    db.run("PRAGMA synchronous = NORMAL")
    try {
      return transact(db, change)
    } finally {
      db.run("PRAGMA synchronous = FULL")
    }
  })
}

function transact<T>(db: Database, change: () => T): T {
  endReading(db)
  db.run("BEGIN IMMEDIATE")
  try {
    const result = change()
    db.run("COMMIT")
    return result
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK")
    throw error
  }
}

/** Takes the write lock for longer than one go, on a connection that nobody else uses. */
export function begin(own: Database): Promise<void> {
  return whenFree(() => {
    own.run("BEGIN IMMEDIATE")
  })
}

async function whenFree<T>(work: () => T): Promise<T> {
  const deadline = performance.now() + writeWaitMs
  for (;;) {
    try {
      return work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw asUnavailable(error)
    }
    await Bun.sleep(retryEveryMs)
  }
}

const isBusy = (error: unknown) =>
  error instanceof SQLiteError && error.code?.startsWith("SQLITE_BUSY") === true

/** A broken rule of the schema is a bug and stays one; everything else SQLite says is trouble. */
export function asUnavailable(error: unknown): unknown {
  if (!(error instanceof SQLiteError) || error.code?.startsWith("SQLITE_CONSTRAINT")) return error
  return new StoreUnavailable(`the store cannot be used: ${error.message}`, { cause: error })
}
