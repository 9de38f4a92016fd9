/** A store that an earlier release wrote is brought to this version, and loses nothing. */
import { Database } from "bun:sqlite"
import { describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, rmSync, statSync } from "node:fs"
import { basename, dirname } from "node:path"
import { sqliteFile } from "../../../tests/harness/stores/new-stores.ts"
import { createSqlitePaths } from "../../../tests/harness/stores/sqlite-paths.ts"
import type { FoundItems } from "../../domain/catalogue/item-search.ts"
import type { Store } from "../../domain/store.ts"
import { MigrationNeeded, NotOurs, type OnMigration } from "../sql/migrate.ts"
import { versionsOf } from "./connection/connection.ts"
import { migrateSqlite } from "./migrate.ts"
import { migrations } from "./migrations/migrations.ts"
import initial from "./migrations/until-0.8/0001-initial.sql" with { type: "text" }
import { openSqlite } from "./store.ts"

const freshPath = createSqlitePaths()

const adaBody = '{"username":"ada","email":"Ada@Example.com","name":{"full_name":"Ada Yılmaz 🎈"}}'
const bobBody = '{"username":"bob","email":"bob@example.com"}'
const themeBody = '{"id":1,"name":"Koyu Tema","price":{"regular":19.99,"extended":199}}'
const soundBody = '{"id":2,"name":"Rain","price":{"regular":5,"extended":50}}'
/** All have one checksum, of which later releases make rowids. */
const alike = ["plumless", "buckeroo", "PLUMLESS"]
const lookup = new TextEncoder().encode("look-up")

/** Written with the first release's schema and plain SQL: none of today's code has touched it. */
function writeVersionOne(change = ""): string {
  const path = freshPath()
  const db = new Database(path, { create: true, strict: true })
  db.run("PRAGMA journal_mode = WAL")
  db.run(initial)
  const account = db.query("INSERT INTO accounts VALUES (?, ?, ?, ?)")
  account.run(1, "ada", "list-1", adaBody)
  account.run(2, "bob", "list-2", bobBody)
  const item = db.query("INSERT INTO items VALUES (?, ?, ?, ?)")
  item.run(1, 1, 0, themeBody)
  item.run(2, 1, 1, soundBody)
  const purchase = db.query("INSERT INTO purchases VALUES (?, ?, 1, ?, ?, ?)")
  purchase.run(1, "abc", 0, '{"item":', "}")
  for (const [at, code] of alike.entries())
    purchase.run(at + 2, code, at % 2, `{"n":${at},"item":`, "}")
  db.query(
    `INSERT INTO api_keys VALUES ('key_1', 1, 'vk', 'Anahtar', '[1]', ?, ?,
       '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z', NULL)`,
  ).run(lookup, new Uint8Array([1, 2, 3]))
  db.run("INSERT INTO marks VALUES ('canary', 'sings')")
  db.run("INSERT INTO imports VALUES (1, 'a file', 7, '2026-01-01T00:00:00Z', NULL)")
  if (change !== "") db.run(change)
  db.run("PRAGMA user_version = 1")
  db.close()
  return path
}

async function withStore<T>(path: string, use: (store: Store) => Promise<T>): Promise<T> {
  await migrateSqlite(path, () => {})
  const store = await openSqlite(sqliteFile(path), "command")
  try {
    return await use(store)
  } finally {
    await store.close()
  }
}

function inspect<T>(path: string, look: (db: Database) => T): T {
  const db = new Database(path)
  try {
    return look(db)
  } finally {
    db.close()
  }
}

const versionOf = (db: Database) => versionsOf(db).version
const newest = migrations.at(-1)?.version ?? 0
const tables = ["accounts", "items", "purchases", "api_keys", "marks", "imports"]
const rowsOf = (db: Database) =>
  tables.map((table) => db.query(`SELECT * FROM ${table} ORDER BY 1`).values())

const sound = { id: 2, accountId: 1, isHidden: true, body: soundBody }
const idsOf = ({ items }: FoundItems) => items.map(({ id }) => id)

describe("a store of schema version 1", () => {
  test("is not opened, and stays as it is", async () => {
    const path = writeVersionOne()
    await expect(openSqlite(sqliteFile(path), "command")).rejects.toThrow(MigrationNeeded)
    expect(inspect(path, versionOf)).toBe(1)
  })

  test("is brought to today's version by a migration, once", async () => {
    const path = writeVersionOne()
    const copy = `${path}.before-${newest}`
    const tell = (...words: Parameters<OnMigration>) => told.push(words)
    const told: unknown[] = []
    expect(await migrateSqlite(path, tell)).toEqual({ from: 1, to: newest, copy })
    expect(await migrateSqlite(path, tell)).toEqual({ from: newest, to: newest, copy: null })
    expect(inspect(path, versionOf)).toBe(newest)
    expect(told).toEqual([[1, newest, "others must stop"]])
  })

  test("is first copied beside itself, for its owner's eyes, and no copy is written over", async () => {
    const path = writeVersionOne("DELETE FROM imports")
    const copy = `${path}.before-${newest}`
    const firstRows = inspect(path, rowsOf)
    await migrateSqlite(path, () => {})
    expect(inspect(copy, rowsOf)).toEqual(firstRows)
    expect(inspect(copy, versionOf)).toBe(1)
    expect(statSync(copy).mode & 0o777).toBe(0o600)

    rmSync(path)
    inspect(copy, (db) => db.query("VACUUM INTO ?").run(path))
    expect((await migrateSqlite(path, () => {})).copy).toBe(`${copy}-2`)
    expect(inspect(copy, rowsOf)).toEqual(firstRows)
    const beside = readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)))
    expect(beside.filter((name) => name.includes("unfinished"))).toEqual([])
  })
})

test("a database of another program is left alone", async () => {
  const path = freshPath()
  const db = new Database(path, { create: true })
  db.run("CREATE TABLE recipes (name TEXT)")
  db.close()
  const before = readFileSync(path)
  await expect(openSqlite(sqliteFile(path), "command")).rejects.toThrow(MigrationNeeded)
  await expect(migrateSqlite(path, () => {})).rejects.toThrow(NotOurs)
  expect(readFileSync(path).equals(before)).toBe(true)
})

describe("a migration that fails half-way", () => {
  /** Blocks the last table that the second version creates. */
  const obstacle = "CREATE TABLE key_sightings (in_the_way TEXT)"
  const shapeOf = (db: Database) => ({
    version: versionOf(db),
    schema: db.query("SELECT type, name, sql FROM sqlite_schema ORDER BY name").values(),
    items: db.query("SELECT * FROM items ORDER BY id").values(),
  })

  test("leaves version 1 exactly as it was", async () => {
    const path = writeVersionOne(obstacle)
    const before = inspect(path, shapeOf)
    expect(before.version).toBe(1)
    await expect(migrateSqlite(path, () => {})).rejects.toThrow("key_sightings")
    expect(inspect(path, shapeOf)).toEqual(before)
  })

  test("is made up for once the obstacle is gone", async () => {
    const path = writeVersionOne(obstacle)
    await expect(migrateSqlite(path, () => {})).rejects.toThrow("key_sightings")
    inspect(path, (db) => db.run("DROP TABLE key_sightings"))
    const query = { text: "rain", sort: "newest", offset: 0, rowsMax: 10 } as const
    const found = await withStore(path, ({ itemSearch }) => itemSearch.search(1, query))
    expect(idsOf(found)).toEqual([sound.id])
  })
})
