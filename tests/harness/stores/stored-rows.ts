/** Reads and changes the rows of a database directly. */
import { Database } from "bun:sqlite"
import { join } from "node:path"
import { Client } from "pg"
import { isBusy } from "../../../src/platform/database/sqlite.ts"
import { until } from "../until.ts"
import { numbersForBigints } from "./postgres-server.ts"
import { type PostgresStore, storeOf } from "./test-stores.ts"

/** A running program, or the folder of commands. */
type StoreFolder = Readonly<{ folder: string }>
type Value = string | number | Uint8Array

/** Executes one statement, with a `?` for each value, on the database of a running program. */
export async function queryStore<Row>(
  { folder }: StoreFolder,
  sql: string,
  ...values: Value[]
): Promise<readonly Row[]> {
  const store = await storeOf(folder)
  if (store === null) {
    return untilFree(folder, (db) => {
      const rows = db.query<Row, Value[]>(sql).all(...values)
      db.close()
      return rows
    })
  }
  const client = await connect(store)
  try {
    let count = 0
    const { rows } = await client.query(
      sql.replaceAll("?", () => `$${++count}`),
      values,
    )
    return rows
  } finally {
    await client.end()
  }
}

/** Every row of the database, and every byte of its files, including overwritten ones. */
export async function storeText(owner: StoreFolder): Promise<string> {
  const store = await storeOf(owner.folder)
  if (store === null) {
    const files = ["data/pazar.db", "data/pazar.db-wal"].map((name) => join(owner.folder, name))
    return (await Promise.all(files.map((path) => Bun.file(path).text()))).join("")
  }
  const listed = "SELECT relname AS name FROM pg_stat_user_tables"
  const tables = await queryStore<{ name: string }>(owner, listed)
  const rows = tables.map(({ name }) => queryStore(owner, `SELECT t::text FROM ${name} t`))
  return JSON.stringify(await Promise.all(rows))
}

export async function storedRows(owner: StoreFolder, excluded: string): Promise<string> {
  const isFile = (await storeOf(owner.folder)) === null
  const listed = isFile
    ? "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"
    : "SELECT relname AS name FROM pg_stat_user_tables ORDER BY relname"
  const tables = await queryStore<{ name: string }>(owner, listed)
  const included = tables.filter(({ name }) => name !== excluded)
  const rows = included.map(({ name }) => queryStore(owner, `SELECT * FROM ${name}`))
  return JSON.stringify(await Promise.all(rows))
}

/** Blocks writes until the returned function is called, on PostgreSQL those to `tables`. */
export async function lockStore(
  { folder }: StoreFolder,
  tables = "api_keys, audit_events",
): Promise<() => Promise<void>> {
  const store = await storeOf(folder)
  if (store === null) {
    return untilFree(folder, (db) => {
      db.run("BEGIN IMMEDIATE")
      return async () => db.close()
    })
  }
  const client = await connect(store)
  await client.query(`BEGIN; LOCK TABLE ${tables} IN EXCLUSIVE MODE`)
  return () => client.end()
}

/** Retries, because waiting inside SQLite would block this process, whose server may have to end its transaction first. */
const untilFree = <T>(folder: string, work: (db: Database) => T): Promise<T> =>
  until(() => {
    const db = new Database(join(folder, "data/pazar.db"))
    try {
      return work(db)
    } catch (error) {
      db.close()
      if (!isBusy(error)) throw error
      return undefined
    }
  })

async function connect({ DATABASE_URL }: PostgresStore): Promise<Client> {
  const client = new Client({ connectionString: DATABASE_URL, types: numbersForBigints })
  await client.connect()
  return client
}

/** All data that a form can change, except when a session was last seen. */
export function storeState(owner: StoreFolder): Promise<unknown> {
  const queries = [
    "SELECT * FROM api_keys ORDER BY id",
    "SELECT * FROM audit_events ORDER BY id",
    "SELECT * FROM people ORDER BY id",
    "SELECT * FROM members ORDER BY account_id, person_id",
    "SELECT * FROM identities ORDER BY issuer, subject",
    "SELECT * FROM invitations ORDER BY token_digest",
    "SELECT id, token_digest, confirmed_at FROM sessions ORDER BY id",
  ]
  return Promise.all(queries.map((sql) => queryStore(owner, sql)))
}
