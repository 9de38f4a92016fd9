/** The values of `sslmode`, as in docs/install.md, with a server that has a private certificate. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { chmodSync, chownSync, copyFileSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createPostgres } from "../harness/stores/create-stores.ts"
import {
  type PostgresServer,
  queryPostgres,
  sharePostgres,
  startPostgres,
} from "../harness/stores/postgres-server.ts"
import { until } from "../harness/until.ts"

const certificates = join(import.meta.dir, "../harness/certificate")
const trusted = `sslrootcert=${join(certificates, "server.crt")}`

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
  const { uid, gid } = statSync(server.dataFolder)
  for (const name of ["server.crt", "server.key"]) {
    const path = join(server.dataFolder, name)
    copyFileSync(join(certificates, name), path)
    chownSync(path, uid, gid)
    chmodSync(path, 0o600)
  }
  const url = await server.createDatabase()
  await queryPostgres(url, "ALTER SYSTEM SET ssl = on")
  await queryPostgres(url, "SELECT pg_reload_conf()")
  await until(() =>
    outcomeOf("localhost", "sslmode=no-verify").then((is) => is === "tls" || undefined),
  )
})
afterAll(() => server.stop())

async function outcomeOf(host: string, query: string): Promise<"plain" | "tls" | "refused"> {
  const plain = await server.createDatabase()
  const url = `${plain.replace("127.0.0.1", host)}?${query}`
  try {
    const store = await createPostgres({ url, connectionsMax: 1 })
    const [row] = await queryPostgres<{ ssl: boolean }>(
      plain,
      `SELECT bool_and(ssl) AS ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    )
    await store.close()
    return row?.ssl ? "tls" : "plain"
  } catch {
    return "refused"
  }
}

async function problemOf(url: string): Promise<string> {
  try {
    await (await createPostgres({ url, connectionsMax: 1 })).close()
    return "none"
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe("a server with a self-signed certificate", () => {
  const outcomes = [
    ["", "plain"],
    ["sslmode=disable", "plain"],
    ["sslmode=no-verify", "tls"],
    ["sslmode=require", "refused"],
    ["sslmode=verify-full", "refused"],
    [`sslmode=verify-full&${trusted}`, "tls"],
  ] as const
  test.each(outcomes)("with %p is reached: %s", async (query, outcome) => {
    expect(await outcomeOf("localhost", query)).toBe(outcome)
  })

  test("is not reached under another name than its certificate's", async () => {
    expect(await outcomeOf("127.0.0.1", `sslmode=verify-full&${trusted}`)).toBe("refused")
  })
})

describe("the error names sslmode and sslrootcert, and does not ask whether the server runs", () => {
  const hint = /\bsslmode\b.*\bsslrootcert\b.*DATABASE_URL/
  test.each([
    ["localhost", "sslmode=verify-full", "self signed certificate"],
    ["127.0.0.1", `sslmode=verify-full&${trusted}`, "does not match certificate"],
    ["localhost", "sslmode=verify-full&sslrootcert=/nowhere/ca.pem", "/nowhere/ca.pem"],
  ])("%s with %s: %s", async (host, query, why) => {
    const url = (await server.createDatabase()).replace("127.0.0.1", host)
    const problem = await problemOf(`${url}?${query}`)
    expect(problem).toContain(why)
    expect(problem).toMatch(hint)
  })

  test("by a server without TLS", async () => {
    const url = await (await sharePostgres()).createDatabase()
    expect(await problemOf(`${url}?sslmode=verify-full`)).toMatch(hint)
  })

  test("by a server that requires TLS", async () => {
    const url = await server.createDatabase()
    const rules = join(server.dataFolder, "pg_hba.conf")
    const before = readFileSync(rules, "utf8")
    writeFileSync(rules, before.replaceAll(/^host /gm, "hostssl "))
    await queryPostgres(`${url}?sslmode=no-verify`, "SELECT pg_reload_conf()")
    const problem = await until(() =>
      problemOf(url).then((problem) => (problem === "none" ? undefined : problem)),
    )
    writeFileSync(rules, before)
    await queryPostgres(`${url}?sslmode=no-verify`, "SELECT pg_reload_conf()")
    expect(problem).toMatch(hint)
  })
})
