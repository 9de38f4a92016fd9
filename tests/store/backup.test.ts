import { Database } from "bun:sqlite"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import {
  copyFileSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { basename, join, resolve } from "node:path"
import { formatTimestamp } from "../../src/platform/time.ts"
import { findLastBackup } from "../../src/store/metadata.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { account, item, type Line, purchase, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { createStore, launchers, plainEnvironment } from "../harness/run-pazar.ts"
import { until, workMsMax } from "../harness/until.ts"

const key = { PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64") }
const settingsOf = (folder: string) => ({
  DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`,
  ...key,
})
const pazarIn = (folder: string, args: readonly string[], env = {}) =>
  runInProcess(folder, args, { env: { ...settingsOf(folder), ...env } })
const startIn = (folder: string) => startProgram(settingsOf(folder))

describe("a restore drill", () => {
  const [folder, elsewhere] = [temporaryFolder(), temporaryFolder()]
  let program: Program
  beforeAll(async () => {
    program = await startIn(folder)
    await program.load([account("ada"), item("ada", 1), purchase("sold-0", 1)])
  })
  afterAll(async () => {
    await program.close()
    for (const each of [folder, elsewhere]) rmSync(each, { recursive: true })
  })

  const requests = (secret: string, codes: readonly string[]) => [
    `/api/account/details?api_key=${secret}`,
    `/api/items/all?api_key=${secret}`,
    `/api/items/item?api_key=${secret}&item_id=1`,
    ...codes.map((code) => `/api/purchases/validation?api_key=${secret}&purchase_code=${code}`),
  ]
  const methodOf = (path: string) => (path.includes("validation") ? "POST" : "GET")
  const send = (url: string, paths: readonly string[]) =>
    Promise.all(
      paths.map(async (path) => {
        const response = await fetch(`${url}${path}`, { method: methodOf(path) })
        return [response.status, response.headers.get("etag"), await response.text()]
      }),
    )

  test("a restored database returns the same bytes, and has every sale from before the backup", async () => {
    const { secret } = await program.issue("ada")
    const sold = ["sold-0"]
    for (let sale = 1; sale <= 20; sale++) {
      await program.load([purchase(`sold-${sale}`, 1)])
      sold.push(`sold-${sale}`)
    }
    const sitesOf = async ({ sites }: Program["app"]["store"]) => [
      (await sites.list("sold-0")).map(({ site }) => site),
      (await sites.findLimits(1)).sites,
    ]
    const { sites } = program.app.store
    await sites.putLimits(1, { sites: 1, byLicense: {} })
    expect(await sites.claim("sold-0", "shop.com", 1, formatTimestamp(new Date()))).toBe(true)
    const before = await send(program.url, requests(secret, sold))
    expect(before.map(([status]) => status)).toEqual(before.map(() => 200))
    const file = join(elsewhere, "backup.db")
    const startedAt = Date.now()
    const selling = program.load(Array.from({ length: 500 }, (_, at) => purchase(`late-${at}`, 1)))
    const { status, stdout } = await pazarIn(folder, ["backup", file, "--json"])
    expect((await selling).accepted).toBe(500)
    const recordedAt = Date.parse((await findLastBackup(program.app.store.metadata))?.at ?? "")
    expect(recordedAt).toBeWithin(startedAt - 1_000, Date.now() + 1)
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      {
        file,
        bytes: statSync(file).size,
        seconds: expect.any(Number),
        accounts: 1,
        items: 1,
        purchases: expect.any(Number),
      },
    ])
    expect(await pazarIn(elsewhere, ["restore", file])).toMatchObject({ status: 0, stdout: "" })
    const other = await startIn(elsewhere)
    expect(await send(other.url, requests(secret, sold))).toEqual(before)
    expect(await sitesOf(other.app.store)).toEqual([["shop.com"], 1])
    await other.close()
  })
})

/** A database with one account, and its backup. Each test gets a copy of both. */
const template = temporaryFolder()
let folder: string
let path: string
let file: string
beforeAll(async () => {
  await createStore(template, settingsOf(template))
  await loadIn(template, [account("ada")])
  await pazarIn(template, ["backup", join(template, "data/backup.db")])
})
beforeEach(() => {
  folder = temporaryFolder()
  path = join(folder, "data/pazar.db")
  file = join(folder, "backup.db")
  cpSync(template, folder, { recursive: true })
  rmSync(join(folder, "data/backup.db"))
})
afterEach(() => rmSync(folder, { recursive: true }))
afterAll(() => rmSync(template, { recursive: true }))

const pazar = (...args: readonly string[]) => pazarIn(folder, args)
const namesIn = (subfolder: string) => readdirSync(join(folder, subfolder)).toSorted()
const ownFiles = ["pazar.db"]

function change(database: string, ...statements: readonly string[]): void {
  using db = new Database(database)
  for (const statement of statements) db.run(statement)
}

const valuesIn = (database: string, sql: string) => {
  using db = new Database(database)
  return db.query(sql).values().flat()
}

async function loadIn(folder: string, lines: readonly Line[]): Promise<void> {
  const { status } = await runInProcess(folder, ["import", "-"], {
    env: settingsOf(folder),
    input: toFeed(lines),
  })
  expect(status).toBe(0)
}
const load = (...lines: readonly Line[]) => loadIn(folder, lines)

describe("backup", () => {
  test("writes one complete file that only its owner can read, and prints the path of the master key", async () => {
    await load(item("ada", 1))
    const { status, stdout, stderr } = await pazar("backup", file)
    expect([status, stdout]).toEqual([0, ""])
    expect(stderr).toMatch(/\S+backup\.db: [\d,]+ .*\b1 .*\b1 .*\b0 /)
    expect(stderr).toContain("PAZAR_MASTER_KEY")
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(valuesIn(file, "PRAGMA integrity_check")).toEqual(["ok"])
    expect(namesIn(".")).toEqual(["backup.db", "data"])
    const text = readFileSync(file, "latin1")
    expect(text).not.toContain(key.PAZAR_MASTER_KEY)
    expect(text).not.toContain(Buffer.alloc(32, 7).toString("latin1"))
  })

  test("replaces a file only with --overwrite", async () => {
    writeFileSync(file, "a letter")
    expect(await pazar("backup", file)).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^pazar: .*${file} .*--overwrite.*\n$`)),
    })
    expect(readFileSync(file, "utf8")).toBe("a letter")
    expect((await pazar("backup", file, "--overwrite")).status).toBe(0)
    expect(valuesIn(file, "PRAGMA integrity_check")).toEqual(["ok"])
  })

  test.each(["", "-wal", ".master-key"])(
    "never replaces the database's own pazar.db%s",
    async (end) => {
      if (end !== "") writeFileSync(`${path}${end}`, "")
      const { status, stderr } = await pazar("backup", `${path}${end}`, "--overwrite")
      expect([status, stderr]).toEqual([1, expect.stringContaining(`${path}${end}`)])
    },
  )

  test.each<[end: string, command: string, ...rest: readonly string[]]>([
    ["", "export"],
    ["-wal", "export"],
    [".master-key", "import", "FEED", "--report"],
  ])("other commands do not write to pazar.db%s either: %s", async (end, ...args) => {
    if (end !== "") writeFileSync(`${path}${end}`, "")
    const feed = join(folder, "feed.ndjson")
    writeFileSync(feed, "")
    const command = args.map((word) => (word === "FEED" ? feed : String(word)))
    const before = readFileSync(path)
    const { status, stderr } = await pazar(...command, `${path}${end}`)
    expect([status, stderr]).toEqual([1, expect.stringContaining(`${path}${end}`)])
    expect(readFileSync(path).equals(before)).toBe(true)
  })

  test("exit 1: a missing folder is not created; exit 2: no database", async () => {
    const { status, stderr } = await pazar("backup", join(folder, "mount/backup.db"))
    expect([status, stderr]).toEqual([1, expect.stringContaining(join(folder, "mount"))])
    rmSync(path)
    expect((await pazar("backup", file)).status).toBe(2)
    expect(existsSync(file)).toBe(false)
  })

  test.each([damage, contradict])(
    "exit 2: a damaged database leaves no backup behind",
    async (act) => {
      act(path)
      const { status, stderr } = await pazar("backup", file)
      expect([status, stderr]).toEqual([2, expect.stringMatching(/^pazar: .+\n/)])
      expect(namesIn(".")).toEqual(["data"])
    },
  )

  test("exit 2: a backup cannot be written to standard output", async () => {
    const { status, stdout } = await pazar("backup", "-")
    const inWorkingFolder = resolve("-")
    const isCreated = existsSync(inWorkingFolder)
    rmSync(inWorkingFolder, { force: true })
    expect([status, stdout, isCreated]).toEqual([2, "", false])
  })

  test("removes files of an interrupted backup after an hour", async () => {
    const [old, young] = ["x.db.unfinished-0123456789ab", "x.db.unfinished-ba9876543210"]
    const longAgo = new Date(Date.now() - 61 * 60_000)
    for (const name of [old, `${old}-journal`, young, "unfinished"]) {
      writeFileSync(join(folder, name), "")
      if (name !== young) utimesSync(join(folder, name), longAgo, longAgo)
    }
    await pazar("backup", file)
    expect(namesIn(".")).toEqual(["backup.db", "data", "unfinished", young])
  })
})

