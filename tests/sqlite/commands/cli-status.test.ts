/** The operator's overview: `pazar status`, `pazar imports` and `pazar usage`. */

import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { availableParallelism, hostname } from "node:os"
import manifest from "../../../package.json"
import { readConfig } from "../../../src/config/config.ts"
import type { UsageCount } from "../../../src/domain/usage/usage.ts"
import { formatTimestamp, secondsBefore } from "../../../src/domain/values/time/timestamp.ts"
import { readConsoleStatus } from "../../../src/server/pages.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import { addUsage } from "../../contracts/store-records.ts"
import { type Program, startProgram, temporaryFolder } from "../../harness/program.ts"
import { cellsOf, runInProcess } from "../../harness/run-in-process.ts"
import { queryStore } from "../../harness/stores/stored-rows.ts"
import { storeOf } from "../../harness/stores/stores.ts"

let program: Program
let isFile: boolean
beforeAll(async () => {
  program = await startProgram()
  isFile = (await storeOf(program.folder)) === null
  const sales = [purchase("one", 1), purchase("two", 1)]
  await program.load([account("elif"), account("deniz"), item("elif", 1), ...sales])
})
afterAll(() => program.close())

const pazar = (args: readonly string[], env = {}) => runInProcess(program.folder, args, { env })

/** HOST and PORT of the running program. */
const where = () => ({ PORT: new URL(program.url).port })

