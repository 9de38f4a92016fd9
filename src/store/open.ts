/** The only place that knows there is more than one kind of store. */
import type { Store } from "../domain/store.ts"
import type { Migrated, OnMigration } from "./migrate.ts"
import { describe } from "./postgres/opening.ts"
import type { PostgresAddress } from "./postgres/store.ts"
import { migrateSqlite } from "./sqlite/migrate.ts"
import { openSqlite, type SqliteAddress } from "./sqlite/store.ts"
import { createWriteCount } from "./sqlite/write-count.ts"
import type { StoreUse } from "./use.ts"

/** Where a store is, as the configuration gives it. */
export type StoreAddress = Readonly<
  ({ kind: "sqlite" } & SqliteAddress) | ({ kind: "postgres" } & PostgresAddress)
>

export const sqliteAt = (path: string): StoreAddress => ({
  kind: "sqlite",
  path,
  writes: createWriteCount(),
})

/** Without user and password. */
export const describeStore = (address: StoreAddress) =>
  address.kind === "sqlite" ? address.path : describe(address.url)

// Load the PostgreSQL adapter only where it is used: its driver takes a tenth of the start-up time and 2 MB.

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
): Promise<Migrated> {
  if (address.kind === "sqlite") return migrateSqlite(address.path, onMigration)
  const { migratePostgres } = await import("./postgres/migrate.ts")
  return migratePostgres(address.url, onMigration)
}
