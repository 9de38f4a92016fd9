import { afterAll, beforeAll, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../package.json"
import { checkTexts } from "../../src/console/home-pages.tsx"
import { formatDateTime } from "../../src/platform/pages/elements.tsx"
import { message, problemTexts as problems } from "../../src/platform/problem.ts"
import { t } from "../../src/platform/t.ts"
import { formatTimestamp, secondsBefore } from "../../src/platform/time.ts"
import { failedBackupMetadataKey, recordBackup } from "../../src/store/metadata.ts"
import type { Visitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, toFeed } from "../harness/records.ts"
import { cellsOf, runInProcess } from "../harness/run-in-process.ts"
import { storeOf } from "../harness/stores/test-stores.ts"
import { openNewOperator } from "../harness/test-operators.ts"

let program: Program
let deniz: Visitor
let isFile: boolean
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  isFile = (await storeOf(program.folder)) === null
  deniz = await openNewOperator(program, "deniz")
})
afterAll(() => program.close())

const pazar = (...args: readonly string[]) => runInProcess(program.folder, args)

/** The test machine may have warnings of its own. */
const ours = /^(imports|pulls|backups|upgrade)$/

type Warning = Readonly<{ check: string; level: string; detail: string }>

/** Warnings of `--json`, after checking that the table has them too. */
async function listWarnings(): Promise<readonly Warning[]> {
  const [table, json] = [await pazar("doctor"), await pazar("doctor", "--quick", "--json")]
  const checks: readonly Warning[] = JSON.parse(json.stdout).checks
  const warnings = checks.filter(({ level }) => level !== "ok")
  for (const { check, detail } of warnings) expect(table.stdout).toContain(`${check}: ${detail}`)
  return warnings.filter(({ check }) => ours.test(check))
}
const importWarnings = async () => (await listWarnings()).filter(({ check }) => check === "imports")

const decode = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&gt;", ">")
const readPage = async (path: string) => decode((await deniz.get(path)).text)

test("a strict import that stored nothing is a warning until an import of the same file succeeds", async () => {
  const path = join(program.folder, "feed.ndjson")
  writeFileSync(path, toFeed([account("ada"), item("ada", 1, { price: {} })]))
  expect((await pazar("import", path, "--strict", "--dry-run")).status).toBe(1)
  expect(await listWarnings()).toEqual([])
  expect((await pazar("import", path, "--strict")).status).toBe(1)
  const [run] = await program.app.store.feed.listRuns(1)
  expect(run?.problem).toEqual(message("rejected_strictly"))
  const why = problems.rejected_strictly
  const [warning] = await importWarnings()
  expect<object | undefined>(warning).toEqual({
    check: "imports",
    level: "problem",
    detail: expect.stringMatching(new RegExp(`${run?.id} .*${path} .*${why}$`)),
    hint: expect.stringContaining("`pazar imports 1`"),
    run_id: run?.id,
  })
  expect(await program.app.store.accounts.list("", 10)).toEqual([])

  const home = (await deniz.get("/console")).text
  expect(decode(home)).toContain(warning?.detail ?? "none")
  const [, link = ""] = /href="(\/console\/imports\/\d+)"/.exec(home) ?? []
  const shown = await readPage(link)
  expect(shown).toContain(`Nothing was saved: ${why}`)
  expect(shown).toContain("price.regular")
  expect(await readPage("/console/imports")).toContain("Failed")
  const turkish = (await deniz.get("/console?lang=tr")).text
  expect(decode(turkish)).not.toContain(why)
  expect(turkish).not.toMatch(/lang="en">(?!English)/)
  await deniz.get("/console?lang=en")

  writeFileSync(path, toFeed([account("ada"), item("ada", 1)]))
  expect((await pazar("import", path, "--strict")).status).toBe(0)
  expect(await importWarnings()).toEqual([])
})

test("an import with rejected lines is a warning until an import of the same source succeeds", async () => {
  await program.load([item("ada", 2, { price: {} })])
  const [run] = await program.app.store.feed.listRuns(1)
  expect(await importWarnings()).toMatchObject([
    { level: "warning", detail: expect.stringMatching(new RegExp(`${run?.id} .*\\b1\\b`)) },
  ])
  expect(await readPage("/console/imports")).toContain(t("{n line|lines} rejected", { n: 1 }))
  const isLinked = async () =>
    (await deniz.get("/console")).text.includes(
      `class="button quiet" href="/console/imports/${run?.id}"`,
    )
  expect(await isLinked()).toBe(true)
  await program.load([item("ada", 2)])
  expect(await isLinked()).toBe(false)
})

