import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { createSqlite } from "../../tests/harness/stores/create-stores.ts"
import { createSqlitePaths } from "../../tests/harness/stores/sqlite-paths.ts"
import { encryptedColumns } from "./encrypted-row-store.ts"

const freshPath = createSqlitePaths()

test("the list contains all columns with encrypted bytes", async () => {
  const path = freshPath()
  await (await createSqlite(path)).close()
  using db = new Database(path)
  const stored = db
    .query<{ name: string }, []>(
      `SELECT t.name || '.' || c.name AS name FROM sqlite_schema t, pragma_table_info(t.name) c
       WHERE t.type = 'table' AND (c.name LIKE '%encrypted' OR c.name = 'two_factor') AND c.type = 'BLOB'`,
    )
    .all()
  const listed = encryptedColumns.map(([, table, column]) => `${table}.${column}`)
  // The column of encrypted event data has another name.
  expect([...stored.map(({ name }) => name), "webhook_events.data"].toSorted()).toEqual(
    listed.toSorted(),
  )
})
