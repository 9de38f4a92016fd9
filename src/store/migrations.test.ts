import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname } from "node:path"
import { createSqlitePaths } from "../../tests/harness/stores/sqlite-paths.ts"
import {
  findNewestVersion,
  MigrationNeeded,
  NotPazarDatabase,
  StoreOfDevelopment,
} from "../platform/database/schema-versions.ts"
import {
  createLaterSchema,
  type MigratedDatabase,
  migrationsContract,
} from "./migrations.contract.ts"
import { sqliteSchema } from "./schema.ts"
import { migrateSqlite, openSqlite } from "./sqlite.ts"

const freshPath = createSqlitePaths()

function inspect<T>(path: string, look: (db: Database) => T): T {
  using db = new Database(path)
  return look(db)
}

const listColumns = (db: Database) =>
  db
    .query<{ table: string; column: string }, []>(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_xinfo(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY 1, 2`,
    )
    .all()

const databaseAt = (path: string): MigratedDatabase => ({
  migrate: (...options) => migrateSqlite(path, ...options),
  open: async () => (await openSqlite({ path }, "command")).close(),
  query: async <Row>(sql: string) => inspect(path, (db) => db.query<Row, []>(sql).all()),
  setVersion: async (version) =>
    void inspect(path, (db) => db.run(`PRAGMA user_version = ${version}`)),
  listColumns: async () => inspect(path, listColumns),
})

migrationsContract({
  database: "sqlite",
  schema: sqliteSchema,
  createEmpty: async () => databaseAt(freshPath()),
})

describe("a migration", () => {
  const later = createLaterSchema("sqlite", sqliteSchema)
  const migrateLater = (path: string) => migrateSqlite(path, undefined, undefined, later)
  const copyOf = (path: string) => `${path}.before-${findNewestVersion(later)}`

  async function writeCurrent(): Promise<string> {
    const path = freshPath()
    await migrateSqlite(path)
    return path
  }

  test("first copies the database with mode 600 and does not overwrite an earlier copy", async () => {
    const path = await writeCurrent()
    writeFileSync(copyOf(path), "another one")
    const before = inspect(path, listColumns)
    const { copy } = await migrateLater(path)
    expect(copy).toBe(`${copyOf(path)}-2`)
    expect(readFileSync(copyOf(path), "utf8")).toBe("another one")
    expect(inspect(`${copyOf(path)}-2`, listColumns)).toEqual(before)
    expect(statSync(`${copyOf(path)}-2`).mode & 0o777).toBe(0o600)
    const beside = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
    expect(beside.filter((name) => name.includes("unfinished"))).toEqual([])
  })

  test("keeps no copy if it is rejected or fails", async () => {
    const path = await writeCurrent()
    inspect(path, (db) => db.run("ALTER TABLE accounts ADD COLUMN nickname TEXT"))
    await expect(migrateLater(path)).rejects.toThrow("nickname")
    await databaseAt(path).setVersion(1)
    await expect(migrateLater(path)).rejects.toThrow(StoreOfDevelopment)
    expect(existsSync(copyOf(path))).toBe(false)
  })
})

test("a database of another program is not changed", async () => {
  const path = freshPath()
  inspect(path, (db) => db.run("CREATE TABLE recipes (name TEXT)"))
  const before = readFileSync(path)
  await expect(openSqlite({ path }, "command")).rejects.toThrow(MigrationNeeded)
  await expect(migrateSqlite(path)).rejects.toThrow(NotPazarDatabase)
  expect(readFileSync(path).equals(before)).toBe(true)
})
