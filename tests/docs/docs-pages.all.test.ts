/** The documentation in a browser: tabs, copying, running and searching. */

import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { inLocale, t } from "../../src/platform/t.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { copyBy } from "../harness/browser/copy-button.ts"
import { textOf } from "../harness/browser/page-measurements.ts"

/** The status line of a response or sample response. */
const lineOf = (title: string, status: string) => new RegExp(`^${RegExp.escape(title)} ${status}`)

let visits: BrowserVisits
beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

const tabOf = (page: Page, name: string) =>
  page.locator("label.tab", { hasText: new RegExp(`^${name}$`) })

async function open(page: Page, path = "/docs"): Promise<Page> {
  await page.goto(`${visits.url}${path}`)
  return page
}

describe("without script", () => {
  const plain = { javaScriptEnabled: false }

  test("nothing is offered that would not work", async () => {
    const page = await open(await visits.reusePage(false, plain))
    expect(await page.locator("main button:visible").count()).toBe(0)
  })

  test("the search is a page", async () => {
    const page = await open(await visits.reusePage(false, plain))
    await page.getByRole("searchbox").fill("grace period")
    await page.getByRole("searchbox").press("Enter")
    await page.locator("main .results a[href='/docs/offline']").click()
    expect(new URL(page.url()).pathname).toBe("/docs/offline")
  })
})

test("a chosen language is remembered on every page", async () => {
  const page = await open(await visits.reusePage(false))
  await tabOf(page, "Python").click()
  const shown = () =>
    page
      .locator(".sample-panel:visible code")
      .evaluateAll((codes) => codes.map((code) => code.getAttribute("data-sample")?.split(" ")[1]))
  const chosen = new Set(await shown())
  await open(page, "/docs/list_items")
  expect([chosen, new Set(await shown())]).toEqual([new Set(["python"]), new Set(["python"])])
})

test("a sample is copied as it is shown", async () => {
  const permissions = ["clipboard-read", "clipboard-write"]
  const page = await open(await visits.reusePage(false, { permissions }))
  await tabOf(page, "PHP").click()
  await copyBy(page.locator(".sample > button"))
  const copied = await page.evaluate<string>("navigator.clipboard.readText()")
  expect(copied).toBe((await page.locator(".sample-panel:visible code").textContent()) ?? "")
})

test("a sample in a text is copied as it is shown", async () => {
  const permissions = ["clipboard-read", "clipboard-write"]
  const page = await open(await visits.reusePage(false, { permissions }), "/docs/webhooks")
  const code = page.locator("article .code").first()
  await copyBy(code.locator("button"))
  const copied = await page.evaluate<string>("navigator.clipboard.readText()")
  expect(copied).toBe((await code.locator("pre").textContent()) ?? "")
})

describe("Run", () => {
  test.each([
    ["en", "success"],
    ["tr", "başarılı"],
  ] as const)("%s: shows the response in place of the sample", async (locale, apiStatus) => {
    const page = await open(await visits.reusePage(false, { locale }))
    const run = page.locator(".run")
    const validate = async (code: string, status: string) => {
      await run.locator("select").selectOption(code)
      await run.locator(".actions button").click()
      await run
        .locator("[role=status]", {
          hasText: lineOf(
            inLocale(locale, () => t("Response")),
            status,
          ),
        })
        .waitFor()
      expect(await run.locator("pre").count()).toBe(1)
      return JSON.parse((await run.locator("pre code").textContent()) ?? "")
    }
    expect(await textOf(run.locator("[role=status]"))).toBe(
      `${inLocale(locale, () => t("Sample response"))} 200 ok`,
    )
    expect(Object.keys(await validate("test-revoked", "404 revoked_code"))).toEqual([
      "status",
      "msg",
    ])
    await validate("test-site-limit", "404 site_limit")
    const valid = await validate("test-regular", "200 ok")
    expect([valid.status, valid.data.purchase.purchase_code]).toEqual([apiStatus, "test-regular"])
  })

  test("reports a failed request", async () => {
    const page = await open(await visits.reusePage(false), "/docs/read_account")
    const run = page.locator(".run")
    await page.route("**/api/**", (route) => route.abort())
    await run.locator(".actions button").click()
    await run.locator("[role=status]", { hasText: "The request failed: no response." }).waitFor()
    const parts = run.locator("pre, .pill, [role=status] code")
    expect(await parts.count()).toBe(3)
    expect(await parts.filter({ visible: true }).count()).toBe(0)
    await page.unroute("**/api/**")
    await run.locator(".actions button").click()
    await run.locator("[role=status]", { hasText: lineOf("Response", "200 ok") }).waitFor()
    expect(await parts.filter({ visible: true }).count()).toBe(3)
  })
})

test("results replace the index while the reader types", async () => {
  const page = await open(await visits.reusePage(false), "/docs/ship-a-key")
  const results = page.locator(".docs-index .results li > a:first-child")
  const entries = page.locator(".docs-index .index-group li:visible")
  const search = async (text: string) => {
    const response = page.waitForResponse((each) => each.url().includes("/docs/search"))
    await page.getByRole("searchbox").fill(text)
    await response
  }
  await search("rate limit")
  await results.first().waitFor()
  expect(await results.first().getAttribute("href")).toBe("/docs/rate-limits")
  expect(await entries.count()).toBe(0)
  await search("zzzz")
  await page.getByText("No page matches.").waitFor()
  await search("")
  await entries.first().waitFor()
  expect(await results.count()).toBe(0)
})
