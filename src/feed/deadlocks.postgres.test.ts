/** Concurrent transactions lock rows in the same order, so that no deadlock occurs. */
import { afterEach, beforeAll, beforeEach, expect, test } from "bun:test"
import { endpointRecord } from "../../tests/harness/endpoint-records.ts"
import { createPostgres } from "../../tests/harness/stores/create-stores.ts"
import { type PostgresServer, sharePostgres } from "../../tests/harness/stores/postgres-server.ts"
import {
  accountId,
  accountRecord,
  itemRecord,
  purchaseRecord,
  put,
  withoutLimits,
} from "../../tests/harness/stores/store-records.ts"
import { until } from "../../tests/harness/until.ts"
import { type Database, openDatabase } from "../platform/database/postgres.ts"
import { type Sql, type SqlDatabase, sql } from "../platform/database/sql.ts"
import { purchaseQueries } from "../purchases/purchase-store.ts"
import { postgresSchema } from "../store/schema.ts"
import type { Store } from "../store/store.ts"
import { createEndpointStore } from "../webhooks/webhook-store.ts"
import type { FeedRecord } from "./feed-record.ts"

/** Exceeds the number of records that a full sync deletes with one statement. */
const deletedCount = 1_000

let server: PostgresServer
let store: Store
let db: Database
beforeAll(async () => {
  server = await sharePostgres()
})
beforeEach(async () => {
  const url = await server.createMigratedDatabase()
  store = await createPostgres({ url, connectionsMax: 16 })
  db = await openDatabase(url, postgresSchema, 16)
  await put(store, accountRecord("ada"), itemRecord("ada", 7))
  await store.endpoints.insert(endpointRecord("ep_all", { createdAt: "2026-07-01T00:00:00Z" }))
})
afterEach(async () => {
  await Promise.all([store.close(), db.close()])
})

const untilBlocked = (count: number) =>
  until(async () => {
    const blocked = await db.read`SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock'`
    return blocked.length >= count || undefined
  })

/** Starts `first`, then `second`, while both have to wait for the row that `lock` locks. */
async function race<First, Second>(
  lock: Sql,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<readonly [First, Second]> {
  const { both } = await db.transaction(async (client) => {
    await client.query(lock)
    const one = first()
    await untilBlocked(1)
    const other = second()
    await untilBlocked(2)
    return { both: Promise.all([one, other]) }
  })
  return both
}

/** Disables the lock timeout of one second, because PostgreSQL detects a deadlock only after one second. */
const withoutTimeouts = (): SqlDatabase => ({
  ...db,
  transaction: (work) =>
    db.transaction(work, sql`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0`),
})

test("an operator override and a full sync that deletes the purchase", async () => {
  const others = Array.from({ length: deletedCount }, (_, at) => purchaseRecord(`a-${at}`, 7))
  await put(store, ...others, purchaseRecord("z", 7))
  const full = await store.feed.openBatches({
    source: "test",
    via: "file",
    limits: withoutLimits,
  })
  const [isFound, { removed }] = await race(
    sql`SELECT 1 FROM purchases WHERE code = 'z' FOR UPDATE`,
    () => purchaseQueries(withoutTimeouts()).setRevokedByOperator("z", true, new Date()),
    () => full.removeOlder(new Date(), Date.now() + 60_000),
  )
  expect([isFound, removed]).toEqual([true, deletedCount + 3])
  const { pendingMessages } = (await store.endpoints.find("ep_all")) ?? {}
  expect(pendingMessages).toBe(deletedCount + 1)
})

test("a refund does not wait for a full sync that has changed the sums of the author", async () => {
  const others = Array.from({ length: deletedCount }, (_, at) => purchaseRecord(`a-${at}`, 7))
  await put(store, ...others, purchaseRecord("y", 7), purchaseRecord("z", 7))
  const origin = { source: "test", via: "file" } as const
  const full = await store.feed.openBatches({ ...origin, limits: withoutLimits })
  const { removal } = await db.transaction(async (client) => {
    await client.query`SELECT 1 FROM purchases WHERE code = 'y' FOR UPDATE`
    const removal = full.removeOlder(new Date(), Date.now() + 60_000)
    await untilBlocked(1)
    expect(await store.purchases.setRevokedByOperator("z", true, new Date())).toBe(true)
    return { removal }
  })
  expect((await removal).removed).toBe(deletedCount + 4)
})

const renamed: FeedRecord = {
  type: "account",
  key: null,
  account: { username: "ada-l", isSuspended: null, body: "{}" },
  was: "ada",
}

test("a feed that renames an account and revokes a purchase, and a new endpoint of the account", async () => {
  await put(store, purchaseRecord("abc", 7))
  const ada = await accountId(store, "ada")
  const [verdicts, inserted] = await race(
    sql`SELECT 1 FROM accounts WHERE username = 'ada' FOR UPDATE`,
    () => put(store, renamed, purchaseRecord("abc", 7, true)),
    () =>
      createEndpointStore(withoutTimeouts()).insert(endpointRecord("ep_ada", { accountId: ada })),
  )
  expect([verdicts, inserted]).toEqual([[null, null], "inserted"])
})
