/** The only place that knows there is more than one kind of store. */
import type { Store } from "../domain/store.ts"
import type { OnMigration } from "./migrate.ts"
import type { PostgresAddress } from "./postgres/store.ts"
import { createWriteCount, type WriteCount } from "./sqlite/database.ts"
import { openSqlite } from "./sqlite/store.ts"
import type { StoreUse } from "./use.ts"

/** Where a store lives, as the configuration names it. */
export type StoreAddress = Readonly<
  /** `writes` is shared by all threads that open the store. */
  { kind: "sqlite"; path: string; writes: WriteCount } | ({ kind: "postgres" } & PostgresAddress)
>

export const sqliteAt = (path: string): StoreAddress => ({
  kind: "sqlite",
  path,
  writes: createWriteCount(),
})

export async function openStore(
  address: StoreAddress,
  use: StoreUse,
  onMigration?: OnMigration,
): Promise<Store> {
  if (address.kind === "sqlite") return openSqlite(address.path, use, address.writes, onMigration)
  // Loaded only where it is used: a tenth of the start and 2 MB are its driver.
  const { openPostgres } = await import("./postgres/store.ts")
  return openPostgres(address, use, onMigration)
}
