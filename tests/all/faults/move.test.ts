import { Database } from "bun:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { randomBytes } from "node:crypto"
import { rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Client } from "pg"
import { version } from "../../../package.json"
import { StoreMoved } from "../../../src/domain/store.ts"
import { formatTimestamp } from "../../../src/domain/values/time/timestamp.ts"
import {
  cancelMove,
  moveStore,
  openStore,
  type StoreAddress,
  sqliteAt,
} from "../../../src/store/open.ts"
import type { MoveOptions } from "../../../src/store/sql/move/move.ts"
import { leftOutTables, movedTables } from "../../../src/store/sql/move/tables.ts"
import { account, item, type Line, purchase, toFeed } from "../../contracts/records.ts"
import { runPazar } from "../../harness/command.ts"
import { killMoves } from "../../harness/faults/move-kills.ts"
import { pickFreePort } from "../../harness/free-port.ts"
import { startProgram, temporaryFolder } from "../../harness/program.ts"
import { runInProcess } from "../../harness/run-in-process.ts"
import { fillSqlite, readSqlite } from "../../harness/stores/full-store.ts"
import { writeEmptySqlite } from "../../harness/stores/new-stores.ts"
import { sharePostgres } from "../../harness/stores/postgres.ts"

let folder = ""
let first: StoreAddress & { kind: "sqlite" }
let last: StoreAddress & { kind: "sqlite" }
let grown: StoreAddress & { kind: "postgres" }
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
  version: "1.0.0",
  now: () => new Date(),
  onProgress: async () => {},
}

