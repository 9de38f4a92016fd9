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
const loaded = String.raw`5 accepted, 0 adjusted, 0 rejected, 0 removed in \d+ s`

describe("status", () => {
  test("shows version, store, counts and the server", async () => {
    const { status, stdout, stderr } = await pazar(["status"], where())
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" })
    const facts = cellsOf(stdout).filter(([name = ""]) => !/^(Warning|Problem)$/.test(name))
    expect(facts).toEqual([
      ["Version", manifest.version],
      [
        "Store",
        expect.stringMatching(
          isFile ? /^SQLite, \/.*pazar\.db$/ : /^PostgreSQL, the database \w+ at \S+:\d+$/,
        ),
      ],
      ["Schema", `${schemaVersion()}, current`],
      ["Threads", String(availableParallelism())],
      ["Server", `${program.url}: answers and is ready`],
      ["Nodes", "none"],
      ["Accounts", "2"],
      ["Items", "1"],
      ["Purchases", "2"],
      ["Keys", "0"],
      ["Last import", expect.stringMatching(new RegExp(`^1, ${time}, by file: ${loaded}$`))],
      ["Waiting", "none"],
      ...(isFile ? [["Last backup", "none"]] : []),
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
      replicas: 0,
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
    const plain = cellsOf((await pazar(["status"])).stdout).filter(([name]) => name === "Node")
    const { nodes } = JSON.parse((await pazar(["status", "--json"])).stdout)
    await store.nodes.remove("b")
    expect(plain).toEqual([
      ["Node", `b, http://b:80: version 0.0.9, 4 threads, since ${startedAt}`],
    ])
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
    const shown = cellsOf((await pazar(["status"])).stdout).filter(([name]) => name === "Pull")
    const { pulls } = JSON.parse((await pazar(["status", "--json"])).stdout)
    await queryStore(program, "DELETE FROM pulls")
    expect(shown).toEqual([["Pull", `shop: every 60 s, last succeeded at ${at}, overdue`]])
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
    expect(cellsOf(plain.stdout)[2]).toEqual(["Schema", `${current}; this version needs ${needed}`])
    expect(plain.stderr).toContain(`at version ${current}`)
    expect(JSON.parse(json.stdout)).toMatchObject({
      schema: { current, needed },
      counts: null,
      last_import: null,
      nodes: null,
      pulls: null,
      problem: expect.stringContaining(`at version ${current}`),
    })
  })

  test("exit 2: no store, and one that cannot be reached", async () => {
    const folder = temporaryFolder()
    const none = await runInProcess(folder, ["status"], { env: where() })
    rmSync(folder, { recursive: true })
    expect([none.status, cellsOf(none.stdout)[2]]).toEqual([
      2,
      ["Schema", `none; this version needs ${schemaVersion()}`],
    ])
    expect(none.stderr).toContain("`pazar migrate`")
    const env = {
      DATABASE_URL: "postgres://u:secret@127.0.0.1:1/shop",
      PAZAR_MASTER_KEY: masterKey,
    }
    const lost = await pazar(["status"], { ...where(), ...env })
    expect([lost.status, cellsOf(lost.stdout).slice(1, 3)]).toEqual([
      2,
      [
        ["Store", "PostgreSQL, the database shop at 127.0.0.1:1"],
        ["Schema", "unknown"],
      ],
    ])
    expect(lost.stderr).toContain("cannot be opened: nothing listens there")
    expect(lost.stdout + lost.stderr).not.toContain("secret")
  })
})

const masterKey = Buffer.alloc(32, 7).toString("base64")

describe("imports", () => {
  const header = [
    ...[
      "ID",
      "STARTED",
      "VIA",
      "SECONDS",
      "ACCEPTED",
      "ADJUSTED",
      "WAITING",
      "REJECTED",
      "REMOVED",
    ],
    "SOURCE",
    "PROBLEM",
  ]
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
    const [list = "", waiting] = stdout.split("Waiting: ")
    const rows: readonly (readonly unknown[])[] = cellsOf(list)
    expect([status, stderr]).toEqual([0, ""])
    expect(rows).toEqual([
      header,
      ["3", anyTime, "push", "-", "-", "-", "-", "-", "-", "push"],
      ["2", anyTime, "file", expect.stringMatching(/^\d+$/), "1", "0", "2", "1", "0", "test"],
      firstRow,
    ])
    expect(waiting?.replaceAll(new RegExp(time, "g"), "TIME")).toBe(
      "1 item and 1 purchase, since TIME\n" +
        "  for account evil\ufffd[2J: 1 item, since TIME\n" +
        "  for item 2: 1 purchase, since TIME\n",
    )
    const latest: readonly (readonly unknown[])[] = cellsOf(
      (await pazar(["imports", "--limit", "1"])).stdout,
    )
    expect(latest.slice(0, 2)).toEqual(rows.slice(0, 2))
    expect(latest[2]?.[0]).toStartWith("Waiting: ")
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
    const result = String.raw`1 accepted, 0 adjusted, 2 waiting, 1 rejected, 0 removed in \d+ s`
    expect(status).toBe(0)
    expect(cellsOf(stdout).slice(0, 6)).toEqual([
      ["Import", "2"],
      ["Source", "test"],
      ["Via", "file"],
      ["Started", anyTime],
      ["Lines", "4"],
      ["Result", expect.stringMatching(new RegExp(`^${result}$`))],
    ])
    expect(stdout.trimEnd().split("\n").slice(6)).toEqual([
      "1 line was refused:",
      "1 for problems of their own:",
      "  1 × account: username: there is no such account (first: line 4, account nobody)",
    ])
    const { problems } = JSON.parse((await pazar(["imports", "2", "--json"])).stdout)
    expect(problems).toEqual([
      {
        type: "account",
        member: "username",
        reason: "there is no such account",
        cause: "itself",
        lines: 1,
        first_line: 4,
        first_identity: "nobody",
      },
    ])
    const unfinished = cellsOf((await pazar(["imports", "3"])).stdout)
    expect(unfinished[5]).toEqual(["Result", "not finished: interrupted, or still running"])
  })

  test("a record that has waited for a day is a warning, of doctor and the console too", async () => {
    const levelOf = async () => {
      const { checks } = JSON.parse((await pazar(["doctor", "--json"])).stdout)
      return checks.find(({ check }: { check: string }) => check === "waiting").level
    }
    expect(await levelOf()).toBe("ok")
    await queryStore(program, "UPDATE waiting SET since = since - 86400000 WHERE kind = 'purchase'")
    expect((await pazar(["imports"])).stdout).toMatch(
      /^Waiting: 1 item and 1 purchase, since \S+; warning: for more than a day$/m,
    )
    const rows = cellsOf((await pazar(["status"])).stdout)
    expect(rows.find(([name]) => name === "Waiting")?.[1]).toEndWith(
      "; warning: for more than a day",
    )
    expect(rows.filter(([name]) => name === "Waits for")).toHaveLength(2)
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
    const { warnings } = await readConsoleStatus(config, program.app.store, true)
    expect(warnings.map(({ check }) => check)).toContain("waiting")
  })

  test("refuses an id that is not there, or is none", async () => {
    expect(await pazar(["imports", "99"])).toEqual({
      status: 1,
      stdout: "",
      stderr: "pazar: there is no import 99, or it is no longer kept\n",
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
    return cellsOf(stdout)
  }

  test("counts the last day by key; test keys are named as such", async () => {
    expect(await rowsOf()).toEqual([
      ["ID", "USERNAME", "KIND", "CALLS", "OK", "REFUSED", "FAILED", "NAME"],
      [ids[0] ?? "", "elif", "sk", "9", "7", "2", "0", "Test"],
      [ids[1] ?? "", "deniz", "tk (test)", "3", "0", "0", "3", "Test"],
    ])
  })

  test("counts by account, operation and reason, from any moment on", async () => {
    expect(await rowsOf("--by", "account", "--since", "7d")).toEqual([
      ["USERNAME", "KEYS", "CALLS", "OK", "REFUSED", "FAILED"],
      ["elif", "live", "109", "107", "2", "0"],
      ["deniz", "test", "3", "0", "0", "3"],
    ])
    expect(await rowsOf("--by", "operation", "--since", "2026-01-01T00:00:00Z")).toEqual([
      ["OPERATION", "KEYS", "CALLS", "OK", "REFUSED", "FAILED"],
      ["list_items", "live", "100", "100", "0", "0"],
      ["validate_purchase", "live", "9", "7", "2", "0"],
      ["validate_purchase", "test", "3", "0", "0", "3"],
    ])
    expect(await rowsOf("--by", "reason", "--since", "1h")).toEqual([
      ["REASON", "KEYS", "CALLS"],
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
      "These are the first 1; --limit shows more.\n",
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
      expect([status, stdout, stderr.startsWith(`pazar: ${args[0]} must be`)]).toEqual([
        2,
        "",
        true,
      ])
    }
  })

  test("says so when no key was used", async () => {
    const { status, stdout, stderr } = await pazar(["usage", "--since", "2100-01-01T00:00:00Z"])
    expect({ status, stdout, stderr }).toEqual({
      status: 0,
      stdout: "",
      stderr: "No key was used since 2100-01-01T00:00:00Z.\n",
    })
  })
})
