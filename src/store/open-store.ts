import { describeDatabase } from "../platform/database/postgres-hosts.ts"
import type { Migrated, OnMigration, OnProgress } from "../platform/database/schema-versions.ts"
import type { StoreUse } from "../platform/database/sql.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { type Moved, movedMetadataKey } from "./metadata.ts"
import { migrateSqlite, openSqlite } from "./sqlite.ts"
import type { Store } from "./store.ts"

/** Backups exist for SQLite only. */
export type EmbeddedLocation = Readonly<{ kind: "sqlite"; path: string }>

export type StoreLocation =
  | EmbeddedLocation
  | Readonly<{ kind: "postgres"; url: string; connectionsMax: number }>

export const sqliteAt = (path: string): EmbeddedLocation => ({ kind: "sqlite", path })

/** Returns the path or the URL without user and password. */
export const describeStore = (location: StoreLocation) =>
  location.kind === "sqlite" ? location.path : describeDatabase(location.url)

// The PostgreSQL adapter is imported dynamically, for a faster start.

/** Throws MigrationNeeded for a missing or older database, and StoreUnavailable for one that was moved. */
export async function openStore(location: StoreLocation, use: StoreUse): Promise<Store> {
  const store =
    location.kind === "sqlite"
      ? await openSqlite(location, use)
      : await (await import("./postgres.ts")).openPostgres(location, use)
  try {
    const moved = await store.metadata.find(movedMetadataKey)
    if (moved === null) return store
    const { place, at }: Moved = JSON.parse(moved)
    throw new StoreUnavailable(
      `this database was moved to ${place} at ${at}; set DATABASE_URL to the new database, or run \`pazar move --cancel\``,
    )
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
  const { migratePostgres } = await import("./postgres.ts")
  return migratePostgres(location.url, onMigration, onProgress)
}
