import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { hostname } from "node:os"
import { join } from "node:path"
import manifest from "../../package.json"
import type { Finding } from "../../src/doctor/finding.ts"
import { formatTimestamp, secondsBefore } from "../../src/platform/time.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { cellsOf, runInProcess } from "../harness/run-in-process.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { storeOf } from "../harness/stores/test-stores.ts"

let program: Program
let isFile: boolean
let secret: string
const codes = Array.from({ length: 60 }, (_, at) => `serial-${1000 + at}`)
beforeAll(async () => {
  program = await startProgram()
  isFile = (await storeOf(program.folder)) === null
  await program.load([account("ada"), item("ada", 1), ...codes.map((code) => purchase(code, 1))])
  secret = (await program.issue("ada")).secret
})
afterAll(() => program.close())

type Report = Readonly<{ problems: number; warnings: number; checks: readonly Finding[] }>

async function examine(env = {}, ...options: readonly string[]) {
  const args = ["doctor", "--json", ...options]
  const { status, stdout, stderr } = await runInProcess(program.folder, args, { env })
  const { checks, problems }: Report = JSON.parse(stdout)
  expect([stderr, status]).toEqual(["", problems > 0 ? 1 : 0])
  const levels = Object.fromEntries(checks.map(({ check, level }) => [check, level]))
  return { status, stdout, checks, levels, detail: (name: string) => detailOf(checks, name) }
}

const detailOf = (checks: readonly Finding[], name: string) =>
  checks.find(({ check }) => check === name)?.detail ?? ""

test.each([[], ["--full"]])("a healthy database: %p", async (...options) => {
  const { levels, detail } = await examine({}, ...options)
  const { disk, "file limit": _, ...rest } = levels
  expect(rest).toEqual({
    configuration: "ok",
    integrity: "ok",
    ...(options.includes("--full") && { sums: "ok" }),
    "master key": "ok",
    "API keys": "ok",
    "signing keys": "ok",
    clock: "ok",
    waiting: "ok",
    ...(isFile ? { permissions: "ok", backups: "warning" } : {}),
  })
  expect(disk === undefined).toBe(!isFile)
  expect(detail("API keys")).toMatch(/\b1 /)
})

test("no secret is printed, and hints follow the check they belong to", async () => {
  const env = { PAZAR_PUBLIC_URL: "http://api.example.com" }
  const { status, stdout } = await runInProcess(program.folder, ["doctor"], { env })
  expect(status).toBe(0)
  expect(stdout).toMatch(/^warning {2}configuration: .*\n {9}\S/m)
  expect(stdout).toMatch(/\n0 .*\b\d .*\n$/)
  const { DATABASE_URL = "", PAZAR_MASTER_KEY = "" } = (await storeOf(program.folder)) ?? {}
  const password = isFile ? "" : new URL(DATABASE_URL).password
  const secrets = [secret, ...codes, PAZAR_MASTER_KEY, password].filter((text) => text !== "")
  expect(secrets.filter((text) => stdout.includes(text))).toEqual([])
})

test("a wrong master key", async () => {
  const env = { PAZAR_MASTER_KEY: Buffer.alloc(32, 9).toString("base64") }
  const { levels } = await examine(env)
  expect([levels["master key"], levels["API keys"], levels.clock]).toEqual([
    "problem",
    undefined,
    "ok",
  ])
})

test("key material that cannot be decrypted", async () => {
  const rows = await queryStore<{ sealed: Uint8Array }>(program, "SELECT encrypted FROM api_keys")
  const encrypted = new Uint8Array(rows[0]?.sealed ?? [])
  await queryStore(program, "UPDATE api_keys SET encrypted = ?", encrypted.toReversed())
  await queryStore(program, "UPDATE signing_keys SET state = 'old' WHERE state = 'next'")
  const { levels, checks } = await examine()
  await queryStore(program, "UPDATE api_keys SET encrypted = ?", encrypted)
  await queryStore(program, "UPDATE signing_keys SET state = 'next' WHERE state = 'old'")
  expect([levels["API keys"], levels["signing keys"]]).toEqual(["problem", "problem"])
  // `pazar migrate` creates signing keys only if the database has none.
  const { hint } = checks.find(({ check }) => check === "signing keys") ?? {}
  expect(hint).not.toContain("pazar migrate")
})

