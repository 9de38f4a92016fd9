import type { Store } from "../../domain/store.ts"
import { untilNextTurn } from "../../domain/values/work-queue.ts"
import { createSales } from "../sql/catalogue/sales.ts"
import { createSites } from "../sql/catalogue/sites.ts"
import type { SqlDatabase, StoreUse } from "../sql/database.ts"
import { createApiKeys, type FoundKeyRow, selectFoundKeys } from "../sql/keys/api-keys.ts"
import { newestOf } from "../sql/migrate.ts"
import { createSharedStores } from "../sql/running/shared-stores.ts"
import { createCounts } from "../sql/usage/counts.ts"
import { sqliteAccounts } from "./catalogue/accounts.ts"
import { sqliteItemSearch } from "./catalogue/item-search.ts"
import { sqliteItems } from "./catalogue/items.ts"
import { sqlitePurchases } from "./catalogue/purchases.ts"
import { openConnection } from "./connection/connection.ts"
import { type Database, openDatabase } from "./connection/database.ts"
import { sqliteFeed } from "./feed/feed.ts"
import { schema } from "./schema/schema.ts"
import { sqliteStoreChecks } from "./store-checks.ts"

export type SqliteAddress = Readonly<{ path: string }>

export async function openSqlite({ path }: SqliteAddress, use: StoreUse): Promise<Store> {
  const db = openDatabase(path, use)
  const pages = yieldAfterReads(db)
  const stores = createSharedStores(db, pages, {
    accountTitles: "accounts INDEXED BY accounts_by_search",
    itemTitles: "items i INDEXED BY items_by_id",
  })
  const sites = createSites(db)
  return {
    ...stores,
    accounts: sqliteAccounts(db),
    items: sqliteItems(db),
    purchases: sqlitePurchases(db),
    sales: createSales(pages, {
      soldAt: "substr(p.after_item, -22, 20)",
      isRefunded: "p.revoked = 1",
      array: "json_array",
      listFound: "json_group_array(json(found))",
      itemsAtOnce: 500,
    }),
    sites,
    keys: createApiKeys(db, findKey(db)),
    feed: sqliteFeed(db, path, () => openConnection(path, use)),
    itemSearch: sqliteItemSearch(pages),
    counts: createCounts(db, sites),
    checks: sqliteStoreChecks(db),
    schemaVersion: newestOf(schema),
    async probe() {
      db.assertUnchanged()
      await stores.metadata.find("")
    },
    untilFailed: db.untilFailed,
    writeTimes: () => db.writes,
    close: () => db.close(),
  }
}

/** For pages, which read much: other requests are answered between two reads. */
const yieldAfterReads = (db: SqlDatabase): SqlDatabase => ({
  ...db,
  async read(sql, values) {
    await untilNextTurn()
    return db.read(sql, values)
  },
})

const findKey = (db: Database) => async (lookup: Uint8Array) => {
  const [row] = await db.read<FoundKeyRow>(`${selectFoundKeys} WHERE k.lookup = $1`, [lookup])
  return row
}
