/** Scripts read the fields that `--help` names in the objects of `--json`. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import { commands } from "../../src/cli/commands.ts"
import { temporaryFolder } from "../harness/program.ts"
import { runInProcess } from "../harness/run-in-process.ts"

const helpOf = (name: string) =>
  (commands.find((command) => command.name === name)?.help ?? "").replace(/\s+/g, " ")

let folder = ""
beforeAll(() => {
  folder = temporaryFolder()
})
afterAll(() => rmSync(folder, { recursive: true }))

/** In the order in which they run; `migrate` first. */
test.each<[name: string, ...args: string[]]>([
  ["migrate"],
  ["operator create", "deniz", "--link"],
  ["operator password", "deniz", "--link"],
  ["token create", "shop", "--may", "feed"],
  ["webhook create", "--operator", "--url", "https://example.com/"],
  ["backup", "FOLDER/backup.db"],
  ["restore", "FOLDER/backup.db", "--force"],
  ["doctor"],
  ["version"],
])("%s", async (name, ...args) => {
  const [, listed = "", more = ""] =
    /\{("[^}[]+?)(?::\[.*?)?\}(?:, and with --link also ("\w+" and "\w+"))?/.exec(helpOf(name)) ??
    []
  const named = `${listed} ${more}`.match(/(?<=")\w+(?=")/g)
  const given = args.map((arg) => arg.replace("FOLDER", folder))
  const env = { DATABASE_URL: `sqlite:${join(folder, "data/pazar.db")}`, PAZAR_MASTER_KEY: "" }
  const { stdout } = await runInProcess(folder, [...name.split(" "), ...given, "--json"], { env })
  expect(named).not.toBeNull()
  expect(Object.keys(JSON.parse(stdout))).toEqual([...(named ?? [])])
})
