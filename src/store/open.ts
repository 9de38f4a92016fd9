/** The only place that imports both kinds of store. */
import type { Store } from "../domain/store.ts"
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
import { alreadyMoved } from "./sql/move/marks.ts"
import type { Moved, MoveOptions, MoveSource, MoveTarget } from "./sql/move/move.ts"
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

/** Throws MigrationNeeded where there is no store, or an older one. */
export async function openStore(address: StoreAddress, use: StoreUse): Promise<Store> {
  if (address.kind === "sqlite") return openSqlite(address, use)
  const { openPostgres } = await import("./postgres/store.ts")
  return openPostgres(address, use)
}

/** Creates the store, or brings it to this version. */
export async function migrateStore(
  address: StoreAddress,
  onMigration: OnMigration,
  onProgress: OnProgress,
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

/** Into a store of the other kind that is empty, or that an interrupted move has begun to fill. */
export async function moveStore(
  from: StoreAddress,
  to: StoreAddress,
  options: MoveOptions,
): Promise<Moved> {
  const { move } = await import("./sql/move/move.ts")
  const source = await openSource(from)
  const target = await openTarget(to)
  try {
    return await move(source, target, options)
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}

/** Ends what an interrupted move does in the old store: it notes no more changes. Throws RefusedError for one that was moved. */
export async function cancelMove(from: StoreAddress): Promise<void> {
  const source = await openSource(from)
  try {
    const moved = await source.findMoved()
    if (moved !== null) throw alreadyMoved(moved)
    await source.forgetChanges()
  } finally {
    await source.close()
  }
}

async function openSource(from: StoreAddress): Promise<MoveSource> {
  if (from.kind === "sqlite") {
    return (await import("./sqlite/move/source.ts")).openSqliteSource(from.path)
  }
  return (await import("./postgres/move/source.ts")).openPostgresSource(from.url)
}

async function openTarget(to: StoreAddress): Promise<MoveTarget> {
  if (to.kind === "sqlite") {
    return (await import("./sqlite/move/target.ts")).openSqliteTarget(to.path)
  }
  return (await import("./postgres/move/target.ts")).openPostgresTarget(to.url)
}
