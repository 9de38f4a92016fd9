import type { Store } from "../../domain/store.ts"
import { untilNextTurn } from "../../domain/values/work-queue.ts"
import { createSales } from "../sql/catalogue/sales.ts"
import { createSites } from "../sql/catalogue/sites.ts"
import type { SqlDatabase, StoreUse } from "../sql/database.ts"
import { createApiKeys, type FoundKeyRow, selectFoundKeys } from "../sql/keys/api-keys.ts"
import { newestOf } from "../sql/migrate.ts"
import { createSharedStores } from "../sql/running/shared-stores.ts"
import { sqliteAccounts } from "./catalogue/accounts.ts"
import { sqliteItemSearch } from "./catalogue/item-search.ts"
import { sqliteItems } from "./catalogue/items.ts"
import { sqlitePurchases } from "./catalogue/purchases.ts"
import { createTakeReleases, forgetReleases, tellReleases } from "./catalogue/released-sites.ts"
import { openConnection } from "./connection/connection.ts"
import { type Database, openDatabase } from "./connection/database.ts"
import { diskFailed } from "./connection/errors.ts"
import { type SharedState, untilDiskFails } from "./connection/shared-state.ts"
import { sqliteCounts } from "./counts.ts"
import { sqliteFeed } from "./feed/feed.ts"
import { rowidsOf } from "./migrations/purchase-rowids.ts"
import { schema } from "./schema.ts"
import { sqliteStoreChecks } from "./store-checks.ts"

export type SqliteAddress = Readonly<{
  path: string
  /** Shared by all threads that open the store. */
  shared: SharedState
}>

export async function openSqlite({ path, shared }: SqliteAddress, use: StoreUse): Promise<Store> {
  const db = openDatabase(path, use, shared)
  const pages = yieldAfterReads(db)
  const stores = createSharedStores(db, pages, {
    accountTitles: "accounts INDEXED BY accounts_by_search",
    itemTitles: "items i INDEXED BY items_by_id",
    filterByCode,
  })
  const sites = createSites(db, {
    id: "place",
    first: -1,
    filterByCode,
    each: "json_each($1)",
    isOf: "p.place BETWEEN value->>'first' AND value->>'last' AND p.code = value->>'code'",
    name: rowidsOf,
    purchasesEachChange: 50,
    tellReleases,
    forgetReleases,
    takeReleases: createTakeReleases(db),
  })
  return {
    ...stores,
    accounts: sqliteAccounts(db),
    items: sqliteItems(db),
    purchases: sqlitePurchases(db),
    sales: createSales(pages, {
      id: "place",
      idType: "bigint",
      soldAt: "substr(p.after_item, -22, 20)",
      isRefunded: "p.revoked = 1",
      serial: "p.place",
      serialText: "printf('%016d', p.place)",
      serialOf: Number,
      array: "json_array",
      listFound: "json_group_array(json(found))",
      itemsAtOnce: 500,
    }),
    sites,
    keys: createApiKeys(db, findKey(db)),
    feed: sqliteFeed(db, () => openConnection(path, use)),
    itemSearch: sqliteItemSearch(pages),
    counts: sqliteCounts(db, sites),
    checks: sqliteStoreChecks(db),
    schemaVersion: newestOf(schema),
    async probe() {
      db.assertUnchanged()
      await stores.metadata.find("")
    },
    async untilFailed() {
      await untilDiskFails(shared)
      return diskFailed()
    },
    measure: () => ({
      pools: null,
      rowCache: db.rowCounts,
      writes: db.writes,
    }),
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

function filterByCode(code: string) {
  const { first, last } = rowidsOf(code)
  return {
    condition: "p.place BETWEEN $1 AND $2",
    values: [first, last],
    isAsked: "c.place = p.place",
  }
}
