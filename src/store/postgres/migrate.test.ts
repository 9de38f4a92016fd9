import { beforeAll, expect, test } from "bun:test"
import { Client } from "pg"
import { migrationsContract } from "../../../tests/contracts/contracts.ts"
import {
  askPostgres,
  type PostgresServer,
  sharePostgres,
} from "../../../tests/harness/stores/postgres.ts"
import { newestOf } from "../sql/migrate.ts"
import { migratePostgres, statementsOf } from "./migrate.ts"
import { migrations } from "./migrations/migrations.ts"
import { openPostgres } from "./store.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

migrationsContract("PostgreSQL", migrations, async () => {
  const url = await server.createDatabase()
  return {
    migrate: (steps) => migratePostgres(url, () => {}, steps),
    query: (sql) => askPostgres(url, sql),
    readSchema: () =>
      askPostgres(
        url,
        `SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns
         WHERE table_schema = 'public' ORDER BY 1, 2`,
      ),
    async readOldest() {
      const [row] = await askPostgres<{ version: number }>(
        url,
        "SELECT version FROM schema_version",
      )
      return row?.version ?? 0
    },
    open: () => openPostgres({ url, connectionsMax: 4 }, "command"),
  }
})

const withNext = (sql: string) => [...migrations, { version: newestOf(migrations) + 1, sql }]

test("a step that needs a lock lets others read while it waits", async () => {
  const url = await server.createMigratedDatabase()
  const reader = new Client(url)
  await reader.connect()
  await reader.query("BEGIN; LOCK TABLE accounts IN ACCESS SHARE MODE")
  const waiting = Promise.withResolvers<void>()
  const migrating = migratePostgres(url, () => {}, {
    known: withNext("ALTER TABLE accounts ADD COLUMN note text;"),
    onProgress: ({ isWaiting }) => isWaiting && waiting.resolve(),
  })
  await waiting.promise
  for (let turn = 0; turn < 5; turn += 1) {
    expect(await askPostgres(url, "SELECT count(*)::integer AS count FROM accounts")).toEqual([
      { count: 0 },
    ])
  }
  await reader.end()
  expect(await migrating).toMatchObject({ to: newestOf(migrations) + 1 })
})

test("an index that an interrupted migration left unusable is made anew, beside writers", async () => {
  const url = await server.createMigratedDatabase()
  await askPostgres(url, "CREATE INDEX notes_by_body ON accounts (body)")
  const known = withNext("CREATE INDEX CONCURRENTLY notes_by_body ON accounts (lower(body));")
  await migratePostgres(url, () => {}, { known, onProgress() {} })
  const [index] = await askPostgres<{ indexdef: string }>(
    url,
    "SELECT indexdef FROM pg_indexes WHERE indexname = 'notes_by_body'",
  )
  expect(index?.indexdef).toContain("lower(body)")
})

test("a deadline of the role, as behind a pooler, is told as such", async () => {
  const url = await server.createMigratedDatabase()
  const writer = new Client(url)
  await writer.connect()
  await writer.query("BEGIN; LOCK TABLE accounts IN ROW EXCLUSIVE MODE")
  const known = withNext(`SELECT set_config('statement_timeout', '100ms', false);
CREATE INDEX CONCURRENTLY notes_by_body ON accounts (body);`)
  const migrating = migratePostgres(url, () => {}, { known, onProgress() {} })
  await expect(migrating).rejects.toThrow(/statement_timeout /)
  await writer.end()
})

test("a file is cut into its statements, and a function's body stays whole", () => {
  const sql = `-- A word; and
CREATE TABLE notes (
  id integer -- a number
);

CREATE FUNCTION add(a integer) RETURNS integer LANGUAGE sql AS $$
  SELECT 1;
  SELECT a + 1;
$$;
UPDATE notes SET id = 1 WHERE id = ';';
`
  expect(statementsOf(sql)).toEqual([
    "CREATE TABLE notes (\n  id integer -- a number\n);",
    "CREATE FUNCTION add(a integer) RETURNS integer LANGUAGE sql AS $$\n  SELECT 1;\n  SELECT a + 1;\n$$;",
    "UPDATE notes SET id = 1 WHERE id = ';';",
  ])
})