const schemaVersion = () => program.app.store.schemaVersion
const writeVersion = (version: number) =>
  queryStore(
    program,
    isFile ? `PRAGMA user_version = ${version}` : `UPDATE schema_version SET version = ${version}`,
  )

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`
const anyTime = expect.stringMatching(new RegExp(`^${time}$`))

describe("status", () => {
  test("shows version, store, counts and the server", async () => {
    const { status, stdout, stderr } = await pazar(["status"], where())
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    const facts = cellsOf(stdout).map(([, value]) => value)
    expect(facts.slice(0, 11)).toEqual([
      manifest.version,
      expect.stringMatching(isFile ? /SQLite.* \/.*pazar\.db$/ : /PostgreSQL.* \S+:\d+$/),
      expect.stringMatching(new RegExp(`^${schemaVersion()}\\b`)),
      String(availableParallelism()),
      expect.stringContaining(program.url),
      expect.any(String),
      ...["2", "1", "2", "0"],
      expect.stringMatching(new RegExp(`^1, ${time}, .*\\b5 `)),
    ])
  })

  test("--json is one object, and holds no password", async () => {
    const { status, stdout } = await pazar(["status", "--json"], { ...where(), PAZAR_THREADS: "3" })
    expect(status).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      version: manifest.version,
      store: { kind: isFile ? "sqlite" : "postgres", place: expect.any(String) },
      schema: { current: schemaVersion(), needed: schemaVersion() },
      counts: { accounts: 2, items: 1, purchases: 2, keys: 0 },
      last_backup: null,
      last_import: {
        id: 1,
        source: "test",
        via: "file",
        line: 5,
        started_at: anyTime,
        finished_at: anyTime,
        accepted: 5,
        adjusted: 0,
        waiting: 0,
        rejected: 0,
        removed: 0,
        revoked: 0,
        restored: 0,
        seconds: expect.any(Number),
      },
      waiting: { items: 0, purchases: 0, since: null, needs: [] },
      nodes: [],
      pulls: [],
      warnings: expect.any(Array),
      problem: null,
      threads: 3,
      server: { url: program.url, state: "ready" },
    })
    const { password } = new URL((await storeOf(program.folder))?.DATABASE_URL ?? "sqlite:x")
    if (!isFile) expect(password).not.toBe("")
    expect(stdout).not.toContain(password || "no password")
  })

  test("shows the servers on the store, whose versions may differ", async () => {
    const { store, now } = program.app
    const lastSeenAt = formatTimestamp(now())
    const startedAt = "2026-01-01T00:00:00Z"
    const node = { host: "b", url: "http://b:80", version: "0.0.9", threads: 4, startedAt }
    await store.nodes.put({ ...node, id: "b", lastSeenAt })
    await store.nodes.put({ ...node, id: "gone", lastSeenAt: secondsBefore(now(), 200) })
    const { stdout } = await pazar(["status"])
    const { nodes } = JSON.parse((await pazar(["status", "--json"])).stdout)
    await store.nodes.remove("b")
    expect(stdout).toMatch(new RegExp(`b, http://b:80: .*0\\.0\\.9, 4 .*${startedAt}$`, "m"))
    expect(stdout.match(/http:\/\/b:80/g)).toHaveLength(1)
    expect(nodes).toEqual([
      {
        host: "b",
        url: "http://b:80",
        version: "0.0.9",
        threads: 4,
        started_at: startedAt,
        last_seen_at: lastSeenAt,
      },
    ])
  })

  test("asks the server that the store knows on this machine, whatever PORT is", async () => {
    const { store, now } = program.app
    const started = { version: "0.0.9", threads: 1, startedAt: formatTimestamp(now()) }
    const node = { ...started, url: program.url, lastSeenAt: formatTimestamp(now()) }
    await store.nodes.put({ ...node, id: "here", host: hostname() })
    await store.nodes.put({ ...node, id: "there", host: "elsewhere", url: "http://127.0.0.1:1" })
    for (const PORT of ["0", "1"]) {
      const { server } = JSON.parse((await pazar(["status", "--json"], { PORT })).stdout)
      expect(server).toEqual({ url: program.url, state: "ready" })
    }
    await store.nodes.remove("here")
    await store.nodes.remove("there")
  })

  test("shows a pull that is overdue", async () => {
    const at = secondsBefore(new Date(), 3_600)
    const ended = { startedAt: at, endedAt: at, problem: null, runBefore: 0 }
    await program.app.store.pulls.noteRound({ name: "shop", everySeconds: 60, ...ended })
    const { stdout } = await pazar(["status"])
    const { pulls } = JSON.parse((await pazar(["status", "--json"])).stdout)
    await queryStore(program, "DELETE FROM pulls")
    expect(stdout).toMatch(new RegExp(`shop: .*60 s.*${at}`))
    expect(pulls).toEqual([
      {
        name: "shop",
        every_seconds: 60,
        last_success_at: at,
        problem: null,
        is_overdue: true,
      },
    ])
  })

  test("says what answers at HOST and PORT", async () => {
    const serverOf = async (env: Readonly<Record<string, string>>) =>
      JSON.parse((await pazar(["status", "--json"], env)).stdout).server
    const other = Bun.serve({ port: 0, fetch: () => new Response("<h1>Hello</h1>") })
    const PORT = String(other.port)
    const url = `http://127.0.0.1:${PORT}`
    expect(await serverOf({ HOST: "0.0.0.0", PORT })).toEqual({ url, state: "foreign" })
    await other.stop(true)
    expect(await serverOf({ PORT })).toEqual({ url, state: "absent" })
    expect(await serverOf({ PORT: "0" })).toBeNull()
    const stopping = Bun.serve({
      port: 0,
      fetch: () => Response.json({ status: "unavailable" }, { status: 503 }),
    })
    expect((await serverOf({ PORT: String(stopping.port) })).state).toBe("not ready")
    await stopping.stop(true)
  })

  test.each([-1, 1])("exit 2: a store whose version differs by %d", async (difference) => {
    const [needed, current] = [schemaVersion(), schemaVersion() + difference]
    await writeVersion(current)
    const plain = await pazar(["status"], where())
    const json = await pazar(["status", "--json"], where())
    await writeVersion(needed)
    expect([plain.status, json.status]).toEqual([2, 2])
    expect(cellsOf(plain.stdout)[2]?.[1]).toMatch(new RegExp(`^${current}\\b.*\\b${needed}$`))
    expect(plain.stderr).toContain(` ${current}`)
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: { current, needed },
      counts: null,
      last_import: null,
      nodes: null,
      pulls: null,
      problem: expect.stringContaining(` ${current}`),
    })
  })

  test("exit 2: no store, and one that cannot be reached", async () => {
    const folder = temporaryFolder()
    const none = await runInProcess(folder, ["status"], { env: where() })
    rmSync(folder, { recursive: true })
    expect([none.status, cellsOf(none.stdout)[2]?.[1]]).toEqual([
      2,
      expect.stringMatching(new RegExp(`\\b${schemaVersion()}$`)),
    ])
    expect(none.stderr).toContain("`pazar migrate`")
    const env = {
      DATABASE_URL: "postgres://u:secret@127.0.0.1:1/shop",
      PAZAR_MASTER_KEY: masterKey,
    }
    const lost = await pazar(["status"], { ...where(), ...env })
    expect([lost.status, cellsOf(lost.stdout)[1]?.[1]]).toEqual([
      2,
      expect.stringMatching(/PostgreSQL.* shop .*127\.0\.0\.1:1$/),
    ])
    expect(lost.stderr).toMatch(/DATABASE_URL/)
    expect(lost.stdout + lost.stderr).not.toContain("secret")
  })
})

