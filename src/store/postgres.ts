import type { Account, AccountStore } from "../accounts/account.ts"
import { accountQueries, selectAccounts } from "../accounts/account-store.ts"
import { feedPool, postgresFeed } from "../feed/feed-store-postgres.ts"
import { postgresItems } from "../items/item-store-postgres.ts"
import type { ApiKeyStore } from "../keys/key.ts"
import { createApiKeyStore, type FoundKeyRow, selectFoundKeys } from "../keys/key-store.ts"
import {
  assertServerSupported,
  batchLookups,
  connect,
  type Database,
  endAfter,
  explainOpening,
  findVersion,
  longPool,
  openDatabase,
  timeouts,
} from "../platform/database/postgres.ts"
import { createHosts } from "../platform/database/postgres-pool.ts"
import {
  findNewestVersion,
  type Migrated,
  migrateDatabase,
  type OnMigration,
  type OnProgress,
} from "../platform/database/schema-versions.ts"
import { rawSql, type StoreUse, tuples } from "../platform/database/sql.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { pluralize } from "../platform/text.ts"
import { postgresPurchases } from "../purchases/purchase-store-postgres.ts"
import { createSigningKeyStore } from "../signing/signing-key-store.ts"
import { createSharedChecks, type StoreChecks } from "./checks.ts"
import { type Reading, readFromStandby } from "./postgres-standby.ts"
import { postgresSchema } from "./schema.ts"
import { createSharedStores, type Store } from "./store.ts"

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
    checks: createChecks(db),
    schemaVersion: findNewestVersion(postgresSchema),
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
  accounts: createAccountStore(db),
  items: postgresItems(db),
  purchases: postgresPurchases(db),
  keys: createBatchedKeyStore(db),
  signingKeys: createSigningKeyStore(db),
  async probe() {
    await db.read`SELECT version FROM schema_version`
  },
})

const createAccountStore = (db: Database): AccountStore => ({
  async find(id) {
    const row = await db.find<Account>`${selectAccounts} WHERE id = ${id}`
    if (row !== null && row.id !== id)
      throw new Error(`database returned account ${row.id} instead of ${id}`)
    return row
  },
  ...accountQueries(db),
})

function createBatchedKeyStore(db: Database): ApiKeyStore {
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

/** The key of an advisory lock. */
const migrationLock = 7_243_001

export async function migratePostgres(
  url: string,
  onMigration?: OnMigration,
  onProgress?: OnProgress,
  schema = postgresSchema,
): Promise<Migrated> {
  const database = connect(url, longPool)
  try {
    // The version must be read after the lock is taken.
    const client = await database.beginLong("ISOLATION LEVEL READ COMMITTED")
    return await endAfter(client, async ({ query }) => {
      await assertServerSupported({ query })
      await query`SELECT pg_advisory_xact_lock(${migrationLock})`
      const from = (await findVersion({ query })) ?? 0
      const setVersion = async (version: number) => {
        await query`DELETE FROM schema_version`
        await query`INSERT INTO schema_version VALUES (${version})`
      }
      const run = (text: string) => query(rawSql(text))
      const migrating = { from, run, setVersion, copy: () => null }
      return migrateDatabase(schema, migrating, onMigration, onProgress)
    })
  } catch (error) {
    throw error instanceof StoreUnavailable && error.cause !== undefined
      ? explainOpening(error, url)
      : error
  } finally {
    await database.close()
  }
}

const createChecks = (db: Database): StoreChecks => ({
  ...createSharedChecks(db),
  /** PostgreSQL verifies the checksum of every page it reads, and counts the failures. */
  async listCorruption() {
    const failures =
      (await db.findValue<number>`
        SELECT checksum_failures FROM pg_stat_database WHERE datname = current_database()`) ?? 0
    const invalid = await db.read<[name: string]>(
      tuples`SELECT indexrelid::regclass::text FROM pg_index WHERE NOT indisvalid`,
    )
    return [
      ...(failures === 0 ? [] : [`${pluralize(failures, "page")} with a wrong checksum`]),
      ...invalid.map(([name]) => `index ${name} is invalid`),
    ]
  },
  async readClock() {
    const ms = await db.findValue<number>`
      SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint`
    return new Date(ms ?? Number.NaN)
  },
  findReadOnly: () =>
    db.findValue`SELECT CASE WHEN pg_is_in_recovery() THEN 'standby'
      WHEN current_setting('transaction_read_only') = 'on' THEN 'setting' END`,
})
