import { type Store, StoreUnavailable } from "../domain/store.ts"
import { UserError } from "../domain/values/error.ts"
import { describeDatabase, isTargetSupported, splitHosts } from "./postgres/connection/hosts.ts"
import type { PostgresLocation } from "./postgres/store.ts"
import { assertNotMoved, type Moving } from "./sql/metadata-store.ts"
import type { MoveConnection, MoveOptions } from "./sql/move/move-database.ts"
import type { Migrated, OnMigration, OnProgress } from "./sql/schema-versions.ts"
import type { StoreUse } from "./sql/sql-database.ts"
import { migrateSqlite } from "./sqlite/run-migrations.ts"
import { openSqlite, type SqliteLocation } from "./sqlite/store.ts"

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

/** Throws MigrationNeeded for a missing or older database, and StoreMoved for one that was moved. */
export async function openStore(location: StoreLocation, use: StoreUse): Promise<Store> {
  const store =
    location.kind === "sqlite"
      ? await openSqlite(location, use)
      : await (await import("./postgres/store.ts")).openPostgres(location, use)
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
  const { migratePostgres } = await import("./postgres/run-migrations.ts")
  return migratePostgres(location.url, onMigration, onProgress)
}

export {
  backUpSqlite,
  type CopyStage,
  inspectSqliteBackup,
  type OnStage,
  restoreSqlite,
} from "./sqlite/backup.ts"
export {
  assertNotOwnFile,
  chooseFreeName,
  chooseUnfinishedName,
  removeUnfinished,
} from "./sqlite/connection/file.ts"

/** Creates `to` and copies all rows. Throws UserError if `to` has data, or if rows differ after the copy. */
export async function moveStore(
  from: StoreLocation,
  to: StoreLocation,
  options: MoveOptions,
): Promise<void> {
  const { moveDatabase: move } = await import("./sql/move/move-database.ts")
  const rejectUsed = () => {
    throw new UserError(`${describeStore(to)} is not empty; use an empty database`)
  }
  await migrateStore(to, rejectUsed).catch((error) => {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new StoreUnavailable(error.message.replaceAll("DATABASE_URL", "--to"), { cause: error })
  })
  await withDatabase(from, (source) => withDatabase(to, (target) => move(source, target, options)))
}

/** Enables writes after a move. Returns null if no move was started. */
export async function reopenStore(from: StoreLocation): Promise<Moving | null> {
  const { reopenDatabase: reopen } = await import("./sql/move/move-database.ts")
  return withDatabase(from, reopen)
}

async function withDatabase<T>(location: StoreLocation, work: (db: MoveConnection) => Promise<T>) {
  const db =
    location.kind === "sqlite"
      ? (await import("./sqlite/move-connection.ts")).openSqliteMove(location.path)
      : await (await import("./postgres/move-connection.ts")).openPostgresMove(location.url)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
