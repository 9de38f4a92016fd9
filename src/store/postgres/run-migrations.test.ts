import { Database } from "bun:sqlite"
import { expect, test } from "bun:test"
import {
  type MigratedDatabase,
  migrationsContract,
} from "../../../tests/contracts/migrations.contract.ts"
import { queryPostgres, sharePostgres } from "../../../tests/harness/stores/postgres-server.ts"
import { restorePostgresRelease } from "../../../tests/harness/stores/test-stores.ts"
import { newestOf } from "../sql/schema-versions.ts"
import { schema as embedded } from "../sqlite/schema/schema.ts"
import { migratePostgres } from "./run-migrations.ts"
import { schema } from "./schema/schema.ts"
import { openPostgres } from "./store.ts"

/** Without the names of NOT NULL constraints, which exist only since PostgreSQL 18. */
const selectSchema = `
  SELECT 'column' AS kind, c.relname || '.' || a.attname AS name, concat_ws(' ',
    format_type(a.atttypid, a.atttypmod), o.collname, a.attnotnull, a.attidentity, a.attgenerated,
    pg_get_expr(d.adbin, d.adrelid)) AS definition
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
  LEFT JOIN pg_collation o ON o.oid = a.attcollation
  LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT 'constraint', conrelid::regclass || '.' || conname, pg_get_constraintdef(oid)
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'
  UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
  UNION ALL SELECT 'relation', relname, concat_ws(' ', relkind, reloptions) FROM pg_class
  WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'function', proname, '' FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger', tgname, '' FROM pg_trigger WHERE NOT tgisinternal
  ORDER BY 1, 2, 3`

const databaseAt = (url: string): MigratedDatabase => ({
  migrate: (...options) => migratePostgres(url, ...options),
  open: async () => (await openPostgres({ url, connectionsMax: 2 }, "command")).close(),
  query: (sql) => queryPostgres(url, sql),
  setVersion: async (version) =>
    void (await queryPostgres(url, `UPDATE schema_version SET version = ${version}`)),
  readSchema: () => queryPostgres(url, selectSchema),
  listColumns: () =>
    queryPostgres(
      url,
      `SELECT table_name AS table, column_name AS column FROM information_schema.columns
       WHERE table_schema = 'public' ORDER BY table_name::text COLLATE "C", column_name::text COLLATE "C"`,
    ),
})

const createEmpty = async () => databaseAt(await (await sharePostgres()).createDatabase())

migrationsContract("postgres", {
  schema,
  createEmpty,
  createReleased: async () => databaseAt(await restorePostgresRelease()),
  released: { purchase: "code", serial: "serial" },
})

test("tables, columns and schema version are those of SQLite", async () => {
  const database = await createEmpty()
  await database.migrate()
  const columns = (await database.listColumns()).filter(({ table }) => table !== "schema_version")
  using file = new Database(":memory:")
  file.run(embedded.sql)
  const expected = file.query(
    `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema t, pragma_table_xinfo(t.name) c
     WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' ORDER BY 1, 2`,
  )
  expect(newestOf(schema)).toBe(newestOf(embedded))
  expect([...columns]).toEqual(expected.all() as (typeof columns)[number][])
})
