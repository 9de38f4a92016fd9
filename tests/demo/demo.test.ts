import { Database } from "bun:sqlite"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import drawn from "../../src/demo/pictures.json"
import { seedDemo } from "../../src/demo/seed-demo.ts"
import { stateOf } from "../../src/keys/key.ts"
import type { Environment } from "../../src/platform/cli/command.ts"
import { UserError } from "../../src/platform/error.ts"
import { formatTimestamp, lastRange } from "../../src/platform/time.ts"
import { isSlotHeld } from "../../src/purchases/site.ts"
import { manySites } from "../../src/purchases/site-operations.ts"
import { manyIpRanges, summarizeDays, withoutTestKeys } from "../../src/usage/usage.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { retryingFetch } from "../harness/http/retrying-fetch.ts"
import { startProgram, temporaryFolder } from "../harness/program.ts"
import { account } from "../harness/records.ts"
import { type RunningServer, readPazar, startServer } from "../harness/run-pazar.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { storeOf } from "../harness/stores/test-stores.ts"
import { signInOperator } from "../harness/test-operators.ts"
import { until, workMsMax } from "../harness/until.ts"

/** The demo must not use this database and this master key. */
const otherFile = {
  DATABASE_URL: "sqlite:data/pazar.db",
  PAZAR_MASTER_KEY: Buffer.alloc(32, 7).toString("base64"),
}

let folder: string
let surroundings: Environment
let demoStore: Environment
beforeAll(async () => {
  folder = temporaryFolder()
  const database = await storeOf(folder)
  surroundings = database ?? otherFile
  demoStore = database ?? { DATABASE_URL: "sqlite:data/demo/pazar.db" }
})
afterAll(() => rmSync(folder, { recursive: true }))

async function startDemo() {
  const server = await startServer(folder, surroundings, "demo")
  const screen = await until(() => {
    const text = server.stdout()
    return curlLinesOn(text).length === 4 && text.endsWith("\n") ? text : undefined
  }, workMsMax)
  return { server, screen }
}

function readSignIn(screen: string): Readonly<{ url: string; password: string }> {
  const [, url = ""] = /(\S+)\/login\n/.exec(screen) ?? []
  const [, password = ""] = /\belif\b.* (\w{12})\n/.exec(screen) ?? []
  return { url, password }
}

/** Signs in to the workspace and the console with the URLs, names and password that the demo printed. */
async function signInAsPrinted(screen: string): Promise<number> {
  const { url, password } = readSignIn(screen)
  expect(screen).toContain(`${url}/console\n`)
  const visitor = openVisitor(url, {}, retryingFetch)
  await visitor.signIn("elif", password)
  const workspace = await visitor.get("/workspace/elif")
  await visitor.submit("/logout")
  await signInOperator(visitor, "operator", { password })
  const pages = [workspace, await visitor.get("/console")]
  for (const [name, path] of [
    ["cem", "/workspace/elif"],
    ["marcus", "/workspace/marcus"],
    ["marcus", "/console"],
  ] as const) {
    await visitor.submit("/logout")
    await visitor.signIn(name, password)
    pages.push(await visitor.get(path))
  }
  return Math.max(...pages.map(({ status }) => status))
}

/** Sends a test event to the demo's webhook, which prints it in the terminal. */
async function sendTestEventAsPrinted(screen: string): Promise<void> {
  const { url, password } = readSignIn(screen)
  const visitor = openVisitor(url, {}, retryingFetch)
  await visitor.signIn("elif", password)
  const list = "/workspace/elif/settings/webhooks"
  expect(screen).toContain(`${url}${list}\n`)
  const [own = ""] =
    /\/workspace\/elif\/settings\/webhooks\/ep_\w+/.exec((await visitor.get(list)).text) ?? []
  expect((await visitor.submit(`${own}/test`)).location).toStartWith(`${own}/messages/`)
}

