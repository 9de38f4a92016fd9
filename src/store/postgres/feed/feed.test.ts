import { beforeAll, expect, test } from "bun:test"
import { createPostgres } from "../../../../tests/harness/stores/new-stores.ts"
import {
  askPostgres,
  type PostgresServer,
  sharePostgres,
} from "../../../../tests/harness/stores/postgres.ts"
import { accountRecord, itemRecord, purchaseRecord, put } from "../../contracts/store-records.ts"
import { until } from "../../contracts/until.ts"
import { openDatabase } from "../connection/database.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

async function open() {
  const url = await server.createDatabase()
  const store = await createPostgres({ url, replicaUrls: [], connectionsMax: 16 })
  return { url, store, db: await openDatabase(url, 16) }
}

test("a million records wait, and no more", async () => {
  const { url, store, db } = await open()
  // Without what such a number of rows costs.
  await askPostgres(
    url,
    `ALTER TABLE waiting SET UNLOGGED;
     DROP INDEX waiting_by_need, waiting_by_run;
     INSERT INTO waiting (kind, identity, needs, record, as_of, since, run_id)
     SELECT 'purchase', lpad(at::text, 7, '0'), '0', '{}', 0, 0, 0
     FROM generate_series(1, 999999) AS many (at)`,
  )
  const reason = "there is no item 7, and 1,000,000 records wait already"
  const verdicts = await put(store, purchaseRecord("a", 7), purchaseRecord("b", 7))
  expect(verdicts).toEqual(["waiting", { member: "item_id", reason }])
  await Promise.all([store.close(), db.close()])
})

test("what an operator says while the line comes in counts", async () => {
  const { store, db } = await open()
  await put(store, accountRecord("ada"), itemRecord("ada", 7), purchaseRecord("abc", 7))
  const coming = await db.transact(async (client) => {
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
