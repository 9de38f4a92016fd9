import { Database } from "bun:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { commandLine } from "../../src/access/actor.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import { StoreOfDevelopment } from "../../src/platform/database/schema-versions.ts"
import { StoreUnavailable, UserError } from "../../src/platform/error.ts"
import { formatTimestamp } from "../../src/platform/time.ts"
import { moveStore, reopenStore } from "../../src/store/move.ts"
import { openStore, type StoreLocation, sqliteAt } from "../../src/store/open-store.ts"
import { createEndpoint } from "../../src/webhooks/endpoint-operations.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { killMoves } from "../harness/faults/move-kills.ts"
import { pickFreePort } from "../harness/free-port.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { runPazar } from "../harness/run-pazar.ts"
import { writeEmptySqlite } from "../harness/stores/create-stores.ts"
import { fillSqlite, readSqlite } from "../harness/stores/full-store.ts"
import { queryPostgres, sharePostgres } from "../harness/stores/postgres-server.ts"
import { until } from "../harness/until.ts"
import {
  loopbackIpRanges,
  openReceiver,
  type WebhookReceiver,
} from "../harness/webhook-receiver.ts"

let folder = ""
let first: StoreLocation & { kind: "sqlite" }
let last: StoreLocation & { kind: "sqlite" }
let grown: StoreLocation & { kind: "postgres" }
beforeEach(async () => {
  folder = temporaryFolder()
  first = sqliteAt(join(folder, "first.db"))
  last = sqliteAt(join(folder, "last.db"))
  const url = await (await sharePostgres()).createMigratedDatabase()
  grown = { kind: "postgres", url, connectionsMax: 2 }
  await writeEmptySqlite(first.path)
})
afterEach(() => rmSync(folder, { recursive: true }))

const move = (
  from: StoreLocation,
  to: StoreLocation,
  onRows: Parameters<typeof moveStore>[3] = async () => {},
) => moveStore(from, to, new Date(), onRows)

const urlOf = (address: StoreLocation) =>
  address.kind === "sqlite" ? `sqlite:${address.path}` : address.url
const nameOf = (address: StoreLocation) =>
  address.kind === "sqlite" ? address.path : new URL(address.url).pathname.slice(1)

async function query<Row>(address: StoreLocation, sql: string): Promise<readonly Row[]> {
  if (address.kind === "postgres") return queryPostgres<Row>(address.url, sql)
  using db = new Database(address.path)
  return db.query<Row, []>(sql).all()
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    (error: Error) => error,
  )

