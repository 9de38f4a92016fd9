import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { replaceControlCharacters } from "../../src/platform/cli/output.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import {
  createStoreFolder,
  launchers,
  plainEnvironment,
  readPazar,
  runPazar,
} from "../harness/run-pazar.ts"
import { storeOf } from "../harness/stores/test-stores.ts"
import { until } from "../harness/until.ts"

/** Clears the screen, sets the title (also with a C1 introducer), reverses the text, forges a line. */
const hostile = "a\u001b[2J\u001b]0;x\u0007\u009b2J\u202e\u2066\u007f\u2028\nline 9: b"
const name = `x${hostile}x`
const moves = /[\p{Cc}\p{Cf}\u2028\u2029]/u

let folder: string
beforeAll(async () => {
  folder = await createStoreFolder()
  const full = { firstname: hostile, lastname: hostile, full_name: hostile }
  const elif = account(name, { email: hostile, name: full })
  const { status } = await runPazar(folder, ["import", "-"], { input: toFeed([elif]) })
  expect(status).toBe(0)
  await readPazar(folder, ["key", "create", name, "--name", "a\u001b[2Jb"])
})
afterAll(() => rmSync(folder, { recursive: true }))

const expectHarmless = (text: string) => {
  for (const line of text.split(/\r?\n/)) expect(line).not.toMatch(moves)
}

test("each rejected line is reported in one harmless line", async () => {
  const lines = [
    account(name, { currency: hostile, [hostile]: 1 }),
    item("nobody", 1, { author: name.repeat(9) }),
    item(`${name}?`, 1),
    purchase(hostile, 1, { price: hostile }),
    { type: "item", id: hostile, [hostile]: hostile },
    { type: "item", id: 1, price: { [hostile]: 1 } },
  ]
  const { status, stderr } = await runPazar(folder, ["import", "-"], { input: toFeed(lines) })
  expect(status).toBe(1)
  expectHarmless(stderr)
  // The third line is pending: it has one line of its own, and one for the missing author.
  expect(stderr.split("\n").length - 1).toBe(lines.length + 1)
  expect(stderr).toContain("line 1: account xa\ufffd[2J\ufffd]0;x\ufffd\ufffd2J\ufffd")
})

describe("names in messages and tables are escaped", () => {
  const calls: readonly (readonly [args: readonly string[], status: number])[] = [
    [["account", "list"], 0],
    [["account", "show", name], 0],
    [["account", "show", hostile], 1],
    [["account", "password", hostile], 1],
    [["key", "list", name], 0],
    [["key", "list", hostile], 1],
    [["key", "revoke", hostile], 1],
    [["key", "create", name, "--expires", hostile], 2],
    [["import", hostile], 2],
    [["import", "a", hostile], 2],
    [["import", `--${hostile}`], 2],
    [[hostile], 2],
  ]
  for (const [args, expected] of calls) {
    test(replaceControlCharacters(args.join(" ")), async () => {
      const { status, stdout, stderr } = await runPazar(folder, args)
      expectHarmless(stdout + stderr)
      expect(status).toBe(expected)
    })
  }

  test("a repeated setting", async () => {
    const env = { PAZAR_LOCALE: hostile, PORT: hostile }
    const { status, stderr } = await runPazar(folder, ["account", "list"], { env })
    expect(status).toBe(2)
    expectHarmless(stderr)
    expect(stderr.trimEnd().split("\n").length).toBe(3)
  })
})

describe("JSON", () => {
  test("in a pipe is the stored text", async () => {
    const stdout = await readPazar(folder, ["account", "show", name, "--json"])
    expect(stdout).toContain("\u009b")
    expect(JSON.parse(stdout)).toMatchObject({ username: name, email: hostile })
  })

  test("on a terminal is the same JSON, escaped", async () => {
    const shown = await onTerminal(["account", "show", name, "--json"])
    expectHarmless(shown)
    expect(JSON.parse(shown)).toMatchObject({ username: name, email: hostile })
  })
})

async function onTerminal(args: readonly string[]): Promise<string> {
  const decoder = new TextDecoder()
  let shown = ""
  const child = Bun.spawn([...launchers.bun, ...args], {
    cwd: folder,
    env: { ...plainEnvironment, ...(await storeOf(folder)) },
    terminal: {
      cols: 4_000,
      data: (_, bytes) => {
        shown += decoder.decode(bytes, { stream: true })
      },
    },
  })
  expect(await child.exited).toBe(0)
  await until(() => shown.endsWith("\n") || undefined)
  child.terminal?.close()
  return shown
}
