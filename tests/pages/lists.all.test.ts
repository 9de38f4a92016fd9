/** Every list that links lead to, without script: it can be filtered, sorted and paged. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { kindOf, listPages } from "../../bench/load/visit-pages.ts"
import { small } from "../../scripts/large/feed.ts"
import { startMarketplace } from "../../scripts/large/main.ts"
import { openPage, shareBrowser } from "../harness/browser/browser.ts"
import type { Program } from "../harness/program.ts"

let program: Program

beforeAll(async () => {
  program = await startMarketplace(small)
})
afterAll(async () => {
  await Promise.all((await shareBrowser()).contexts().map((context) => context.close()))
  await program.close()
})

const rowsOf = (page: Page) => page.locator("#results tbody tr:not(.group)").allInnerTexts()
const bar = (page: Page) => page.locator("main form[role=search]#list")
const apply = (page: Page) => bar(page).locator("button.apply").click()

const list = (page: Page, selector: string, property: string) =>
  page.evaluate<string[]>(
    `[...document.querySelectorAll("${selector}")].map((each) => each.${property})`,
  )

/** What does not work, in words. */
async function tryList(page: Page, url: string): Promise<readonly string[]> {
  const open = async (path = url) => {
    await page.goto(path)
    return rowsOf(page)
  }
  const problems: string[] = []
  const all = await open()
  const next = page.locator("nav.pager a[rel=next]")
  if ((await next.count()) > 0) {
    await next.click()
    const second = await rowsOf(page)
    if (second.length === 0 || second[0] === all[0]) problems.push("the next page is the same")
    await page.locator("nav.pager a[rel=prev]").click()
    if ((await rowsOf(page))[0] !== all[0]) problems.push("no way back to the first page")
  }
  for (const head of await list(page, "#results thead a", "href")) {
    const one = await open(head)
    const sorted = page.locator("#results thead [aria-sort]")
    const direction = await sorted.getAttribute("aria-sort")
    await sorted.locator("a").click()
    const other = await rowsOf(page)
    const isTurned = (await sorted.getAttribute("aria-sort")) !== direction
    const index = await page.evaluate<number>("document.querySelector('[aria-sort]').cellIndex")
    const cells = page.locator(`#results tbody tr:not(.group) td:nth-child(${index + 1})`)
    const hasValues = new Set(await cells.allInnerTexts()).size > 1
    const isSame = one[0] === other[0] && one.at(-1) === other.at(-1)
    if (!isTurned || (hasValues && isSame)) problems.push(`the order stays the same: ${head}`)
  }
  await open()
  const search = bar(page).locator("input[type=search]")
  if ((await search.count()) > 0) {
    await search.fill("no-such-thing-anywhere")
    await apply(page)
    if ((await rowsOf(page)).length > 0) problems.push("the search finds what does not exist")
    if ((await search.inputValue()) === "") problems.push("the search is forgotten")
  }
  for (const name of await list(page, "#list select", "name")) {
    await open()
    const select = bar(page).locator(`select[name=${name}]`)
    const value = await select.locator("option").last().getAttribute("value")
    await select.selectOption(value)
    await apply(page)
    if ((await select.inputValue()) !== value) problems.push(`the filter is forgotten: ${name}`)
  }
  return problems
}

test("every list can be filtered, sorted and paged", async () => {
  const kinds: string[] = []
  const problems: string[] = []
  const pages = Map.groupBy(await listPages(program.url), ({ visitor }) => visitor.cookies)
  for (const [cookies, visits] of pages) {
    // Narrower windows hide columns.
    const viewport = { width: 1600, height: 900 }
    const page = await openPage({ javaScriptEnabled: false, locale: "en", viewport })
    await page
      .context()
      .addCookies([...cookies].map(([name, value]) => ({ name, value, url: program.url })))
    for (const { path } of visits) {
      if (path.includes("?") || path.endsWith("/report")) continue
      await page.goto(`${program.url}${path}`)
      if ((await bar(page).count()) === 0) continue
      kinds.push(kindOf(path))
      for (const problem of await tryList(page, `${program.url}${path}`))
        problems.push(`${path}: ${problem}`)
    }
  }
  expect(problems).toEqual([])
  expect(kinds).toContain("/console/purchases")
})
