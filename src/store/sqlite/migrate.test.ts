import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { migrationsContract } from "../../../tests/contracts/contracts.ts"
import { sqliteFile } from "../../../tests/harness/stores/new-stores.ts"
import { createSqlitePaths } from "../../../tests/harness/stores/sqlite-paths.ts"
import { newestOf, type OnMigration } from "../sql/migrate.ts"
import { oldestOf } from "./connection/connection.ts"
import { migrateSqlite } from "./migrate.ts"
import { migrations } from "./migrations/migrations.ts"
import { openSqlite } from "./store.ts"

const freshPath = createSqlitePaths()

migrationsContract("SQLite", migrations, async () => {
  const path = freshPath()
  async function use<T>(work: (db: Database) => T): Promise<T> {
    const db = new Database(path)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  return {
    migrate: (steps) => migrateSqlite(path, () => {}, steps),
    query: (sql) => use((db) => db.query<never, []>(sql).all()),
    readSchema: () =>
      use((db) => db.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name").all()),
    readOldest: () => use(oldestOf),
    open: () => openSqlite(sqliteFile(path), "command"),
  }
})

test("between two indexes of a table others can write", async () => {
  const path = freshPath()
  await migrateSqlite(path, () => {})
  const other = new Database(path)
  other.run("INSERT INTO marks (name, value) VALUES ('a', '')")
  const sql = `CREATE INDEX marks_first ON marks (value);
CREATE TABLE notes (id INTEGER);
CREATE INDEX notes_first ON notes (id);
CREATE INDEX marks_second ON marks (name, value);`
  const seen: unknown[] = []
  const onProgress = () => {
    other.run("UPDATE marks SET value = value || 'x' WHERE name = 'a'")
    const select = "SELECT name FROM sqlite_schema WHERE name IN ('marks_first', 'marks_second')"
    seen.push(other.query(select).values().flat())
  }
  const step = { version: newestOf(migrations) + 1, sql }
  await migrateSqlite(path, () => {}, { known: [...migrations, step], onProgress })
  expect(seen).toEqual([[], ["marks_first"], ["marks_first", "marks_second"]])
  expect(
    other.query("SELECT name FROM sqlite_schema WHERE name = 'notes_first'").all(),
  ).toHaveLength(1)
  other.close()
})

test("how long writes will wait is told before", async () => {
  const path = freshPath()
  await migrateSqlite(path, () => {})
  const db = new Database(path)
  db.run(
    `INSERT INTO marks (name, value) WITH RECURSIVE numbers (n) AS (
       SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 5000
     ) SELECT n, '' FROM numbers`,
  )
  db.close()
  const step = {
    version: newestOf(migrations) + 1,
    sql: "CREATE INDEX marks_by_value ON marks (value);",
  }
  let waitMs: unknown = null
  const onMigration: OnMigration = (_from, _to, ms) => {
    waitMs = ms
  }
  await migrateSqlite(path, onMigration, { known: [...migrations, step], onProgress() {} })
  expect(waitMs).toBeWithin(50, 60)
})
