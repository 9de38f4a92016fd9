/** One connection to the embedded database, with the settings everything here relies on. */
import { Database, SQLiteError } from "bun:sqlite"
import { StoreUnavailable } from "../../domain/store.ts"
import { assertCurrent, newestOf, upgradedUnderUs } from "../migrate.ts"
import type { StoreUse } from "../use.ts"
import { type DatabaseFile, sizeOfFile, watchFile } from "./file.ts"
import { migrations } from "./migrations.ts"

/**
 * How long a command or a request waits for another process's transaction, which takes milliseconds.
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

/** Throws MigrationNeeded where there is no store, or an older one: opening never makes or changes one. */
export function openDatabase(path: string, use: StoreUse, writes = createWriteCount()): Database {
  // An empty file is what an interrupted creation leaves behind; SQLite would begin a store in it.
  if (!sizeOfFile(path)) assertCurrent(migrations, null, path)
  const db = connect(path)
  try {
    // First of all: a file that is not ours to use stays as it is.
    assertCurrent(migrations, versionOf(db), path)
    configure(db)
    db.run("PRAGMA foreign_keys = ON")
    for (const setting of memory[use]) db.run(setting)
    db.run("PRAGMA busy_timeout = 0")
    connections.set(db, { writes, file: watchFile(path) })
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

/** A connection to a file that exists, which it leaves as it is. */
export function connect(path: string): Database {
  const db = new Database(path, { readwrite: true, create: false, strict: true })
  // Opening and recovering take locks of their own; everything later goes through `write`.
  db.run("PRAGMA busy_timeout = 5000")
  return db
}

/** The settings that hold for migrations too. */
export function configure(db: Database): void {
  db.run("PRAGMA journal_mode = WAL")
  // FULL: what was acknowledged survives a power cut, not only a crash.
  db.run("PRAGMA synchronous = FULL")
  db.run("PRAGMA trusted_schema = OFF")
  for (const setting of memory.command) db.run(setting)
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
export function shareRead<Found, First, Second = void>(
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

type Connection = Readonly<{ writes: WriteCount; file: DatabaseFile }>

const connections = new WeakMap<Database, Connection>()

function connectionOf(db: Database): Connection {
  const connection = connections.get(db)
  if (connection === undefined) throw new Error("a database that openDatabase did not open")
  return connection
}

/** Throws StoreUnavailable once the store is no longer the one that was opened: moved, or upgraded. */
export function assertUnchanged(db: Database): void {
  connectionOf(db).file.assertInPlace()
  const [known, version] = [newestOf(migrations), versionOf(db)]
  if (version !== known) throw new StoreUnavailable(upgradedUnderUs(known, version))
}

/** Called after the commit and before the answer: no cache may hold an older state by then. */
export function countWrite(db: Database): void {
  Atomics.add(connectionOf(db).writes, 0, 1)
}

/** How often any thread has written, but for what may be lost. */
export const writesOf = (db: Database) => Atomics.load(connectionOf(db).writes, 0)

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
    // Inside the transaction: no upgrade can come between this and the commit.
    assertUnchanged(db)
    const result = change()
    db.run("COMMIT")
    // A file that was moved meanwhile took the change with it: it must not be acknowledged.
    connectionOf(db).file.assertInPlace()
    return result
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK")
    throw error
  }
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
