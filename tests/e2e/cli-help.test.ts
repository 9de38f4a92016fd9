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

test("every command explains itself with --help and exit 0", async () => {
  const told = await Promise.all(
    commands.map(async ({ name }) => {
      const { status, stdout, stderr } = await pazar(...name.split(" "), "--help")
      return { status, stderr, signature: `  ${stdout.split("\n")[0]}` }
    }),
  )
  expect(told).toEqual(signatures.map((signature) => ({ status: 0, stderr: "", signature })))
})

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

  test("half a command shows its group", async () => {
    const { status, stdout, stderr } = await pazar("key")
    expect({ status, stdout, shown: shownSignatures(stderr) }).toEqual({
      status: 2,
      stdout: "",
      shown: signatures.filter((line) => line.startsWith("  pazar key ")),
    })
  })

  test.each(commands.filter(({ usage }) => !usage.includes("FILE")))(
    "$name with an option nobody knows",
    async ({ name, usage }) => {
      const { status, stdout, stderr } = await pazar(...name.split(" "), "--frobnicate")
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
      expect(stderr).toEndWith(`\nUsage: ${`pazar ${name} ${usage}`.trimEnd()}\n`)
    },
  )
})

test("version prints the version alone", async () => {
  expect(await pazar("version")).toEqual({
    status: 0,
    stdout: `${manifest.version}\n`,
    stderr: "",
  })
})

test("none of this made a store", () => {
  expect(readdirSync(folder)).toEqual([])
})
