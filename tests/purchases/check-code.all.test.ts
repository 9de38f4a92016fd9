import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { textOf } from "../harness/browser/page-measurements.ts"

const code = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"
let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

test("from the overview: one click, the message pasted, Enter; then the next code without a click", async () => {
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace/elif`)
  await page.locator("a[href='/workspace/elif/check']").first().click()
  await page.waitForURL(`${visits.url}/workspace/elif/check`)
  const field = page.locator("#purchase_code:focus")
  await field.waitFor()
  await page.keyboard.insertText(`Hi, my code is ${code} thanks`)
  await page.keyboard.press("Enter")
  const first = await textOf(page.locator("#result h2"))
  await page.waitForLoadState()
  await field.waitFor()
  await page.keyboard.insertText("aab32389-22bc-425a-af60-6eb525ffdc56")
  await page.keyboard.press("Enter")
  await page.locator("#result h2", { hasText: "Refunded" }).waitFor()
  const second = await textOf(page.locator("#result h2"))
  expect({ first, second }).toEqual({
    first: `Valid · Anadolu · Regular`,
    second: `Refunded · Fatura · Regular`,
  })
})
