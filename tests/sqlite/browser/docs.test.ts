/** The documentation in a browser: tabs, copying, running, searching, and a narrow phone. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { guides } from "../../../src/http/docs/texts.ts"
import { type BrowserVisits, openBrowserVisits } from "../../harness/browser/browser-visits.ts"
import { findCutTexts, findSmallTargets, textOf, widthOf } from "../../harness/measures.ts"

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
    const page = await open(await visits.visit(plain))
    const shown = async () => sampleOf(page, "validate_purchase").getAttribute("data-sample")
    const first = await shown()
    await tabOf(page, "validate_purchase", "PHP").click()
    expect([first, await shown()]).toEqual(["validate_purchase curl", "validate_purchase php"])
  })

  test("nothing is offered that would not work", async () => {
    const page = await open(await visits.visit(plain))
    expect(await page.locator("main button:visible, input[type=search]:visible").count()).toBe(0)
  })

  test("the index leads to a section, and an answer unfolds", async () => {
    const page = await open(await visits.visit(plain))
    await page.getByRole("link", { name: "Test codes" }).first().click()
    expect(new URL(page.url()).hash).toBe("#test-codes")
    const answer = page.locator("#read_item details", { hasText: "404" })
    await answer.locator("summary").click()
    expect(await textOf(answer.locator("pre"))).toContain("Item Not Found")
  })
})

test("a chosen language is shown in every sample, and remembered", async () => {
  const page = await open(await visits.visit())
  await tabOf(page, "list_items", "Python").click()
  const shown = () =>
    page
      .locator(".sample-panel:visible code")
      .evaluateAll((codes) => codes.map((code) => code.getAttribute("data-sample")?.split(" ")[1]))
  const chosen = new Set(await shown())
  await page.reload()
  expect([chosen, new Set(await shown())]).toEqual([new Set(["python"]), new Set(["python"])])
})

test("the arrow keys go from tab to tab", async () => {
  const page = await open(await visits.visit())
  await page.locator("#read_item .sample input:checked").focus()
  await page.keyboard.press("ArrowRight")
  expect(await sampleOf(page, "read_item").getAttribute("data-sample")).toBe("read_item php")
})

test("a sample is copied as it is shown", async () => {
  const permissions = ["clipboard-read", "clipboard-write"]
  const page = await open(await visits.visit({ permissions }))
  await tabOf(page, "validate_purchase", "PHP").click()
  await page.locator("#validate_purchase .sample button").click()
  await page.getByRole("button", { name: "Copied" }).waitFor()
  const copied = await page.evaluate<string>("navigator.clipboard.readText()")
  expect(copied).toBe((await sampleOf(page, "validate_purchase").textContent()) ?? "")
})

describe("Run", () => {
  test.each([
    ["en", "200 ok", "404 revoked_code", "success"],
    ["tr", "200 ok", "404 revoked_code", "başarılı"],
  ])("%s: shows status, reason and body", async (locale, valid, revoked, word) => {
    const page = await open(await visits.visit({ locale }))
    const run = page.locator("#validate_purchase .run")
    const ask = async (code: string, status: string) => {
      await run.locator("select").selectOption(code)
      await run.locator("button").click()
      await run.locator("[role=status]", { hasText: status }).waitFor()
      return JSON.parse((await run.locator("pre code").textContent()) ?? "")
    }
    const good = await ask("test-regular", valid)
    expect([good.status, good.data.purchase.purchase_code]).toEqual([word, "test-regular"])
    expect(Object.keys(await ask("test-revoked", revoked))).toEqual(["status", "msg"])
  })

  test("says so when no answer comes", async () => {
    const page = await open(await visits.visit())
    await page.route("**/api/**", (route) => route.abort())
    await page.locator("#read_account .run button").click()
    await page.locator("#read_account [role=status]", { hasText: "No answer came." }).waitFor()
    expect(await page.locator("#read_account .run pre").isVisible()).toBe(false)
  })

  test("every operation answers 200", async () => {
    const page = await open(await visits.visit())
    for (const run of await page.locator(".run").all()) {
      await run.locator("button").click()
      await run.locator("[role=status]", { hasText: "200 ok" }).waitFor()
    }
  })
})

test("the search goes through the text of the sections", async () => {
  const page = await open(await visits.visit())
  const search = async (text: string) => {
    await page.getByRole("searchbox").fill(text)
    return page.locator(".docs-index li a:visible").allTextContents()
  }
  expect(await search("pazar-question")).toEqual(["Requests from web pages", "Signed answers"])
  expect(await search("ENVATO")).toContain("Move from Envato")
  expect(await search("zzzz")).toEqual([])
  expect(await page.getByText("Nothing matches.").isVisible()).toBe(true)
})

test.each(["en", "tr"])("%s: fits a phone of 320 px, all unfolded", async (locale) => {
  const page = await visits.visit({ locale, viewport: { width: 320, height: 640 } })
  for (const path of ["/docs", ...guides.map(({ id }) => `/docs/${id}`)]) {
    await open(page, path)
    await page.evaluate(
      "document.querySelectorAll('details').forEach((one) => { one.open = true })",
    )
    const [width, cutTexts] = [await widthOf(page), await findCutTexts(page)]
    const smallTargets = await findSmallTargets(page)
    expect({ path, width, cutTexts, smallTargets }).toEqual({
      path,
      width: 320,
      cutTexts: [],
      smallTargets: [],
    })
  }
})
