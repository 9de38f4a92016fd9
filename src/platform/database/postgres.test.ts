import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { DatabaseError } from "pg"
import {
  addressOf,
  type PostgresServer,
  queryPostgres,
  sharePostgres,
  startPostgres,
} from "../../../tests/harness/stores/postgres-server.ts"
import { migratePostgres } from "../../store/postgres.ts"
import { StoreUnavailable } from "../error.ts"
import { type Client, connect, type Database } from "./postgres.ts"

const timeouts = {
  connectionsMax: 4,
  connectMsMax: 300_000,
  statementMsMax: 300_000,
  queryMsMax: 300_000,
}
let server: PostgresServer
let database: Database
let databaseUrl: string
beforeAll(async () => {
  server = await sharePostgres()
  databaseUrl = await server.createDatabase()
  await migratePostgres(databaseUrl, () => {})
  database = connect(databaseUrl, timeouts)
  await database.write`CREATE TABLE numbers (number integer UNIQUE)`
})
afterAll(async () => {
  await database.close()
})

/** Terminates the connection on the server. */
async function kill(client: Pick<Client, "query">): Promise<void> {
  const [row] = await client.query<{ pid: number }>`SELECT pg_backend_pid() AS pid`
  await database.read`SELECT pg_terminate_backend(${row?.pid ?? 0}, 300000)`
}
const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error) => error,
  )

describe("a transaction", () => {
  test("rethrows an error of the caller and writes nothing", async () => {
    const bug = new TypeError("undefined is not a function")
    const work = database.transaction(async (client) => {
      await client.query`INSERT INTO numbers VALUES (7)`
      throw bug
    })
    expect(await failureOf(work)).toBe(bug)
    expect(await database.read`SELECT number FROM numbers WHERE number = 7`).toEqual([])
  })

  test("rethrows a constraint violation", async () => {
    const work = database.transaction(async (client) => {
      await client.query`INSERT INTO numbers VALUES (8), (8)`
    })
    expect(await failureOf(work)).toBeInstanceOf(DatabaseError)
  })

  test("throws StoreUnavailable when the connection is terminated, and recovers", async () => {
    const work = database.transaction(async (client) => {
      await kill(client)
      await client.query`SELECT 1`
    })
    const failure = await failureOf(work)
    expect(failure).toBeInstanceOf(StoreUnavailable)
    // Wrapped once, because callers read the error of the driver in `cause`.
    expect(failure).not.toHaveProperty("cause", expect.any(StoreUnavailable))
    expect(await database.transaction((client) => client.query`SELECT 1 AS one`)).toEqual([
      { one: 1 },
    ])
  })

  test("throws StoreUnavailable for a query that fails on the server", async () => {
    const work = database.transaction((client) => client.query`SELECT * FROM nowhere`)
    expect(await failureOf(work)).toBeInstanceOf(StoreUnavailable)
  })

  test("throws StoreUnavailable when no server responds", async () => {
    const nowhere = connect("postgres://nobody@127.0.0.1:1/none", timeouts)
    expect(await failureOf(nowhere.transaction(async () => {}))).toBeInstanceOf(StoreUnavailable)
    await nowhere.close()
  })
})

test("a long transaction throws StoreUnavailable when it is terminated", async () => {
  const client = await database.beginLong("READ ONLY")
  await kill(client)
  const failure = await failureOf(client.query`SELECT 1`)
  client.release()
  expect(failure).toBeInstanceOf(StoreUnavailable)
  expect(failure).not.toHaveProperty("cause", expect.any(StoreUnavailable))
})

test("a transaction is retried three times after a conflict", async () => {
  let attempts = 0
  const conflict = (failing: number) =>
    database.transaction(async ({ query }) => {
      attempts += 1
      await query`INSERT INTO numbers VALUES (9)`
      if (attempts <= failing)
        await query`DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$`
      return attempts
    })
  expect(await conflict(3)).toBe(4)
  expect(await database.read`SELECT number FROM numbers WHERE number = 9`).toHaveLength(1)
  await database.write`DELETE FROM numbers WHERE number = 9`
  attempts = 0
  expect(await failureOf(conflict(4))).toBeInstanceOf(StoreUnavailable)
  expect(attempts).toBe(4)
})

test("a connection to a server that has become read-only is not used again", async () => {
  const single = connect(databaseUrl, { ...timeouts, connectionsMax: 1 })
  const write = () => single.write`INSERT INTO numbers VALUES (9)`
  await single.read`SELECT set_config('default_transaction_read_only', 'on', false)`
  expect(await failureOf(write())).toBeInstanceOf(StoreUnavailable)
  expect(await failureOf(write())).toBeNull()
  await single.close()
})

test("the writable one of several hosts is used, and connections to others are dropped", async () => {
  const other = await startPostgres()
  const name = new URL(databaseUrl).pathname.slice(1)
  await queryPostgres(addressOf(other.port, "postgres"), `CREATE DATABASE ${name}`)
  const setReadOnly = (port: number, isReadOnly: boolean) =>
    queryPostgres(
      addressOf(port, "postgres"),
      `ALTER DATABASE ${name} SET default_transaction_read_only = ${isReadOnly}`,
    )
  const findPort = () => both.findValue<number>`SELECT current_setting('port')::integer`
  await setReadOnly(other.port, true)
  const hosts = `127.0.0.1:${other.port},127.0.0.1:${server.port}`
  const both = connect(databaseUrl.replace(/127\.0\.0\.1:\d+/, hosts), timeouts)
  expect(await findPort()).toBe(server.port)
  await setReadOnly(other.port, false)
  await setReadOnly(server.port, true)
  expect(await findPort()).toBe(server.port)
  expect(await both.hosts.find()).toBe(true)
  expect(await findPort()).toBe(other.port)
  await setReadOnly(server.port, false)
  await both.close()
  await other.stop()
})