test("a database of another version, and a missing one, hide no other result", async () => {
  const folder = temporaryFolder()
  const { status, stdout } = await runInProcess(folder, ["doctor", "--json"], {
    env: { ...(await storeOf(folder)), PAZAR_PUBLIC_URL: "http://api.example.com" },
  })
  rmSync(folder, { recursive: true })
  const { checks }: Report = JSON.parse(stdout)
  const found = checks.map(({ check, level }) => `${check} ${level}`)
  expect([status, found]).toEqual([2, expect.arrayContaining(["configuration warning"])])
  expect(found).toContain("database problem")
  expect(detailOf(checks, "database")).toContain("`pazar migrate`")
})

describe("facts", () => {
  const pazar = (args: readonly string[], env = {}) => runInProcess(program.folder, args, { env })
  const factsOf = async (env = {}) =>
    JSON.parse((await pazar(["doctor", "--quick", "--json"], env)).stdout)
  const where = () => ({ PORT: new URL(program.url).port })
  const schemaVersion = () => program.app.store.schemaVersion
  const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`

  test("version, database, schema, server, counts and last import precede the checks", async () => {
    const limits = { PAZAR_RATE_LIMIT: "30", PAZAR_THREADS: "4" }
    const env = { ...where(), ...limits }
    const { status, stdout, stderr } = await pazar(["doctor", "--quick"], env)
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    const [facts = "", checks = ""] = stdout.split("\n\n")
    expect(cellsOf(facts).slice(0, 12)).toEqual([
      ["Version", manifest.version],
      [
        "Database",
        expect.stringMatching(isFile ? /SQLite.* \/.*pazar\.db$/ : /PostgreSQL.* \S+:\d+$/),
      ],
      ["Schema", expect.stringMatching(new RegExp(`^${schemaVersion()}\\b`))],
      ["Server", `${program.url}: ready`],
      ["Accounts", "1"],
      ["Items", "1"],
      ["Purchases", "60"],
      ["Keys", "1"],
      ["Operators", expect.stringContaining("pazar operator create")],
      ["E-mail", expect.stringContaining("PAZAR_SMTP_URL")],
      [
        "Rate limits",
        "PAZAR_RATE_LIMIT 30: 8 × 4 threads = 32 failed validations in ten minutes, 5 × 4 threads = 20 rejected sites per day",
      ],
      ["Last import", expect.stringMatching(new RegExp(`^1, ${time}, .*\\b62 `))],
    ])
    expect(checks).toMatch(/^ok {7}configuration: /)
  })

  test("--quick skips the checks that read many rows, and the object contains no password", async () => {
    const { checks, problems, warnings, ...facts } = await factsOf(where())
    const names = checks.map(({ check }: Finding) => check)
    for (const slow of ["integrity", "API keys", "signing keys"]) {
      expect(names).not.toContain(slow)
    }
    expect([problems, warnings]).toEqual([0, expect.any(Number)])
    expect(facts).toEqual({
      version: manifest.version,
      database: { kind: isFile ? "sqlite" : "postgres", place: expect.any(String) },
      schema: { current: schemaVersion(), needed: schemaVersion() },
      server: { url: program.url, state: "ready" },
      nodes: [],
      counts: { accounts: 1, items: 1, purchases: 60, keys: 1 },
      operators: 0,
      mail_server: null,
      last_import: expect.objectContaining({ id: 1, via: "file", accepted: 62 }),
      pulls: [],
      waiting: { items: 0, purchases: 0, since: null, needs: [] },
      last_backup: null,
    })
  })

  test("lists what is set up, without the password of the mail server", async () => {
    const env = { PAZAR_SMTP_URL: "smtp://pazar%40example.com:mail-password@mail.example.com:587" }
    await runInProcess(program.folder, ["operator", "create", "deniz"], {
      input: "three unrelated words",
    })
    const { stdout } = await pazar(["doctor", "--quick"], env)
    expect(cellsOf(stdout.split("\n\n")[0] ?? "")).toEqual(
      expect.arrayContaining([
        ["Operators", "1"],
        ["E-mail", "mail.example.com:587"],
      ]),
    )
    const { operators, mail_server } = await factsOf(env)
    expect([operators, mail_server]).toEqual([1, "mail.example.com:587"])
    expect(stdout).not.toContain("mail-password")
  })

  test("lists the servers that use the database, and sends a request to the one on this machine", async () => {
    const { store, now } = program.app
    const node = { startedAt: "2026-01-01T00:00:00Z", lastSeenAt: formatTimestamp(now()) }
    const here = { host: hostname(), url: program.url, version: "0.0.9", threads: 4, ...node }
    await store.nodes.put({ ...here, id: "here" })
    await store.nodes.put({ ...here, id: "gone", lastSeenAt: secondsBefore(now(), 200) })
    const { nodes, server } = await factsOf({ PORT: "1" })
    await store.nodes.remove("here")
    const { startedAt: started_at, lastSeenAt: last_seen_at, ...rest } = here
    expect(nodes).toEqual([{ ...rest, started_at, last_seen_at }])
    expect(server).toEqual({ url: program.url, state: "ready" })
  })

  test("the service at HOST and PORT", async () => {
    const other = Bun.serve({ port: 0, fetch: () => new Response("<h1>Hello</h1>") })
    const PORT = String(other.port)
    const url = `http://127.0.0.1:${PORT}`
    expect((await factsOf({ HOST: "0.0.0.0", PORT })).server).toEqual({ url, state: "foreign" })
    await other.stop(true)
    expect((await factsOf({ PORT })).server).toEqual({ url, state: "absent" })
    expect((await factsOf({ PORT: "0" })).server).toBeNull()
    const unavailable = () => Response.json({ status: "unavailable" }, { status: 503 })
    const stopping = Bun.serve({ port: 0, fetch: unavailable })
    expect((await factsOf({ PORT: String(stopping.port) })).server.state).toBe("not ready")
    await stopping.stop(true)
  })

  test.each([-1, 1])("exit 2: a schema version that differs by %d", async (difference) => {
    const [needed, current] = [schemaVersion(), schemaVersion() + difference]
    const writeVersion = (version: number) =>
      queryStore(
        program,
        isFile
          ? `PRAGMA user_version = ${version}`
          : `UPDATE schema_version SET version = ${version}`,
      )
    await writeVersion(current)
    const { status, stdout } = await pazar(["doctor", "--json"], where())
    await writeVersion(needed)
    expect([status, JSON.parse(stdout)]).toEqual([
      2,
      expect.objectContaining({ schema: { current, needed }, counts: null, nodes: null }),
    ])
  })

  test("exit 2: an unreachable database; its password is not printed", async () => {
    const { status, stdout } = await pazar(["doctor"], {
      DATABASE_URL: "postgres://u:secret@127.0.0.1:1/shop",
      PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
    })
    expect([status, stdout]).toEqual([
      2,
      expect.stringMatching(/PostgreSQL.* shop .*127\.0\.0\.1:1$/m),
    ])
    expect(stdout).not.toContain("secret")
  })
})

test("unusable settings", async () => {
  const { checks } = await examine({ PORT: "x", PAZAR_LOCALE: "fr" })
  expect(checks.map(({ check, level }) => `${check} ${level}`)).toEqual([
    ...["configuration problem", "configuration problem"],
  ])
})

test("without a backup, the hint depends on what is set up", async () => {
  if (!isFile) return
  const folder = temporaryFolder()
  const hintOf = async (env = {}) =>
    (await examine(env)).checks.find(({ check }) => check === "backups")?.hint
  expect(await hintOf()).toContain("PAZAR_BACKUP_DIR, or")
  expect(await hintOf({ PAZAR_BACKUP_DIR: folder })).not.toContain("pazar backup")
  rmSync(folder, { recursive: true })
})

test("--backups checks a folder", async () => {
  const { checks } = await examine({}, "--backups", join(program.folder, "none"))
  const { level, detail } = checks.findLast(({ check }) => check === "backups") ?? {}
  expect([level, detail]).toEqual(["problem", expect.stringContaining("ENOENT")])
})
