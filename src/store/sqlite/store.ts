import type { Account, AccountStore } from "../../domain/catalog/account.ts"
import type { Store } from "../../domain/store.ts"
import { untilNextTurn } from "../../domain/values/timers.ts"
import { accountQueries, selectAccounts } from "../sql/catalog/account-store.ts"
import { createSharedStores } from "../sql/composition/shared-stores.ts"
import { createApiKeyStore, selectFoundKeys } from "../sql/keys/api-key-store.ts"
import { sqliteSchema } from "../sql/schema.ts"
import { newestOf } from "../sql/schema-versions.ts"
import { createShortcuts, type SqlDatabase, type StoreUse } from "../sql/sql-database.ts"
import { joinSql, sql } from "../sql/statement.ts"
import { sqliteItems } from "./catalog/item-store.ts"
import { sqlitePurchases } from "./catalog/purchase-store.ts"
import { openConnection } from "./connection/connection.ts"
import { type Database, openDatabase } from "./connection/database.ts"
import { sqliteFeed } from "./feed/feed-store.ts"
import { sqliteStoreChecks } from "./health/check-queries.ts"

export type SqliteLocation = Readonly<{ path: string }>

export async function openSqlite({ path }: SqliteLocation, use: StoreUse): Promise<Store> {
  const db = openDatabase(path, use)
  const pages = yieldAfterReads(db)
  const stores = createSharedStores(db, pages)
  return {
    ...stores,
    accounts: sqliteAccounts(db),
    items: sqliteItems(db),
    purchases: sqlitePurchases(db),
    keys: createApiKeyStore(db, (lookups) => {
      const values = lookups.map((lookup) => sql`${lookup}`)
      return db.find`${selectFoundKeys} WHERE k.lookup IN (${joinSql(values, ", ")})`
    }),
    feed: sqliteFeed(db, path, () => openConnection(path, use)),
    checks: sqliteStoreChecks(db),
    schemaVersion: newestOf(sqliteSchema),
    async probe() {
      db.assertUnchanged()
      await stores.metadata.find("")
    },
    untilFailed: db.untilFailed,
    writeTimes: () => db.writes,
    close: () => db.close(),
  }
}

/** For pages, which read much: other requests are processed between two reads. */
function yieldAfterReads(db: SqlDatabase): SqlDatabase {
  const read: SqlDatabase["read"] = async (...written) => {
    await untilNextTurn()
    return db.read(...written)
  }
  return { ...db, read, ...createShortcuts({ read, transaction: db.transaction }) }
}

function sqliteAccounts(db: Database): AccountStore {
  return {
    find: db.shareRead(
      (id: number) => db.readNow<Account>`${selectAccounts} WHERE id = ${id}`[0] ?? null,
    ),
    ...accountQueries(db),
  }
}
