/**
 * On a phone of 320 px nothing scrolls sideways, nothing is cut off, and no control is too small. Languages
 * take turns from page to page; `npm run soak -- pages` sees every page in both.
 */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { type BrowserVisits, openBrowserVisits } from "../../harness/browser/browser-visits.ts"
import {
  errorStatuses,
  invite,
  showConfirmPage,
  showErrorPage,
  showLinkPage,
  showSuspendedPage,
} from "../../harness/browser/extra-pages.ts"
import { stops } from "../../harness/browser/pages.ts"
import { findCutTexts, findSmallTargets, widthOf } from "../../harness/measures.ts"

type Locale = "en" | "tr"
type Visit = (page: Page, locale: Locale) => Promise<unknown>

const viewport = { width: 320, height: 740 }
const fitting = { width: 320, cutTexts: [], smallTargets: [] }
let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

const isEveryWay = process.env.PAZAR_TEST_EVERY_WAY === "1"
let pages = 0

function testPages(name: string, isPublic: boolean, visit: Visit): void {
  pages += 1
  const locales: readonly Locale[] = isEveryWay ? ["en", "tr"] : [pages % 2 === 0 ? "en" : "tr"]
  test.each(locales)(`fits a phone: ${name} (%s)`, async (locale) => {
    expect(await measure(locale)).toEqual(fitting)
  })

  async function measure(locale: Locale) {
    const page = await visits.reusePage(!isPublic, { locale, viewport })
    await visit(page, locale)
    return {
      width: await widthOf(page),
      cutTexts: await findCutTexts(page),
      smallTargets: await findSmallTargets(page),
    }
  }
}

for (const { name, isPublic = false, visit } of stops) {
  testPages(name, isPublic, (page) => visit(page, visits.url))
}

for (const status of errorStatuses) {
  testPages(`error ${status}`, true, (page, locale) =>
    showErrorPage(page, visits.url, status, locale),
  )
}

testPages("the password, asked for again", true, (page) => showConfirmPage(page, visits.program))
testPages("another author's sign-in link", true, (page) => showLinkPage(page, visits.program))
testPages("suspended", true, (page) => showSuspendedPage(page, visits.program))

testPages("invitation", true, async (page) => {
  await page.goto(visits.url + (await invite(visits.program, "marcus")))
})

for (const path of ["/workspace", "/workspace/items/1001", "/workspace/settings/keys"]) {
  testPages(`${path}, all unfolded`, false, async (page) => {
    await page.goto(`${visits.url}${path}`)
    for (const summary of await page.locator("summary").all()) await summary.click()
  })
}

test("the numbers of the chart can be read on a phone", async () => {
  const page = await visits.visitSignedIn({ viewport })
  await page.goto(`${visits.url}/workspace`)
  const heights = await page
    .locator(".plot span")
    .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().height))
  expect(Math.min(...heights)).toBeGreaterThan(11)
})

test("both languages are offered on a phone", async () => {
  const page = await visits.visitSignedIn({ viewport: { width: 360, height: 740 } })
  await page.goto(`${visits.url}/workspace/settings/language`)
  const boxes = await page
    .locator("main label", { has: page.locator("input[name=locale]") })
    .evaluateAll((labels) => labels.map((label) => label.getBoundingClientRect().toJSON()))
  const isInside = boxes.map(({ left, right, height }) => left >= 0 && right <= 360 && height > 20)
  expect(isInside).toEqual([true, true])
})

test("the header takes at most 120 px of a phone, and its menu leads everywhere", async () => {
  const page = await visits.visitSignedIn({ viewport, locale: "tr" })
  await page.goto(`${visits.url}/workspace`)
  const header = await page.locator("header").boundingBox()
  const before = await page.locator(".rail nav a:visible").count()
  await page.getByRole("button", { name: "Menü" }).click()
  const links = await page.locator(".rail nav a:visible").count()
  const all = await page.locator(".rail nav a").count()
  await page.getByRole("link", { name: "Ürünler" }).first().click()
  await page.waitForURL(`${visits.url}/workspace/items`)
  expect([before, links]).toEqual([0, all])
  expect(header?.height).toBeLessThanOrEqual(120)
})

test("the menu opens without the script too", async () => {
  const page = await visits.visitSignedIn({ viewport, javaScriptEnabled: false })
  await page.goto(`${visits.url}/workspace`)
  await page.getByRole("button", { name: "Menu" }).click()
  await page.getByRole("link", { name: "Settings" }).click()
  await page.waitForURL(/\/workspace\/settings\/profile$/)
})

test("a button stays beside its field when there is an error", async () => {
  const page = await visits.visitSignedIn({ viewport: { width: 1280, height: 740 } })
  await page.goto(`${visits.url}/workspace/check`)
  const measure = async () => {
    const field = await page.locator("#purchase_code").boundingBox()
    const button = await page.locator("main button[type=submit]").boundingBox()
    return Math.round((button?.y ?? 0) - (field?.y ?? 0))
  }
  const before = await measure()
  await page.locator("main button[type=submit]").click()
  await page.locator(".error").waitFor()
  expect([before, await measure()]).toEqual([0, 0])
})
