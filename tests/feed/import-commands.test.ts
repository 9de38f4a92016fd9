import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readConfig } from "../../src/config/config.ts"
import { readConsoleHome } from "../../src/console/home.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { cellsOf, runInProcess } from "../harness/run-in-process.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"

let program: Program
beforeAll(async () => {
  program = await startProgram()
  const sales = [purchase("one", 1), purchase("two", 1)]
  await program.load([account("elif"), account("deniz"), item("elif", 1), ...sales])
})
afterAll(() => program.close())

const pazar = (args: readonly string[], env = {}) => runInProcess(program.folder, args, { env })

const time = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ`
const anyTime = expect.stringMatching(new RegExp(`^${time}$`))

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
    const writer = await program.app.store.feed.openBatches({ source: "push", via: "push" })
    await writer.put(new Date(), [], 7)
  })

  test("lists imports, newest first; an interrupted one has no result", async () => {
    const { status, stdout, stderr } = await pazar(["imports"])
    const rows: readonly (readonly unknown[])[] = cellsOf(stdout)
    expect([status, stderr]).toEqual([0, ""])
    expect(rows.slice(1, 4)).toEqual([
      ["3", anyTime, "push", "-", "-", "-", "-", "-", "-", "push"],
      ["2", anyTime, "file", expect.stringMatching(/^\d+$/), "1", "0", "2", "1", "0", "test"],
      firstRow,
    ])
    const pending = stdout.trimEnd().split("\n").slice(4)
    expect(pending).toEqual([
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

  test("--json prints a list of objects", async () => {
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

  test("shows one import: the rejected lines and their problems", async () => {
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
        field: "username",
        code: "unknown_account",
        params: {},
        reason: expect.any(String),
        lines: 1,
        samples: [{ line: 4, identity: "nobody" }],
      },
    ])
    const unfinished = cellsOf((await pazar(["imports", "3"])).stdout)
    expect(unfinished[5]?.[1]).not.toMatch(/\d/)
  })

  test("a record that has been pending for a day is a warning in doctor and the console", async () => {
    const levelOf = async () => {
      const { checks } = JSON.parse((await pazar(["doctor", "--json"])).stdout)
      return checks.find(({ check }: { check: string }) => check === "waiting").level
    }
    expect(await levelOf()).toBe("ok")
    const pendingOf = async (command: string) =>
      (await pazar([command])).stdout.split("\n").find((line) => /1 .*1 .*\dZ/.test(line))
    const before = await pendingOf("imports")
    await queryStore(
      program,
      "UPDATE pending_records SET since_ms = since_ms - 86400000 WHERE kind = 'purchase'",
    )
    expect((await pendingOf("imports"))?.length).toBeGreaterThan(before?.length ?? 0)
    const { waiting: pending } = JSON.parse((await pazar(["doctor", "--quick", "--json"])).stdout)
    expect(pending).toMatchObject({
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
    const { warnings } = await readConsoleHome(config, program.app.store, {
      now: new Date(),
      isWritable: true,
      threads: [],
    })
    expect(warnings.map(({ check }) => check)).toContain("waiting")
  })

  test("rejects an unknown id and an invalid one", async () => {
    expect(await pazar(["imports", "99"])).toEqual({
      status: 1,
      stdout: "",
      stderr: expect.stringMatching(/^pazar: .*\b99\b.*\n$/),
    })
    expect((await pazar(["imports", "last"])).status).toBe(2)
    expect((await pazar(["imports", "--limit", "x"])).status).toBe(2)
  })
})