test("rejected lines within --max-refused are not a warning", async () => {
  const path = join(program.folder, "allowed.ndjson")
  writeFileSync(path, toFeed([account("eda"), item("eda", 9, { price: {} })]))
  expect((await pazar("import", path, "--max-refused", "1")).status).toBe(0)
  expect((await importWarnings()).filter(({ detail }) => detail.includes(path))).toEqual([])
  expect((await pazar("import", path)).status).toBe(1)
  expect((await importWarnings()).filter(({ detail }) => detail.includes(path))).toHaveLength(1)
  expect((await pazar("import", path, "--max-refused", "50%")).status).toBe(0)
  expect((await importWarnings()).filter(({ detail }) => detail.includes(path))).toEqual([])
})

test("an interrupted import is a failed one, with its reason", async () => {
  const path = join(program.folder, "items.ndjson")
  writeFileSync(path, toFeed([account("ada")]))
  const report = join(program.folder, "missing", "report.ndjson")
  expect((await pazar("import", path, "--report", report)).status).toBe(2)
  expect(await importWarnings()).toMatchObject([
    { level: "problem", detail: expect.stringContaining("report.ndjson") },
  ])
  await pazar("import", path)
  expect(await importWarnings()).toEqual([])
})

test("an import that should have deleted records and did not is listed with the reason", async () => {
  const path = join(program.folder, "full.ndjson")
  writeFileSync(path, toFeed([account("ada")]))
  expect((await pazar("import", path, "--full")).status).toBe(1)
  const [, newest] = cellsOf((await pazar("imports")).stdout)
  const [run] = await program.app.store.feed.listRuns(1)
  expect(run?.outcome?.removalProblem).toEqual(message("no_end_line"))
  expect(newest?.slice(-2)).toEqual([path, problems.no_end_line])
  await pazar("import", path)
})

test("an overdue pull, a server that waits for its upgrade, and an old backup are warnings", async () => {
  const { nodes, pulls, metadata } = program.app.store
  const at = secondsBefore(new Date(), 3_600)
  const round = { startedAt: at, endedAt: at, problem: null, runBefore: 0 }
  await pulls.recordRound({ isSuccess: true, name: "shop", everySeconds: 60, ...round })
  const heartbeat = { startedAt: at, lastSeenAt: formatTimestamp(new Date()) }
  const node = { id: "b", host: "web-2", url: "http://b:80", threads: 1, ...heartbeat }
  await nodes.put({ ...node, version: "0.0.9" })
  const backup = isFile ? [{ check: "backups", level: "warning" }] : []
  const upgrade = expect.stringMatching(new RegExp(`web-2 .*0\\.0\\.9.*${version}`))
  const others = [
    {
      check: "pulls",
      level: "problem",
      detail: expect.stringMatching(new RegExp(`^shop .*${at}`)),
    },
    { check: "upgrade", level: "warning", detail: upgrade },
  ]
  expect<readonly object[]>(await listWarnings()).toMatchObject([...others, ...backup])
  await recordBackup(metadata, { at: secondsBefore(new Date(), 3 * 86_400), bytes: 1 })
  await metadata.put(failedBackupMetadataKey, "database or disk is full")
  const old = backup.map((each) => ({ ...each, detail: expect.stringMatching(/\b3\b/) }))
  const full = expect.stringContaining("database or disk is full")
  expect<readonly object[]>(await listWarnings()).toMatchObject([
    ...others,
    ...old,
    { check: "backups", level: "problem", detail: full },
  ])
  const shown = await readPage("/console")
  for (const { check, detail } of await listWarnings()) {
    const text = detail.replace(at, formatDateTime(at))
    expect(shown).toContain(new Map<string, string>(Object.entries(checkTexts)).get(check) ?? check)
    expect(shown).toContain(text)
  }
  const turkish = (await deniz.get("/console?lang=tr")).text
  expect(turkish).not.toMatch(/lang="en">(?!English)/)
  await deniz.get("/console?lang=en")

  await recordBackup(metadata, { at: formatTimestamp(new Date()), bytes: 1 })
  await nodes.remove(node.id)
  await nodes.put({ ...node, version })
  const now = formatTimestamp(new Date())
  await pulls.recordRound({
    isSuccess: true,
    name: "shop",
    everySeconds: 60,
    ...round,
    startedAt: now,
    endedAt: now,
  })
  expect(await listWarnings()).toEqual([])
})
