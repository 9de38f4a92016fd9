import { Database } from "bun:sqlite"
import { afterEach, beforeEach, expect, test } from "bun:test"
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Finding } from "../../src/doctor/finding.ts"
import { startProgram } from "../harness/program.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { createStoreFolder } from "../harness/run-pazar.ts"
import { openNewOperator } from "../harness/test-operators.ts"

let folder: string
let path: string
beforeEach(async () => {
  folder = await createStoreFolder()
  path = join(folder, "data/pazar.db")
})
afterEach(() => rmSync(folder, { recursive: true }))

async function findBad(): Promise<readonly object[]> {
  const { stdout } = await runInProcess(folder, ["doctor", "--json"])
  const checks: readonly Finding[] = JSON.parse(stdout).checks
  return checks
    .filter(({ check, level }) => level !== "ok" && check !== "disk" && check !== "file limit")
    .map(({ check, level, detail }) => ({ check, level, detail }))
}
const found = (check: string, level: string, named: string) => ({
  check,
  level,
  detail: expect.stringContaining(named),
})

test("files and folders with too open permissions", async () => {
  expect(await findBad()).toEqual([])
  chmodSync(path, 0o644)
  expect(await findBad()).toEqual([found("permissions", "problem", path)])
  chmodSync(path, 0o640)
  expect(await findBad()).toEqual([found("permissions", "warning", path)])
  chmodSync(path, 0o600)
  chmodSync(join(folder, "data"), 0o777)
  expect(await findBad()).toEqual([found("permissions", "problem", join(folder, "data"))])
})

test("a missing master key", async () => {
  rmSync(`${path}.master-key`)
  expect(await findBad()).toEqual([found("master key", "problem", "ENOENT")])
})

test("a master key deleted beside a running server is reported in the console too", async () => {
  const program = await startProgram()
  const deniz = await openNewOperator(program, "deniz")
  const cause = /<span lang="en">the master key file \S+ cannot be read: ENOENT/
  expect((await deniz.get("/console")).text).not.toMatch(cause)
  const file = join(program.folder, "data/pazar.db.master-key")
  const key = readFileSync(file)
  rmSync(file)
  const { text } = await deniz.get("/console")
  expect(text).toMatch(cause)
  expect(text).toContain("Master key")
  const turkish = (await deniz.get("/console?lang=tr")).text
  expect(turkish).toMatch(cause)
  expect(turkish).toContain("Ana anahtar")
  writeFileSync(file, key, { mode: 0o600 })
  expect((await deniz.get("/console?lang=en")).text).not.toMatch(cause)
  await program.close()
})

test("a master key with too open permissions is not reported as missing", async () => {
  chmodSync(`${path}.master-key`, 0o644)
  const { stdout } = await runInProcess(folder, ["doctor", "--json"])
  const checks: readonly Finding[] = JSON.parse(stdout).checks
  expect(checks.find(({ check }) => check === "master key")).toMatchObject({
    detail: expect.stringContaining("chmod 600"),
  })
})

test("damage, whether the database can be opened or not", async () => {
  const db = new Database(path)
  db.run("PRAGMA ignore_check_constraints = ON")
  db.run("INSERT INTO accounts (username, list_version, body) VALUES ('', '', '{}')")
  db.close()
  expect(await findBad()).toEqual([found("integrity", "problem", "accounts")])
  writeFileSync(path, "a letter to my grandmother\n".repeat(100))
  expect(await findBad()).toEqual([found("database", "problem", "file is not a database")])
})

test("without the master key, commands that do not need it still work", async () => {
  const key = `${path}.master-key`
  rmSync(key)
  const env = { PAZAR_MASTER_KEY_FILE: key }
  const run = async (...args: string[]) => (await runInProcess(folder, args, { env })).status
  const { stdout } = await runInProcess(folder, ["doctor", "--json"], { env })
  const checks: readonly Finding[] = JSON.parse(stdout).checks
  const levelOf = (name: string) => checks.find(({ check }) => check === name)?.level
  expect(["configuration", "master key", "integrity"].map(levelOf)).toEqual(["ok", "problem", "ok"])
  expect(await run("doctor", "--quick")).toBe(1)
  const copied = await runInProcess(folder, ["backup", join(folder, "copy.db")], { env })
  expect([copied.status, copied.stderr]).toEqual([0, expect.stringContaining(key)])
  expect(await run("move", "--cancel")).toBe(0)
  expect(await run("account", "list")).toBe(2)
})
