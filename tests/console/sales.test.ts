import { afterAll, beforeAll, expect, test } from "bun:test"
import { t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import type { Visitor } from "../harness/browser/visitor.ts"
import { textOf } from "../harness/http/page-views.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { accountId } from "../harness/stores/store-records.ts"
import { openNewOperator } from "../harness/test-operators.ts"

let program: Program
let deniz: Visitor
let bob: number
beforeAll(async () => {
  program = await startProgram()
  deniz = await openNewOperator(program, "deniz")
  await program.load([
    ...[account("ada"), account("adam"), account("bob")],
    ...[item("ada", 1, { name: "Tide" }), item("adam", 2, { name: "Tide 2" }), item("bob", 3)],
    purchase("code-1", 1, { date: "2026-06-01T10:00:00Z", buyer: "Işıl" }),
    purchase("code-2", 2, { date: "2026-06-03T10:00:00Z", buyer: "isil k", price: 5 }),
    purchase("code-3", 3, { date: "2026-06-02T10:00:00Z", revoked: true }),
    purchase("code-4", 3, { date: "2026-06-04T10:00:00Z", buyer: "bob", currency: "TRY" }),
  ])
  bob = await accountId(program.app.store, "bob")
})
afterAll(() => program.close())
const shownOf = (html: string) => unescapeHtml(textOf(html))
const codesIn = (html: string) => [...html.matchAll(/<bdi>(code-\d)/g)].map(([, code]) => code)
const open = async (query = "") => (await deniz.get(`/console/purchases${query}`)).text
const search = (q: string, filters = {}) =>
  deniz.submit("/console/purchases", { q, ...filters }, "/console/purchases")

test("200: lists the sales of all authors, newest first, with totals and author", async () => {
  const html = await open()
  expect(codesIn(html)).toEqual(["code-4", "code-2", "code-3", "code-1"])
  expect(html).toContain(`href="/console/authors/${bob}"`)
  expect(shownOf(html)).toContain(t("{n sale|sales}", { n: 3 }))
  expect(html).toContain(t("{n} refunded ({amounts})", { n: 1, amounts: ["$19.99"] }))
  expect(codesIn(await open("?state=refunded"))).toEqual(["code-3"])
  const days = await open("?from=2026-06-02&to=2026-06-03")
  expect(codesIn(days)).toEqual(["code-2", "code-3"])
  expect(shownOf(days)).toContain(t("{n sale|sales}", { n: 1 }))
})

test("200: filters by author, by username, ID or a part of the name", async () => {
  for (const author of ["bob", String(bob), "BO"])
    expect(codesIn(await open(`?author=${author}`))).toEqual(["code-4", "code-3"])
  expect(codesIn(await open("?author=ada"))).toEqual(["code-1"])
  const several = await open("?author=Ad")
  expect(codesIn(several)).toEqual([])
  expect(shownOf(several)).toContain(`Several match. Choose one: ada adam`)
  expect(shownOf(await open("?author=nobody"))).toContain("No results match this filter.")
})

test("200: filters by item, by ID or a part of the name", async () => {
  expect(codesIn(await open("?item=1"))).toEqual(["code-1"])
  expect(codesIn(await open("?item=tide+2"))).toEqual(["code-2"])
  const several = await open("?item=tide")
  expect(codesIn(several)).toEqual([])
  expect(several).toContain('href="/console/purchases?item=1"')
  expect(shownOf(await open("?item=99"))).toContain("No results match this filter.")
  expect(codesIn(await open("?author=bob&item=1"))).toEqual([])
})

test("200: finds buyers whose name begins with the text, or else authors", async () => {
  expect(codesIn((await search("ISIL")).text)).toEqual(["code-2", "code-1"])
  expect(codesIn((await search("isil", { author: "ada" })).text)).toEqual(["code-1"])
  expect(codesIn((await search("bob")).text)).toEqual(["code-4"])
  expect(shownOf((await search("ada")).text)).toContain(`Sales of: ada adam`)
})

test("200: the file has all sales with their authors, for everybody who may see the list", async () => {
  const ece = await openNewOperator(program, "ece", "viewer")
  const { status, text } = await ece.get("/console/purchases.csv?state=valid")
  expect(status).toBe(200)
  const [head = "", ...lines] = text.trim().split("\r\n")
  const author = head.split(",").indexOf(`"Author"`)
  expect(lines.map((line) => line.split(",")).map((cells) => [cells[0], cells[author]])).toEqual([
    ['"code-4"', '"bob"'],
    ['"code-2"', '"adam"'],
    ['"code-1"', '"ada"'],
  ])
})
