import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { inLocale, t } from "../../src/platform/t.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"

const viewport = { width: 320, height: 740 }
let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

test("the header is at most 120 px high on a phone, and its menu links to every page", async () => {
  const page = await visits.visitSignedIn({ viewport, locale: "tr" })
  await page.goto(`${visits.url}/workspace/elif`)
  const header = await page.locator("header").boundingBox()
  const before = await page.locator("#menu > nav a:visible").count()
  await page.getByRole("button", { name: inLocale("tr", () => t("Menu")) }).click()
  const links = await page.locator("#menu > nav a:visible").count()
  const all = await page.locator("#menu > nav a").count()
  await page
    .getByRole("link", { name: inLocale("tr", () => t("Items")) })
    .first()
    .click()
  await page.waitForURL(`${visits.url}/workspace/elif/items`)
  expect([before, links]).toEqual([0, all])
  expect(header?.height).toBeLessThanOrEqual(120)
})

test("the menu opens without the script too", async () => {
  const page = await visits.visitSignedIn({ viewport, javaScriptEnabled: false })
  await page.goto(`${visits.url}/workspace/elif`)
  await page.getByRole("button", { name: "Menu" }).click()
  await page.getByRole("link", { name: "Settings" }).click()
  await page.waitForURL(/\/workspace\/elif\/settings$/)
})