const keysOn = (screen: string) => screen.match(/pzr_\w+/g) ?? []
const curlLinesOn = (screen: string) =>
  screen.split("\n").filter((line) => line.startsWith("curl "))

async function paste(line: string) {
  const shell = Bun.spawn(["sh", "-c", `${line} -s -w '\\n%{http_code}'`], { stderr: "ignore" })
  const [body = "", status] = (await shell.stdout.text()).split("\n")
  const { status: apiStatus, ...rest } = JSON.parse(body)
  return { status, apiStatus, fields: Object.keys(rest) }
}

test("prints a sign-in and four working curl commands; a restart keeps keys and data", async () => {
  const first = await startDemo()
  const lines = curlLinesOn(first.screen)
  expect(await Promise.all(lines.map(paste))).toEqual([
    { status: "200", apiStatus: "success", fields: ["data"] },
    { status: "200", apiStatus: "success", fields: ["items"] },
    { status: "200", apiStatus: "success", fields: ["item"] },
    { status: "200", apiStatus: "success", fields: ["data"] },
  ])
  expect(await signInAsPrinted(first.screen)).toBe(200)
  const [, url = ""] = /listening on (\S+)/.exec(first.screen) ?? []
  expect((await retryingFetch(`${url}/demo/anadolu.svg`)).status).toBe(200)
  await sendTestEventAsPrinted(first.screen)
  await until(() => first.server.stderr().includes("endpoint.test") || undefined)
  await stop(first.server)

  const before = await readPazar(folder, ["export"], { env: demoStore })
  const input = before.split("\n").find((line) => line.startsWith('{"type":"account"')) ?? ""
  expect(input).toContain('"username":"elif"')
  const renamed = input.replace(/"heading":"[^"]*"/, '"heading":"Changed by hand"')
  await readPazar(folder, ["import", "-"], { env: demoStore, input: `${renamed}\n` })
  const changed = await readPazar(folder, ["export"], { env: demoStore })
  expect(changed).toBe(before.replace(input, renamed))

  const second = await startDemo()
  expect(keysOn(second.screen)).toEqual(keysOn(first.screen))
  expect(await signInAsPrinted(second.screen)).toBe(200)
  await stop(second.server)
  expect(await readPazar(folder, ["export"], { env: demoStore })).toBe(changed)
  expect(existsSync(join(folder, "data/pazar.db"))).toBe(false)
})

test("the folder of a development version is moved aside", async () => {
  const parent = temporaryFolder()
  const own = join(parent, "data/demo")
  mkdirSync(own, { recursive: true })
  writeFileSync(join(parent, "data/demo.old"), "an earlier one")
  const old = new Database(join(own, "pazar.db"))
  old.run("CREATE TABLE accounts (id INTEGER)")
  old.run("PRAGMA user_version = 34")
  old.close()
  const server = await startServer(parent, {}, "demo")
  expect(server.stderr()).toContain("data/demo.old-2")
  await stop(server)
  expect(readdirSync(join(parent, "data")).toSorted()).toEqual([
    ...["demo", "demo.old", "demo.old-2"],
  ])
  expect(existsSync(join(parent, "data/demo.old-2/pazar.db"))).toBe(true)
  rmSync(parent, { recursive: true })
})

test("a database with other data is not changed", async () => {
  const program = await startProgram({ LOG_LEVEL: "error" })
  await program.load([account("elif")])
  const before = await program.dump()
  await expect(seedDemo(program.app, program.url)).rejects.toThrow(UserError)
  expect(await program.dump()).toBe(before)
  await program.close()
})

test("the test data stays test data, however much is pushed to it", async () => {
  const program = await startProgram({ LOG_LEVEL: "error" })
  const { keys } = await seedDemo(program.app, program.url)
  await queryStore(program, "DELETE FROM imports")
  await program.load([account("elif", { balance: 7 })])
  const before = await program.dump()
  expect((await seedDemo(program.app, program.url)).keys).toEqual(keys)
  expect(await program.dump()).toBe(before)
  await program.close()
})

