/** The only place that imports both kinds of store. */
import { type Store, StoreUnavailable } from "../domain/store.ts"
import { UserError } from "../domain/values/error.ts"
import { describeDatabase, isTargetSupported, splitHosts } from "./postgres/connection/hosts.ts"
import type { PostgresLocation } from "./postgres/store.ts"
import type {
  AdmitBackup,
  BackedUp,
  BackUpOptions,
  InspectedBackup,
  Restored,
  RestoreOptions,
} from "./sql/backup-types.ts"
import type { MoveConnection, MoveOptions } from "./sql/move/move-database.ts"
import { assertNotMoved, type Moving } from "./sql/move/move-state.ts"
import type { Migrated, OnMigration, OnProgress } from "./sql/schema-versions.ts"
import type { StoreUse } from "./sql/sql-database.ts"
import { backUpSqlite } from "./sqlite/backup.ts"
import { assertNotOwnFile as refuseSqliteFile } from "./sqlite/connection/file.ts"
import { inspectSqliteBackup, restoreSqlite } from "./sqlite/restore.ts"
import { migrateSqlite } from "./sqlite/run-migrations.ts"
import { openSqlite, type SqliteLocation } from "./sqlite/store.ts"

/** Where a store is, as the configuration gives it. */
export type StoreLocation = Readonly<
  ({ kind: "sqlite" } & SqliteLocation) | ({ kind: "postgres" } & PostgresLocation)
>

/** A PostgreSQL database is backed up with its own tools. */
export type EmbeddedLocation = Extract<StoreLocation, { kind: "sqlite" }>

export const sqliteAt = (path: string): EmbeddedLocation => ({ kind: "sqlite", path })

/** With one host, or several of which one is the primary. */
export const isSupportedPostgresUrl = (url: string) =>
  splitHosts(url) !== null && isTargetSupported(url)

/** Without user and password. */
export const describeStore = (address: StoreLocation) =>
  address.kind === "sqlite" ? address.path : describeDatabase(address.url)

// Loaded only where they are used: the PostgreSQL adapter, whose driver takes a tenth of the start-up time and 2 MB, and a move.

/** Throws MigrationNeeded where there is no store, or an older one, and StoreMoved for one that was moved. */
export async function openStore(address: StoreLocation, use: StoreUse): Promise<Store> {
  const store = await openAny(address, use)
  try {
    await assertNotMoved(store.metadata)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openAny(address: StoreLocation, use: StoreUse): Promise<Store> {
  if (address.kind === "sqlite") return openSqlite(address, use)
  const { openPostgres } = await import("./postgres/store.ts")
  return openPostgres(address, use)
}

/** Creates the store, or brings it to this version. */
export async function migrateStore(
  address: StoreLocation,
  onMigration?: OnMigration,
  onProgress?: OnProgress,
): Promise<Migrated> {
  if (address.kind === "sqlite") {
    return migrateSqlite(address.path, onMigration, onProgress)
  }
  const { migratePostgres } = await import("./postgres/run-migrations.ts")
  return migratePostgres(address.url, onMigration, onProgress)
}

/** Throws RefusedError where `target` is a file of the store itself. */
export function assertNotOwnFile(address: StoreLocation, target: string): void {
  if (address.kind === "sqlite") refuseSqliteFile(address.path, target)
}

export { chooseUnfinishedName, removeUnfinished } from "./sqlite/connection/copy.ts"

/** Works on a store that is in use. `target` appears when it is complete and was checked. */
export const backUpStore = (
  { path }: EmbeddedLocation,
  target: string,
  options: BackUpOptions,
): Promise<BackedUp> => backUpSqlite(path, target, options)

/** Throws what `restoreStore` throws for a file that could not be restored. Writes nothing. */
export const inspectBackup: (path: string, admit: AdmitBackup) => Promise<InspectedBackup> =
  inspectSqliteBackup

/** Throws RefusedError for a store that is in use or newer than the backup, and for a backup of one that was moved. */
export const restoreStore = (
  { path }: EmbeddedLocation,
  backup: string,
  options: RestoreOptions,
): Promise<Restored> => restoreSqlite(path, backup, options)

/** Throws RefusedError for a target with data of its own, and if rows differ after copying. Creates the target. */
export async function moveStore(
  from: StoreLocation,
  to: StoreLocation,
  options: MoveOptions,
): Promise<void> {
  const { moveDatabase: move } = await import("./sql/move/move-database.ts")
  const rejectUsed = () => {
    throw new UserError(`${describeStore(to)} has data of its own: use an empty database`)
  }
  await migrateStore(to, rejectUsed).catch((error) => {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new StoreUnavailable(error.message.replaceAll("DATABASE_URL", "--to"), { cause: error })
  })
  await withDatabase(from, (source) => withDatabase(to, (target) => move(source, target, options)))
}

/** Opens a store for writes again that a move has closed. Returns null if no move has begun. */
export async function reopenStore(from: StoreLocation): Promise<Moving | null> {
  const { reopenDatabase: reopen } = await import("./sql/move/move-database.ts")
  return withDatabase(from, reopen)
}

async function withDatabase<T>(
  address: StoreLocation,
  work: (db: MoveConnection) => Promise<T>,
): Promise<T> {
  const db =
    address.kind === "sqlite"
      ? (await import("./sqlite/move-connection.ts")).openSqliteMove(address.path)
      : await (await import("./postgres/move-connection.ts")).openPostgresMove(address.url)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
