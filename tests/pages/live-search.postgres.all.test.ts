import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { textOf } from "../harness/browser/page-measurements.ts"
import { signIn } from "../harness/browser/page-visits.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"

let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

async function openItems(): Promise<Page> {
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace/elif/items`)
  return page
}

const names = (page: Page) => page.locator("#results td:first-child a")
const untilOneName = (page: Page) => names(page).nth(1).waitFor({ state: "detached" })

test("results change while typing, and the focus stays", async () => {
  const page = await openItems()
  await page.evaluate("window.isSamePage = true")
  await page.locator("#list [name=q]").click()
  await page.keyboard.type("Anad", { delay: 30 })
  await untilOneName(page)
  // "Ana" finds the same name: wait for the response to all four letters.
  await page.waitForURL(/[?]q=Anad$/)
  await page.keyboard.press("ArrowLeft")
  await page.keyboard.press("Backspace")
  // Slow typing also sends requests for the first letters.
  const received = page.waitForResponse(/[?]q=Anad$/)
  await page.keyboard.type("a")
  await received
  await page.waitForURL(/[?]q=Anad$/)
  const state = await page.evaluate(`({
    isSamePage: window.isSamePage,
    focused: document.activeElement.name,
    typed: document.activeElement.value,
    address: location.pathname + location.search,
  })`)
  expect({ found: await names(page).allTextContents(), state }).toEqual({
    found: ["Anadolu"],
    state: {
      isSamePage: true,
      focused: "q",
      typed: "Anad",
      address: "/workspace/elif/items?q=Anad",
    },
  })
})

test("a head sorts the list", async () => {
  const page = await openItems()
  await page.getByRole("link", { name: "Item", exact: true }).click()
  await page.waitForURL(/sort=name/)
  expect(await names(page).first().textContent()).toBe("Anadolu")
})

test("an empty result is announced to screen readers", async () => {
  const page = await openItems()
  const before = await page.locator("#results[aria-live=polite]").elementHandle()
  await page.locator("#list [name=q]").fill("zzz")
  await page.locator("#results .empty").waitFor()
  const isSameElement = await before?.evaluate((place) => place.isConnected)
  const text = await textOf(page.locator("#results"))
  expect({ text, isSameElement }).toEqual({
    text: "No results match this filter.",
    isSameElement: true,
  })
})

test("a signed-out author signs in and returns to the search", async () => {
  await givePassword(visits.program, "marcus")
  const page = await visits.visit()
  await signIn(page, visits.url, "marcus")
  await page.goto(`${visits.url}/workspace/marcus/items`)
  await givePassword(visits.program, "marcus")
  await page.locator("#list [name=q]").fill("x")
  await page.waitForURL(`${visits.url}/login?**`)
  const next = new URL(page.url()).searchParams.get("next")
  expect(next).toBe("/workspace/marcus/items?q=x")
})
