/** The documentation in a browser: tabs, copying, running and searching. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { catalogues } from "../../../src/http/pages/view.ts"
import { until } from "../../contracts/until.ts"
import { type BrowserVisits, openBrowserVisits } from "../../harness/browser/browser-visits.ts"
import { copyBy } from "../../harness/browser/copy-button.ts"
import { operationPaths } from "../../harness/browser/docs-paths.ts"
import { textOf } from "../../harness/measures.ts"

const { docs } = catalogues.en
/** What the line above an answer says, whether the answer is a sample or not. */
const lineOf = (title: string, status: string) => new RegExp(`^${RegExp.escape(title)} ${status}`)

let visits: BrowserVisits
beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

const sampleOf = (page: Page, id: string) => page.locator(`#${id} .sample-panel:visible code`)
const tabOf = (page: Page, id: string, name: string) =>
  page.locator(`#${id} label.tab`, { hasText: name })

async function open(page: Page, path = "/docs"): Promise<Page> {
  await page.goto(`${visits.url}${path}`)
  return page
}

describe("without script", () => {
  const plain = { javaScriptEnabled: false }

  test("a tab shows its sample, and only that", async () => {
    const page = await open(await visits.reusePage(false, plain))
    const shown = async () => sampleOf(page, "validate_purchase").getAttribute("data-sample")
    const first = await shown()
    await tabOf(page, "validate_purchase", "PHP").click()
    expect([first, await shown()]).toEqual(["validate_purchase curl", "validate_purchase php"])
  })

  test("nothing is offered that would not work", async () => {
    const page = await open(await visits.reusePage(false, plain))
    expect(await page.locator("main button:visible, input[type=search]:visible").count()).toBe(0)
  })

  test("the index leads to a page, and an answer unfolds", async () => {
    const page = await open(await visits.reusePage(false, plain))
    await page.locator(".docs-index a[href='/docs/read_item']").click()
    await page.waitForURL("**/docs/read_item")
    const answer = page.locator("#read_item details", { hasText: "404" })
    await answer.locator("summary").click()
    expect(await textOf(answer.locator("pre"))).toContain("Item Not Found")
  })
})

test("a chosen language is remembered on every page", async () => {
  const page = await open(await visits.reusePage(false))
  await tabOf(page, "validate_purchase", "Python").click()
  const shown = () =>
    page
      .locator(".sample-panel:visible code")
      .evaluateAll((codes) => codes.map((code) => code.getAttribute("data-sample")?.split(" ")[1]))
  const chosen = new Set(await shown())
  await open(page, "/docs/list_items")
  expect([chosen, new Set(await shown())]).toEqual([new Set(["python"]), new Set(["python"])])
})

test("the arrow keys go from tab to tab", async () => {
  const page = await open(await visits.reusePage(false), "/docs/read_item")
  await page.locator("#read_item .sample input:checked").focus()
  await page.keyboard.press("ArrowRight")
  expect(await sampleOf(page, "read_item").getAttribute("data-sample")).toBe("read_item php")
})

test("a sample is copied as it is shown", async () => {
  const permissions = ["clipboard-read", "clipboard-write"]
  const page = await open(await visits.reusePage(false, { permissions }))
  await tabOf(page, "validate_purchase", "PHP").click()
  await copyBy(page.locator("#validate_purchase .sample button"))
  const copied = await page.evaluate<string>("navigator.clipboard.readText()")
  expect(copied).toBe((await sampleOf(page, "validate_purchase").textContent()) ?? "")
})

