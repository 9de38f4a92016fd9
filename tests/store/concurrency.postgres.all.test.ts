import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { rmSync } from "node:fs"
import { Client } from "pg"
import { lockFeed } from "../../src/feed/feed-store-postgres.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import { findNewestVersion } from "../../src/platform/database/schema-versions.ts"
import { migrateStore } from "../../src/store/open-store.ts"
import { postgresSchema } from "../../src/store/schema.ts"
import { createRandom } from "../harness/feed/random-feed.ts"
import { startProgram, temporaryFolder } from "../harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../harness/records.ts"
import { createStore, readPazar, runPazar, spawnPazar } from "../harness/run-pazar.ts"
import {
  type PostgresServer,
  queryPostgres,
  sharePostgres,
} from "../harness/stores/postgres-server.ts"
import { until, workMsMax } from "../harness/until.ts"

let server: PostgresServer
let folder: string
beforeAll(async () => {
  server = await sharePostgres()
  folder = temporaryFolder()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

const masterKey = randomBytes(32).toString("base64")
const settingsFor = (url: string): Environment => ({
  DATABASE_URL: url,
  PAZAR_MASTER_KEY: masterKey,
})

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)

function shuffled<T>(values: readonly T[], random: () => number): readonly T[] {
  const keyed = values.map((value) => ({ value, key: random() }))
  return keyed.toSorted((one, other) => one.key - other.key).map(({ value }) => value)
}

const exportOf = (url: string) => readPazar(folder, ["export", "-"], { env: settingsFor(url) })

describe("concurrent migrations of an empty database", () => {
  const newest = findNewestVersion(postgresSchema)
  const addressOfStore = (url: string) => ({ kind: "postgres", url, connectionsMax: 4 }) as const
  const versions = (url: string) => queryPostgres(url, "SELECT version FROM schema_version")

  test("ten in one process: one creates the schema, nine find it", async () => {
    const url = await server.createDatabase()
    const migrated = await Promise.all(
      numbers(10).map(() =>
        migrateStore(
          addressOfStore(url),
          () => {},
          () => {},
        ),
      ),
    )
    const created = { from: 0, to: newest, copy: null }
    const found = { from: newest, to: newest, copy: null }
    const inOrder = migrated.toSorted((one, other) => one.from - other.from)
    expect(inOrder).toEqual([created, ...numbers(9).map(() => found)])
    expect(await versions(url)).toEqual([{ version: newest }])
  })

  test("four processes: one creates the schema, three find it", async () => {
    const url = await server.createDatabase()
    const ended = await Promise.all(
      numbers(4).map(() => runPazar(folder, ["migrate"], { env: settingsFor(url) })),
    )
    expect(ended.map(({ status }) => status)).toEqual([0, 0, 0, 0])
    const messages = ended.map(({ stderr }) => stderr)
    for (const each of messages) expect(each).toMatch(new RegExp(`^.* ${newest}\\b.*\n$`))
    const counts = [...Map.groupBy(messages, (each) => each).values()].map(({ length }) => length)
    expect(counts.toSorted()).toEqual([1, 3])
    expect(await versions(url)).toEqual([{ version: newest }])
  })
})

describe("imports", () => {
  const usernames = ["ada", "bob", "cyd"]
  const authorOf = (id: number) => usernames[id % usernames.length] ?? ""
  const soldFor = (n: number) => 1 + (n % 60)
  const before = [
    ...usernames.map((username) => account(username)),
    ...numbers(60).map((id) => item(authorOf(id), id)),
    ...numbers(1_500).map((n) => purchase(`shared-${n}`, soldFor(n))),
  ]
  const changes = (who: number): readonly Line[] => [
    ...usernames.map((username) => account(username, { balance: 7 })),
    ...numbers(60).map((id) => item(authorOf(id), id, { version: "2.0.0" })),
    ...numbers(1_500).map((n) => purchase(`shared-${n}`, soldFor(n), { revoked: true })),
    ...numbers(1_500).map((n) => purchase(`own-${who}-${n}`, soldFor(n))),
  ]

  test("four concurrent imports of the same rows, each in its own order, lose nothing", async () => {
    const url = await server.createMigratedDatabase()
    const env = settingsFor(url)
    await createStore(folder, env)
    await readPazar(folder, ["import", "-"], { env, input: toFeed(before) })
    const ended = await Promise.all(
      numbers(4).map((who) => {
        const input = toFeed(shuffled(changes(who), createRandom(who)))
        return runPazar(folder, ["import", "-", "--max-revokes", "100%"], { env, input })
      }),
    )
    expect(ended.map(({ status, stderr }) => [status, stderr])).toEqual(ended.map(() => [0, ""]))
    const reference = await startProgram({ LOG_LEVEL: "silent" })
    await reference.load(before)
    for (const who of numbers(4)) await reference.load(changes(who))
    expect(await exportOf(url)).toBe(await reference.dump())
    await reference.close()
  })

  test("a second import of the same feed rewrites no row", async () => {
    const url = await server.createMigratedDatabase()
    const env = settingsFor(url)
    await createStore(folder, env)
    const rows = () =>
      queryPostgres(
        url,
        `SELECT ctid, xmin, list_version FROM accounts
         UNION ALL SELECT ctid, xmin, body FROM items
         UNION ALL SELECT ctid, xmin, code FROM purchases`,
      )
    await readPazar(folder, ["import", "-"], { env, input: toFeed(before) })
    const first = await rows()
    expect(first.length).toBe(before.length)
    await readPazar(folder, ["import", "-"], { env, input: toFeed(before) })
    expect(await rows()).toEqual(first)
  })

  test.each([
    ["whole batches are kept", [], 1_000],
    ["with --strict nothing is", ["--strict"], 0],
  ])(
    "a lost connection ends one import, with an error in one line: %s",
    async (_, options, stored) => {
      const url = await server.createMigratedDatabase()
      const env = settingsFor(url)
      await createStore(folder, env)
      const args = ["import", ...options, "-"]
      const running = await spawnPazar(folder, args, env)
      if (stored > 0) {
        running.child.stdin?.write(toFeed(before.slice(0, stored)))
        await until(
          async () => (await exportOf(url)).includes("shared-937") || undefined,
          workMsMax,
        )
      }
      const holder = new Client(url)
      await holder.connect()
      await holder.query(`BEGIN; ${lockFeed}`)
      running.child.stdin?.end(toFeed(before.slice(stored)))
      await until(async () => {
        const { rows } = await holder.query(
          "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'transactionid' AND NOT granted",
        )
        return rows.length > 0 ? true : undefined
      })
      await holder.end()
      const { status, stdout, stderr } = await running.ended
      expect([status, stdout, stderr]).toEqual([
        2,
        "",
        expect.stringMatching(/^pazar: .*terminating connection due to administrator command\n$/),
      ])
      expect((await exportOf(url)).split("\n").length - 1).toBe(stored)
      const again = await runPazar(folder, args, { env, input: toFeed(before) })
      expect(JSON.parse(again.stdout)).toMatchObject({ accepted: before.length, rejected: 0 })
      expect((await exportOf(url)).split("\n").length - 1).toBe(before.length)
    },
  )
})
