import {
  describeDatabase,
  isTargetSupported,
  splitHosts,
} from "../platform/database/postgres-hosts.ts"
import type { Migrated, OnMigration, OnProgress } from "../platform/database/schema-versions.ts"
import type { StoreUse } from "../platform/database/sql.ts"
import { StoreUnavailable, UserError } from "../platform/error.ts"
import { assertNotMoved, type Moved, movedMetadataKey } from "./metadata.ts"
import { migrateSqlite } from "./migrate-sqlite.ts"
import type { MoveConnection, OnRows, Table } from "./move.ts"
import type { PostgresLocation } from "./postgres.ts"
import { openSqlite, type SqliteLocation } from "./sqlite.ts"
import type { Store } from "./store.ts"

export type StoreLocation = Readonly<
  ({ kind: "sqlite" } & SqliteLocation) | ({ kind: "postgres" } & PostgresLocation)
>

/** Backups exist for SQLite only. */
export type EmbeddedLocation = Extract<StoreLocation, { kind: "sqlite" }>

export const sqliteAt = (path: string): EmbeddedLocation => ({ kind: "sqlite", path })

export const isSupportedPostgresUrl = (url: string) =>
  splitHosts(url) !== null && isTargetSupported(url)

/** Returns the path or the URL without user and password. */
export const describeStore = (location: StoreLocation) =>
  location.kind === "sqlite" ? location.path : describeDatabase(location.url)

// The PostgreSQL adapter and the code of a move are imported dynamically, for a faster start.

/** Throws MigrationNeeded for a missing or older database, and StoreUnavailable for one that was moved. */
export async function openStore(location: StoreLocation, use: StoreUse): Promise<Store> {
  const store =
    location.kind === "sqlite"
      ? await openSqlite(location, use)
      : await (await import("./postgres.ts")).openPostgres(location, use)
  try {
    await assertNotMoved(store.metadata)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Creates the database or migrates it to this version. */
export async function migrateStore(
  location: StoreLocation,
  onMigration?: OnMigration,
  onProgress?: OnProgress,
): Promise<Migrated> {
  if (location.kind === "sqlite") {
    return migrateSqlite(location.path, onMigration, onProgress)
  }
  const { migratePostgres } = await import("./migrate-postgres.ts")
  return migratePostgres(location.url, onMigration, onProgress)
}

export {
  assertNotOwnFile,
  chooseFreeName,
  chooseUnfinishedName,
  removeUnfinished,
} from "../platform/database/sqlite-file.ts"
export { backUpSqlite, inspectSqliteBackup, restoreSqlite } from "./backup.ts"

/**
 * Creates `to` and copies all rows. Throws UserError if a database is in use, if `to` has data, or if rows differ after
 * the copy.
 */
export async function moveStore(
  from: StoreLocation,
  to: StoreLocation,
  now: Date,
  onRows: OnRows,
): Promise<void> {
  const { moveDatabase } = await import("./move.ts")
  const tables = await listTables()
  await using source = await openMove(from, tables, now)
  const rejectUsed = () => {
    throw new UserError(`${describeStore(to)} is not empty; use an empty database`)
  }
  await migrateStore(to, rejectUsed).catch((error) => {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new StoreUnavailable(error.message.replaceAll("DATABASE_URL", "--to"), { cause: error })
  })
  await using target = await openMove(to, tables, now)
  await moveDatabase(source, target, tables, now, onRows)
}

/** Makes a moved database usable again. Returns null if it was not moved. */
export async function reopenStore(location: StoreLocation, now: Date): Promise<Moved | null> {
  await using db = await openMove(location, await listTables(), now)
  const [moved] = await db.query<{ value: string }>`
    DELETE FROM metadata WHERE name = ${movedMetadataKey} RETURNING value`
  await db.commit()
  return moved === undefined ? null : JSON.parse(moved.value)
}

async function listTables() {
  const { listTables } = await import("./move-sqlite.ts")
  return listTables()
}

/** Throws UserError if the database is in use. */
async function openMove(
  location: StoreLocation,
  tables: readonly Table[],
  now: Date,
): Promise<MoveConnection> {
  if (location.kind === "sqlite") {
    return (await import("./move-sqlite.ts")).openSqliteMove(location.path)
  }
  const { openPostgresMove } = await import("./move-postgres.ts")
  const names = tables.map(({ name }) => name)
  return openPostgresMove(location.url, names, now)
}