/** Overwrites pages in the middle of the file; its header stays. */
function damage(database: string): void {
  change(database, "PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA journal_mode = DELETE")
  const bytes = readFileSync(database)
  bytes.fill(0x5a, bytes.length / 2, bytes.length - 4096)
  writeFileSync(database, bytes)
}

/** Inserts a row that violates a CHECK constraint; only an integrity check detects it. */
function contradict(database: string): void {
  change(
    database,
    "PRAGMA ignore_check_constraints = ON",
    "INSERT INTO accounts (username, list_version, body) VALUES ('', '', '{}')",
  )
}

/** Changes one byte of an index: its row can be read, but is not always found. */
function loseIndexEntry(database: string): void {
  const text = readFileSync(database, "latin1")
  const entry = /[^"](ada@example\.com)/d.exec(text)?.indices?.[1]?.[0] ?? -1
  writeFileSync(database, `${text.slice(0, entry)}z${text.slice(entry + 1)}`, "latin1")
}

describe("restore", () => {
  const isSuspended = "SELECT is_suspended FROM accounts"
  beforeEach(() => copyFileSync(join(template, "data/backup.db"), file))

  test("replaces the database and keeps the previous one beside it", async () => {
    const { status, stdout, stderr } = await pazar("restore", file, "--json")
    const { kept, ...summary } = JSON.parse(stdout)
    expect([status, summary]).toEqual([
      0,
      {
        file,
        version: expect.any(Number),
        needed: summary.version,
        seconds: expect.any(Number),
        accounts: 1,
        items: 0,
        purchases: 0,
      },
    ])
    expect(kept).toMatch(/pazar\.db\.before-restore-\d{8}T\d{6}Z$/)
    expect(stderr).toContain(kept)
    expect(namesIn("data")).toEqual([...ownFiles, basename(kept)])
    for (const each of [path, kept]) {
      expect(statSync(each).mode & 0o777).toBe(0o600)
      expect(valuesIn(each, "SELECT username FROM accounts")).toEqual(["ada"])
    }
  })

  test("exit 1: a database in use is not changed", async () => {
    const program = await startIn(folder)
    const forced = await pazar("restore", file, "--force")
    expect(forced).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(new RegExp(`^pazar: .*${path} .*\n$`)),
    })
    expect(namesIn("data")).toEqual([...ownFiles, "pazar.db-shm", "pazar.db-wal"])
    await program.load([account("bob")])
    expect(await program.dump()).toContain("bob")
    await program.close()
    expect((await pazar("restore", file, "--force")).status).toBe(0)
  })

  const newer: readonly (readonly [string, () => Promise<unknown>])[] = [
    ["an import", () => load(account("bob"))],
    ["a key", () => pazar("key", "create", "ada")],
    ["a suspension", () => pazar("account", "suspend", "ada")],
    ["a later version", async () => change(path, "PRAGMA user_version = 9999")],
  ]
  test.each(newer)("exit 1: a database with %s is newer; --force", async (_, act) => {
    await act()
    const { status, stderr } = await pazar("restore", file)
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(new RegExp(`^pazar: ${path} .*--force`)),
    ])
    expect(namesIn("data")).toEqual(ownFiles)
    expect((await pazar("restore", file, "--force")).status).toBe(0)
    expect(valuesIn(path, isSuspended)).toEqual([0])
    expect((await pazar("account", "show", "ada")).status).toBe(0)
  })

  test("exit 2: a wrong or missing master key; nothing is changed", async () => {
    const before = namesIn("data")
    const other = { PAZAR_MASTER_KEY: Buffer.alloc(32, 8).toString("base64") }
    const wrong = await pazarIn(folder, ["restore", file], other)
    expect([wrong.status, wrong.stderr]).toEqual([
      2,
      expect.stringMatching(new RegExp(`^pazar: .*${file}: .*\n$`)),
    ])
    const none = await pazarIn(folder, ["restore", file], { PAZAR_MASTER_KEY: "" })
    expect([none.status, none.stderr]).toEqual([2, expect.stringContaining("ENOENT")])
    expect(namesIn("data")).toEqual(before)
  })

  test("exit 2: an invalid backup is rejected", async () => {
    const letter = join(folder, "letter.txt")
    writeFileSync(letter, "a letter to my grandmother\n".repeat(100))
    const foreign = join(folder, "foreign.db")
    change(foreign, "CREATE TABLE albums (id INTEGER)")
    const damaged = join(folder, "damaged.db")
    copyFileSync(file, damaged)
    damage(damaged)
    const incomplete = join(folder, "incomplete.db")
    copyFileSync(file, incomplete)
    loseIndexEntry(incomplete)
    const newerOne = join(folder, "newer.db")
    copyFileSync(file, newerOne)
    change(newerOne, "PRAGMA user_version = 9999")
    const rejections: readonly (readonly [name: string, status: number, named: string])[] = [
      [join(folder, "none.db"), 2, "none.db"],
      [path, 1, path],
      [letter, 1, letter],
      [foreign, 2, foreign],
      [damaged, 1, damaged],
      [incomplete, 1, "accounts_by_email"],
      [newerOne, 2, "9999"],
    ]
    for (const [name, status, named] of rejections) {
      const outcome = await pazar("restore", name, "--force")
      expect([name, outcome.status, outcome.stderr]).toEqual([
        ...[name, status],
        expect.stringContaining(named),
      ])
    }
    expect(namesIn("data")).toEqual(ownFiles)
    expect(valuesIn(path, "SELECT username FROM accounts")).toEqual(["ada"])
  })

  test("exit 1: a database with damaged pages is replaced only with --force", async () => {
    damage(path)
    const { status, stderr } = await pazar("restore", file)
    expect([status, stderr]).toEqual([1, expect.stringMatching(new RegExp(`${path} .*--force`))])
    expect((await pazar("restore", file, "--force")).status).toBe(0)
    expect((await pazar("account", "show", "ada")).status).toBe(0)
  })

  test("a damaged database is replaced with --force, and its log does not affect the new one", async () => {
    writeFileSync(path, "a letter to my grandmother\n".repeat(1000))
    writeFileSync(`${path}-wal`, "the log of the damaged store")
    const { status, stderr } = await pazar("restore", file)
    expect([status, stderr]).toEqual([1, expect.stringContaining("--force")])
    expect((await pazar("restore", file, "--force")).status).toBe(0)
    expect(namesIn("data")).toEqual([...ownFiles, expect.stringMatching(/before-restore-\w+$/)])
    expect((await pazar("account", "show", "ada")).status).toBe(0)
  })

  test("a log without its database is moved aside", async () => {
    rmSync(path)
    writeFileSync(`${path}-wal`, "the log of a store that is gone")
    expect((await pazar("restore", file)).status).toBe(0)
    expect(namesIn("data")).toEqual([...ownFiles, expect.stringMatching(/before-restore-.*-wal$/)])
    expect((await pazar("account", "show", "ada")).status).toBe(0)
  })

  test("a backup of a development version is rejected", async () => {
    change(file, "PRAGMA user_version = 34")
    const older = await pazar("restore", file, "--force")
    expect([older.status, older.stderr]).toEqual([
      2,
      expect.stringContaining("export with it, import here"),
    ])
  })

  test("ends sessions and links, which may have been ended or used since, and removes nodes", async () => {
    change(
      file,
      "INSERT INTO nodes VALUES ('n', 'vm', 'http://127.0.0.1:1', '1.0.0', 1, '', '2100-01-01T00:00:00Z')",
      "INSERT INTO people (id, name, created_at) VALUES (1, 'deniz', '')",
      "INSERT INTO sessions VALUES ('s', x'00', 1, '', '', '', '', '', 0)",
      "INSERT INTO invitations VALUES (x'00', 'i', 1, NULL, NULL, NULL, '', NULL, '2100-01-01T00:00:00Z')",
      "INSERT INTO sign_in_links VALUES (x'00', 1, '2100-01-01T00:00:00Z')",
      "INSERT INTO emails VALUES ('mail_1', x'00', '', '2100-01-01T00:00:00Z', 0, 0)",
    )
    expect((await pazar("restore", file)).status).toBe(0)
    const tables = ["sessions", "invitations", "sign_in_links", "emails", "nodes"]
    const counts = tables.flatMap((table) => valuesIn(path, `SELECT count(*) FROM ${table}`))
    expect(counts).toEqual([0, 0, 0, 0, 0])
    expect(valuesIn(file, "SELECT count(*) FROM sessions")).toEqual([1])
  })

  test("a program that waits for the database while it is replaced does not use the old file", async () => {
    change(path, "PRAGMA journal_mode = DELETE")
    using lock = new Database(path)
    lock.run("BEGIN EXCLUSIVE")
    const opener = Bun.spawn([...launchers.bun, "account", "list"], {
      cwd: folder,
      env: { ...plainEnvironment, ...key },
      stderr: "pipe",
    })
    await until(() => (openFilesOf(opener.pid).includes(path) ? true : undefined), workMsMax)
    renameSync(file, path)
    lock.run("ROLLBACK")
    expect(await opener.exited).toBe(2)
    expect(await opener.stderr.text()).toContain(path)
  })
})

const openFilesOf = (pid: number) =>
  readdirSync(`/proc/${pid}/fd`).map((name) => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${name}`)
    } catch {
      return "closed meanwhile"
    }
  })

test.each(["backup", "restore"] as const)(
  "exit 2: %s on PostgreSQL names the command to run",
  async (command) => {
    const env = { DATABASE_URL: "postgres://pazar:secret@127.0.0.1:1/shop" }
    const { status, stdout, stderr } = await pazarIn(folder, [command, file], env)
    expect([status, stdout]).toEqual([2, ""])
    expect(stderr).toMatch(/^pazar: .*\bshop .*127\.0\.0\.1:1\b/)
    expect(stderr).toContain(command === "backup" ? "`pg_dump --format=custom" : "`pg_restore")
    expect(stderr).not.toContain("secret")
  },
)
