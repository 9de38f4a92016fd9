import type { Account, AccountStore } from "../accounts/account.ts"
import { accountQueries, selectAccounts } from "../accounts/account-store.ts"
import { feedPool, postgresFeed } from "../feed/feed-store-postgres.ts"
import { postgresItems } from "../items/item-store-postgres.ts"
import type { ApiKeyStore } from "../keys/key.ts"
import { createApiKeyStore, type FoundKeyRow, selectFoundKeys } from "../keys/key-store.ts"
import {
  batchLookups,
  connect,
  type Database,
  openDatabase,
  timeouts,
} from "../platform/database/postgres.ts"
import { createHosts } from "../platform/database/postgres-pool.ts"
import { newestOf } from "../platform/database/schema-versions.ts"
import type { StoreUse } from "../platform/database/sql.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { postgresPurchases } from "../purchases/purchase-store-postgres.ts"
import { createSigningKeyStore } from "../signing/signing-key-store.ts"
import { postgresStoreChecks } from "./check-store-postgres.ts"
import { type Reading, readFromStandby } from "./postgres-standby.ts"
import { postgresSchema } from "./schema.ts"
import { createSharedStores } from "./shared.ts"
import type { Store } from "./store.ts"

export type PostgresLocation = Readonly<{ url: string; connectionsMax: number }>

export async function openPostgres(location: PostgresLocation, use: StoreUse): Promise<Store> {
  const { url, connectionsMax } = location
  const db = await openDatabase(url, postgresSchema, connectionsMax, use)
  // Separate pools: pushes that wait for an import, and pages that read much, must not use the connections of the API.
  const feeds = connect(url, feedPool, db.hosts)
  const pages = connect(url, { ...timeouts[use], connectionsMax: 2 }, db.hosts)
  const primaryReads = createReads(db)
  let reading: Reading = { reads: primaryReads, isLost: () => false, async close() {} }
  if (use === "serve" && db.hosts.count > 1) {
    const options = { ...timeouts.serve, connectionsMax }
    const standby = connect(url, options, createHosts(url, "any"))
    const reads = createReads(standby)
    reading = readFromStandby({ db, reads: primaryReads }, { db: standby, reads })
  }
  const { accounts, items, purchases, keys, signingKeys, probe } = reading.reads
  const stores = createSharedStores(db, pages)
  return {
    ...stores,
    accounts: { ...primaryReads.accounts, ...accounts },
    items,
    purchases: { ...primaryReads.purchases, ...purchases },
    sites: {
      ...stores.sites,
      async claim(...site) {
        if (reading.isLost()) throw new StoreUnavailable("no host is writable")
        return stores.sites.claim(...site)
      },
    },
    keys: { ...primaryReads.keys, ...keys },
    signingKeys: { ...primaryReads.signingKeys, ...signingKeys },
    feed: postgresFeed(db, feeds, use),
    checks: postgresStoreChecks(db),
    schemaVersion: newestOf(postgresSchema),
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
    await db.read`SELECT version FROM schema_version`
  },
})

const postgresAccounts = (db: Database): AccountStore => ({
  async find(id) {
    const row = await db.find<Account>`${selectAccounts} WHERE id = ${id}`
    if (row !== null && row.id !== id)
      throw new Error(`database returned account ${row.id} instead of ${id}`)
    return row
  },
  ...accountQueries(db),
})

function postgresApiKeys(db: Database): ApiKeyStore {
  const findByLookup = batchLookups<Uint8Array, FoundKeyRow>({
    query: (lookups) => db.read`${selectFoundKeys} WHERE k.lookup = ANY (${lookups})`,
    keyOfLookup: hex,
    keyOfRow: ({ lookup }) => hex(lookup),
  })
  // Batched lookups are one query.
  return createApiKeyStore(
    db,
    async (lookups) => (await Promise.all(lookups.map(findByLookup))).flat()[0] ?? null,
  )
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")
