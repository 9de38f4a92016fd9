import { Database } from "bun:sqlite"
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  fillStore,
  importedKey,
  pendingCode,
  type ReleasedStore,
  releaseFeed,
  releaseMasterKey,
  releasePassword,
  releases,
  site,
  soldCode,
} from "../../scripts/release-store.ts"
import { commandLine } from "../../src/access/actor.ts"
import { revealEndpointSecret } from "../../src/webhooks/endpoint-operations.ts"
import { openVisitor } from "../harness/browser/visitor.ts"
import { root } from "../harness/deploy-files.ts"
import { readKeySet } from "../harness/http/key-set.ts"
import { type Program, startProgram, temporaryFolder } from "../harness/program.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { queryPostgres } from "../harness/stores/postgres-server.ts"
import { createPostgresStore, storeOf } from "../harness/stores/test-stores.ts"
import { signInOperator, totpCode } from "../harness/test-operators.ts"

const feed = readFileSync(releaseFeed, "utf8")
const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))
const kind = (await storeOf(folder)) === null ? "sqlite" : "postgres"

type Opened = Readonly<{
  released: ReleasedStore
  env: Readonly<{ DATABASE_URL: string; PAZAR_MASTER_KEY: string }>
}>

const openStore = async (name: string): Promise<string> =>
  kind === "postgres"
    ? (await createPostgresStore()).DATABASE_URL
    : `sqlite:${join(folder, `${name}.db`)}`

/** The database of a release, restored from its fixture. */
async function restoreRelease(version: string): Promise<Opened> {
  const fixture = (name: string) => readFileSync(join(releases, version, name))
  const { [kind]: released }: Record<typeof kind, ReleasedStore> = JSON.parse(
    fixture("stores.json").toString(),
  )
  const DATABASE_URL = await openStore(version)
  if (kind === "postgres") {
    const dump = new TextDecoder().decode(Bun.gunzipSync(fixture("postgres.sql.gz")))
    // Lines that begin with a backslash are for psql.
    await queryPostgres(DATABASE_URL, dump.replaceAll(/^\\.*$/gm, ""))
  } else {
    writeFileSync(DATABASE_URL.slice("sqlite:".length), Bun.gunzipSync(fixture("sqlite.db.gz")))
  }
  return { released, env: { DATABASE_URL, PAZAR_MASTER_KEY: releaseMasterKey } }
}

async function fillThisVersion(): Promise<Opened> {
  const DATABASE_URL = await openStore("this version")
  const released = await fillStore(root, DATABASE_URL)
  // The code of this half minute is used already.
  const forget = "UPDATE people SET two_factor_step = 0 WHERE two_factor IS NOT NULL"
  if (kind === "postgres") await queryPostgres(DATABASE_URL, forget)
  else new Database(DATABASE_URL.slice("sqlite:".length)).run(forget)
  return { released, env: { DATABASE_URL, PAZAR_MASTER_KEY: releaseMasterKey } }
}

