import type { Account, AccountStore } from "../accounts/account.ts"
import { accountQueries, selectAccounts } from "../accounts/account-store.ts"
import { sqliteFeed } from "../feed/feed-store-sqlite.ts"
import { sqliteItems } from "../items/item-store-sqlite.ts"
import { createApiKeyStore, selectFoundKeys } from "../keys/key-store.ts"
import { newestOf } from "../platform/database/schema-versions.ts"
import {
  createShortcuts,
  joinSql,
  type SqlDatabase,
  type StoreUse,
  sql,
} from "../platform/database/sql.ts"
import { type Database, openConnection, openDatabase } from "../platform/database/sqlite.ts"
import { untilNextTurn } from "../platform/timers.ts"
import { sqlitePurchases } from "../purchases/purchase-store-sqlite.ts"
import { sqliteStoreChecks } from "./check-store-sqlite.ts"
import { sqliteSchema } from "./schema.ts"
import { createSharedStores } from "./shared.ts"
import type { Store } from "./store.ts"

export type SqliteLocation = Readonly<{ path: string }>

export async function openSqlite({ path }: SqliteLocation, use: StoreUse): Promise<Store> {
  const db = openDatabase(path, sqliteSchema, use)
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
    feed: sqliteFeed(db, path, () => openConnection(path, sqliteSchema, use)),
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
