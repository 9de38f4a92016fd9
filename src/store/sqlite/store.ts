import type { Account, AccountStore } from "../../domain/catalog/account.ts"
import type { Store } from "../../domain/store.ts"
import { untilNextTurn } from "../../domain/values/timers.ts"
import { accountQueries, selectAccount } from "../sql/catalog/account-store.ts"
import { createSharedStores } from "../sql/composition/shared-stores.ts"
import { createApiKeyStore, selectFoundKeys } from "../sql/keys/api-key-store.ts"
import { sqliteSchema } from "../sql/schema.ts"
import { newestOf } from "../sql/schema-versions.ts"
import { createShortcuts, type SqlDatabase, type StoreUse } from "../sql/sql-database.ts"
import { sqliteItemSearch, sqliteItems } from "./catalog/item-store.ts"
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
    keys: createApiKeyStore(db, (lookups) =>
      db.find(
        `${selectFoundKeys} WHERE k.lookup IN (${lookups.map((_, at) => `$${at + 1}`)})`,
        lookups,
      ),
    ),
    feed: sqliteFeed(db, path, () => openConnection(path, use)),
    itemSearch: sqliteItemSearch(pages),
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
  const read: SqlDatabase["read"] = async (sql, values) => {
    await untilNextTurn()
    return db.read(sql, values)
  }
  return { ...db, read, ...createShortcuts({ read, transaction: db.transaction }) }
}

type AccountRow = Omit<Account, "isSuspended"> & Readonly<{ isSuspended: number }>

function sqliteAccounts(db: Database): AccountStore {
  const select = db.prepare<AccountRow, [number]>(selectAccount)
  return {
    find: db.shareRead((id: number) => {
      const row = select.get(id)
      return row && { ...row, isSuspended: row.isSuspended === 1 }
    }),
    ...accountQueries(db, {
      username: "username = $1 COLLATE NOCASE",
      email: "lower(json_extract(body, '$.email')) = lower($1)",
    }),
  }
}
