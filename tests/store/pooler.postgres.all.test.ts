/** Everything works behind a connection pooler that accepts no startup parameters. */
import { beforeAll, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { connect } from "../../src/platform/database/postgres.ts"
import { tuples } from "../../src/platform/database/sql.ts"
import { startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { recordStartups, startPgBouncer } from "../harness/stores/pooler.ts"
import {
  addressOf,
  type PostgresServer,
  queryPostgres,
  sharePostgres,
} from "../harness/stores/postgres-server.ts"

let server: PostgresServer
beforeAll(async () => {
  server = await sharePostgres()
})

const createDatabase = async () => new URL(await server.createDatabase()).pathname.slice(1)

async function useProgram(url: string): Promise<void> {
  const program = await startProgram({
    LOG_LEVEL: "silent",
    DATABASE_URL: url,
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  })
  const feed = [account("ada"), item("ada", 1), purchase("abc", 1)]
  expect(await program.load(feed, "strict")).toMatchObject({ accepted: 3, rejected: 0 })
  expect((await program.dump()).split("\n")).toHaveLength(4)
  const body = new URLSearchParams({
    api_key: (await program.issue("ada")).secret,
    purchase_code: "abc",
  })
  const response = await fetch(`${program.url}/api/purchases/validation`, { method: "POST", body })
  expect(response.status).toBe(200)
  await program.close()
}

test("a connection starts with no parameter that a pooler does not know", async () => {
  const recorder = await recordStartups(server.port)
  await useProgram(addressOf(recorder.port, await createDatabase()))
  const parameters = new Set(recorder.startups().match(/[a-z_]+(?=\0)/g))
  expect(parameters.has("client_encoding")).toBe(true)
  for (const name of ["statement_timeout", "lock_timeout", "options"]) {
    expect([name, parameters.has(name)]).toEqual([name, false])
  }
  recorder.close()
})

test("the server has the time-outs of a direct connection", async () => {
  const database = connect(addressOf(server.port, "postgres"), {
    connectionsMax: 1,
    connectMsMax: 1_000,
    statementMsMax: 1_234,
    queryMsMax: 30_000,
  })
  const deadlines = tuples`
    SELECT current_setting('statement_timeout'), current_setting('lock_timeout')`
  expect(await database.read<string[]>(deadlines)).toEqual([["1234ms", "1s"]])
  await database.close()
})

test("PgBouncer rejects nothing, and no setting leaks to the next client", async () => {
  const pooler = await startPgBouncer(server.port)
  const url = addressOf(pooler.port, await createDatabase())
  await useProgram(url)
  expect(pooler.log()).not.toMatch(/startup parameter|pooler error/i)
  for (const name of ["statement_timeout", "lock_timeout"]) {
    expect(await queryPostgres<object>(url, `SHOW ${name}`)).toEqual([{ [name]: "0" }])
  }
  await pooler.stop()
})