const thisVersion = "a database of this version"
const versions = readdirSync(releases, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

describe.each([...versions, thisVersion])("%s", (version) => {
  let released: ReleasedStore
  let env: Opened["env"]
  let program: Program
  beforeAll(async () => {
    const opened = version === thisVersion ? fillThisVersion() : restoreRelease(version)
    ;({ released, env } = await opened)
    program = await startProgram(env)
  })
  afterAll(() => program.close())

  async function validate(key: string, code: string, fields: Record<string, string> = {}) {
    const { status, headers } = await fetch(`${program.url}/api/purchases/validation`, {
      method: "POST",
      headers: { "X-Api-Key": key },
      body: new URLSearchParams({ purchase_code: code, ...fields }),
    })
    return `${status} ${headers.get("pazar-reason")}`
  }
  const pazar = async (...args: string[]) => {
    const { stdout } = await runInProcess(folder, [...args, "--json"], { env })
    return JSON.parse(stdout)
  }

  test("records", async () => {
    const fresh = await startProgram()
    await fresh.load(feed)
    const sale = feed.split("\n").find((line) => line.includes(soldCode)) ?? ""
    await fresh.load(`${released.newSale}\n`)
    await fresh.load(`${sale.replace(soldCode, pendingCode).replace(":1229", ":999")}\n`)
    const expected = await fresh.dump()
    await fresh.close()
    expect((await program.dump()).replace(',"suspended_by_operator":true', "")).toBe(expected)
  })

  test("keys with their permissions, and the codes they validate", async () => {
    const { secret, validation, revoked } = released
    const otherItem = "5e2f9a44-1c3d-4b7a-8e6f-0d9c2b1a4f57"
    expect([
      await validate(secret, soldCode),
      await validate(validation, soldCode),
      await validate(importedKey, soldCode),
      await validate(revoked, soldCode),
      await validate(secret, otherItem),
      await validate(validation, otherItem),
      await validate(secret, "mixed-CASE-0001"),
      await validate(secret, "aab32389-22bc-425a-af60-6eb525ffdc56"),
      await validate(secret, "45c48cce-2e2d-4f3a-9c1b-7a8d9e0f1b2c"),
    ]).toEqual([
      ...["200 ok", "200 ok", "200 ok", "401 revoked_key"],
      ...["200 ok", "404 unknown_code", "200 ok", "404 revoked_code", "404 unknown_code"],
    ])
    const kids = (await readKeySet(program.url)).map(({ kid }) => kid)
    expect(kids).toEqual(expect.arrayContaining([...released.signing]))
  })

  test("sites and the site limit of an item", async () => {
    const { sites } = await pazar("purchase", "show", soldCode)
    expect(sites).toEqual([expect.objectContaining({ site })])
    const added = ["a", "b", "c"].map((name) => `${name}.customer.example.com`)
    const responses = []
    for (const each of [site, ...added])
      responses.push(await validate(released.secret, soldCode, { site: each }))
    expect(responses).toEqual(["200 ok", "200 ok", "200 ok", "404 site_limit"])
  })

  test("passwords and two-factor authentication", async () => {
    const ada = openVisitor(program.url)
    await ada.signIn("ada", releasePassword)
    expect((await ada.get("/workspace/ada")).status).toBe(303)
    await ada.signIn("ada", releasePassword, { code: totpCode(released.totpSecret) })
    expect((await ada.get("/workspace/ada")).status).toBe(200)
    const deniz = openVisitor(program.url)
    const { status } = await signInOperator(deniz, "deniz", { password: releasePassword })
    expect(status).toBe(303)
    const audit = await deniz.get("/console/audit")
    expect([audit.status, audit.text.includes("cem")]).toEqual([200, true])
    expect(await pazar("operator", "list")).toContainEqual(
      expect.objectContaining({ name: "deniz", role: "admin" }),
    )
  })

  test("webhooks with their secrets, and pending messages", async () => {
    const [endpoint] = await pazar("webhook", "list", "ada")
    const { store, endpointServices } = program.app
    const found = await store.endpoints.find(endpoint.id)
    if (found === null) throw new Error("the endpoint is gone")
    const secret = await revealEndpointSecret(endpointServices(commandLine), found)
    expect(secret).toBe(released.webhookSecret)
    const deliveries = await store.messages.list(endpoint.id, null, 100)
    expect(deliveries).toContainEqual(expect.objectContaining({ type: "purchase.created" }))
  })

  test("operator tokens, pending records, overrides and counts", async () => {
    const missing = feed.split("\n").find((line) => line.includes('"id":1229')) ?? ""
    const response = await fetch(`${program.url}/operator/feed`, {
      method: "POST",
      headers: { Authorization: `Bearer ${released.operatorToken}` },
      body: `${missing.replaceAll('"id":1229', '"id":999')}\n`,
    })
    expect(response.status).toBe(200)
    expect(await validate(released.secret, pendingCode)).toBe("200 ok")
    expect(await pazar("account", "show", "cem")).toMatchObject({ suspended: true })
    await program.load(feed)
    expect(await pazar("account", "show", "cem")).toMatchObject({ suspended: true })
    const month = { from: "2026-11-01", to: "2026-11-30" }
    const calls = await program.app.store.usage.listOfAll(month)
    const valid = calls.filter(
      ({ operation, outcome }) => operation === "validate_purchase" && outcome === "ok",
    )
    expect(valid.reduce((sum, { calls }) => sum + calls, 0)).toBeGreaterThanOrEqual(released.calls)
  })
})
