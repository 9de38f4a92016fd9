import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname } from "node:path"
import {
  type MigratedDatabase,
  migrationsContract,
} from "../../../tests/contracts/migrations.contract.ts"
import { createSqlitePaths } from "../../../tests/harness/stores/sqlite-paths.ts"
import { writeSqliteRelease } from "../../../tests/harness/stores/test-stores.ts"
import { MigrationNeeded, NotPazarDatabase, newestOf } from "../sql/schema-versions.ts"
import { migrateSqlite } from "./run-migrations.ts"
import { schema } from "./schema/schema.ts"
import { openSqlite } from "./store.ts"

const freshPath = createSqlitePaths()
const newest = newestOf(schema)

function inspect<T>(path: string, look: (db: Database) => T): T {
  using db = new Database(path)
  return look(db)
}

/** SQLite stores the text of a statement: an altered table has different whitespace and quotes. */
const normalForm = (sql: string) =>
  sql
    .replaceAll(/--.*\n/g, "")
    .replaceAll('"', "")
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ?([(),]) ?/g, "$1")

const readSchema = (db: Database) =>
  db
    .query<{ name: string; sql: string }, []>(
      `SELECT name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%' ORDER BY name`,
    )
    .all()
    .map(({ name, sql }) => `${name}: ${normalForm(sql)}`)

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
    inspect(path, (db) => {
      db.run("DROP TABLE IF EXISTS schema_steps")
      db.run(`PRAGMA user_version = ${version}`)
    }),
  readSchema: async () => inspect(path, readSchema),
  listColumns: async () => inspect(path, listColumns),
})

function writeReleased(): string {
  const path = freshPath()
  writeSqliteRelease(path)
  return path
}

migrationsContract("sqlite", {
  schema,
  createEmpty: async () => databaseAt(freshPath()),
  createReleased: async () => databaseAt(writeReleased()),
  released: { purchase: "place", serial: "rowid" },
})

test("a database that 0.12.3 has migrated is migrated", async () => {
  const path = writeReleased()
  inspect(path, (db) => {
    db.run(`INSERT INTO schema_steps VALUES (${schema.oldest}, NULL, 1)`)
    db.run("PRAGMA user_version = 17")
  })
  expect(await migrateSqlite(path)).toMatchObject({ from: schema.oldest, to: newest })
  expect(inspect(path, (db) => db.query("PRAGMA foreign_key_check").all())).toEqual([])
})

describe("a migration", () => {
  const copyOf = (path: string) => `${path}.before-${newest}`

  test("first copies the database with mode 600 and does not overwrite an earlier copy", async () => {
    const path = writeReleased()
    writeFileSync(copyOf(path), "another one")
    const before = inspect(path, readSchema)
    const { copy } = await migrateSqlite(path)
    expect(copy).toBe(`${copyOf(path)}-2`)
    expect(readFileSync(copyOf(path), "utf8")).toBe("another one")
    expect(inspect(`${copyOf(path)}-2`, readSchema)).toEqual(before)
    expect(statSync(`${copyOf(path)}-2`).mode & 0o777).toBe(0o600)
    const beside = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
    expect(beside.filter((name) => name.includes("unfinished"))).toEqual([])
  })

  test("keeps no copy if it is rejected or fails", async () => {
    const path = writeReleased()
    inspect(path, (db) => db.run("CREATE TABLE new_api_keys (in_the_way TEXT)"))
    await expect(migrateSqlite(path)).rejects.toThrow("new_api_keys")
    await databaseAt(path).setVersion(1)
    await expect(migrateSqlite(path)).rejects.toThrow(MigrationNeeded)
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
