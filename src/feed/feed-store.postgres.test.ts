import { beforeAll, expect, test } from "bun:test"
import { endpointRecord } from "../../tests/harness/endpoint-records.ts"
import { createPostgres } from "../../tests/harness/stores/create-stores.ts"
import {
  type PostgresServer,
  queryPostgres,
  retryLockTimeouts,
  sharePostgres,
} from "../../tests/harness/stores/postgres-server.ts"
import {
  accountId,
  accountRecord,
  itemRecord,
  purchaseRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import { until } from "../../tests/harness/until.ts"
import { openDatabase } from "../platform/database/postgres.ts"
import { postgresSchema } from "../store/schema.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

async function open() {
  const url = await server.createMigratedDatabase()
  const store = await createPostgres({ url, connectionsMax: 16 })
  return { url, store, db: await openDatabase(url, postgresSchema, 16) }
}

test("at most a million records are pending", async () => {
  const { url, store, db } = await open()
  // Without logging and indexes, to insert the rows faster.
  await queryPostgres(
    url,
    `ALTER TABLE pending_records SET UNLOGGED;
     DROP INDEX pending_records_by_need, pending_records_by_run;
     INSERT INTO pending_records (kind, identity, needs, record, as_of, since_ms, run_id)
     SELECT 'purchase', lpad(at::text, 7, '0'), '0', '{}', 0, 0, 0
     FROM generate_series(1, 999999) AS many (at)`,
  )
  const verdicts = await put(store, purchaseRecord("a", 7), purchaseRecord("b", 7))
  expect(verdicts).toEqual(["pending", "item_id: too_many_pending"])
  await Promise.all([store.close(), db.close()])
})

test("an operator override during the import of the record is kept", async () => {
  const { store, db } = await open()
  await put(store, accountRecord("ada"), itemRecord("ada", 7), purchaseRecord("abc", 7))
  const started = await db.transaction(async (client) => {
    await client.query`UPDATE accounts SET is_suspended = true, is_suspended_by_feed = false`
    await client.query`UPDATE purchases SET is_revoked = true, is_revoked_by_feed = false`
    const changed = [accountRecord("ada", "{}"), purchaseRecord("abc", 7, false, "deniz")]
    const verdicts = put(store, ...changed)
    await until(async () => {
      const blocked = await db.read`SELECT 1 FROM pg_locks WHERE NOT granted`
      return blocked.length > 0 || undefined
    })
    return { verdicts }
  })
  expect(await started.verdicts).toEqual([null, null])
  const ada = await store.accounts.findByUsername("ada")
  const [sold] = await store.sales.listByCode("abc")
  expect([ada?.isSuspended, ada?.body]).toEqual([true, "{}"])
  expect([sold?.isRevoked, sold?.isRevokedByFeed, sold?.buyer]).toEqual([true, false, "deniz"])
  await Promise.all([store.close(), db.close()])
})

const suspenders = [
  { by: "an operator", isByFeed: false },
  { by: "a feed", isByFeed: true },
]
test.each(suspenders)(
  "an account suspended by $by stays resumed if it is resumed during its import",
  async (suspender) => {
    const { isByFeed } = suspender
    const { store, db } = await open()
    await put(store, accountRecord("ada", "{ }", isByFeed))
    const ada = await accountId(store, "ada")
    if (!isByFeed) await store.accounts.setSuspended(ada, true, new Date())
    const started = await db.transaction(async (client) => {
      await client.query`UPDATE accounts SET is_suspended = false, is_suspended_by_feed = NULL`
      const verdicts = put(store, accountRecord("ada", "{}", null))
      await until(async () => {
        const blocked = await db.read`SELECT 1 FROM pg_locks WHERE NOT granted`
        return blocked.length > 0 || undefined
      })
      return { verdicts }
    })
    expect(await started.verdicts).toEqual([null])
    expect(await store.accounts.find(ada)).toMatchObject({ isSuspended: false, body: "{}" })
    await Promise.all([store.close(), db.close()])
  },
)

test.each([
  { override: "revokes", isRevoked: true, events: ["purchase.restored", "purchase.revoked"] },
  { override: "restores", isRevoked: false, events: ["purchase.restored"] },
])(
  "events match the stored state if an operator $override the purchase during its import",
  async ({ isRevoked, events }) => {
    const { store, db } = await open()
    const sold = purchaseRecord("abc", 7, isRevoked)
    await put(store, accountRecord("ada"), itemRecord("ada", 7), sold)
    await store.purchases.setRevokedByOperator("abc", !isRevoked, new Date())
    await store.endpoints.insert(endpointRecord("ep_all", { createdAt: "2000-01-01T00:00:00Z" }))
    let isDecided = false
    const started = await db.transaction(async (client) => {
      // The batch reads its records, then waits for this lock to write the first one.
      await client.query`SELECT 1 FROM accounts FOR UPDATE`
      const lines = [accountRecord("ada", "{}"), purchaseRecord("abc", 7, false, "deniz")]
      const verdicts = put(store, ...lines)
      const untilBlocked = (count: number) =>
        until(async () => {
          const blocked = await db.read`SELECT 1 FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`
          return blocked.length >= count || isDecided || undefined
        })
      await untilBlocked(1)
      const decided = retryLockTimeouts(() =>
        store.purchases.setRevokedByOperator("abc", isRevoked, new Date()),
      ).then((isFound) => {
        isDecided = true
        return isFound
      })
      await untilBlocked(2)
      return { done: Promise.all([verdicts, decided]) }
    })
    expect(await started.done).toEqual([[null, null], true])
    const messages = await store.messages.list("ep_all", null, 10)
    expect(messages.map(({ type }): string => type).toSorted()).toEqual([...events])
    const [stored] = await store.sales.listByCode("abc")
    expect(stored?.isRevoked).toBe(isRevoked)
    await Promise.all([store.close(), db.close()])
  },
)
