import { beforeAll, expect, test } from "bun:test"
import { createPostgres } from "../../tests/harness/stores/create-stores.ts"
import { type PostgresServer, sharePostgres } from "../../tests/harness/stores/postgres-server.ts"
import { accountId, accountRecord, put } from "../../tests/harness/stores/store-records.ts"
import { endAfter, openDatabase } from "../platform/database/postgres.ts"
import { rawSql } from "../platform/database/sql.ts"
import { postgresSchema } from "../store/schema.ts"
import { selectPurchases } from "./purchase-store-postgres.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

/** Inserts many rows without statistics, as after a restore. */
const neverAnalyzed = `
  ALTER TABLE items SET (autovacuum_enabled = false);
  ALTER TABLE purchases SET (autovacuum_enabled = false);
  ALTER TABLE purchase_sites SET (autovacuum_enabled = false);
  INSERT INTO items (id, account_id, is_hidden, body, name, folded_name, price, published_at, site_limits)
    SELECT id, (SELECT max(id) FROM accounts), false, '{"id":' || id || '}', '', '', 0, '', '{"sites":1,"byLicense":{}}' FROM generate_series(1, 2000) AS id;
  INSERT INTO purchases (folded, code, item_id, account_id, is_revoked, sold_at, currency, price, before_item, after_item)
    SELECT 'code-' || n, 'Code-' || n, n % 2000 + 1, (SELECT max(id) FROM accounts), false, '', '', 0, '{"item":', '}' FROM generate_series(1, 50000) AS n;
  INSERT INTO purchase_sites (folded, code, site, item_id, first_day, last_day, ordinal)
    SELECT folded, code, 'a.com', item_id, '2026-06-22', '2026-06-22', 1 FROM purchases;`

test("lookups use indexes even on tables without statistics", async () => {
  const url = await server.createMigratedDatabase()
  const store = await createPostgres({ url, connectionsMax: 4 })
  await put(store, accountRecord("ada"))
  const ada = await accountId(store, "ada")
  const db = await openDatabase(url, postgresSchema, 4)
  const { found, read } = await endAfter(await db.beginLong(""), async (client) => {
    await client.query`${rawSql(neverAnalyzed)}`
    const lookups = Array.from({ length: 30 }, (_, index) => ({
      code: `code-${index + 1}`,
      askedBy: ada,
      site: "a.com",
      keyId: "key_1",
    }))
    const scans = () =>
      client.query<{ name: string; scans: number }>`
        SELECT relname AS name, seq_scan AS scans FROM pg_stat_xact_user_tables
        WHERE relname IN ('items', 'purchases', 'purchase_sites') ORDER BY 1`
    const before = await scans()
    const found = await client.query<{ lastDay: string }>(selectPurchases(lookups))
    const read = (await scans()).map(({ name, scans }, at) => ({
      name,
      scans: scans - (before[at]?.scans ?? 0),
    }))
    return { found, read }
  })
  expect(found.map(({ lastDay }) => lastDay)).toEqual(Array(30).fill("2026-06-22"))
  expect(read).toEqual([
    { name: "items", scans: 0 },
    { name: "purchase_sites", scans: 0 },
    { name: "purchases", scans: 0 },
  ])
  await Promise.all([store.close(), db.close()])
})
