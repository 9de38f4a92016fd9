import { Database } from "bun:sqlite"
import { afterAll } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../../../tests/harness/program.ts"
import { sqliteFile } from "../../../tests/harness/stores/new-stores.ts"
import { migrationsContract } from "../contracts/contracts.ts"
import { oldestOf } from "./connection/connection.ts"
import { migrateSqlite } from "./migrate.ts"
import { migrations } from "./migrations/migrations.ts"
import { openSqlite } from "./store.ts"

const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))
let databases = 0

migrationsContract("SQLite", migrations, async () => {
  const path = join(folder, `${++databases}.db`)
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
