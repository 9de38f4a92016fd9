/** The only place that imports both kinds of store. */
import { type Store, StoreUnavailable } from "../domain/store.ts"
import { RefusedError } from "../domain/values/error.ts"
import { describe, isTargetSupported, splitHosts } from "./postgres/connection/hosts.ts"
import type { PostgresAddress } from "./postgres/store.ts"
import type {
  AdmitBackup,
  BackedUp,
  BackUpOptions,
  InspectedBackup,
  Restored,
  RestoreOptions,
} from "./sql/backup.ts"
import type { StoreUse } from "./sql/database.ts"
import type { Migrated, OnMigration, OnProgress } from "./sql/migrate.ts"
import type { MoveDatabase, MoveOptions } from "./sql/running/move.ts"
import { assertNotMoved, type Moving } from "./sql/running/moved.ts"
import { backUpSqlite } from "./sqlite/backup.ts"
import { refuseOwnFile as refuseSqliteFile } from "./sqlite/connection/file.ts"
import { migrateSqlite } from "./sqlite/migrate.ts"
import { inspectSqliteBackup, restoreSqlite } from "./sqlite/restore.ts"
import { openSqlite, type SqliteAddress } from "./sqlite/store.ts"

/** Where a store is, as the configuration gives it. */
export type StoreAddress = Readonly<
  ({ kind: "sqlite" } & SqliteAddress) | ({ kind: "postgres" } & PostgresAddress)
>

/** A PostgreSQL database is backed up with its own tools. */
export type EmbeddedAddress = Extract<StoreAddress, { kind: "sqlite" }>

export const sqliteAt = (path: string): EmbeddedAddress => ({ kind: "sqlite", path })

/** With one host, or several of which one is the primary. */
export const isPostgresAddress = (url: string) => splitHosts(url) !== null && isTargetSupported(url)

/** Without user and password. */
export const describeStore = (address: StoreAddress) =>
  address.kind === "sqlite" ? address.path : describe(address.url)

// Loaded only where they are used: the PostgreSQL adapter, whose driver takes a tenth of the start-up time and 2 MB, and a move.

/** Throws MigrationNeeded where there is no store, or an older one, and StoreMoved for one that was moved. */
export async function openStore(address: StoreAddress, use: StoreUse): Promise<Store> {
  const store = await openAny(address, use)
  try {
    await assertNotMoved(store.metadata)
    return store
  } catch (error) {
    await store.close()
    throw error
  }
}

async function openAny(address: StoreAddress, use: StoreUse): Promise<Store> {
  if (address.kind === "sqlite") return openSqlite(address, use)
  const { openPostgres } = await import("./postgres/store.ts")
  return openPostgres(address, use)
}

/** Creates the store, or brings it to this version. */
export async function migrateStore(
  address: StoreAddress,
  onMigration?: OnMigration,
  onProgress?: OnProgress,
): Promise<Migrated> {
  if (address.kind === "sqlite") {
    return migrateSqlite(address.path, onMigration, onProgress)
  }
  const { migratePostgres } = await import("./postgres/migrate.ts")
  return migratePostgres(address.url, onMigration, onProgress)
}

/** Throws RefusedError where `target` is a file of the store itself. */
export function refuseOwnFile(address: StoreAddress, target: string): void {
  if (address.kind === "sqlite") refuseSqliteFile(address.path, target)
}

export { chooseUnfinishedName, removeUnfinished } from "./sqlite/connection/copy.ts"

/** Works on a store that is in use. `target` appears when it is complete and was checked. */
export const backUpStore = (
  { path }: EmbeddedAddress,
  target: string,
  options: BackUpOptions,
): Promise<BackedUp> => backUpSqlite(path, target, options)

/** Throws what `restoreStore` throws for a file that could not be restored. Writes nothing. */
export const inspectBackup: (path: string, admit: AdmitBackup) => Promise<InspectedBackup> =
  inspectSqliteBackup

/** Throws RefusedError for a store that is in use or newer than the backup, and for a backup of one that was moved. */
export const restoreStore = (
  { path }: EmbeddedAddress,
  backup: string,
  options: RestoreOptions,
): Promise<Restored> => restoreSqlite(path, backup, options)

/** Throws RefusedError for a target with data of its own, and if rows differ after copying. Creates the target. */
export async function moveStore(
  from: StoreAddress,
  to: StoreAddress,
  options: MoveOptions,
): Promise<void> {
  const { move } = await import("./sql/running/move.ts")
  const rejectUsed = () => {
    throw new RefusedError(`${describeStore(to)} has data of its own: use an empty database`)
  }
  await migrateStore(to, rejectUsed).catch((error) => {
    if (!(error instanceof StoreUnavailable)) throw error
    throw new StoreUnavailable(error.message.replaceAll("DATABASE_URL", "--to"), { cause: error })
  })
  await withDatabase(from, (source) => withDatabase(to, (target) => move(source, target, options)))
}

/** Opens a store for writes again that a move has closed. Returns null if no move has begun. */
export async function reopenStore(from: StoreAddress): Promise<Moving | null> {
  const { reopen } = await import("./sql/running/move.ts")
  return withDatabase(from, reopen)
}

async function withDatabase<T>(
  address: StoreAddress,
  work: (db: MoveDatabase) => Promise<T>,
): Promise<T> {
  const db =
    address.kind === "sqlite"
      ? (await import("./sqlite/move.ts")).openSqliteMove(address.path)
      : await (await import("./postgres/move.ts")).openPostgresMove(address.url)
  try {
    return await work(db)
  } finally {
    await db.close()
  }
}
