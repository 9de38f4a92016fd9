/** What needs the operator's attention: the list of `pazar status` is that of the console. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { version } from "../../../package.json"
import { failedBackupMark, lastBackupMark, noteBackup } from "../../../src/domain/store.ts"
import { formatTimestamp, secondsBefore } from "../../../src/domain/values/time/timestamp.ts"
import { account, item, toFeed } from "../../contracts/records.ts"
import type { Visitor } from "../../harness/browser/visitor.ts"
import { addOperator, openOperator } from "../../harness/operators.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { cellsOf, runInProcess } from "../../harness/run-in-process.ts"
import { storeOf } from "../../harness/stores/stores.ts"

let program: Program
let deniz: Visitor
let isFile: boolean
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  isFile = (await storeOf(program.folder)) === null
  await addOperator(program, "deniz")
  deniz = await openOperator(program.url, "deniz")
})
afterAll(() => program.close())

const pazar = (...args: readonly string[]) => runInProcess(program.folder, args)

/** The machine of a test may have troubles of its own. */
const ours = /^(imports|pulls|backups|upgrade): /

async function listWarnings(): Promise<readonly string[]> {
  const rows = cellsOf((await pazar("status")).stdout)
  return rows.flatMap(([name = "", text = ""]) =>
    /^(Warning|Problem)$/.test(name) && ours.test(text) ? [`${name} ${text}`] : [],
  )
}

const decode = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ")
    .replaceAll("&gt;", ">")
const readPage = async (path: string) => decode((await deniz.get(path)).text)

test("a strict import that kept nothing is told until one of the same file succeeds", async () => {
  const path = join(program.folder, "feed.ndjson")
  writeFileSync(path, toFeed([account("ada"), item("ada", 1, { price: {} })]))
  expect((await pazar("import", path, "--strict", "--dry-run")).status).toBe(1)
  expect(await listWarnings()).toEqual([])
  expect((await pazar("import", path, "--strict")).status).toBe(1)
  const [run] = await program.app.store.feed.listRuns(1)
  const why = "lines were refused, and --strict then keeps nothing"
  const told = `imports: import ${run?.id} from ${path} failed: ${why}`
  const own = (await listWarnings()).filter((each) => each.includes("imports"))
  expect(own).toEqual([`Problem ${told}`])
  const { warnings } = JSON.parse((await pazar("status", "--json")).stdout)
  expect(warnings).toContainEqual({
    check: "imports",
    level: "problem",
    detail: told.slice("imports: ".length),
    hint: "`pazar imports ID` says more. It is listed until an import of this source succeeds, for at most 7 days.",
    import: run?.id,
  })
  expect(await program.app.store.accounts.list("", 10)).toEqual([])

  // The first page names it, and its link leads to the reasons of the lines.
  const home = (await deniz.get("/console")).text
  expect(decode(home)).toContain(told.replace("imports: ", ""))
  const [, link = ""] = /href="(\/console\/imports\/\d+)"/.exec(home) ?? []
  const shown = await readPage(link)
  expect(shown).toContain(`Nothing was kept: ${why}`)
  expect(shown).toContain("price.regular is missing")
  const imports = await readPage("/console/imports")
  expect(imports).toContain("Imports that need attention")
  expect(imports).toContain(`Failed ${why}`)
  const turkish = (await deniz.get("/console?lang=tr")).text
  expect(decode(turkish)).toContain("bazı satırlar reddedildi; --strict bu durumda")
  expect(turkish).not.toMatch(/lang="en">(?!English)/)
  await deniz.get("/console?lang=en")

  writeFileSync(path, toFeed([account("ada"), item("ada", 1)]))
  expect((await pazar("import", path, "--strict")).status).toBe(0)
  expect((await listWarnings()).filter((each) => each.includes("imports"))).toEqual([])
  expect(await readPage("/console/imports")).not.toContain("Imports that need attention")
})

test("an import that refused lines has a badge until one of the same source succeeds", async () => {
  await program.load([item("ada", 2, { price: {} })])
  const [run] = await program.app.store.feed.listRuns(1)
  expect(await listWarnings()).toContain(
    `Warning imports: import ${run?.id} from test refused 1 line`,
  )
  const shown = await readPage("/console/imports")
  expect(shown).toContain("1 line rejected price.regular is missing")
  expect(shown.split("Needs attention").length).toBe(2)
  await program.load([item("ada", 2)])
  expect(await readPage("/console/imports")).not.toContain("eeds attention")
})

