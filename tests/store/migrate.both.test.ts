import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { readdirSync, rmSync } from "node:fs"
import { temporaryFolder } from "../harness/program.ts"
import { account, item, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { createStoreFolder, runPazar } from "../harness/run-pazar.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { storeOf } from "../harness/stores/test-stores.ts"

let folder: string
afterEach(() => rmSync(folder, { recursive: true }))

const input = toFeed([account("ada"), item("ada", 1)])

async function readVersion(): Promise<number> {
  const isFile = (await storeOf(folder)) === null
  const sql = isFile
    ? "SELECT user_version AS version FROM pragma_user_version"
    : "SELECT version FROM schema_version"
  const [row] = await queryStore<{ version: number }>({ folder }, sql)
  return row?.version ?? -1
}

async function writeVersion(version: number): Promise<void> {
  const isFile = (await storeOf(folder)) === null
  await queryStore(
    { folder },
    isFile ? `PRAGMA user_version = ${version}` : `UPDATE schema_version SET version = ${version}`,
  )
}

/**
 * These commands run in processes of their own: a server must not start in the process of the tests, and long work
 * lowers its priority.
 */
const separateProcess = ["serve", "import", "export"]
const run = (args: readonly string[]) =>
  separateProcess.includes(args[0] ?? "")
    ? runPazar(folder, args, { input, env: { PORT: "0" } })
    : runInProcess(folder, args)

const commands: readonly (readonly string[])[] = [
  ["serve"],
  ["import", "-"],
  ["export", "-"],
  ["account", "list"],
  ["account", "show", "ada"],
  ["account", "password", "ada"],
  ["account", "invite", "ada"],
  ["key", "create", "ada"],
  ["key", "list", "ada"],
  ["key", "revoke", "key_1"],
  ["key", "rotate", "key_1"],
]

describe("without a schema", () => {
  beforeEach(() => {
    folder = temporaryFolder()
  })

  test.each(commands)(
    "exit 2: %p names the command to run, and creates nothing",
    async (...args) => {
      const { status, stdout, stderr } = await run(args)
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
      expect(stderr).toMatch(
        /^pazar: .* contains no Pazar database; .* run `pazar migrate` to create a new one\n$/,
      )
      expect(readdirSync(folder)).toEqual([])
    },
  )

  test("migrate creates one, and the next run finds it", async () => {
    const first = await runPazar(folder, ["migrate", "--json"])
    const version = await readVersion()
    expect({ status: first.status, ...JSON.parse(first.stdout) }).toEqual({
      status: 0,
      created: true,
      from: 0,
      to: version,
      copy: null,
    })
    expect(first.stderr).toStartWith(`created the database at version ${version}`)
    expect(await runPazar(folder, ["migrate"])).toEqual({
      status: 0,
      stdout: "",
      stderr: `the database is up to date at version ${version}\n`,
    })
    expect((await runPazar(folder, ["import", "-"], { input })).status).toBe(0)
  })
})

describe("with the schema of a development version", () => {
  const some = [...commands, ["migrate"]].filter(([name]) =>
    ["serve", "import", "key", "migrate"].includes(name ?? ""),
  )
  test.each(some)("exit 2: %p tells how to keep the data", async (...args) => {
    folder = await createStoreFolder()
    await writeVersion(34)
    const { status, stdout, stderr } = await run(args)
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
    expect(stderr).toMatch(
      /^pazar: .* 34, made by a development version: export with it, import here\n$/,
    )
    expect(await readVersion()).toBe(34)
  })
})
