/** The only place that knows there is more than one kind of store. */
import type { Store } from "../domain/store.ts"
import type { OnMigration } from "./migrate.ts"
import { openPostgres, type PostgresAddress } from "./postgres/store.ts"
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

export function openStore(
  address: StoreAddress,
  use: StoreUse,
  onMigration?: OnMigration,
): Promise<Store> {
  return address.kind === "sqlite"
    ? openSqlite(address.path, use, address.writes, onMigration)
    : openPostgres(address, use, onMigration)
}