const masterKey = Buffer.alloc(32, 7).toString("base64")

describe("imports", () => {
  const firstRow = [
    "1",
    anyTime,
    "file",
    expect.stringMatching(/^\d+$/),
    ...["5", "0", "0", "0", "0"],
    "test",
  ]
  beforeAll(async () => {
    const hostile = "evil\u001b[2J"
    const unknown = { type: "account", username: "nobody", patch: true }
    await program.load([item(hostile, 2), item("elif", 3), purchase("three", 2), unknown])
    // A batch without an end, as after a crash.
    const writer = await program.app.store.feed.openBatches({ source: "push", via: "push" })
    await writer.put([], 7)
  })

  test("lists them, the newest first; one that was cut off has no result", async () => {
    const { status, stdout, stderr } = await pazar(["imports"])
    const rows: readonly (readonly unknown[])[] = cellsOf(stdout)
    expect([status, stderr]).toEqual([0, ""])
    expect(rows.slice(1, 4)).toEqual([
      ["3", anyTime, "push", "-", "-", "-", "-", "-", "-", "push"],
      ["2", anyTime, "file", expect.stringMatching(/^\d+$/), "1", "0", "2", "1", "0", "test"],
      firstRow,
    ])
    const waiting = stdout.trimEnd().split("\n").slice(4)
    expect(waiting).toEqual([
      expect.stringMatching(new RegExp(`1 .*1 .*${time}$`)),
      expect.stringMatching(new RegExp(` evil\ufffd\\[2J: 1 .*${time}$`)),
      expect.stringMatching(new RegExp(` 2: 1 .*${time}$`)),
    ])
    const latest: readonly (readonly unknown[])[] = cellsOf(
      (await pazar(["imports", "--limit", "1"])).stdout,
    )
    expect(latest.slice(0, 2)).toEqual(rows.slice(0, 2))
    expect(latest).toHaveLength(rows.length - 2)
  })

  test("--json is a list of objects", async () => {
    const [unfinished] = JSON.parse((await pazar(["imports", "--json"])).stdout)
    expect(unfinished).toEqual({
      id: 3,
      source: "push",
      via: "push",
      line: 7,
      started_at: anyTime,
      finished_at: null,
      accepted: null,
      adjusted: null,
      waiting: null,
      rejected: null,
      removed: null,
      revoked: null,
      restored: null,
      seconds: null,
    })
  })

  test("explains one: what was refused, and why", async () => {
    const { status, stdout } = await pazar(["imports", "2"])
    expect(status).toBe(0)
    const facts = cellsOf(stdout).map(([, value]) => value)
    expect(facts.slice(0, 6)).toEqual([
      ...["2", "test", "file", anyTime, "4"],
      expect.stringMatching(/^1 .*\b0 .*\b2 .*\b1 .*\b0 .*\d+ s$/),
    ])
    expect(stdout).toMatch(/1 × account: username: .*\b4, account nobody\)\n$/)
    const { problems } = JSON.parse((await pazar(["imports", "2", "--json"])).stdout)
    expect(problems).toEqual([
      {
        type: "account",
        member: "username",
        reason: expect.any(String),
        cause: "itself",
        lines: 1,
        first_line: 4,
        first_identity: "nobody",
      },
    ])
    const unfinished = cellsOf((await pazar(["imports", "3"])).stdout)
    expect(unfinished[5]?.[1]).not.toMatch(/\d/)
  })

  test("a record that has waited for a day is a warning, of doctor and the console too", async () => {
    const levelOf = async () => {
      const { checks } = JSON.parse((await pazar(["doctor", "--json"])).stdout)
      return checks.find(({ check }: { check: string }) => check === "waiting").level
    }
    expect(await levelOf()).toBe("ok")
    const waitingOf = async (command: string) =>
      (await pazar([command])).stdout.split("\n").find((line) => /1 .*1 .*\dZ/.test(line))
    const before = await waitingOf("imports")
    await queryStore(program, "UPDATE waiting SET since = since - 86400000 WHERE kind = 'purchase'")
    expect((await waitingOf("imports"))?.length).toBeGreaterThan(before?.length ?? 0)
    const { waiting } = JSON.parse((await pazar(["status", "--json"])).stdout)
    expect(waiting).toMatchObject({
      items: 1,
      purchases: 1,
      since: anyTime,
      needs: [
        { type: "account", records: 1, since: anyTime },
        { type: "item", identity: "2", records: 1, since: anyTime },
      ],
    })
    expect(await levelOf()).toBe("warning")
    const config = readConfig({ DATABASE_URL: "sqlite:data/pazar.db" })
    const { warnings } = await readConsoleStatus(config, program.app.store, new Date(), true)
    expect(warnings.map(({ check }) => check)).toContain("waiting")
  })

  test("refuses an id that is not there, or is none", async () => {
    expect(await pazar(["imports", "99"])).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^pazar: .*\b99\b.*\n$/),
    })
    expect((await pazar(["imports", "last"])).status).toBe(2)
    expect((await pazar(["imports", "--limit", "x"])).status).toBe(2)
  })
})

