import { afterAll, beforeAll, expect, test } from "bun:test"
import { t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { openSignedIn, type Visitor } from "../harness/browser/visitor.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { openNewOperator } from "../harness/test-operators.ts"

let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  await program.load([
    account("elif"),
    ...[item("elif", 1), item("elif", 2), item("elif", 3, { hidden: true })],
  ])
  await givePassword(program, "elif")
  elif = await openSignedIn(program.url, "elif")
})
afterAll(() => program.close())

const readItem = async (path: string) => {
  const { text } = await elif.get(`/workspace/elif/items/${path}`)
  return text.slice(text.indexOf("<main"), text.indexOf('<details class="json"'))
}

test("200: a right-to-left name does not reverse the text beside it", async () => {
  const name = "photo \u202egnp.exe"
  await program.load([account("nur", { name: { firstname: "", lastname: "", full_name: name } })])
  await program.load([item("nur", 9, { name }), { ...purchase("abc", 9), buyer: name }])
  await givePassword(program, "nur")
  const nur = await openSignedIn(program.url, "nur")
  const deniz = await openNewOperator(program, "deniz")
  const { location } = await nur.submit(`${nur.home()}/search`, { q: "abc" })
  const found = await deniz.submit("/console/purchases", { q: "abc" }, "/console/purchases")
  const pages = [
    ...["/items", "/items/9", "/settings/keys/new", "/settings"].map((path) => nur.home() + path),
    location ?? "",
  ].map((path) => nur.get(path))
  const consolePaths = ["/console/authors", found.location ?? ""]
  for (const page of [...pages, ...consolePaths.map((path) => deniz.get(path))]) {
    const { status, text } = await page
    const body = text.slice(text.indexOf("<main"), text.indexOf('<details class="json"'))
    const names = body.match(/<[^<>]*>[^<>]*\u202e/g) ?? []
    expect([status, names.length > 0]).toEqual([200, true])
    expect(names.filter((shown) => !/^<(?:bdi|h[12])>/.test(shown))).toEqual([])
  }
})

test("200: a hidden item says why the API does not return it", async () => {
  expect(unescapeHtml(await readItem("3"))).toContain(
    "The API does not return hidden items. Purchase codes of hidden items stay valid.",
  )
  expect(unescapeHtml(await readItem("1"))).not.toContain(
    "The API does not return hidden items. Purchase codes of hidden items stay valid.",
  )
  const page = (await elif.get("/workspace/elif/items/3")).text
  expect(page).toContain("&quot;msg&quot;: &quot;Item Not Found&quot;")
})

test("200: the list is searched, sorted and counted, and shows which item is hidden", async () => {
  const read = async (query: string) => {
    const { text } = await elif.get(`/workspace/elif/items${query}`)
    const ids = [...text.matchAll(/class="row-link" href="\/workspace\/elif\/items\/(\d+)"/g)]
    return { text: unescapeHtml(text), ids: [...new Set(ids.map(([, id]) => id))] }
  }
  const { text } = await read("")
  expect(text).toContain(t("{n result|results}", { n: 3 }))
  expect(text.split(`<span class="pill plain">Hidden</span>`).length).toBe(2)
  expect((await read("?q=2")).ids).toEqual(["2"])
  expect((await read("?sort=name")).ids).toEqual(["1", "2", "3"])
  expect((await read("?sort=-name")).ids).toEqual(["3", "2", "1"])
  expect((await read("?sort=none")).text).toContain(t("{n result|results}", { n: 3 }))
})
