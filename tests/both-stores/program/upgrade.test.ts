/** The store of every release is upgraded, and everything in it goes on working. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import manifest from "../../../package.json"
import {
  importedKey,
  type ReleasedStore,
  releaseMasterKey,
  releasePassword,
  soldCode,
} from "../../../scripts/release-store.ts"
import { readConfig } from "../../../src/config/config.ts"
import { openStore } from "../../../src/store/open.ts"
import { openVisitor } from "../../harness/browser/visitor.ts"
import { root } from "../../harness/deploy-files.ts"
import { readKeySet } from "../../harness/http/key-set.ts"
import { type Program, startProgram, temporaryFolder } from "../../harness/program.ts"
import { releases, restorePostgresRelease, storeOf } from "../../harness/stores/stores.ts"

const feed = readFileSync(join(releases, "feed.ndjson"), "utf8")
const folder = temporaryFolder()
afterAll(() => rmSync(folder, { recursive: true }))
const kind = (await storeOf(folder)) === null ? "sqlite" : "postgres"

const storesOf = (version: string): Partial<Record<typeof kind, ReleasedStore>> =>
  JSON.parse(readFileSync(join(releases, version, "stores.json"), "utf8"))

/** The address of a new store, as that release left it. */
async function restore(version: string): Promise<string> {
  if (kind === "postgres") return restorePostgresRelease(version)
  const file = join(folder, `${version}.db`)
  writeFileSync(file, Bun.gunzipSync(readFileSync(join(releases, version, "sqlite.db.gz"))))
  return `sqlite:${file}`
}

let fresh: string
beforeAll(async () => {
  const program = await startProgram()
  expect(await program.load(feed)).toMatchObject({ rejected: 0 })
  fresh = await program.dump()
  await program.close()
})

const versions = readdirSync(releases, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => storesOf(name)[kind] !== undefined)

/** A correction (0.12.1) has the tables of the version that it corrects (0.12.0), and so needs no store of its own. */
const corrected = manifest.version.replace(/\d+$/, "0")

test("every version of the changelog that is no correction has a store", () => {
  const changelog = readFileSync(join(root, "CHANGELOG.md"), "utf8")
  const all = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) /gm)].map(([, version = ""]) => version)
  // The newest heading may be that of a version in preparation. PostgreSQL came with 0.2.0.
  const released = all
    .slice(1)
    .filter((version) => version.endsWith(".0") && (kind === "sqlite" || version !== "0.1.0"))
  expect(released.length).toBeGreaterThan(10)
  expect(released.filter((version) => !versions.includes(version))).toEqual([])
})

test.skipIf(manifest.version === corrected)("a correction has no migration", async () => {
  const { store } = readConfig({
    DATABASE_URL: await restore(corrected),
    PAZAR_MASTER_KEY: releaseMasterKey,
  })
  const opened = await openStore(store, "command")
  await opened.close()
})

describe.each(versions)("%s", (version) => {
  const { [kind]: released } = storesOf(version)
  if (released === undefined) throw new Error(`${version} has no such store`)
  let program: Program
  afterEach(() => program.close())

  test("records, keys, rights, passwords, counts and signing keys are what they were", async () => {
    const DATABASE_URL = await restore(version)
    program = await startProgram({ DATABASE_URL, PAZAR_MASTER_KEY: releaseMasterKey })
    expect(await program.dump()).toBe(fresh)

    const post = async (key: string, code: string) => {
      const { status, headers } = await fetch(`${program.url}/api/purchases/validation`, {
        method: "POST",
        headers: { "X-Api-Key": key },
        body: new URLSearchParams({ purchase_code: code }),
      })
      return [status, headers.get("pazar-reason")]
    }
    const { secret, validation, revoked } = released
    const ofAnotherItem = "5e2f9a44-1c3d-4b7a-8e6f-0d9c2b1a4f57"
    const answers: readonly unknown[] = await Promise.all([
      ...[secret, validation, importedKey, revoked].map((key) => post(key, soldCode)),
      ...[secret, validation].map((key) => post(key, ofAnotherItem)),
      post(secret, "mixed-CASE-0001"),
      post(secret, "aab32389-22bc-425a-af60-6eb525ffdc56"),
      post(secret, "45c48cce-2e2d-4f3a-9c1b-7a8d9e0f1b2c"),
    ])
    const ok = [200, "ok"]
    const unknown = [404, "unknown_code"]
    expect(answers).toEqual([
      ...[ok, ok, ok, [401, "revoked_key"]],
      ...[ok, unknown, ok, [404, "revoked_code"], unknown],
    ])

    const signingKeys = await readKeySet(program.url)
    expect(signingKeys.map(({ kid }) => kid)).toEqual(expect.arrayContaining([...released.signing]))
    const { calls } = released
    const totals = await program.app.store.usage.listTotals("operation", "2020-01-01T00:00:00Z", 10)
    expect(totals.map(({ group, ok }) => [group, ok])).toEqual(
      calls === 0 ? [] : [["validate_purchase", calls]],
    )
    const visitor = openVisitor(program.url)
    await visitor.signIn("ada", releasePassword)
    const hasPasswords = version !== "0.1.0"
    expect((await visitor.get("/workspace")).status).toBe(hasPasswords ? 200 : 303)

    const sale = feed.replaceAll(soldCode, "sold-after-the-upgrade")
    expect(await program.load(sale)).toMatchObject({ rejected: 0 })
    expect(await post(secret, "sold-after-the-upgrade")).toEqual(ok)
  })
})
