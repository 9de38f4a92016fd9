import { Database } from "bun:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import type { Environment } from "../../../src/config/settings.ts"
import { commandLine } from "../../../src/domain/sign-in/audit-event.ts"
import { StoreMoved, StoreUnavailable } from "../../../src/domain/store.ts"
import { UserError } from "../../../src/domain/values/error.ts"
import { formatTimestamp } from "../../../src/domain/values/time/timestamp.ts"
import { createEndpoint } from "../../../src/operations/events/endpoint-operations.ts"
import {
  moveStore,
  openStore,
  reopenStore,
  type StoreLocation,
  sqliteAt,
} from "../../../src/store/open.ts"
import type { MoveOptions } from "../../../src/store/sql/move/move-database.ts"
import { StoreOfDevelopment } from "../../../src/store/sql/schema-versions.ts"
import { account, item, type Line, purchase, toFeed } from "../../contracts/records.ts"
import { until } from "../../contracts/until.ts"
import { givePassword } from "../../harness/browser/sample-workspace.ts"
import { openVisitor } from "../../harness/browser/visitor.ts"
import { killMoves } from "../../harness/faults/move-kills.ts"
import { pickFreePort } from "../../harness/free-port.ts"
import { type Program, startProgram, temporaryFolder } from "../../harness/program.ts"
import { runInProcess } from "../../harness/run-in-process.ts"
import { runPazar } from "../../harness/run-pazar.ts"
import { writeEmptySqlite } from "../../harness/stores/create-stores.ts"
import { fillSqlite, readSqlite } from "../../harness/stores/full-store.ts"
import { queryPostgres, sharePostgres } from "../../harness/stores/postgres-server.ts"
import {
  loopbackIpRanges,
  openReceiver,
  type WebhookReceiver,
} from "../../harness/webhook-receiver.ts"

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

const options: MoveOptions = {
  now: () => new Date(),
  onProgress: async () => {},
  onReopened: () => {},
}

/** Runs `work` once, after the rows of this table were copied and before they are compared. */
const afterCopying = (table: string, work: () => Promise<unknown>): MoveOptions => {
  let isDone = false
  return {
    ...options,
    async onProgress(_, reached) {
      if (reached !== table || isDone) return
      isDone = true
      await work()
    },
  }
}

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
    await moveStore(first, grown, options)
    const tables = await query<{ name: string }>(
      grown,
      "SELECT relname AS name FROM pg_stat_user_tables WHERE relname <> 'schema_version'",
    )
    expect(tables.map(({ name }) => name).toSorted()).toEqual(Object.keys(before))
    await moveStore(grown, last, options)
    expect(readSqlite(last.path)).toEqual(before)
    const insert = `INSERT INTO accounts (username, list_version, body) VALUES ('new', '', '{}') RETURNING id`
    expect(await query(last, insert)).toEqual([{ id: 41 }])
    await reopenStore(grown)
    expect(await query(grown, insert)).toEqual([{ id: 41 }])
  })

  test("is closed for every kind of write", async () => {
    fillSqlite(first.path)
    const tables = Object.keys(readSqlite(first.path))
    const way: readonly StoreLocation[] = [first, grown, last]
    for (const [at, from] of [first, grown].entries()) {
      await moveStore(from, way[at + 1] ?? last, options)
      const writes = tables.flatMap((table) => [
        `INSERT INTO ${table} DEFAULT VALUES`,
        `DELETE FROM ${table}`,
      ])
      const updates = [
        "UPDATE purchases SET is_revoked = is_revoked",
        "UPDATE metadata SET value = ''",
      ]
      for (const sql of [...writes, ...updates]) {
        expect([sql, (await failureOf(query(from, sql)))?.message]).toEqual([
          sql,
          expect.stringContaining(nameOf(way[at + 1] ?? last)),
        ])
      }
    }
  })

  test("is copied in batches", async () => {
    using db = new Database(first.path)
    db.run(`WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n LIMIT 1777)
      INSERT INTO metadata SELECT 'ğ' || n, hex(randomblob(8)) FROM n`)
    await moveStore(first, grown, options)
    await moveStore(grown, last, options)
    expect(readSqlite(last.path)).toEqual(readSqlite(first.path))
  })
})