test("the test data has thirty days of requests, a rotated key and one that was shipped in a product", async () => {
  const program = await startProgram({ LOG_LEVEL: "error" })
  await seedDemo(program.app, program.url)
  const { store, now } = program.app
  const { id } = await requireAccount(store.accounts, "elif")
  const at = formatTimestamp(now())
  const month = lastRange(at, 30)
  const keys = await store.keys.list(id)
  const days = summarizeDays(month, withoutTestKeys(await store.usage.list(id, month, null)))
  const keyIds = keys.map((key) => key.id)
  const usage = await store.usage.listByKeys(keyIds, at)
  await program.close()
  const networksOf = (keyId: string) => usage.find((each) => each.keyId === keyId)?.ipRanges ?? 0
  const shown = keys.map((key) => ({
    kind: key.kind,
    state: stateOf(key, at),
    hasManyNetworks: networksOf(key.id) >= manyIpRanges,
  }))
  expect(shown).toEqual([
    { kind: "sk", state: "active", hasManyNetworks: true },
    { kind: "sk", state: "active", hasManyNetworks: false },
    { kind: "vk", state: "active", hasManyNetworks: true },
    { kind: "tk", state: "active", hasManyNetworks: false },
    { kind: "sk", state: "ending", hasManyNetworks: false },
    { kind: "sk", state: "active", hasManyNetworks: false },
  ])
  expect(days.map(({ ok, invalidCodes }) => ok > 0 && invalidCodes > 0)).toEqual(
    Array(30).fill(true),
  )
})

test("the test data has a site limit, sites of every kind, and a code on more than ten sites", async () => {
  const program = await startProgram({ LOG_LEVEL: "error" })
  await seedDemo(program.app, program.url)
  const { store, now } = program.app
  const { id: accountId } = await requireAccount(store.accounts, "elif")
  const at = formatTimestamp(now())
  const wide = await store.sites.listWidelyUsed({ accountId }, manySites, at, 9)
  const sites = await store.sites.list("8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21")
  const { sites: limit } = await store.sites.findLimits(1001)
  await program.close()
  expect([wide.length, limit]).toEqual([1, 3])
  const kinds = sites.map(({ isTest, lastDay }) => `${isTest} ${isSlotHeld(lastDay, at)}`)
  expect(new Set(kinds)).toEqual(new Set(["false true", "false false", "true true"]))
})

test("another server has none of its images", async () => {
  const program = await startProgram({ LOG_LEVEL: "error" })
  expect((await fetch(`${program.url}/demo/anadolu.svg`)).status).toBe(404)
  await program.close()
})

test("its images are served by this server, under its current URL", async () => {
  const program = await startProgram({ LOG_LEVEL: "error" }, { pictures: drawn })
  const { keys } = await seedDemo(program.app, program.url)
  const headers = { "X-Api-Key": keys[0]?.secret ?? "" }
  const response = await fetch(`${program.url}/api/items/all`, { headers })
  const pictures = new Set((await response.text()).match(/http[^"]+\.svg/g))
  const types = await Promise.all(
    [...pictures].map(async (url) => (await fetch(url)).headers.get("content-type")),
  )
  expect(types).toEqual(Array(types.length).fill("image/svg+xml"))
  expect(types.length).toBeGreaterThan(7)
  expect((await fetch(`${program.url}/demo/constructor.svg`)).status).toBe(404)

  const before = await program.dump()
  await seedDemo(program.app, "https://demo.example.com:8443")
  const moved = before.replaceAll(`${program.url}/demo/`, "https://demo.example.com:8443/demo/")
  expect(await program.dump()).toBe(moved)
  await program.close()
})

async function stop(server: RunningServer): Promise<void> {
  expect((await server.stop()).status).toBe(0)
}
