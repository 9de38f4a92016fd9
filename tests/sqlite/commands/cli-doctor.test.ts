/** `pazar doctor` on a healthy store, and on one that is broken in each way. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { rmSync } from "node:fs"
import { join } from "node:path"
import type { Finding } from "../../../src/doctor/finding.ts"
import { account, item, purchase } from "../../contracts/records.ts"
import { type Program, startProgram, temporaryFolder } from "../../harness/program.ts"
import { runInProcess } from "../../harness/run-in-process.ts"
import { queryStore } from "../../harness/stores/stored-rows.ts"
import { storeOf } from "../../harness/stores/stores.ts"

let program: Program
let isFile: boolean
let secret: string
const codes = Array.from({ length: 60 }, (_, at) => `serial-${1000 + at}`)
beforeAll(async () => {
  program = await startProgram()
  isFile = (await storeOf(program.folder)) === null
  await program.load([account("ada"), item("ada", 1), ...codes.map((code) => purchase(code, 1))])
  secret = (await program.issue("ada")).secret
})
afterAll(() => program.close())

type Report = Readonly<{ problems: number; warnings: number; checks: readonly Finding[] }>

async function examine(env = {}, ...options: readonly string[]) {
  const args = ["doctor", "--json", ...options]
  const { status, stdout, stderr } = await runInProcess(program.folder, args, { env })
  const { checks, problems }: Report = JSON.parse(stdout)
  expect([stderr, status]).toEqual(["", problems > 0 ? 1 : 0])
  const levels = Object.fromEntries(checks.map(({ check, level }) => [check, level]))
  return { status, stdout, checks, levels, detail: (name: string) => detailOf(checks, name) }
}

const detailOf = (checks: readonly Finding[], name: string) =>
  checks.find(({ check }) => check === name)?.detail ?? ""

test.each([[], ["--full"]])("a healthy store %p", async (...options) => {
  const { levels, detail } = await examine({}, ...options)
  const { disk, "file limit": _, ...rest } = levels
  expect(rest).toEqual({
    configuration: "ok",
    store: "ok",
    integrity: "ok",
    contents: "ok",
    "master key": "ok",
    "API keys": "ok",
    "signing keys": "ok",
    clock: "ok",
    waiting: "ok",
    // These count upwards.
    "purchase codes": "problem",
    ...(isFile ? { permissions: "ok" } : {}),
  })
  expect(disk === undefined).toBe(!isFile)
  expect(detail("contents")).toMatch(/^1 .*\b1 .*\b60 .*\b1 /)
  expect(detail("API keys")).toMatch(/\b1 /)
})

test("no secret is shown, and hints stand below what they are for", async () => {
  const { status, stdout } = await runInProcess(program.folder, ["doctor"])
  expect(status).toBe(1)
  expect(stdout).toMatch(/^problem {2}purchase codes: .*\n {9}\S/m)
  expect(stdout).toMatch(/\n1 .*\b\d .*\n$/)
  const { DATABASE_URL = "", PAZAR_MASTER_KEY = "" } = (await storeOf(program.folder)) ?? {}
  const password = isFile ? "" : new URL(DATABASE_URL).password
  const secrets = [secret, ...codes, PAZAR_MASTER_KEY, password].filter((text) => text !== "")
  expect(secrets.filter((text) => stdout.includes(text))).toEqual([])
})

test("another master key", async () => {
  const env = { PAZAR_MASTER_KEY: Buffer.alloc(32, 9).toString("base64") }
  const { levels } = await examine(env)
  expect([levels["master key"], levels["API keys"], levels.clock]).toEqual([
    "problem",
    undefined,
    "ok",
  ])
})

test("key material that does not open", async () => {
  const rows = await queryStore<{ sealed: Uint8Array }>(program, "SELECT sealed FROM api_keys")
  const sealed = new Uint8Array(rows[0]?.sealed ?? [])
  await queryStore(program, "UPDATE api_keys SET sealed = ?", sealed.toReversed())
  await queryStore(program, "UPDATE signing_keys SET state = 'old' WHERE state = 'next'")
  const { levels, checks } = await examine()
  await queryStore(program, "UPDATE api_keys SET sealed = ?", sealed)
  await queryStore(program, "UPDATE signing_keys SET state = 'next' WHERE state = 'old'")
  expect([levels["API keys"], levels["signing keys"]]).toEqual(["problem", "problem"])
  // `pazar migrate` makes keys only where there are none at all.
  const { hint } = checks.find(({ check }) => check === "signing keys") ?? {}
  expect(hint).not.toContain("pazar migrate")
})

test("a store of another version, and none at all, hide nothing else", async () => {
  const folder = temporaryFolder()
  const { status, stdout } = await runInProcess(folder, ["doctor", "--json"], {
    env: { ...(await storeOf(folder)), PAZAR_PUBLIC_URL: "http://api.example.com" },
  })
  rmSync(folder, { recursive: true })
  const { checks }: Report = JSON.parse(stdout)
  const found = checks.map(({ check, level }) => `${check} ${level}`)
  expect([status, found]).toEqual([2, expect.arrayContaining(["configuration warning"])])
  expect(found).toContain("store problem")
  expect(detailOf(checks, "store")).toContain("`pazar migrate`")
})

test("settings that cannot be used", async () => {
  const { checks } = await examine({ PORT: "x", PAZAR_LOCALE: "fr" })
  expect(checks.map(({ check, level }) => `${check} ${level}`)).toEqual([
    ...["configuration problem", "configuration problem"],
  ])
})

test("--backups looks at a folder", async () => {
  const { levels, detail } = await examine({}, "--backups", join(program.folder, "none"))
  expect([levels.backups, detail("backups")]).toEqual([
    ...["problem", expect.stringContaining("ENOENT")],
  ])
})