type Way = readonly [from: StoreLocation, to: StoreLocation]
const ways: readonly (readonly [string, () => Way])[] = [
  ["from SQLite to PostgreSQL", () => [first, grown]],
  ["from PostgreSQL to SQLite", () => [grown, last]],
]
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
  test("validations continue, writes get 503, and the new database has all data", async () => {
    const [from, to] = addresses()
    const settings = {
      PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
      PAZAR_OPERATOR_TOKEN: token,
      LOG_LEVEL: "silent",
      ...loopbackIpRanges,
    }
    const receiver = openReceiver()
    const old = await startProgram({ ...settings, DATABASE_URL: urlOf(from) })
    const secret = await fill(old, receiver)
    const exported = await old.dump()
    const [validations, pushes] = [new Set<number>(), new Set<string>()]
    await moveStore(from, to, {
      ...options,
      async onProgress() {
        validations.add(await validate(old, secret, "abc"))
        pushes.add(JSON.stringify(await push(old, purchase("late", 1))))
      },
    })
    const late = await push(old, purchase("late", 1))
    expect(late).toEqual([503, expect.stringContaining(nameOf(to))])
    expect([...pushes]).toEqual([JSON.stringify(late)])
    expect([...validations]).toEqual([200])
    expect(await validate(old, secret, "abc")).toBe(200)
    expect((await openVisitor(old.url).signIn("ada")).status).toBe(503)
    await old.close()

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

  test("the old database can be read until the copy is complete, and is rejected afterwards", async () => {
    const [from, to] = addresses()
    const store = await openStore(from, "serve")
    const write = (name: string) => failureOf(store.metadata.put(name, ""))
    expect(await write("before")).toBeNull()
    const work = async () => {
      expect(await write("meanwhile")).toBeInstanceOf(StoreMoved)
      const reader = await openStore(from, "command")
      expect(await reader.metadata.find("before")).toBe("")
      await reader.close()
      expect(await failureOf(openStore(to, "command"))).toBeInstanceOf(StoreUnavailable)
    }
    await moveStore(from, to, afterCopying("metadata", work))
    expect(await store.metadata.find("before")).toBe("")
    expect(await write("afterwards")).toBeInstanceOf(StoreMoved)
    const rejected = await failureOf(openStore(from, "serve"))
    expect(rejected).toBeInstanceOf(StoreMoved)
    expect(rejected?.message).toContain(nameOf(to))

    expect((await reopenStore(from))?.place).toContain(nameOf(to))
    expect(await write("reopened")).toBeNull()
    await (await openStore(from, "command")).close()
    expect(await reopenStore(from)).toBeNull()
    await store.close()
  })

  test("a differing row is detected: the old database is open again, the new one cannot be used", async () => {
    const [from, to] = addresses()
    const change = "UPDATE metadata SET value = 'other' WHERE name = 'a'"
    const add = "INSERT INTO metadata VALUES ('b', '')"
    const store = await openStore(from, "command")
    await store.metadata.put("a", "value")
    for (const sql of [change, add]) {
      let reopened = 0
      const failed = await failureOf(
        moveStore(from, to, {
          ...afterCopying("metadata", () => query(to, sql)),
          onReopened: () => {
            reopened += 1
          },
        }),
      )
      expect(failed).toBeInstanceOf(UserError)
      expect(failed?.message).toMatch(/\bmetadata\b/)
      expect(reopened).toBe(1)
      await store.metadata.put("a", "value")
      expect(await failureOf(openStore(to, "command"))).toBeInstanceOf(StoreUnavailable)
    }
    await store.close()
    await moveStore(from, to, options)
    const moved = await openStore(to, "command")
    expect([await moved.metadata.find("a"), await moved.metadata.find("b")]).toEqual([
      "value",
      null,
    ])
    await moved.close()
  })

  test("a second run changes nothing; another target is rejected until the move is canceled", async () => {
    const [from, to] = addresses()
    await moveStore(from, to, options)
    const moved = await openStore(to, "command")
    await moved.metadata.put("sold", "since")
    const another = await otherOf(to)
    const again = (target: StoreLocation) => failureOf(moveStore(from, target, options))
    // A crash after the new database was complete leaves this state.
    for (const name of ["moved to", "moving to"]) {
      await rename(from, name)
      expect((await again(another))?.message).toContain(nameOf(to))
      await moveStore(from, to, options)
      expect(await moved.metadata.find("sold")).toBe("since")
    }
    await moved.close()
    await reopenStore(from)
    expect((await again(to))?.message).toContain(nameOf(to))
    expect(await again(another)).toBeNull()
  })

  test("a transaction in flight is completed first, and copied", async () => {
    const [from, to] = addresses()
    const writer = await openWriter(from)
    await writer.run("BEGIN")
    await writer.run("INSERT INTO metadata VALUES ('in flight', '')")
    const moving = moveStore(from, to, options)
    const isBegun = "SELECT 1 FROM metadata WHERE name = 'moving here'"
    await until(async () => (await query(to, isBegun).catch(() => []))[0])
    await writer.run("COMMIT")
    await writer.close()
    await moving
    const moved = await openStore(to, "command")
    expect(await moved.metadata.find("in flight")).toBe("")
    await moved.close()
  })

  test("canceled during the running move, exactly one database can be used", async () => {
    const [from, to] = addresses()
    let canceled: Error | null = null
    const cancel = async () => {
      canceled = await failureOf(reopenStore(from))
    }
    const failed = await failureOf(moveStore(from, to, afterCopying("metadata", cancel)))
    // PostgreSQL knows that a move is running.
    const [used, rejected] = from.kind === "sqlite" ? [from, to] : [to, from]
    expect([failed, canceled].filter((each) => each !== null)).toEqual([expect.any(UserError)])
    const store = await openStore(used, "command")
    await store.metadata.put("a", "")
    await store.close()
    expect(await failureOf(openStore(rejected, "command"))).toBeInstanceOf(StoreUnavailable)
  })

  test("two concurrent moves are rejected, and the first one succeeds", async () => {
    const [from, to] = addresses()
    const second = async () =>
      expect(await failureOf(moveStore(from, to, options))).toBeInstanceOf(UserError)
    await moveStore(from, to, afterCopying("metadata", second))
    await (await openStore(to, "command")).close()
  })
})

