import { lowerAscii } from "../../domain/catalogue/purchase-code.ts"
import { type Store, StoreUnavailable } from "../../domain/store.ts"
import { createSales } from "../sql/catalogue/sales.ts"
import { createSites } from "../sql/catalogue/sites.ts"
import type { StoreUse } from "../sql/database.ts"
import { newestOf } from "../sql/migrate.ts"
import { createSharedStores } from "../sql/running/shared-stores.ts"
import { postgresAccounts } from "./catalogue/accounts.ts"
import { postgresApiKeys } from "./catalogue/api-keys.ts"
import { postgresItemSearch } from "./catalogue/item-search.ts"
import { postgresItems } from "./catalogue/items.ts"
import { postgresPurchases } from "./catalogue/purchases.ts"
import { createReleases, forgetReleases, tellReleases } from "./catalogue/released-sites.ts"
import { connect, openDatabase, pagePool } from "./connection/database.ts"
import { assertUsable } from "./connection/opening.ts"
import { postgresCounts } from "./counts.ts"
import { feedPool, postgresFeed } from "./feed/feed.ts"
import { migrations } from "./migrations/migrations.ts"
import { type NotifyChange, notifyOwnChanges, postgresKeyChanges } from "./replicas/key-changes.ts"
import { noHeartbeat, openPrimaryHeartbeat } from "./replicas/primary-heartbeat.ts"
import { openReplicas, readFromReplicas } from "./replicas/replicas.ts"
import { warmKeys } from "./replicas/warm-keys.ts"
import { postgresNodeMessages } from "./running/node-messages.ts"
import { postgresStoreChecks } from "./running/store-checks.ts"
import { postgresSignInFailures } from "./sign-in-failures.ts"

export type PostgresAddress = Readonly<{
  url: string
  replicaUrls: readonly string[]
  /** For each of the servers. */
  connectionsMax: number
}>

const noRowCache = { hits: 0, misses: 0 }

/** A command only asks the primary; a server also runs heartbeats and reads from replicas. */
export async function openPostgres(
  { url, replicaUrls, connectionsMax }: PostgresAddress,
  use: StoreUse,
): Promise<Store> {
  const db = await openDatabase(url, connectionsMax)
  // A separate pool: pushes that wait for an import must not use up the connections of the API.
  const feeds = connect(url, feedPool)
  // The pages of authors and operators, which read much, leave the other connections to the API.
  const pages = connect(url, pagePool)
  const watchers: NotifyChange[] = []
  const notify: NotifyChange = (changed) => {
    for (const watcher of watchers) watcher(changed)
  }
  const releases = createReleases()
  const heartbeat = use === "serve" ? openPrimaryHeartbeat(url, notify, releases.add) : noHeartbeat
  const replicas = openReplicas(use === "serve" ? replicaUrls : [], connectionsMax, heartbeat)
  const accounts = postgresAccounts(db)
  const purchases = postgresPurchases(db)
  const primary = { accounts, items: postgresItems(db), purchases }
  const catalogue =
    replicaUrls.length === 0 ? primary : readFromReplicas(primary, replicas, heartbeat)
  const keyChanges = postgresKeyChanges(heartbeat, replicas, (watcher) => watchers.push(watcher))
  const keys =
    replicaUrls.length === 0
      ? postgresApiKeys(db)
      : warmKeys(postgresApiKeys(db), db, keyChanges, replicas)
  const stores = createSharedStores(db, pages, {
    accountTitles: "accounts",
    itemTitles: "items i",
    filterByCode,
  })
  const sites = createSites(db, {
    id: "code",
    first: "",
    filterByCode,
    each: "json_array_elements($1::json)",
    isOf: "p.code = value->>'code'",
    name: () => ({}),
    purchasesEachChange: 1,
    tellReleases,
    forgetReleases,
    takeReleases: releases.take,
  })
  return {
    ...stores,
    accounts: { ...accounts, ...catalogue.accounts },
    items: catalogue.items,
    purchases: { ...purchases, ...catalogue.purchases },
    sales: createSales(pages, {
      id: "code",
      idType: "text",
      soldAt: `(left(right(p.after_item, 22), 20) COLLATE "C")`,
      isRefunded: "p.revoked",
      serial: codeHash,
      serialText: codeHash,
      serialOf: (text) => text,
      array: "json_build_array",
      listFound: "json_agg(found)",
      itemsAtOnce: 5_000,
    }),
    sites: {
      ...sites,
      async claim(...site) {
        if (heartbeat.isLost()) throw new StoreUnavailable("the primary cannot be asked")
        return sites.claim(...site)
      },
      async release(code, ...rest) {
        const release = await sites.release(code, ...rest)
        // This thread knows it before the next heartbeat.
        if (release.kind === "released") releases.add([code])
        return release
      },
    },
    keys: notifyOwnChanges(keys, notify),
    keyChanges,
    feed: postgresFeed(db, feeds, use),
    itemSearch: postgresItemSearch(pages),
    counts: postgresCounts(db, sites),
    signInFailures: postgresSignInFailures(db),
    nodeMessages: postgresNodeMessages(db, url),
    checks: postgresStoreChecks(db, replicaUrls),
    schemaVersion: newestOf(migrations),
    async probe() {
      const oldest = heartbeat.lastOldest()
      if (oldest !== null) assertUsable(oldest)
      // A healthy replica has answered within the last second, so there is no need to ask the primary.
      if (!replicas.isAnyHealthy()) await stores.metadata.find("")
    },
    untilFailed: () => new Promise(() => {}),
    measure: () => ({
      pools: { primary: db.measure(), replica: replicas.measure(), feed: feeds.measure() },
      rowCache: noRowCache,
      writes: {
        succeededAtMs: Math.max(db.writes.succeededAtMs, feeds.writes.succeededAtMs),
        failedAtMs: Math.max(db.writes.failedAtMs, feeds.writes.failedAtMs),
      },
      replicaLagSeconds: replicas.lagSeconds(),
    }),
    async close() {
      await Promise.all([heartbeat.close(), replicas.close()])
      await Promise.all([db.close(), feeds.close(), pages.close()])
    },
  }
}

/** As in the index of purchases by date. */
const codeHash = `(lpad(to_hex(hashtextextended(p.code, 0)), 16, '0') COLLATE "C")`

const filterByCode = (code: string) => ({
  condition: "lower(p.code) = $1",
  values: [lowerAscii(code)],
  isAsked: "c.code = p.code",
})
