import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { dictionaries } from "../../../../src/platform/pages/translations/texts.ts"
import { type BrowserVisits, openBrowserVisits } from "../../../harness/browser/browser-visits.ts"
import { textOf } from "../../../harness/browser/page-measurements.ts"

const { en } = dictionaries
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
  await page.getByLabel(en.items.search).fill("la")
  await press(page, en.lists.apply)
  const found = await namesOf(page)
  await page.getByLabel(en.items.search).fill("")
  await press(page, en.lists.apply)
  await page.getByRole("link", { name: en.columns.item, exact: true }).click()
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
    await page.getByLabel(en.check.label).fill(code)
    await press(page, en.check.submit)
    return page.locator("main .notice, main .hint, main .error").allTextContents()
  }
  const responses = [
    await check(" 8F14E45F–CEEA–467F–9B2C–1D6F0A7C3E21 "),
    await check("no-such-code"),
    await check(""),
  ]
  const { results, licenses, explanations, problems } = en.check
  expect(responses).toEqual([
    [
      `${results.valid} · Anadolu · ${licenses.Regular}`,
      en.sites.ownLimitHint,
      en.sites.releaseHint,
    ],
    [`${results.unknown}${explanations.unknown}`],
    [problems.empty],
  ])
})

test("a validation key is created for the selected items only", async () => {
  const page = await visits.visitSignedIn(plain)
  await page.goto(`${visits.url}/workspace/elif/settings/keys/new`)
  const { choices, some, badItems } = en.keys.new
  const { create } = en.keys.confirm.submit
  await page.getByLabel(choices.vk).check()
  await page.locator("#name").fill("Theme")
  await page.getByLabel(some).check()
  await page.getByRole("button", { name: create }).click()
  const error = await textOf(page.locator(".error"))
  await page.getByLabel("Anadolu").check()
  await page.getByRole("button", { name: create }).click()
  const secret = await textOf(page.locator("[data-secret]"))
  const { store, keyCipher } = visits.program.app
  const key = await store.keys.findByLookup(keyCipher.lookup(secret))
  expect({ error, kind: key?.kind, itemIds: key?.itemIds }).toEqual({
    error: badItems,
    kind: "vk",
    itemIds: [1001],
  })
})
