/** What became of files, pulls and pushes. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import { secondsBefore } from "../../../src/domain/values/time/timestamp.ts"
import { account, item, purchase, toFeed } from "../../contracts/records.ts"
import type { Visitor } from "../../harness/browser/visitor.ts"
import { textOf } from "../../harness/http/page-views.ts"
import { addOperator, openOperator } from "../../harness/operators.ts"
import { type Program, startProgram } from "../../harness/program.ts"

let program: Program
let deniz: Visitor
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  await addOperator(program, "deniz")
  deniz = await openOperator(program.url, "deniz")
})
afterAll(() => program.close())

const read = async (path: string) => textOf((await deniz.get(path)).text)

test("200: says that nothing was imported", async () => {
  expect(await read("/console/imports")).toContain("Nothing was imported yet.")
})

const change = { type: "item", id: 7, patch: true }

test("200: a run, its problems with their first lines, and the report", async () => {
  await program.load(`${toFeed([account("ada"), change, purchase("abc", 9)])}no JSON\n`)
  const list = await deniz.get("/console/imports")
  const shown = textOf(list.text)
  expect(shown).toContain("test")
  expect(shown).toContain("0 items and 1 purchase need a record that is not there.")
  expect(shown).toContain("item 9 1 purchase")
  expect(textOf((await deniz.get("/console")).text)).toContain("0 items and 1 purchase")
  const [, path = ""] = /href="(\/console\/imports\/\d+)"/.exec(list.text) ?? []
  const run = await read(path)
  expect(run).toContain("Accepted 1 Adjusted 0 Waiting 1 Rejected 2 Removed 0")
  expect(run).toContain("there is no such item")
  expect(run).toContain("line 2 7")
  expect(run).toContain("line 4")
  const report = await deniz.get(`${path}/report`)
  expect(report.headers.get("content-type")).toBe("application/x-ndjson; charset=utf-8")
  expect(report.headers.get("content-disposition")).toMatch(
    /^attachment; filename="import-\d+\.ndjson"$/,
  )
  const lines = report.text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line))
  expect(lines).toMatchObject([
    { type: "run", source: "test", via: "file", accepted: 1, waiting: 1, rejected: 2 },
    { type: "problem", record: "item", lines: 1, first_line: 2, first_identity: "7" },
    { type: "problem", record: null, lines: 1, first_line: 4, first_identity: null },
  ])
})

test("200: the problems of lines in Turkish", async () => {
  await program.load(toFeed([item("ada", 8, { published_at: 7 }), item("ada", 9, { price: {} })]))
  const list = await deniz.get("/console/imports?lang=tr")
  const [, path = ""] = /href="(\/console\/imports\/\d+)"/.exec(list.text) ?? []
  const run = await read(path)
  expect(run).toContain("published_at bir metin olmalı ürün")
  expect(run).toContain("price.regular eksik ürün")
  await deniz.get("/console?lang=en")
})

test("200: why nothing was removed, and a run that did not finish; markup in a source is text", async () => {
  const { feed } = program.app.store
  const writer = await feed.openBatches({ source: "<i>pull.json", via: "pull" })
  await writer.put([], 12)
  const open = await deniz.get("/console/imports")
  expect(textOf(open.text)).toContain("Interrupted, or still running")
  expect(open.text).not.toContain("<i>pull")
  await writer.finish({
    counts: { accepted: 12, adjusted: 0, waiting: 0, rejected: 0, removed: 0 },
    refusals: { groups: [], otherKinds: 0, otherProblems: 0 },
    removalProblem: "there are records after its end line",
  })
  const [run] = await feed.listRuns(1, "pull")
  const text = await read(`/console/imports/${run?.id}`)
  expect(text).toContain("Nothing was removed: there are records after its end line")
  expect(await read(`/console/imports/${run?.id}?lang=tr`)).toContain(
    "Hiçbir şey silinmedi: bitiş satırından sonra kayıtlar var",
  )
  await deniz.get("/console?lang=en")
  expect(text).toContain("No line was rejected.")
})

test("200: a pull that could not connect, with its reason, also on the first page", async () => {
  const { feed, pulls } = program.app.store
  const [before] = await feed.listRuns(1)
  const at = secondsBefore(new Date(), 3_600)
  await pulls.noteRound({
    name: "store.json",
    everySeconds: 300,
    runBefore: before?.id ?? 0,
    startedAt: at,
    endedAt: at,
    problem: "the pull cannot open <i>shop: refused",
  })
  const [run] = await feed.listRuns(1, "pull")
  expect(await read("/console/imports")).toContain("Failed")
  const page = await deniz.get(`/console/imports/${run?.id}`)
  expect(textOf(page.text)).toContain(
    "It could not be read to its end: the pull cannot open &lt;i&gt;shop: refused",
  )
  const report = await deniz.get(`/console/imports/${run?.id}/report`)
  expect(JSON.parse(report.text)).toMatchObject({ type: "run", problem: run?.problem ?? "" })
  const status = await read("/console")
  expect(status).toContain("store.json every 300 seconds")
  expect(status).toContain("Failed the pull cannot open &lt;i&gt;shop: refused")
  const turkish = await deniz.get("/console?lang=tr")
  expect(textOf(turkish.text)).toContain("store.json 300 saniyede bir")
  const reason = 'çekme, &lt;i&gt;shop veritabanını açamıyor: <span lang="en">refused</span>'
  // In the list of warnings, as the last import and at the pull.
  expect(turkish.text.split(reason).length).toBe(4)
  expect((await deniz.get(`/console/imports/${run?.id}`)).text).toContain(reason)
  expect([status.includes("Overdue"), turkish.text.includes("Gecikti")]).toEqual([true, true])
  await deniz.get("/console?lang=en")
})

test("404: an import that is not there", async () => {
  for (const id of ["0", "999999", "x", "1e3", "9".repeat(30)]) {
    expect((await deniz.get(`/console/imports/${id}`)).status).toBe(404)
    expect((await deniz.get(`/console/imports/${id}/report`)).status).toBe(404)
  }
})
