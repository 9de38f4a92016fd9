import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { textOf } from "../harness/browser/page-measurements.ts"

const plain = { javaScriptEnabled: false }
let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click()
  await page.waitForLoadState()
}
const namesOf = (page: Page) => page.locator("#results td:first-child a").allTextContents()

test("items are searched and sorted", async () => {
  const page = await visits.visitSignedIn(plain)
  await page.goto(`${visits.url}/workspace/elif/items`)
  await page.getByLabel("Search by name or ID").fill("la")
  await press(page, "Apply")
  const found = await namesOf(page)
  await page.getByLabel("Search by name or ID").fill("")
  await press(page, "Apply")
  await page.getByRole("link", { name: "Item", exact: true }).click()
  const sorted = await namesOf(page)
  expect({ found, sorted }).toEqual({
    found: ["Lale (old edition)"],
    sorted: [
      ...["Anadolu", "Boğaziçi Admin", "Fatura", "İstanbul'da Şafak", "Kilim UI Kit"],
      ...["Lale (old edition)", "Ney ve Bendir"],
    ],
  })
})

test("a code is checked in any notation", async () => {
  const page = await visits.visitSignedIn(plain)
  await page.goto(`${visits.url}/workspace/elif/check`)
  const check = async (code: string) => {
    await page.getByLabel("Purchase code, or a message that contains one").fill(code)
    await press(page, "Check")
    return page.locator("main .notice, main .hint, main .error").allTextContents()
  }
  const responses = [
    await check(" 8F14E45F–CEEA–467F–9B2C–1D6F0A7C3E21 "),
    await check("no-such-code"),
    await check(""),
  ]
  expect(responses).toEqual([
    [
      `Valid · Anadolu · Regular`,
      "Leave empty to apply the site limit of the item.",
      "A released site is activated again by its next validation, while a slot is free. Test sites and unused ones, not seen for 30 days, take no slot.",
    ],
    [
      `Unknown codeNo purchase of your items has this code. If you pasted a message, paste only the code. Or ask the buyer to copy it again from the order e-mail.`,
    ],
    ["Paste a code first."],
  ])
})

test("a validation key is created for the selected items only", async () => {
  const page = await visits.visitSignedIn(plain)
  await page.goto(`${visits.url}/workspace/elif/settings/keys/new`)
  await page.getByLabel("A product I sell").check()
  await page.locator("#name").fill("Theme")
  await page.getByLabel("Only these:").check()
  await page.getByRole("button", { name: "Create key" }).click()
  const error = await textOf(page.locator(".error"))
  await page.getByLabel("Anadolu").check()
  await page.getByRole("button", { name: "Create key" }).click()
  const secret = await textOf(page.locator("[data-secret]"))
  const { store, keyCipher } = visits.program.app
  const key = await store.keys.findByLookup(keyCipher.lookup(secret))
  expect({ error, kind: key?.kind, itemIds: key?.itemIds }).toEqual({
    error: "Choose at least one of your own items.",
    kind: "vk",
    itemIds: [1001],
  })
})
