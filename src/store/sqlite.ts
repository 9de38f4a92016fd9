import { rmSync } from "node:fs"
import type { Account } from "../accounts/account.ts"
import { accountQueries, selectAccounts } from "../accounts/account-store.ts"
import { sqliteFeed } from "../feed/feed-store-sqlite.ts"
import { sqliteItems } from "../items/item-store-sqlite.ts"
import { createApiKeyStore, selectFoundKeys } from "../keys/key-store.ts"
import {
  findNewestVersion,
  type Migrated,
  migrateDatabase,
  NotPazarDatabase,
  type OnMigration,
  type OnProgress,
} from "../platform/database/schema-versions.ts"
import {
  createShortcuts,
  joinSql,
  rawSql,
  type SqlDatabase,
  type StoreUse,
  sql,
  tuples,
} from "../platform/database/sql.ts"
import {
  asUnavailable,
  beginWrite,
  type Connection,
  configure,
  connect,
  type Database,
  isBusy,
  isCorrupt,
  isDiskFailure,
  openConnection,
  openDatabase,
  readVersion,
} from "../platform/database/sqlite.ts"
import {
  chooseFreeName,
  copyAside,
  createFile,
  putInPlace,
  watchFiles,
} from "../platform/database/sqlite-file.ts"
import { StoreUnavailable, UserError } from "../platform/error.ts"
import { untilNextTurn } from "../platform/timers.ts"
import { sqlitePurchases } from "../purchases/purchase-store-sqlite.ts"
import { createSharedChecks, type StoreChecks } from "./checks.ts"
import { sqliteSchema } from "./schema.ts"
import { createSharedStores, type Store } from "./store.ts"

export async function openSqlite(
  { path }: Readonly<{ path: string }>,
  use: StoreUse,
): Promise<Store> {
  const db = openDatabase(path, sqliteSchema, use)
  const stores = createSharedStores(db, yieldAfterReads(db))
  return {
    ...stores,
    accounts: {
      find: db.shareRead(
        (id: number) => db.readNow<Account>`${selectAccounts} WHERE id = ${id}`[0] ?? null,
      ),
      ...accountQueries(db),
    },
    items: sqliteItems(db),
    purchases: sqlitePurchases(db),
    keys: createApiKeyStore(db, (lookups) => {
      const values = lookups.map((lookup) => sql`${lookup}`)
      return db.find`${selectFoundKeys} WHERE k.lookup IN (${joinSql(values, ", ")})`
    }),
    feed: sqliteFeed(db, path, () => openConnection(path, sqliteSchema, use)),
    checks: createChecks(db),
    schemaVersion: findNewestVersion(sqliteSchema),
    async probe() {
      db.assertUnchanged()
      await stores.metadata.find("")
    },
    untilFailed: db.untilFailed,
    writeTimes: () => db.writes,
    close: () => db.close(),
  }
}

/** For pages, which read much: other requests are processed between two reads. */
function yieldAfterReads(db: SqlDatabase): SqlDatabase {
  const read: SqlDatabase["read"] = async (...written) => {
    await untilNextTurn()
    return db.read(...written)
  }
  return { ...db, read, ...createShortcuts({ read, transaction: db.transaction }) }
}

/** The time that a migration of a large database takes. */
const migrationMsMax = 3_600_000

/** Creates the database, or migrates an older one after writing a copy to the same folder. */
export async function migrateSqlite(
  path: string,
  onMigration?: OnMigration,
  onProgress?: OnProgress,
  schema = sqliteSchema,
): Promise<Migrated> {
  createFile(path)
  const assertInPlace = watchFiles(path)
  const db = connect(path)
  let copied: string | null = null
  try {
    assertPazarDatabase(db, path)
    assertInPlace()
    configure(db)
    // Migrations rebuild tables, and rows that reference the old tables must be kept. SQLite ignores this setting inside
    // a transaction.
    db.run("PRAGMA foreign_keys = OFF")
    db.run("PRAGMA busy_timeout = 0")
    // A concurrent migration waits here.
    await beginWrite(db, migrationMsMax)
    const migrating = {
      from: readVersion(db),
      async run(sql: string) {
        // Progress is printed before the statement blocks this thread.
        await Bun.sleep(0)
        db.run(sql)
      },
      setVersion: async (version: number) => db.run(`PRAGMA user_version = ${version}`),
      copy() {
        copied = copyBeside(path, findNewestVersion(schema))
        return copied
      },
    }
    const migrated = await migrateDatabase(schema, migrating, onMigration, onProgress)
    db.run("COMMIT")
    return migrated
  } catch (error) {
    if (db.inTransaction) db.run("ROLLBACK")
    // After a failed fsync the migration may be on the disk.
    if (copied !== null && !isDiskFailure(error)) rmSync(copied)
    throw asUnavailable(error)
  } finally {
    db.close()
  }
}

/** Throws if the file has tables but no version. One statement, because of concurrent migrations. */
function assertPazarDatabase(db: Connection, path: string): void {
  const foreign = db.query(
    "SELECT 1 FROM sqlite_schema, pragma_user_version WHERE user_version = 0",
  )
  if (foreign.get() === null) return
  throw new NotPazarDatabase(
    `${path} is a database of another program; set another file in DATABASE_URL`,
  )
}

/** Called with the write lock held. The copy is renamed into place when it is complete. */
function copyBeside(path: string, to: number): string {
  const copy = chooseFreeName(`${path}.before-${to}`)
  using reader = connect(path)
  putInPlace(copyAside(reader, copy), copy)
  return copy
}

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

function createChecks(db: Database): StoreChecks {
  const readColumn = async (pragma: string) =>
    (await db.read<[unknown]>(tuples`PRAGMA ${rawSql(pragma)}`)).map(([first]) => first)
  return {
    ...createSharedChecks(db),
    async listCorruption(isThorough) {
      try {
        const found = await readColumn(isThorough ? "integrity_check" : "quick_check")
        const violations = isThorough ? await readColumn("foreign_key_check") : []
        return [
          ...found.filter((text) => text !== "ok").map(String),
          ...[...new Set(violations)].map((table) => `rows of ${table} reference missing rows`),
        ]
      } catch (error) {
        if (error instanceof StoreUnavailable && isCorrupt(error.cause)) return [error.message]
        throw error
      }
    },
    readClock: async () => null,
    findReadOnly: async () => null,
  }
}