test("refused lines that --max-refused allows are no warning", async () => {
  const path = join(program.folder, "allowed.ndjson")
  writeFileSync(path, toFeed([account("eda"), item("eda", 9, { price: {} })]))
  expect((await pazar("import", path, "--max-refused", "1")).status).toBe(0)
  expect((await listWarnings()).filter((each) => each.includes(path))).toEqual([])
  expect(await readPage("/console/imports")).not.toContain("Imports that need attention")
  expect((await pazar("import", path)).status).toBe(1)
  expect((await listWarnings()).filter((each) => each.includes(path))).toHaveLength(1)
  expect((await pazar("import", path, "--max-refused", "50%")).status).toBe(0)
  expect((await listWarnings()).filter((each) => each.includes(path))).toEqual([])
})

test("an import that broke off is a failed one, with its reason", async () => {
  const path = join(program.folder, "items.ndjson")
  writeFileSync(path, toFeed([account("ada")]))
  const rejects = join(program.folder, "missing", "rejects.ndjson")
  expect((await pazar("import", path, "--rejects", rejects)).status).toBe(2)
  const [told = ""] = await listWarnings()
  expect(told).toMatch(/^Problem imports: import \d+ from .+ failed: .*rejects\.ndjson/)
  await pazar("import", path)
  expect(await listWarnings()).not.toContain(told)
})

test("an import that was to remove records and did not says why in the list", async () => {
  const path = join(program.folder, "full.ndjson")
  writeFileSync(path, toFeed([account("ada")]))
  expect((await pazar("import", path, "--full")).status).toBe(1)
  const [, newest] = cellsOf((await pazar("imports")).stdout)
  const [run] = await program.app.store.feed.listRuns(1)
  expect(run?.outcome?.removalProblem).toContain("end")
  expect(newest?.slice(-2)).toEqual([path, run?.outcome?.removalProblem ?? ""])
  await pazar("import", path)
})

test("a pull that is overdue, a server that waits for its upgrade, an old backup", async () => {
  const { nodes, pulls, metadata } = program.app.store
  const at = secondsBefore(new Date(), 3_600)
  const round = { startedAt: at, endedAt: at, problem: null, runBefore: 0 }
  await pulls.noteRound({ name: "shop", everySeconds: 60, ...round })
  const seen = { startedAt: at, lastSeenAt: formatTimestamp(new Date()) }
  const node = { id: "b", host: "web-2", url: "http://b:80", threads: 1, ...seen }
  await nodes.put({ ...node, version: "0.0.9" })
  const backup = isFile ? ["Warning backups: there is none"] : []
  const others = [
    `Problem pulls: shop is overdue: it last succeeded at ${at}`,
    `Warning upgrade: the server on web-2 runs 0.0.9, and ${version} is there`,
  ]
  expect(await listWarnings()).toEqual([...others, ...backup])
  await metadata.put(lastBackupMark, secondsBefore(new Date(), 3 * 86_400))
  await metadata.put(failedBackupMark, "database or disk is full")
  const old = "backups: the newest is 3 days old"
  const failed = "Problem backups: the server could not make one: database or disk is full"
  expect(await listWarnings()).toEqual([...others, ...(isFile ? [`Warning ${old}`] : []), failed])
  const shown = await readPage("/console")
  for (const each of others) expect(shown).toContain(each.replace(/^\w+ /, ""))
  const turkish = (await deniz.get("/console?lang=tr")).text
  expect(turkish).not.toMatch(/lang="en">(?!English)/)
  await deniz.get("/console?lang=en")

  await noteBackup(metadata, 1, formatTimestamp(new Date()))
  await nodes.remove(node.id)
  await nodes.put({ ...node, version })
  const now = formatTimestamp(new Date())
  await pulls.noteRound({ name: "shop", everySeconds: 60, ...round, startedAt: now, endedAt: now })
  expect(await listWarnings()).toEqual([])
})
