import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, rmSync } from "node:fs"
import manifest from "../../package.json"
import { temporaryFolder } from "../harness/program.ts"
import { runPazar } from "../harness/run-pazar.ts"

let folder: string
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => rmSync(folder, { recursive: true }))

const pazar = (...args: string[]) => runPazar(folder, args)
describe("exit 2: a usage error is one line on standard error", () => {
  test("a missing argument is named", async () => {
    expect(await pazar("account", "show")).toEqual({
      status: 2,
      stdout: "",
      stderr: "pazar: missing USERNAME; run pazar help account show\n",
    })
  })

  test("a value that begins with -", async () => {
    const { status, stderr } = await pazar("key", "create", "ada", "--expires", "-24h")
    expect(status).toBe(2)
    expect(stderr).toMatch(/^pazar: .*--expires=-/)
  })
})

test("version prints only the version", async () => {
  expect(await pazar("version")).toEqual({
    status: 0,
    stdout: `${manifest.version}\n`,
    stderr: "",
  })
})

describe("colors", () => {
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

test("no database was created", () => {
  expect(readdirSync(folder)).toEqual([])
})
