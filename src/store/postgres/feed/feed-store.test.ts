import { beforeAll, expect, test } from "bun:test"
import { endpointRecord } from "../../../../tests/contracts/events/endpoint-records.ts"
import {
  accountId,
  accountRecord,
  itemRecord,
  purchaseRecord,
  put,
} from "../../../../tests/contracts/store-records.ts"
import { until } from "../../../../tests/contracts/until.ts"
import { createPostgres } from "../../../../tests/harness/stores/create-stores.ts"
import {
  type PostgresServer,
  queryPostgres,
  retryLockTimeouts,
  sharePostgres,
} from "../../../../tests/harness/stores/postgres-server.ts"
import { openDatabase } from "../connection/database.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

async function open() {
  const url = await server.createMigratedDatabase()
  const store = await createPostgres({ url, connectionsMax: 16 })
  return { url, store, db: await openDatabase(url, 16) }
}

test("a million records wait, and no more", async () => {
  const { url, store, db } = await open()
  // Without what such a number of rows costs.
  await queryPostgres(
    url,
    `ALTER TABLE waiting SET UNLOGGED;
     DROP INDEX waiting_by_need, waiting_by_run;
     INSERT INTO waiting (kind, identity, needs, record, as_of, since, run_id)
     SELECT 'purchase', lpad(at::text, 7, '0'), '0', '{}', 0, 0, 0
     FROM generate_series(1, 999999) AS many (at)`,
  )
  const verdicts = await put(store, purchaseRecord("a", 7), purchaseRecord("b", 7))
  expect(verdicts).toEqual(["pending", "item_id: too_many_pending"])
  await Promise.all([store.close(), db.close()])
})

test("what an operator says while the line comes in counts", async () => {
  const { store, db } = await open()
  await put(store, accountRecord("ada"), itemRecord("ada", 7), purchaseRecord("abc", 7))
  const coming = await db.transaction(async (client) => {
    await client.query("UPDATE accounts SET suspended = true, feed_suspended = false")
    await client.query("UPDATE purchases SET revoked = true, feed_revoked = false")
    const changed = [accountRecord("ada", "{}"), purchaseRecord("abc", 7, false, "deniz")]
    const verdicts = put(store, ...changed)
    await until(async () => {
      const waiting = await db.read("SELECT 1 FROM pg_locks WHERE NOT granted")
      return waiting.length > 0 || undefined
    })
    return { verdicts }
  })
  expect(await coming.verdicts).toEqual([null, null])
  const ada = await store.accounts.findByUsername("ada")
  const [sold] = await store.operatorReads.listPurchases("abc")
  expect([ada?.isSuspended, ada?.body]).toEqual([true, "{}"])
  expect([sold?.isRevoked, sold?.isRevokedByFeed, sold?.buyer]).toEqual([true, false, "deniz"])
  await Promise.all([store.close(), db.close()])
})

const suspenders = [
  { by: "an operator", isFed: false },
  { by: "a feed", isFed: true },
]
test.each(suspenders)(
  "an account that $by suspended stays resumed, while its line comes in",
  async (suspender) => {
    const { isFed } = suspender
    const { store, db } = await open()
    await put(store, accountRecord("ada", "{ }", isFed))
    const ada = await accountId(store, "ada")
    if (!isFed) await store.accounts.setSuspended(ada, true)
    const coming = await db.transaction(async (client) => {
      await client.query("UPDATE accounts SET suspended = false, feed_suspended = NULL")
      const verdicts = put(store, accountRecord("ada", "{}", null))
      await until(async () => {
        const waiting = await db.read("SELECT 1 FROM pg_locks WHERE NOT granted")
        return waiting.length > 0 || undefined
      })
      return { verdicts }
    })
    expect(await coming.verdicts).toEqual([null])
    expect(await store.accounts.find(ada)).toMatchObject({ isSuspended: false, body: "{}" })
    await Promise.all([store.close(), db.close()])
  },
)

test.each([
  { word: "refunds", isRevoked: true, told: ["purchase.restored", "purchase.revoked"] },
  { word: "takes a refund back", isRevoked: false, told: ["purchase.restored"] },
])(
  "a sale of which an operator $word while its line comes in is told as it is kept",
  async (row) => {
    const { word: _, isRevoked, told } = row
    const { store, db } = await open()
    const sold = purchaseRecord("abc", 7, isRevoked)
    await put(store, accountRecord("ada"), itemRecord("ada", 7), sold)
    await store.purchases.setRevokedByOperator("abc", !isRevoked)
    await store.endpoints.insert(endpointRecord("ep_all", { createdAt: "2000-01-01T00:00:00Z" }))
    let isDecided = false
    const coming = await db.transaction(async (client) => {
      // The batch reads all of its records, then waits here to write the first.
      await client.query("SELECT 1 FROM accounts FOR UPDATE")
      const lines = [accountRecord("ada", "{}"), purchaseRecord("abc", 7, false, "deniz")]
      const verdicts = put(store, ...lines)
      const untilWaiting = (count: number) =>
        until(async () => {
          const waiting = await db.read(
            `SELECT 1 FROM pg_stat_activity
             WHERE datname = current_database() AND wait_event_type = 'Lock'`,
          )
          return waiting.length >= count || isDecided || undefined
        })
      await untilWaiting(1)
      const decided = retryLockTimeouts(() =>
        store.purchases.setRevokedByOperator("abc", isRevoked),
      ).then((isFound) => {
        isDecided = true
        return isFound
      })
      await untilWaiting(2)
      return { done: Promise.all([verdicts, decided]) }
    })
    expect(await coming.done).toEqual([[null, null], true])
    const messages = await store.messages.list("ep_all", null, 10)
    expect(messages.map(({ type }): string => type).toSorted()).toEqual([...told])
    const [kept] = await store.operatorReads.listPurchases("abc")
    expect(kept?.isRevoked).toBe(isRevoked)
    await Promise.all([store.close(), db.close()])
  },
)
