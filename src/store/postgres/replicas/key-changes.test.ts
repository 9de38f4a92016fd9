import { expect, test } from "bun:test"
import { sharePostgres } from "../../../../tests/harness/stores/postgres.ts"
import { openDatabase } from "../connection/database.ts"

const addKeys = `
  INSERT INTO accounts (username, list_version, body) VALUES ('ada', '', '{}');
  INSERT INTO api_keys (id, account_id, kind, name, lookup, sealed, created_at)
    SELECT 'key_' || n, (SELECT max(id) FROM accounts), 'sk', '', decode(lpad(n::text, 8, '0'), 'hex'), '', ''
    FROM generate_series(1, 20) AS n`

test("a changed key never reads the notes of all others, not even right after a move", async () => {
  const db = await openDatabase(await (await sharePostgres()).createMigratedDatabase(), 2)
  const [notes, scans] = await db.transaction(async ({ query }) => {
    await query(`ANALYZE key_changes; ${addKeys}`)
    await query("UPDATE api_keys SET name = 'new'")
    const noted = "SELECT seq_scan, n_tup_ins FROM pg_stat_xact_user_tables"
    const [row] = await query<{ seq_scan: number; n_tup_ins: number }>(
      `${noted} WHERE relname = 'key_changes'`,
    )
    return [row?.n_tup_ins, row?.seq_scan]
  })
  await db.close()
  expect([notes, scans]).toEqual([20, 0])
})
