import { afterAll, beforeAll, expect, test } from "bun:test"
import fc from "fast-check"
import { dictionaries } from "../../../src/http/pages/translations/texts.ts"
import {
  account,
  audioMedia,
  item,
  plainMedia,
  purchase,
  videoMedia,
} from "../../contracts/records.ts"
import { unescapeHtml } from "../../harness/browser/docs-page.ts"
import { givePassword } from "../../harness/browser/sample-workspace.ts"
import { openVisitor, type Visitor } from "../../harness/browser/visitor.ts"
import { propertyRuns } from "../../harness/full-test-run.ts"
import { type Program, startProgram } from "../../harness/program.ts"
import { addOperator, openOperator } from "../../harness/test-operators.ts"

const texts = dictionaries.en.items

let program: Program
let elif: Visitor
beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "error" })
  await program.load([
    account("elif"),
    item("elif", 1, { description: "First line.\nSecond & last.", tags: ["wordpress", "<b>"] }),
    item("elif", 2, { media: audioMedia, tags: [], description: "x".repeat(5_000) }),
    item("elif", 3, { media: videoMedia, hidden: true }),
  ])
  await givePassword(program, "elif")
  elif = openVisitor(program.url)
  await elif.signIn("elif")
})
afterAll(() => program.close())

const readItem = async (path: string) => {
  const { text } = await elif.get(`/workspace/items/${path}`)
  return text.slice(text.indexOf("<main"), text.indexOf('<details class="json"'))
}

test("200: the image, the description and the tags", async () => {
  const text = await readItem("1")
  expect(unescapeHtml(text)).toContain(
    `<img class="preview" src="${plainMedia.preview_image}" alt="${texts.preview("Ürün 1")}"`,
  )
  expect(text).toContain('<p class="long-text">First line.\nSecond &amp; last.</p>')
  expect(
    [...text.matchAll(/<li><span class="pill plain">(.*?)<\/span>/g)].map(([, tag]) => tag),
  ).toEqual(["wordpress", "&lt;b&gt;"])
})

test("200: a right-to-left name does not reverse the text beside it", async () => {
  const name = "photo \u202egnp.exe"
  await program.load([account("nur", { name: { firstname: "", lastname: "", full_name: name } })])
  await program.load([item("nur", 9, { name }), { ...purchase("abc", 9), buyer: name }])
  await givePassword(program, "nur")
  const nur = openVisitor(program.url)
  await nur.signIn("nur")
  await addOperator(program, "deniz")
  const deniz = await openOperator(program.url, "deniz")
  const { location } = await nur.submit("/workspace/search", { q: "abc" })
  const found = await deniz.submit("/console/purchases", { code: "abc" }, "/console/purchases")
  const pages = [
    ...["/workspace", "/workspace/items", "/workspace/items/9", "/workspace/settings/keys/new"],
    ...["/workspace/settings", location ?? ""],
  ].map((path) => nur.get(path))
  const consolePaths = ["/console/authors", found.location ?? "", "/console/items/9"]
  for (const page of [...pages, ...consolePaths.map((path) => deniz.get(path))]) {
    const { status, text } = await page
    const body = text.slice(text.indexOf("<main"), text.indexOf('<details class="json"'))
    const names = body.match(/<[^<>]*>[^<>]*\u202e/g) ?? []
    expect([status, names.length > 0]).toEqual([200, true])
    expect(names.filter((shown) => !/^<(?:bdi|h[12])>/.test(shown))).toEqual([])
  }
})

test("200: audio without tags; a long description is truncated", async () => {
  const text = await readItem("2")
  expect(unescapeHtml(text)).toContain(
    `src="${audioMedia.preview_audio}" aria-label="${texts.preview("Ürün 2")}"`,
  )
  expect(text).toContain("<audio")
  expect(text).not.toContain('class="tags"')
  expect(text).toContain(`>${"x".repeat(2_000)}…<`)
})

test("200: a video with its image and screenshots, and the reason why it is hidden", async () => {
  const text = unescapeHtml(await readItem("3"))
  expect(text).toContain(`src="${videoMedia.preview_video}" poster="${videoMedia.preview_image}"`)
  expect(text).toContain(`<a href="${videoMedia.screenshots[0]}"`)
  expect(text).toContain(`alt="${texts.screenshot(1)}"`)
  expect(text).toContain(texts.hiddenNote)
  const page = (await elif.get("/workspace/items/3")).text
  expect(page).toContain("&quot;msg&quot;: &quot;Item Not Found&quot;")
})

test("200: the list shows the number of items or matches, and which one is hidden", async () => {
  const lineOf = async (query: string) => {
    const text = unescapeHtml((await elif.get(`/workspace/items${query}`)).text)
    return [/<div id="results"[^>]*><p class="hint">([^<]*)/.exec(text)?.[1]?.trim(), text]
  }
  const [all, page = ""] = await lineOf("")
  expect([all, (await lineOf("?q=2"))[0]]).toEqual([texts.total(3), texts.matches(1, "2")])
  expect(page.split(`<span class="pill warning">${texts.hidden}</span>`).length).toBe(2)
})

const wayBack = async (path: string) => {
  const [, href = "", label] =
    /<main.*?<a href="([^"]*)">(.*?)<\/a>/s.exec(unescapeHtml(await readItem(path))) ?? []
  return { href, label }
}

test("the back link leads to the search from which the item was opened", async () => {
  const { text } = await elif.get("/workspace/items?q=%C3%BCr%C3%BCn+1&sort=name")
  const [, link = ""] = /class="clamp" href="\/workspace\/items\/([^"]*)"/.exec(text) ?? []
  expect(await wayBack(link.replaceAll("&amp;", "&"))).toEqual({
    href: "/workspace/items?q=%C3%BCr%C3%BCn+1&sort=name&page=1",
    label: texts.backToSearch("ürün 1"),
  })
  expect((await wayBack("1")).label).toBe(texts.back)
})

test("every search survives opening an item and returning", async () => {
  const texts = fc
    .string({ unit: "grapheme", maxLength: 40 })
    .map((text) => text.replaceAll("\0", ""))
  await fc.assert(
    fc.asyncProperty(
      texts,
      fc.constantFrom("newest", "oldest", "name", "price"),
      async (q, sort) => {
        const { href } = await wayBack(`1?${new URLSearchParams({ q, sort, page: "3" })}`)
        const query = new URL(href, program.url).searchParams
        expect([query.get("q"), query.get("sort"), query.get("page")]).toEqual([
          q.trim(),
          sort,
          "3",
        ])
      },
    ),
    { numRuns: propertyRuns(40) },
  )
})
