/** Creates and opens stores without the rest of the program. */
import type { Store } from "../../../src/domain/store.ts"
import { migratePostgres } from "../../../src/store/postgres/migrate.ts"
import { openPostgres, type PostgresAddress } from "../../../src/store/postgres/store.ts"
import type { StoreUse } from "../../../src/store/sql/use.ts"
import { createSharedState } from "../../../src/store/sqlite/connection/shared-state.ts"
import { migrateSqlite } from "../../../src/store/sqlite/migrate.ts"
import { openSqlite, type SqliteAddress } from "../../../src/store/sqlite/store.ts"

/** Opens it as another process would: its count of writes is not shared. */
export const sqliteFile = (path: string): SqliteAddress => ({ path, shared: createSharedState() })

export async function createSqlite(path: string, use: StoreUse = "command"): Promise<Store> {
  await migrateSqlite(path, () => {})
  return openSqlite(sqliteFile(path), use)
}

export async function createPostgres(
  address: PostgresAddress,
  use: StoreUse = "command",
): Promise<Store> {
  await migratePostgres(address.url, () => {})
  return openPostgres(address, use)
}
