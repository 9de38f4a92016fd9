import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, rmSync } from "node:fs"
import manifest from "../../package.json"
import { commands } from "../../src/cli/commands.ts"
import { runPazar } from "../harness/command.ts"
import { temporaryFolder } from "../harness/program.ts"

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

  test("a command that does not exist is named", async () => {
    const { status, stdout, stderr } = await pazar("sevre")
    expect({ status, stdout, shown: shownSignatures(stderr) }).toEqual({
      status: 2,
      stdout: "",
      shown: signatures,
    })
    expect(stderr).toStartWith("pazar: there is no command sevre\n")
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
      stderr: "pazar: Missing USERNAME.\nUsage: pazar account show USERNAME [--json]\n",
    })
  })
})

test("version prints the version alone", async () => {
  expect(await pazar("version")).toEqual({
    status: 0,
    stdout: `${manifest.version}\n`,
    stderr: "",
  })
})

test("no store was created", () => {
  expect(readdirSync(folder)).toEqual([])
})