describe("usage", () => {
  let ids: readonly string[]
  beforeAll(async () => {
    const secret = await program.issue("elif")
    const tester = await program.issue("deniz", "tk")
    ids = [secret.key.id, tester.key.id]
    const hour = secondsBefore(new Date(), 0)
    const longAgo = secondsBefore(new Date(), 3 * 86_400)
    const count = { operation: "validate_purchase", outcome: "ok", hour } as const
    const counts: readonly UsageCount[] = [
      { ...count, keyId: secret.key.id, calls: 7 },
      { ...count, keyId: secret.key.id, outcome: "unknown_code", calls: 2 },
      { ...count, keyId: secret.key.id, operation: "list_items", hour: longAgo, calls: 100 },
      { ...count, keyId: tester.key.id, outcome: "unavailable", calls: 3 },
    ]
    await addUsage(program.app.store, counts, [])
  })

  const rowsOf = async (...args: string[]) => {
    const { status, stdout, stderr } = await pazar(["usage", ...args])
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    return cellsOf(stdout).slice(1)
  }

  test("counts the last day by key; test keys are named as such", async () => {
    expect(await rowsOf()).toEqual([
      [ids[0] ?? "", "elif", "sk", "9", "7", "2", "0", "Test"],
      [ids[1] ?? "", "deniz", expect.stringMatching(/^tk ./), "3", "0", "0", "3", "Test"],
    ])
  })

  test("counts by account, operation and reason, from any moment on", async () => {
    expect(await rowsOf("--by", "account", "--since", "7d")).toEqual([
      ["elif", "live", "109", "107", "2", "0"],
      ["deniz", "test", "3", "0", "0", "3"],
    ])
    expect(await rowsOf("--by", "operation", "--since", "2026-01-01T00:00:00Z")).toEqual([
      ["list_items", "live", "100", "100", "0", "0"],
      ["validate_purchase", "live", "9", "7", "2", "0"],
      ["validate_purchase", "test", "3", "0", "0", "3"],
    ])
    expect(await rowsOf("--by", "reason", "--since", "1h")).toEqual([
      ["ok", "live", "7"],
      ["unavailable", "test", "3"],
      ["unknown_code", "live", "2"],
    ])
  })

  test("--json is a list of objects", async () => {
    const listOf = async (by: string) =>
      JSON.parse((await pazar(["usage", "--json", "--by", by])).stdout)
    expect(await listOf("key")).toEqual([
      {
        id: ids[0],
        username: "elif",
        kind: "sk",
        name: "Test",
        test: false,
        calls: 9,
        ok: 7,
        refused: 2,
        failed: 0,
      },
      {
        id: ids[1],
        username: "deniz",
        kind: "tk",
        name: "Test",
        test: true,
        calls: 3,
        ok: 0,
        refused: 0,
        failed: 3,
      },
    ])
    expect((await listOf("reason"))[0]).toEqual({ reason: "ok", test: false, calls: 7 })
  })

  test("--limit shows the most used, and says that there are more", async () => {
    const { stdout, stderr } = await pazar(["usage", "--by", "account", "--limit", "1"])
    expect([cellsOf(stdout).length, stderr]).toEqual([
      2,
      expect.stringMatching(/\b1\b.*--limit.*\n$/),
    ])
  })

  test("exit 2: a grouping, moment or limit that is none", async () => {
    const wrong = [
      ["--by", "author"],
      ["--since", "yesterday"],
      ["--since", "2026-01-01"],
      ["--since", "24y"],
      ["--limit", "0"],
      ["--limit", "many"],
    ]
    for (const args of wrong) {
      const { status, stdout, stderr } = await pazar(["usage", ...args])
      expect([status, stdout]).toEqual([2, ""])
      expect(stderr).toStartWith(`pazar: ${args[0]} `)
    }
  })

  test("says so when no key was used", async () => {
    const { status, stdout, stderr } = await pazar(["usage", "--since", "2100-01-01T00:00:00Z"])
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: "",
      stderr: expect.stringMatching(/2100-01-01T00:00:00Z.*\n$/),
    })
  })
})