describe("Run", () => {
  test.each([
    ["en", "success"],
    ["tr", "başarılı"],
  ] as const)("%s: puts the answer in place of the sample", async (locale, word) => {
    const { sampleAnswer, success } = catalogues[locale].docs
    const page = await open(await visits.reusePage(false, { locale }))
    const run = page.locator("#validate_purchase .run")
    const ask = async (code: string, status: string) => {
      await run.locator("select").selectOption(code)
      await run.locator("button").click()
      await run.locator("[role=status]", { hasText: lineOf(success, status) }).waitFor()
      expect(await run.locator("pre").count()).toBe(1)
      return JSON.parse((await run.locator("pre code").textContent()) ?? "")
    }
    expect(await textOf(run.locator("[role=status]"))).toBe(`${sampleAnswer} 200 ok`)
    expect(Object.keys(await ask("test-revoked", "404 revoked_code"))).toEqual(["status", "msg"])
    const good = await ask("test-regular", "200 ok")
    expect([good.status, good.data.purchase.purchase_code]).toEqual([word, "test-regular"])
  })

  test("an answer has the colours of the sample, and the pill that of its status", async () => {
    const page = await open(await visits.reusePage(false), "/docs/read_item")
    const run = page.locator(".run")
    const look = () =>
      Promise.all([run.locator("pre").innerHTML(), run.locator(".pill").innerHTML()])
    const before = await look()
    await run.locator("button").click()
    await run.getByText(docs.success, { exact: true }).waitFor()
    const pill = run.locator(".pill")
    expect([await look(), await pill.getAttribute("class")]).toEqual([before, "pill good"])
    await run.locator("select").selectOption("4")
    await run.locator("button").click()
    await run.getByText("unknown_item").waitFor()
    expect(await pill.getAttribute("class")).toBe("pill danger")
  })

  test("says so when no answer comes", async () => {
    const page = await open(await visits.reusePage(false), "/docs/read_account")
    const run = page.locator(".run")
    await page.route("**/api/**", (route) => route.abort())
    await run.locator("button").click()
    await run.locator("[role=status]", { hasText: docs.runFailed }).waitFor()
    const parts = run.locator("pre, .pill, [role=status] code")
    expect(await parts.count()).toBe(3)
    expect(await parts.filter({ visible: true }).count()).toBe(0)
    await page.unroute("**/api/**")
    await run.locator("button").click()
    await run.locator("[role=status]", { hasText: lineOf(docs.success, "200 ok") }).waitFor()
    expect(await parts.filter({ visible: true }).count()).toBe(3)
  })

  test("every operation that offers it answers 200", async () => {
    const page = await visits.reusePage(false)
    let runs = 0
    for (const path of operationPaths) {
      await open(page, path)
      for (const run of await page.locator(".run").all()) {
        await run.locator("button").click()
        const answered = { hasText: lineOf(docs.success, "200 ok") }
        await run.locator("[role=status]", answered).waitFor()
        runs += 1
      }
    }
    expect(runs).toBe(5)
  })
})

test("the search goes through the text of all pages", async () => {
  const page = await open(await visits.reusePage(false), "/docs/ship-a-key")
  const found = page.locator(".docs-index li > a:visible")
  const search = async (text: string, expected: readonly string[]) => {
    await page.getByRole("searchbox").fill(text)
    await page.waitForFunction(
      `document.querySelector(".docs-index li > a[href='${expected[0] ?? "/docs"}']").checkVisibility() === ${expected.length > 0}`,
    )
    return found.evaluateAll((links) => links.map((link) => link.getAttribute("href")))
  }
  const texts: Record<string, string> = JSON.parse(
    await (await fetch(`${visits.url}/docs/search.json`)).text(),
  )
  const guide = "/docs/survive-an-outage"
  const [line = ""] = texts[guide]?.split("\n").filter((each) => each.length > 60) ?? []
  for (const text of ["pazar-question", line.toUpperCase()]) {
    const wanted = text.toLowerCase()
    const holders = Object.keys(texts).filter((path) => texts[path]?.toLowerCase().includes(wanted))
    expect(holders.length).toBeWithin(1, 10)
    expect(await search(text, holders)).toEqual(holders)
  }
  expect(await search("zzzz", [])).toEqual([])
  expect(await page.getByText(docs.noMatch).isVisible()).toBe(true)
})

test("an author changes the language on the page, without script", async () => {
  const page = await visits.visitSignedIn({ javaScriptEnabled: false })
  await open(page, "/docs/keys")
  for (const locale of ["tr", "en"] as const) {
    await page.getByRole("button", { name: catalogues[locale].language }).click()
    await page.locator(`html[lang=${locale}]`).waitFor()
  }
  expect(new URL(page.url()).pathname).toBe("/docs/keys")
})

test("an old link to a part of the one page leads to the page of that part", async () => {
  const page = await open(await visits.reusePage(false), "/docs#signed-answers")
  await page.waitForURL("**/docs/signed-answers")
  await open(page, "/docs#guides")
  expect(await page.locator("#guides").isVisible()).toBe(true)
})

test("the index shows the page and marks the heading that is being read", async () => {
  const page = await visits.reusePage(false, { viewport: { width: 1280, height: 500 } })
  await open(page, "/docs/other-licence-checks")
  const current = page.locator(".index-headings [aria-current]")
  const [, second = "", ...others] = await page
    .locator(".index-headings a")
    .evaluateAll((links) => links.map((link) => link.getAttribute("href") ?? ""))
  const untilMarked = (href = "") =>
    page.locator(`.index-headings [aria-current][href="${href}"]`).waitFor()
  expect(await textOf(page.locator(".docs-index [aria-current=page]"))).toBe(
    await textOf(page.locator("h1")),
  )
  await page.locator(`main ${second} a`).click()
  await untilMarked(second)
  await page.keyboard.press("End")
  await untilMarked(others.at(-1))
  // A page that is still scrolling down may overlook the key.
  await until(async () => {
    await page.keyboard.press("Home")
    return (await current.count()) === 0 ? true : undefined
  })
})

test("the index is scrolled to the page", async () => {
  const page = await visits.reusePage(false, { viewport: { width: 1280, height: 500 } })
  await open(page, "/docs/objects")
  const box = await page.locator(".docs-index [aria-current=page]").boundingBox()
  expect(box?.y).toBeLessThan(500)
  expect(await page.evaluate("scrollY")).toBe(0)
})