describe("all data", () => {
  test("is moved, and moved back unchanged, with the state of its sequences", async () => {
    fillSqlite(first.path)
    const before = readSqlite(first.path)
    await move(first, grown)
    const tables = await query<{ name: string }>(
      grown,
      "SELECT relname AS name FROM pg_stat_user_tables WHERE relname <> 'schema_version'",
    )
    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(before))
    await move(grown, last)
    expect(readSqlite(last.path)).toEqual(before)
    const insert = `INSERT INTO accounts (username, list_version, body) VALUES ('new', '', '{}') RETURNING id`
    expect(await query(last, insert)).toEqual([{ id: 41 }])
    expect(await query(grown, insert)).toEqual([{ id: 41 }])
  })

  test("is copied in batches", async () => {
    using db = new Database(first.path)
    db.run(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 1777)
      INSERT INTO metadata SELECT 'ğ' || n, hex(randomblob(8)) FROM n`)
    db.close()
    await move(first, grown)
    await move(grown, last)
    expect(readSqlite(last.path)).toEqual(readSqlite(first.path))
  })
})

type Way = readonly [from: StoreLocation, to: StoreLocation]
const ways: readonly (readonly [string, () => Way])[] = [
  ["from SQLite to PostgreSQL", () => [first, grown]],
  ["from PostgreSQL to SQLite", () => [grown, last]],
]
const masterKey = { PAZAR_MASTER_KEY: randomBytes(32).toString("base64") }
const token = "0123456789abcdefghijklmnopqrstuv"

const push = async ({ url }: Program, ...lines: Line[]) => {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/operator/feed`, {
    method: "POST",
    headers,
    body: toFeed(lines),
  })
  return [response.status, Object(await response.json()).msg]
}

const rowsOf = (address: StoreLocation) =>
  query<{ rows: number }>(address, "SELECT count(*) AS rows FROM metadata").then(
    ([row]) => row?.rows,
  )

const validate = async ({ url }: Program, secret: string, code: string) => {
  const init = { method: "POST", headers: { "X-Api-Key": secret } }
  const path = `/api/purchases/validation?purchase_code=${code}`
  return (await fetch(`${url}${path}`, init)).status
}

async function fill(program: Program, receiver: WebhookReceiver): Promise<string> {
  await program.load([account("ada"), item("ada", 1), purchase("abc", 1)])
  await givePassword(program, "ada")
  const options = { url: receiver.url, events: [] }
  const { secret } = await createEndpoint(program.app.endpointServices(commandLine), null, options)
  receiver.trust(secret)
  await push(program, purchase("sold", 1, { date: formatTimestamp(new Date()) }))
  return (await program.issue("ada")).secret
}

describe.each(ways)("%s", (_, addresses) => {
  test("the database of a running server is rejected; when the server has ended, it is moved", async () => {
    const [from, to] = addresses()
    const settings = { PAZAR_OPERATOR_TOKEN: token, LOG_LEVEL: "silent" }
    const server = await startProgram({ ...masterKey, ...settings, DATABASE_URL: urlOf(from) })
    server.startHousekeeping()
    await until(async () => (await server.app.store.nodes.list(""))[0])
    const rejected = await failureOf(move(from, to))
    expect(rejected).toBeInstanceOf(UserError)
    expect(rejected?.message).toContain(nameOf(from))
    expect(await push(server, account("ada"))).toEqual([200, undefined])
    await server.close()
    await move(from, to)
    expect(await query(to, "SELECT username FROM accounts")).toEqual([{ username: "ada" }])
  })

  test("the new database has all data, and a server on it validates and delivers pending webhooks", async () => {
    const [from, to] = addresses()
    const settings = {
      ...masterKey,
      PAZAR_OPERATOR_TOKEN: token,
      LOG_LEVEL: "silent",
      ...loopbackIpRanges,
    }
    const receiver = openReceiver()
    const old = await startProgram({ ...settings, DATABASE_URL: urlOf(from) })
    const secret = await fill(old, receiver)
    const exported = await old.dump()
    await old.close()
    await move(from, to)
    const moved = await startProgram({ ...settings, DATABASE_URL: urlOf(to) })
    expect(await moved.dump()).toBe(exported)
    expect(await validate(moved, secret, "abc")).toBe(200)
    expect((await openVisitor(moved.url).signIn("ada")).status).toBe(303)
    moved.startHousekeeping()
    const [event] = await until(() =>
      receiver.events().length > 0 ? receiver.events() : undefined,
    )
    expect(event?.data.purchase?.purchase_code).toBe("sold")
    expect(receiver.problems()).toEqual([])
    expect(await push(moved, purchase("new", 1))).toEqual([200, undefined])
    expect(await validate(moved, secret, "new")).toBe(200)
    await moved.close()
    await receiver.close()
  })

  test("neither database can be opened during the move, and only the new one afterwards", async () => {
    const [from, to] = addresses()
    await query(from, "INSERT INTO metadata VALUES ('a', 'value')")
    let opened = 0
    await move(from, to, async () => {
      if (opened++ > 0) return
      for (const address of [from, to])
        expect(await failureOf(openStore(address, "serve"))).toBeInstanceOf(Error)
    })
    expect(opened).toBeGreaterThan(0)
    const rejected = await failureOf(openStore(from, "serve"))
    expect(rejected).toBeInstanceOf(StoreUnavailable)
    expect(rejected?.message).toContain(nameOf(to))
    await (await openStore(to, "command")).close()

    expect((await reopenStore(from, new Date()))?.place).toContain(nameOf(to))
    await (await openStore(from, "command")).close()
    expect(await reopenStore(from, new Date())).toBeNull()
  })

  test("a row that is stored differently, or not at all, is found, and neither database is changed", async () => {
    const [from, to] = addresses()
    await query(from, "INSERT INTO metadata VALUES ('a', 'value')")
    if (to.kind === "sqlite") await writeEmptySqlite(to.path)
    for (const change of ["change", "drop"] as const) {
      await spoil(to, change)
      const failed = await failureOf(move(from, to))
      expect([change, failed]).toEqual([change, expect.any(UserError)])
      expect(failed?.message).toMatch(/\bmetadata\b/)
      await (await openStore(from, "command")).close()
      expect(await rowsOf(to)).toBe(0)
      await heal(to)
    }
    await move(from, to)
    expect(await query(to, "SELECT value FROM metadata WHERE name = 'a'")).toEqual([
      { value: "value" },
    ])
  })

  test("a run that was killed when the copy was complete is completed by the next one, unless the copy was used", async () => {
    const [from, to] = addresses()
    await query(from, "INSERT INTO metadata VALUES ('a', 'value')")
    await move(from, to)
    await reopenStore(from, new Date())
    const stages = new Set<string>()
    await move(from, to, async (stage) => void stages.add(stage))
    expect([...stages]).toEqual(["comparing"])
    await reopenStore(from, new Date())
    await query(to, "INSERT INTO metadata VALUES ('b', '')")
    const rejected = await failureOf(move(from, to))
    expect(rejected).toBeInstanceOf(UserError)
    expect(rejected?.message).toContain(nameOf(to))
    await (await openStore(from, "command")).close()
  })

  test("a database with a transaction in flight is rejected, and so is a second move", async () => {
    const [from, to] = addresses()
    const writer = await openWriter(from)
    await writer.run("BEGIN")
    await writer.run("INSERT INTO metadata VALUES ('in flight', '')")
    expect(await failureOf(move(from, to))).toBeInstanceOf(UserError)
    await writer.run("COMMIT")
    await writer.close()
    let batches = 0
    await move(from, to, async () => {
      if (batches++ > 0) return
      expect(await failureOf(move(from, to))).toBeInstanceOf(UserError)
      expect(await failureOf(reopenStore(from, new Date()))).toBeInstanceOf(UserError)
    })
    expect(await query(to, "SELECT name FROM metadata WHERE name = 'in flight'")).toHaveLength(1)
  })
})

/** Makes the database change or drop every row of `metadata` that is inserted. */
async function spoil(address: StoreLocation, change: "change" | "drop"): Promise<void> {
  if (address.kind === "sqlite") {
    const statement =
      change === "drop" ? "DELETE FROM metadata" : "UPDATE metadata SET value = 'other'"
    await query(address, `CREATE TRIGGER spoil AFTER INSERT ON metadata BEGIN ${statement}; END`)
    return
  }
  const statement = change === "drop" ? "RETURN NULL" : "NEW.value = 'other'; RETURN NEW"
  await query(
    address,
    `CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; END $$;
    CREATE TRIGGER spoil BEFORE INSERT ON metadata FOR EACH ROW EXECUTE FUNCTION spoil()`,
  )
}

const heal = (address: StoreLocation) =>
  query(address, address.kind === "sqlite" ? "DROP TRIGGER spoil" : "DROP FUNCTION spoil CASCADE")

async function openWriter(address: StoreLocation) {
  if (address.kind === "sqlite") {
    const db = new Database(address.path)
    return { run: async (sql: string) => void db.run(sql), close: async () => db.close() }
  }
  const client = new Client(address.url)
  await client.connect()
  return { run: (sql: string) => client.query(sql), close: () => client.end() }
}

test("the column of a value that PostgreSQL cannot store is named, not the value, and the old database stays usable", async () => {
  fillSqlite(first.path)
  await query(first, "UPDATE api_keys SET name = 'secret name' || char(0)")
  const failed = await failureOf(move(first, grown))
  expect(failed?.message).toMatch(/\bapi_keys\.name\b/)
  expect(failed?.message).not.toContain("secret name")
  await query(first, "UPDATE api_keys SET name = 'a'")
  await move(first, grown)
})

test("a backup of a moved database is restored only with --force, and accepts writes", async () => {
  const env = {
    DATABASE_URL: `sqlite:${first.path}`,
    PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
  }
  const pazar = (...args: string[]) => runInProcess(folder, args, { env })
  expect((await pazar("migrate")).status).toBe(0)
  expect((await pazar("move", "--to", grown.url)).status).toBe(0)
  for (const args of [["account", "list"], ["serve"], ["migrate"]]) {
    const { status, stderr } = await runPazar(folder, args, { env })
    expect([status, stderr]).toEqual([2, expect.stringContaining(nameOf(grown))])
  }
  const file = join(folder, "backup.db")
  expect((await pazar("backup", file)).status).toBe(0)
  const rejected = await pazar("restore", file)
  expect([rejected.status, rejected.stderr]).toEqual([1, expect.stringContaining(nameOf(grown))])
  expect((await pazar("restore", file, "--force")).status).toBe(0)
  expect((await pazar("operator", "create", "elif", "--link")).status).toBe(0)
  expect((await pazar("move", "--cancel")).status).toBe(0)
})

test("with a wrong master key, or without its file, nothing is moved", async () => {
  const file = join(folder, "master-key")
  const env = { DATABASE_URL: `sqlite:${first.path}`, PAZAR_MASTER_KEY_FILE: file }
  const pazar = (...args: string[]) => runInProcess(folder, args, { env })
  const writeKey = (key: Uint8Array) =>
    writeFileSync(file, Buffer.from(key).toString("base64"), { mode: 0o600 })
  const key = randomBytes(32)
  writeKey(key)
  expect((await pazar("migrate")).status).toBe(0)
  for (const change of [() => writeKey(randomBytes(32)), () => rmSync(file)]) {
    change()
    const { status, stderr } = await pazar("move", "--to", grown.url)
    expect([status, stderr]).toEqual([2, expect.stringContaining("master key")])
    writeKey(key)
  }
  expect((await pazar("operator", "create", "elif", "--link")).status).toBe(0)
  expect((await pazar("move", "--to", grown.url)).status).toBe(0)
})

test("it prints the settings to change, and the one that servers must no longer have", async () => {
  const env = { PAZAR_MASTER_KEY: randomBytes(32).toString("base64") }
  const pazar = (settings: Environment, ...args: string[]) =>
    runInProcess(folder, args, { env: { ...env, ...settings } })
  const embedded = { DATABASE_URL: urlOf(first) }
  expect((await pazar(embedded, "migrate")).status).toBe(0)
  const settings = { ...embedded, PAZAR_BACKUP_DIR: folder }
  const there = await pazar(settings, "move", "--to", grown.url, "--json")
  expect([there.status, there.stderr]).toEqual([0, expect.stringContaining("PAZAR_BACKUP_DIR")])
  expect(Object.keys(JSON.parse(there.stdout))).toEqual([
    "from",
    "to",
    "accounts",
    "items",
    "purchases",
    "seconds",
  ])
  const back = await pazar({ DATABASE_URL: grown.url }, "move", "--to", urlOf(last))
  expect([back.status, back.stderr]).toEqual([
    0,
    expect.stringContaining(`DATABASE_URL=${urlOf(last)}\n`),
  ])
  expect(back.stderr).not.toContain("PAZAR_BACKUP_DIR")
})

test("a target with data of its own is rejected, and so is one of the same kind", async () => {
  fillSqlite(first.path)
  const env = { DATABASE_URL: urlOf(first), PAZAR_MASTER_KEY: "" }
  const same = await runPazar(folder, ["move", "--to", urlOf(last)], { env })
  expect([same.status, same.stderr]).toEqual([2, expect.stringMatching(/^pazar: .+\n/)])
  await move(first, grown)
  await writeEmptySqlite(last.path)
  fillSqlite(last.path)
  await query(last, "UPDATE metadata SET value = 'its own'")
  expect((await failureOf(move(grown, last)))?.message).toContain(last.path)
})

test("a target of a development version is rejected and stays unchanged", async () => {
  await writeEmptySqlite(last.path)
  const change = new Database(last.path)
  change.run("PRAGMA user_version = 34")
  change.close()
  expect(await failureOf(move(first, last))).toBeInstanceOf(StoreOfDevelopment)
  using db = new Database(last.path, { readonly: true })
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 34 })
})