async function openWriter(address: StoreLocation) {
  if (address.kind === "sqlite") {
    const db = new Database(address.path)
    return { run: async (sql: string) => void db.run(sql), close: async () => db.close() }
  }
  const client = new Client(address.url)
  await client.connect()
  return { run: (sql: string) => client.query(sql), close: () => client.end() }
}

async function otherOf(address: StoreLocation): Promise<StoreLocation> {
  if (address.kind === "sqlite") return sqliteAt(`${address.path}-other`)
  return { ...address, url: await (await sharePostgres()).createDatabase() }
}

async function rename(address: StoreLocation, name: string): Promise<void> {
  const update = `UPDATE metadata SET name = '${name}' WHERE name LIKE 'mov% to'`
  if (address.kind === "postgres") {
    await queryPostgres(
      address.url,
      `ALTER TABLE metadata DISABLE TRIGGER USER; ${update}; ALTER TABLE metadata ENABLE TRIGGER USER`,
    )
    return
  }
  using db = new Database(address.path)
  db.run("DROP TRIGGER closed_update_metadata")
  db.run(update)
}

test("the column of a value that PostgreSQL cannot store is named, not the value, and the old database is open again", async () => {
  fillSqlite(first.path)
  using db = new Database(first.path)
  db.run("UPDATE api_keys SET name = 'secret name' || char(0)")
  const failed = await failureOf(moveStore(first, grown, options))
  expect(failed?.message).toMatch(/\bapi_keys\.name\b/)
  expect(failed?.message).not.toContain("secret name")
  db.run("UPDATE api_keys SET name = 'a'")
  await moveStore(first, grown, options)
})

test("a backup of a closed database is restored only with --force, and accepts writes", async () => {
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

test("with a wrong master key, or without its file, nothing is moved or closed", async () => {
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
  await moveStore(first, grown, options)
  await writeEmptySqlite(last.path)
  fillSqlite(last.path)
  expect((await failureOf(moveStore(grown, last, options)))?.message).toContain(last.path)
})

test("a target of a development version is rejected and stays unchanged", async () => {
  await writeEmptySqlite(last.path)
  const change = new Database(last.path)
  change.run("PRAGMA user_version = 34")
  change.close()
  expect(await failureOf(moveStore(first, last, options))).toBeInstanceOf(StoreOfDevelopment)
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
  await expect(moveStore(first, { ...grown, url }, options)).rejects.toThrow("--to")
})

test("a killed move completes when it is run again, in both directions, including sales made between the runs", async () => {
  const struck = await killMoves({ kind: "sqlite", kills: 4, lines: 300, seed: 1, onKill() {} })
  expect(struck.map(({ problem }) => problem)).toEqual([null, null, null, null])
})
