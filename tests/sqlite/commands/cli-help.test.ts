import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, rmSync } from "node:fs"
import manifest from "../../../package.json"
import { commands } from "../../../src/cli/commands.ts"
import { runPazar } from "../../harness/command.ts"
import { temporaryFolder } from "../../harness/program.ts"

let folder: string
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => rmSync(folder, { recursive: true }))

const pazar = (...args: string[]) => runPazar(folder, args)
const signatures = commands.map(({ name, usage }) => `  pazar ${name} ${usage}`.trimEnd())
const shownSignatures = (text: string) =>
  text.split("\n").filter((line) => /^ {2}pazar /.test(line))

test.each([[["--help"]], [["-h"]], [["help"]]])(
  "pazar %j lists all commands on standard output",
  async (args) => {
    const { status, stdout, stderr } = await pazar(...args)
    expect({ status, stderr, shown: shownSignatures(stdout) }).toEqual({
      status: 0,
      stderr: "",
      shown: signatures,
    })
  },
)

describe("used wrongly: exit 2, the usage on standard error", () => {
  test("no command at all", async () => {
    const { status, stdout, stderr } = await pazar()
    expect({ status, stdout, shown: shownSignatures(stderr) }).toEqual({
      status: 2,
      stdout: "",
      shown: signatures,
    })
  })

  test("a command that does not exist is named, with a guess", async () => {
    expect(await pazar("sevre")).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(/^pazar: .*\bsevre\b.*\bserve\b.*\n$/),
    })
  })

  test("without a guess all commands are shown", async () => {
    const { status, stdout, stderr } = await pazar("frobnicate")
    expect({ status, stdout, shown: shownSignatures(stderr) }).toEqual({
      status: 2,
      stdout: "",
      shown: signatures,
    })
    expect(stderr).toMatch(/^pazar: .*\bfrobnicate\b/)
  })

  test("the first word of a command shows its group", async () => {
    const { status, stdout, stderr } = await pazar("key")
    expect({ status, stdout, shown: shownSignatures(stderr) }).toEqual({
      status: 2,
      stdout: "",
      shown: signatures.filter((line) => line.startsWith("  pazar key ")),
    })
  })

  test("a missing argument is named", async () => {
    expect(await pazar("account", "show")).toEqual({
      status: 2,
      stdout: "",
      stderr: expect.stringMatching(
        /^pazar: .*\bUSERNAME\b.*\n.*\bpazar account show USERNAME \[--json\]\n$/,
      ),
    })
  })

  test("a value that begins with -", async () => {
    const { status, stderr } = await pazar("key", "create", "ada", "--expires", "-24h")
    expect(status).toBe(2)
    expect(stderr).toMatch(/^pazar: .*--expires=-/)
  })
})

test("version prints the version alone", async () => {
  expect(await pazar("version")).toEqual({
    status: 0,
    stdout: `${manifest.version}\n`,
    stderr: "",
  })
})

describe("colours", () => {
  const red = "\x1b[31mpazar:\x1b[39m"
  test.each([
    ["none in a pipe", {}, "pazar:"],
    ["FORCE_COLOR asks for them", { FORCE_COLOR: "1" }, red],
    ["FORCE_COLOR=0 does not", { FORCE_COLOR: "0" }, "pazar:"],
    ["NO_COLOR has the last word", { FORCE_COLOR: "1", NO_COLOR: "1" }, "pazar:"],
    ["an empty NO_COLOR says nothing", { FORCE_COLOR: "1", NO_COLOR: "" }, red],
  ])("%s", async (_, env, prefix) => {
    const { stderr } = await runPazar(folder, ["sevre"], { env })
    expect(stderr).toStartWith(`${prefix} `)
  })
})

test("no store was created", () => {
  expect(readdirSync(folder)).toEqual([])
})