async function queryPostgres<Row>(sql: string): Promise<readonly Row[]> {
  const client = new Client({ connectionString: grown.url })
  await client.connect()
  try {
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

describe("every table", () => {
  test("of both schemas is moved, or named as left out", async () => {
    await moveStore(first, grown, options)
    const known = [...movedTables.map(({ name }) => name), ...leftOutTables].toSorted()
    using db = new Database(first.path)
    const embedded = db
      .query<{ name: string }, []>(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
      )
      .all()
    const tables = await queryPostgres<{ name: string }>(
      "SELECT relname AS name FROM pg_stat_user_tables",
    )
    const all = new Set([...embedded, ...tables].map(({ name }) => name))
    expect([...all].toSorted()).toEqual(known)
  })

  test("comes back as it was, by way of PostgreSQL, with the numbers that were given out", async () => {
    fillSqlite(first.path)
    const before = readSqlite(first.path)
    const there = await moveStore(first, grown, options)
    const back = await moveStore(grown, last, options)
    expect(readSqlite(last.path)).toEqual(before)
    expect(back.counts).toEqual(there.counts)
    expect(new Set(there.counts.values())).toEqual(new Set([2]))
    using db = new Database(last.path)
    db.run(`INSERT INTO accounts (username, list_version, body) VALUES ('new', '', '{}')`)
    expect(db.query("SELECT id FROM accounts WHERE username = 'new'").get()).toEqual({ id: 41 })
  })
})

test("the new store has the indexes and foreign keys of any other, also after an interrupted move", async () => {
  fillSqlite(first.path)
  const [embedded, served] = [readEmbeddedSchema(first.path), await readServedSchema()]
  const interrupted: MoveOptions = {
    ...options,
    async onProgress(stage) {
      if (stage === "indexing") throw new Error("interrupted")
    },
  }
  const ways = [
    [first, grown],
    [grown, last],
  ] as const
  for (const [from, to] of ways) {
    expect(await moveStore(from, to, interrupted).catch((error) => error.message)).toBe(
      "interrupted",
    )
    await moveStore(from, to, options)
  }
  expect(await readServedSchema()).toEqual(served)
  expect(readEmbeddedSchema(last.path)).toEqual(embedded)
  expect(embedded.filter((name) => name.startsWith("purchases")).length).toBeGreaterThan(2)
  expect(served.filter((text) => text.includes(" purchases")).length).toBeGreaterThan(6)
})

function readEmbeddedSchema(path: string): readonly string[] {
  using db = new Database(path)
  const select = "SELECT name FROM sqlite_schema WHERE sql IS NOT NULL ORDER BY name"
  return db
    .query<{ name: string }, []>(select)
    .all()
    .map(({ name }) => name)
}

async function readServedSchema(): Promise<readonly string[]> {
  const rows = await queryPostgres<{ text: string }>(
    `SELECT indexdef AS text FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL
     SELECT format('%s: %s %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
     FROM pg_constraint WHERE contype = 'f'
     ORDER BY text`,
  )
  return rows.map(({ text }) => text)
}

describe.each(["SQLite", "PostgreSQL"] as const)("from %s, what changes meanwhile", (kind) => {
  test("comes along", async () => {
    fillSqlite(first.path)
    if (kind === "PostgreSQL") await moveStore(first, grown, options)
    const [from, to] = kind === "SQLite" ? [first, grown] : [grown, last]
    const store = await openStore(from, "command")
    const changed = new Set<string>()
    await moveStore(from, to, {
      ...options,
      async onProgress(stage) {
        if (changed.has(stage) || stage === "closing") return
        changed.add(stage)
        await store.keys.revoke("key_1", `2026-0${changed.size}-01T00:00:00Z`)
        await store.metadata.put(`mark of ${stage}`, "there")
        await store.passwords.put(1, `$hash of ${stage}`)
        if (stage === "copying") await store.operators.remove(1)
      },
    })
    await store.close()
    expect([...changed]).toEqual(["copying", "indexing", "checking", "catching up", "counting"])
    if (kind === "SQLite") await moveStore(grown, last, options)
    else await compareWithSource()
    const rows = readSqlite(last.path)
    expect(rows.marks?.filter((row) => row.includes("mark of")).length).toBe(5)
    expect(rows.passwords).toContain(JSON.stringify({ account_id: 1, hash: "$hash of counting" }))
    if (kind === "SQLite") expect(rows).toEqual(readSqlite(first.path))
  })
})

async function compareWithSource(): Promise<void> {
  const counts = await Promise.all(
    movedTables.map(async ({ name, condition = "true" }) => {
      const [row] = await queryPostgres<{ count: string }>(
        `SELECT count(*) FROM ${name} t WHERE ${condition}`,
      )
      return [name, Number(row?.count)]
    }),
  )
  const rows = Object.entries(readSqlite(last.path)).map(([name, each]) => [name, each.length])
  expect(rows).toEqual(counts)
}

const databaseOf = (url: string) => new URL(url).pathname.slice(1)

describe("the old store", () => {
  test("is read as before, and takes no writes: it says where it is now", async () => {
    fillSqlite(first.path)
    const store = await openStore(first, "serve")
    await moveStore(first, grown, options)
    expect(await store.metadata.find("name ğ 1")).toBe("value ğ 1")
    const refused = await store.metadata.put("a", "b").catch((error) => error)
    expect(refused).toBeInstanceOf(StoreMoved)
    expect(refused.message).toContain(databaseOf(grown.url))
    await store.close()
    expect(await openStore(first, "command").catch((error) => error)).toBeInstanceOf(StoreMoved)
  })

  test("can be used again if the new one is lost: a backup of it is restored with --force", async () => {
    const env = {
      DATABASE_URL: `sqlite:${first.path}`,
      PAZAR_MASTER_KEY: randomBytes(32).toString("base64"),
    }
    const pazar = (...args: string[]) => runInProcess(folder, args, { env })
    expect((await pazar("migrate")).status).toBe(0)
    const before = readEmbeddedSchema(first.path)
    await moveStore(first, grown, options)
    const file = join(folder, "backup.db")
    expect((await pazar("backup", file)).status).toBe(0)
    const refused = await pazar("restore", file)
    expect([refused.status, refused.stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^pazar: ${file} .*${databaseOf(grown.url)} `)),
    ])
    const forced = await pazar("restore", file, "--force")
    expect([forced.status, forced.stderr]).toEqual([
      0,
      expect.stringContaining(databaseOf(grown.url)),
    ])
    // Its changes are noted no longer.
    expect(readEmbeddedSchema(first.path)).toEqual(before)
    expect((await pazar("account", "list")).status).toBe(0)
    expect((await pazar("move", "--cancel")).status).toBe(0)
  })
})

test("under another master key, or without its file, nothing is moved or closed", async () => {
  const file = join(folder, "master-key")
  const env = { DATABASE_URL: `sqlite:${first.path}`, PAZAR_MASTER_KEY_FILE: file }
  const pazar = (...args: string[]) => runInProcess(folder, args, { env })
  const writeKey = (key: Uint8Array) =>
    writeFileSync(file, Buffer.from(key).toString("base64"), { mode: 0o600 })
  const key = randomBytes(32)
  writeKey(key)
  expect((await pazar("migrate")).status).toBe(0)
  const problems = [
    { change: () => writeKey(randomBytes(32)), problem: "this store has another master key" },
    { change: () => rmSync(file), problem: `the master key file ${file} cannot be read` },
  ]
  for (const { change, problem } of problems) {
    change()
    const { status, stderr } = await pazar("move", "--to", grown.url)
    expect([status, stderr]).toEqual([2, expect.stringContaining(problem)])
    writeKey(key)
  }
  // The store is open, and a move with its key succeeds.
  expect((await pazar("operator", "create", "elif", "--link")).status).toBe(0)
  expect((await pazar("move", "--to", grown.url)).status).toBe(0)
})

test("it tells which settings the servers must not have any more", async () => {
  const env = { PAZAR_MASTER_KEY: randomBytes(32).toString("base64") }
  const creating = { env: { ...env, DATABASE_URL: `sqlite:${first.path}` } }
  expect((await runInProcess(folder, ["migrate"], creating)).status).toBe(0)
  const move = async (from: string, to: string, settings: Readonly<Record<string, string>>) => {
    const moving = { ...env, DATABASE_URL: from, ...settings }
    const { status, stderr } = await runInProcess(folder, ["move", "--to", to], { env: moving })
    expect(status).toBe(0)
    return stderr
  }
  const [embedded, back] = [first.path, last.path].map((path) => `sqlite:${path}`)
  const toPostgres = await move(embedded ?? "", grown.url, { PAZAR_BACKUP_DIR: folder })
  expect(toPostgres).toContain("PAZAR_BACKUP_DIR")
  expect(await move(grown.url, back ?? "", {})).not.toContain("PAZAR_BACKUP_DIR")
})

test("beside a running server reads go on, and a push says where the store is now", async () => {
  const token = "0123456789abcdefghijklmnopqrstuv"
  const program = await startProgram({
    DATABASE_URL: `sqlite:${first.path}`,
    PAZAR_OPERATOR_TOKEN: token,
    LOG_LEVEL: "silent",
  })
  const push = async (line: Line) => {
    const headers = { Authorization: `Bearer ${token}` }
    const body = toFeed([line])
    const answer = await fetch(`${program.url}/operator/feed`, { method: "POST", headers, body })
    return [answer.status, Object(await answer.json()).msg]
  }
  await program.load([account("ada"), item("ada", 1), purchase("abc", 1)])
  const { secret } = await program.issue("ada")
  const validate = async (code: string) => {
    const init = { method: "POST", headers: { "X-Api-Key": secret } }
    const address = `${program.url}/api/purchases/validation?purchase_code=${code}`
    return (await fetch(address, init)).status
  }
  const seen = new Set<number>()
  await moveStore(first, grown, {
    ...options,
    version,
    async onProgress(stage) {
      seen.add(await validate("abc"))
      if (stage === "checking") await push(purchase("sold-meanwhile", 1))
    },
  })
  expect([...seen]).toEqual([200])
  expect([await validate("abc"), await validate("sold-meanwhile")]).toEqual([200, 200])
  expect(await push(purchase("late", 1))).toEqual([
    503,
    expect.stringContaining(databaseOf(grown.url)),
  ])
  await program.close()
  const store = await openStore(grown, "command")
  const { id } = (await store.accounts.findByUsername("ada")) ?? { id: 0 }
  expect((await store.purchases.listByCode(id, "sold-meanwhile")).length).toBe(1)
  await store.close()
})

test("a row too many in the new store is noticed before the old one is closed", async () => {
  const ways = [
    [first, grown],
    [grown, last],
  ] as const
  for (const [from, to] of ways) {
    const failed = await moveStore(from, to, {
      ...options,
      async onProgress(stage) {
        if (stage !== "counting") return
        const added = "INSERT INTO metadata VALUES ('one too many', '')"
        if (to.kind === "postgres") {
          await queryPostgres(added)
          return
        }
        using db = new Database(to.path)
        db.run(added)
      },
    }).catch((error) => error)
    expect(failed.message).toMatch(/\bmarks\b/)
    await moveStore(from, to, options)
  }
})

test("run again it is done already; another target is refused, and so is giving up", async () => {
  fillSqlite(first.path)
  const { counts } = await moveStore(first, grown, options)
  expect((await moveStore(first, grown, options)).counts).toEqual(counts)
  const url = await (await sharePostgres()).createMigratedDatabase()
  const other = await moveStore(first, { ...grown, url }, options).catch((error) => error)
  expect(other.message).toContain(databaseOf(grown.url))
  await moveStore(grown, last, options)
  await expect(cancelMove(first)).rejects.toThrow(databaseOf(grown.url))
  await expect(cancelMove(grown)).rejects.toThrow(last.path)
})

test("a target that holds a store is refused, and so is one of the same kind", async () => {
  fillSqlite(first.path)
  const env = { DATABASE_URL: `sqlite:${first.path}`, PAZAR_MASTER_KEY: "" }
  const same = await runPazar(folder, ["move", "--to", `sqlite:${last.path}`], { env })
  expect([same.status, same.stderr]).toEqual([2, expect.stringMatching(/^pazar: .+\n/)])
  await moveStore(first, grown, options)
  await writeEmptySqlite(last.path)
  fillSqlite(last.path)
  const taken = await moveStore(grown, last, options).catch((error) => error)
  expect(taken.message).toContain(last.path)
})

test("a target that `migrate` has made and nobody has used is taken, in both directions", async () => {
  const masterKey = randomBytes(32).toString("base64")
  const addresses = ["sqlite:a/pazar.db", grown.url, "sqlite:b/pazar.db"]
  const pazar = (at: number, args: string[], input = "") =>
    runPazar(folder, args, {
      env: { DATABASE_URL: addresses[at] ?? "", PAZAR_MASTER_KEY: masterKey },
      input,
    })
  for (const at of addresses.keys()) expect((await pazar(at, ["migrate"])).status).toBe(0)
  await pazar(0, ["import", "-"], toFeed([account("ada")]))
  const keys = (await pazar(0, ["signing-key", "list", "--json"])).stdout
  for (const at of [0, 1]) {
    const moved = await pazar(at, ["move", "--to", addresses[at + 1] ?? ""])
    expect([moved.status, moved.stderr]).toEqual([0, expect.stringMatching(/: 1 /)])
    expect((await pazar(at + 1, ["signing-key", "list", "--json"])).stdout).toBe(keys)
  }
})

test("a target that cannot be reached is told by the option that names it", async () => {
  const url = Object.assign(new URL(grown.url), { port: String(pickFreePort()) }).href
  await expect(moveStore(first, { ...grown, url }, options)).rejects.toThrow("--to")
})

test("an older server on the store is told before anything is copied", async () => {
  const store = await openStore(first, "command")
  const at = formatTimestamp(new Date())
  const node = { id: "n", host: "h", url: "http://h:1", threads: 1, startedAt: at, lastSeenAt: at }
  await store.nodes.put({ ...node, version: "0.11.0" })
  await store.close()
  const refused = await moveStore(first, grown, options).catch((error) => error)
  expect(refused.message).toMatch(/http:\/\/h:1 .*0\.11\.0.*1\.0\.0/)
})

test("killed and run again it completes, in both directions; what was sold between is there", async () => {
  const struck = await killMoves({
    kind: "sqlite",
    kills: 2,
    lines: 300,
    seed: 1,
    onKill: () => {},
  })
  expect(struck.map(({ problem }) => problem)).toEqual([null, null])
})
