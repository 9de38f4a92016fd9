import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import { queryPostgres, sharePostgres } from "../../tests/harness/stores/postgres-server.ts"
import { type MigratedDatabase, migrationsContract } from "./migrations.contract.ts"
import { migratePostgres, openPostgres } from "./postgres.ts"
import { postgresSchema, sqliteSchema } from "./schema.ts"

const databaseAt = (url: string): MigratedDatabase => ({
  migrate: (...options) => migratePostgres(url, ...options),
  open: async () => (await openPostgres({ url, connectionsMax: 2 }, "command")).close(),
  query: (sql) => queryPostgres(url, sql),
  setVersion: async (version) =>
    void (await queryPostgres(url, `UPDATE schema_version SET version = ${version}`)),
  listColumns: () =>
    queryPostgres(
      url,
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' ORDER BY table_name::text COLLATE "C", column_name::text COLLATE "C"`,
    ),
})

const createEmpty = async () => databaseAt(await (await sharePostgres()).createDatabase())

migrationsContract({ database: "postgres", schema: postgresSchema, createEmpty })

test("tables and columns are those of SQLite", async () => {
  const database = await createEmpty()
  await database.migrate()
  const columns = (await database.listColumns()).filter(({ table }) => table !== "schema_version")
  using file = new Database(":memory:")
  file.run(sqliteSchema.sql)
  const expected = file.query(
    `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_xinfo(t.name) c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY 1, 2`,
  )
  expect([...columns]).toEqual(expected.all() as (typeof columns)[number][])
})
