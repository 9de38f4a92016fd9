import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { emptyOutcome } from "../../src/feed/import-run.ts"
import { describe, message, translate } from "../../src/platform/problem.ts"
import { inLocale, t } from "../../src/platform/t.ts"
import { secondsBefore } from "../../src/platform/time.ts"
import { tr } from "../../src/platform/tr.ts"
import { earliestSince, openPull, toLocalTimestamp } from "../../src/pull/open-pull.ts"
import { parsePullFile } from "../../src/pull/pull-file.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import type { Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase, toFeed } from "../harness/records.ts"
import { runInProcess } from "../harness/run-in-process.ts"
import { openNewOperator } from "../harness/test-operators.ts"

let program: Program
let deniz: Visitor
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  deniz = await openNewOperator(program, "deniz")
})
afterAll(() => program.close())
const shownOf = (html: string) => unescapeHtml(textOf(html))
const read = async (path: string) => shownOf((await deniz.get(path)).text)

test("200: reports that nothing was imported", async () => {
  expect(await read("/console/imports")).toContain(
    "No imports yet. Run “pazar import FILE” on the server.",
  )
})

const change = { type: "item", id: 7, patch: true }

test("200: shows an import, its problems with their first lines, and the report", async () => {
  await program.load(`${toFeed([account("ada"), change, purchase("abc", 9)])}no JSON\n`)
  const list = await deniz.get("/console/imports")
  const shown = shownOf(list.text)
  expect(shown).toContain(" test ")
  expect(shown).toContain(`item 9 1 purchase`)
  const [, path = ""] = /href="(\/console\/imports\/\d+)"/.exec(list.text) ?? []
  const run = await read(path)
  expect(run).toContain(`Accepted 1 Rejected 2 ${t("Pending # count")} 1 Normalized 0 Removed 0`)
  const [stored] = await program.app.store.feed.listRuns(1)
  const groups = stored?.outcome?.rejections.groups ?? []
  expect(groups.map(({ samples }) => samples[0].line)).toEqual([2, 4])
  for (const group of groups) expect(run).toContain(describe(group))
  expect(run).toContain(`${t("line {line}", { line: 2 })} 7`)
  expect(run).toContain(t("line {line}", { line: 4 }))
  expect(run).toContain("pazar import test --report rejected.ndjson")
})

test("200: shows the problems of lines in Turkish", async () => {
  await program.load(toFeed([item("ada", 8, { published_at: 7 }), item("ada", 9, { price: {} })]))
  const list = await deniz.get("/console/imports?lang=tr")
  const [, path = ""] = /href="(\/console\/imports\/\d+)"/.exec(list.text) ?? []
  const run = await read(path)
  const [stored] = await program.app.store.feed.listRuns(1)
  const groups = stored?.outcome?.rejections.groups ?? []
  expect(groups.map(({ field }) => field)).toEqual([
    ...["published_at", "price.regular", "price.extended"],
  ])
  for (const group of groups) {
    const text = `${tr.item} ${group.field} ${inLocale("tr", () => translate(group))}`
    expect(run).toContain(text)
    expect(run).not.toContain(describe(group))
  }
  await deniz.get("/console?lang=en")
})

test("200: an unfinished import; markup in a source is escaped", async () => {
  const { feed } = program.app.store
  const writer = await feed.openBatches({ source: "<i>pull.json", via: "pull" })
  await writer.put(new Date(), [], 12)
  const open = await deniz.get("/console/imports")
  expect(shownOf(open.text)).toContain("Interrupted or running")
  expect(open.text).not.toContain("<i>pull")
  await writer.finish(new Date(), {
    ...emptyOutcome,
    counts: { ...emptyOutcome.counts, accepted: 12 },
  })
  expect(await read("/console/imports")).not.toContain("Interrupted or running")
})

test("200: the reason why nothing was deleted, in both languages", async () => {
  // Up to 20 records may always be deleted.
  await program.load(Array.from({ length: 30 }, (_, at) => account(`author${at}`)))
  const end = { type: "end", accounts: 1, items: 0, purchases: 0 }
  const noEnd = toFeed([account("ada")])
  for (const [input, facts] of [
    [noEnd, []],
    [`${noEnd}${toFeed([end])}${noEnd}`, []],
    [toFeed([account("ada"), { ...end, accounts: 1_234 }]), ["1234"]],
    [toFeed([account("ada"), end]), ["31", "30", "%96.77"]],
  ] as const) {
    await runInProcess(program.folder, ["import", "-", "--full"], { input })
    const [run] = await program.app.store.feed.listRuns(1)
    const problem = run?.outcome?.removalProblem ?? message("internal_error")
    const text = await read(`/console/imports/${run?.id}`)
    expect(text).toContain(`Nothing removed: ${describe(problem)}`)
    expect(text).not.toContain("Rejected lines")
    const problemText = inLocale("tr", () => translate(problem))
    for (const fact of facts) expect(problemText).toContain(fact)
    expect(await read(`/console/imports/${run?.id}?lang=tr`)).toContain(
      `${tr["Nothing removed"]}: ${problemText}`,
    )
    await deniz.get("/console?lang=en")
  }
})

test("200: a pull that could not connect is shown with its reason, also on the home page", async () => {
  const { feed, pulls } = program.app.store
  const [before] = await feed.listRuns(1)
  const file = parsePullFile('{"connection":"sqlite:<i>shop","accounts":"SELECT 1"}', {
    env: {},
    readText: () => null,
    resolvePath: (path) => join(program.folder, path),
  })
  const { message: text } = await openPull(file, toLocalTimestamp(earliestSince, null)).catch(
    (error) => error,
  )
  expect(text).toContain("<i>shop")
  const at = secondsBefore(new Date(), 3_600)
  await pulls.recordRound({
    isSuccess: true,
    name: "store.json",
    everySeconds: 300,
    runBefore: before?.id ?? 0,
    startedAt: at,
    endedAt: at,
    problem: message("other", { text }),
  })
  const [run] = await feed.listRuns(1, "pull")
  expect(await read("/console/imports")).toContain("Failed")
  const page = await deniz.get(`/console/imports/${run?.id}`)
  expect(shownOf(page.text)).toContain(`The input could not be read completely: ${text}`)
  expect(page.text).not.toContain("<i>shop")
  const data = await read("/console/imports")
  expect(data).toContain("store.json 5 minutes")
  expect(data).toContain(`Overdue ${text}`)
  const { text: inTurkish } = await deniz.get("/console?lang=tr")
  expect(inTurkish).not.toContain("<i>shop")
  const reason = `<span lang="en">${text}</span>`
  expect(unescapeHtml(inTurkish)).toContain(reason)
  expect(unescapeHtml((await deniz.get(`/console/imports/${run?.id}`)).text)).toContain(reason)
  expect(await read("/console/imports")).toContain(`${tr.Overdue} ${text}`)
  await deniz.get("/console?lang=en")
})

test("404: an unknown import", async () => {
  for (const id of ["0", "999999", "x", "1e3", "9".repeat(30)]) {
    expect((await deniz.get(`/console/imports/${id}`)).status).toBe(404)
  }
})
