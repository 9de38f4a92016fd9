import type { Store } from "../../domain/store.ts"
import { untilNextTurn } from "../../domain/values/timers.ts"
import { createSaleStore } from "../sql/catalog/sale-store.ts"
import { createSiteStore } from "../sql/catalog/site-store.ts"
import { createSharedStores } from "../sql/composition/shared-stores.ts"
import {
  createApiKeyStore,
  type FoundKeyRow,
  selectFoundKeys,
} from "../sql/keys/shared-api-key-store.ts"
import { newestOf } from "../sql/schema-versions.ts"
import type { SqlDatabase, StoreUse } from "../sql/sql-database.ts"
import { createCountStore } from "../sql/usage/count-store.ts"
import { sqliteAccounts } from "./catalog/account-store.ts"
import { sqliteItemSearch } from "./catalog/item-search-queries.ts"
import { sqliteItems } from "./catalog/item-store.ts"
import { sqlitePurchases } from "./catalog/purchase-store.ts"
import { openConnection } from "./connection/connection.ts"
import { type Database, openDatabase } from "./connection/database.ts"
import { sqliteFeed } from "./feed/feed-store.ts"
import { sqliteStoreChecks } from "./health/check-queries.ts"
import { schema } from "./schema/schema.ts"

export type SqliteLocation = Readonly<{ path: string }>

export async function openSqlite({ path }: SqliteLocation, use: StoreUse): Promise<Store> {
  const db = openDatabase(path, use)
  const pages = yieldAfterReads(db)
  const stores = createSharedStores(db, pages, {
    accountTitles: "accounts INDEXED BY accounts_by_search",
    itemTitles: "items i INDEXED BY items_by_id",
  })
  const sites = createSiteStore(db)
  return {
    ...stores,
    accounts: sqliteAccounts(db),
    items: sqliteItems(db),
    purchases: sqlitePurchases(db),
    sales: createSaleStore(pages, {
      array: "json_array",
      listFound: "json_group_array(json(found))",
      itemsPerQueryMax: 500,
      isGrouping: false,
    }),
    sites,
    keys: createApiKeyStore(db, findKey(db)),
    feed: sqliteFeed(db, path, () => openConnection(path, use)),
    itemSearch: sqliteItemSearch(pages),
    counts: createCountStore(db, sites),
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

/** For pages, which read much: other requests are processed between two reads. */
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
