import { Database } from "bun:sqlite"
import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "../harness/program.ts"
import { readPazar, runPazar, startServer } from "../harness/run-pazar.ts"

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => rmSync(folder, { recursive: true }))

const serve = () => runPazar(folder, ["serve"], { env: { PORT: "0" } })

test("an empty setting is the default", async () => {
  const env = { DATABASE_URL: " ", PAZAR_LOCALE: "" }
  expect((await runPazar(folder, ["migrate"], { env })).status).toBe(0)
  expect(existsSync(join(folder, "data/pazar.db"))).toBe(true)
  const server = await startServer(folder, env)
  expect((await server.stop()).status).toBe(0)
})

describe("the master key", () => {
  test("is created with the database, beside it, readable by its owner only", async () => {
    await readPazar(folder, ["migrate"])
    const { mode, size } = statSync(join(folder, "data/pazar.db.master-key"))
    expect({ mode: mode & 0o777, size }).toEqual({ mode: 0o600, size: 45 })
  })

  test("is not created again for an existing database", async () => {
    await readPazar(folder, ["migrate"])
    const path = join(folder, "data/pazar.db.master-key")
    rmSync(path)
    for (const command of ["serve", "migrate"]) {
      const { status, stdout, stderr } = await runPazar(folder, [command])
      expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
      expect(stderr).toMatch(new RegExp(`^pazar: .*${path} .*ENOENT`))
      expect(existsSync(path)).toBe(false)
    }
  })
})

test("an interrupted creation reports the command to run", async () => {
  await readPazar(folder, ["migrate"])
  const db = new Database(join(folder, "data/pazar.db"))
  db.run("DELETE FROM metadata")
  db.close()
  const { status, stderr } = await serve()
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^pazar: .*`pazar migrate`.*\n$/)])
  expect((await runPazar(folder, ["migrate"])).status).toBe(0)
  expect((await runPazar(folder, ["account", "list"])).status).toBe(0)
})

test("an empty file is not a database, and stays empty", async () => {
  mkdirSync(join(folder, "data"))
  await Bun.write(join(folder, "data/pazar.db"), "")
  const { status, stderr } = await serve()
  expect(status).toBe(2)
  expect(stderr).toMatch(/^pazar: .*`pazar migrate`/)
  expect(readdirSync(join(folder, "data"))).toEqual(["pazar.db"])
  expect(statSync(join(folder, "data/pazar.db")).size).toBe(0)
})

test("a database of a newer version is rejected and not changed", async () => {
  mkdirSync(join(folder, "data"))
  const db = new Database(join(folder, "data/pazar.db"), { create: true })
  db.run("PRAGMA user_version = 9999")
  db.close()
  expect(await serve()).toEqual({
    status: 2,
    stdout: "",
    stderr: expect.stringMatching(/^pazar: .*\b9999\b.*\n$/),
  })
  expect(existsSync(join(folder, "data/pazar.db.master-key"))).toBe(false)
})

test("a file that is not a database is reported in one line", async () => {
  mkdirSync(join(folder, "data"))
  await Bun.write(join(folder, "data/pazar.db"), "a letter to my grandmother\n".repeat(100))
  const { status, stdout, stderr } = await serve()
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" })
  expect(stderr).toMatch(/^pazar: .*not a database\n$/)
})