test("a target that `migrate` has created and nobody has used is accepted, in both directions", async () => {
  const masterKey = randomBytes(32).toString("base64")
  const urls = ["sqlite:a/pazar.db", grown.url, "sqlite:b/pazar.db"]
  const pazar = (at: number, args: string[], input = "") =>
    runPazar(folder, args, {
      env: { DATABASE_URL: urls[at] ?? "", PAZAR_MASTER_KEY: masterKey },
      input,
    })
  for (const at of urls.keys()) expect((await pazar(at, ["migrate"])).status).toBe(0)
  await pazar(0, ["import", "-"], toFeed([account("ada")]))
  const keys = (await pazar(0, ["signing-key", "list", "--json"])).stdout
  for (const at of [0, 1]) {
    const moved = await pazar(at, ["move", "--to", urls[at + 1] ?? ""])
    expect([moved.status, moved.stderr]).toEqual([0, expect.stringMatching(/: 1 /)])
    expect((await pazar(at + 1, ["signing-key", "list", "--json"])).stdout).toBe(keys)
  }
})

test("an unreachable target is named by its option", async () => {
  const url = Object.assign(new URL(grown.url), { port: String(pickFreePort()) }).href
  await expect(move(first, { ...grown, url })).rejects.toThrow("--to")
})

test("a killed move completes when it is run again, in both directions, including sales made between the runs", async () => {
  const struck = await killMoves({ kind: "sqlite", kills: 4, lines: 300, seed: 1, onKill() {} })
  expect(struck.map(({ problem }) => problem)).toEqual([null, null, null, null])
})
