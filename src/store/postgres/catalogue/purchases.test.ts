import { beforeAll, expect, test } from "bun:test"
import { createPostgres } from "../../../../tests/harness/stores/new-stores.ts"
import { type PostgresServer, sharePostgres } from "../../../../tests/harness/stores/postgres.ts"
import { accountId, accountRecord, put } from "../../contracts/store-records.ts"
import { openDatabase } from "../connection/database.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

/** As after a restore: many rows, and no statistics of them. */
const neverAnalysed = `
  ALTER TABLE items SET (autovacuum_enabled = false);
  ALTER TABLE purchases SET (autovacuum_enabled = false);
  INSERT INTO items (id, account_id, hidden, body)
    SELECT id, (SELECT max(id) FROM accounts), false, '{"id":' || id || '}' FROM generate_series(1, 2000) AS id;
  INSERT INTO purchases (code, item_id, revoked, before_item, after_item)
    SELECT 'Code-' || n, n % 2000 + 1, false, '{"item":', '}' FROM generate_series(1, 50000) AS n;`

test("no look-up reads a table whole, not even one the planner knows nothing of", async () => {
  const url = await server.createDatabase()
  const store = await createPostgres({ url, replicaUrls: [], connectionsMax: 4 })
  await put(store, accountRecord("ada"))
  const ada = await accountId(store, "ada")
  const db = await openDatabase(url, 4)
  const { found, read } = await db.transactLong(async (client) => {
    await client.query(neverAnalysed)
    const questions = Array.from({ length: 30 }, (_, index) => `code-${index + 1}`)
    const found = await client.query("SELECT code FROM find_purchases($1, $2, $3)", [
      questions,
      questions.map(() => ada),
      questions.map(() => null),
    ])
    const read = await client.query(
      `SELECT relname AS name, seq_scan AS scans FROM pg_stat_xact_user_tables
       WHERE relname IN ('items', 'purchases') ORDER BY 1`,
    )
    return { found, read }
  })
  expect(found.length).toBe(30)
  expect(read).toEqual([
    { name: "items", scans: 0 },
    { name: "purchases", scans: 0 },
  ])
  await Promise.all([store.close(), db.close()])
})
