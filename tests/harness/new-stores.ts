/** Stores that are created and opened in one go, without the program around them. */
import type { Store } from "../../src/domain/store.ts"
import { migratePostgres } from "../../src/store/postgres/migrate.ts"
import { openPostgres, type PostgresAddress } from "../../src/store/postgres/store.ts"
import { migrateSqlite } from "../../src/store/sqlite/migrate.ts"
import { openSqlite } from "../../src/store/sqlite/store.ts"
import type { StoreUse } from "../../src/store/use.ts"

export async function createSqlite(path: string, use: StoreUse = "command"): Promise<Store> {
  await migrateSqlite(path, () => {})
  return openSqlite(path, use)
}

export async function createPostgres(
  address: PostgresAddress,
  use: StoreUse = "command",
): Promise<Store> {
  await migratePostgres(address.url, () => {})
  return openPostgres(address, use)
}
