import { type Store, StoreUnavailable } from "../../domain/store.ts"
import { createSales } from "../sql/catalogue/sales.ts"
import { createSites } from "../sql/catalogue/sites.ts"
import type { StoreUse } from "../sql/database.ts"
import { createSigningKeyStore } from "../sql/keys/signing-keys.ts"
import { newestOf } from "../sql/migrate.ts"
import { createSharedStores } from "../sql/running/shared-stores.ts"
import { createCounts } from "../sql/usage/counts.ts"
import { postgresAccounts } from "./catalogue/accounts.ts"
import { postgresApiKeys } from "./catalogue/api-keys.ts"
import { postgresItemSearch } from "./catalogue/item-search.ts"
import { postgresItems } from "./catalogue/items.ts"
import { postgresPurchases } from "./catalogue/purchases.ts"
import { createHosts } from "./connection/current-host.ts"
import {
  connect,
  type Database,
  openDatabase,
  pagePool,
  primaryTimeouts,
} from "./connection/database.ts"
import { type Reading, readFromPrimary, readFromStandby } from "./connection/standby.ts"
import { feedPool, postgresFeed } from "./feed/feed.ts"
import { postgresStoreChecks } from "./running/store-checks.ts"
import { schema } from "./schema/schema.ts"

export type PostgresAddress = Readonly<{
  url: string
  connectionsMax: number
}>

export async function openPostgres(
  { url, connectionsMax }: PostgresAddress,
  use: StoreUse,
): Promise<Store> {
  const db = await openDatabase(url, connectionsMax)
  // A separate pool: pushes that wait for an import must not use up the connections of the API.
  const feeds = connect(url, feedPool, db.hosts)
  // The pages of authors and operators, which read much, leave the other connections to the API.
  const pages = connect(url, pagePool, db.hosts)
  const own = createReads(db)
  const reading = use === "serve" && db.hosts.count > 1 ? openStandby() : readFromPrimary(own)
  const { accounts, items, purchases, keys, signingKeys, probe } = reading.reads
  function openStandby(): Reading {
    const options = { ...primaryTimeouts, connectionsMax }
    const standby = connect(url, options, createHosts(url, "any"))
    return readFromStandby({ db, reads: own }, { db: standby, reads: createReads(standby) })
  }
  const stores = createSharedStores(db, pages, {
    accountTitles: "accounts",
    itemTitles: "items i",
  })
  const sites = createSites(db)
  return {
    ...stores,
    accounts: { ...own.accounts, ...accounts },
    items,
    purchases: { ...own.purchases, ...purchases },
    sales: createSales(pages, {
      soldAt: `(left(right(p.after_item, 22), 20) COLLATE "C")`,
      isRefunded: "p.revoked",
      array: "json_build_array",
      listFound: "json_agg(found)",
      itemsAtOnce: 5_000,
    }),
    sites: {
      ...sites,
      async claim(...site) {
        if (reading.isLost()) throw new StoreUnavailable("the primary cannot be asked")
        return sites.claim(...site)
      },
    },
    keys: { ...own.keys, ...keys },
    signingKeys: { ...own.signingKeys, ...signingKeys },
    feed: postgresFeed(db, feeds, use),
    itemSearch: postgresItemSearch(pages),
    counts: createCounts(db, sites),
    checks: postgresStoreChecks(db),
    schemaVersion: newestOf(schema),
    probe,
    untilFailed: () => new Promise(() => {}),
    writeTimes: () => ({
      succeededAtMs: Math.max(db.writes.succeededAtMs, feeds.writes.succeededAtMs),
      failedAtMs: Math.max(db.writes.failedAtMs, feeds.writes.failedAtMs),
    }),
    async close() {
      await Promise.all([reading.close(), db.close(), feeds.close(), pages.close()])
    },
  }
}

const createReads = (db: Database) => ({
  accounts: postgresAccounts(db),
  items: postgresItems(db),
  purchases: postgresPurchases(db),
  keys: postgresApiKeys(db),
  signingKeys: createSigningKeyStore(db),
  async probe() {
    await db.read("SELECT version FROM schema_version")
  },
})
