/** Every form with JavaScript off. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { catalogues } from "../../../../src/http/pages/view.ts"
import { type BrowserVisits, openBrowserVisits } from "../../../harness/browser/browser-visits.ts"
import { signIn } from "../../../harness/browser/pages.ts"
import { givePassword, samplePassword } from "../../../harness/browser/sample-workspace.ts"
import { textOf } from "../../../harness/measures.ts"

const { en, tr } = catalogues
const plain = { javaScriptEnabled: false }
const nextPassword = "zeytin rüzgâr merdiven"
let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

/** Presses it, and waits until the next page is whole. */
async function press(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name, exact: true }).click()
  await page.waitForLoadState()
}
const namesOf = (page: Page) => page.locator("#results td:first-child a").allTextContents()
const noticeOf = (page: Page) => textOf(page.locator("main [role=status]"))

/** Marcus in two browsers, so that Elif's account stays as it is. */
async function visitTwiceAsMarcus(): Promise<readonly [Page, Page]> {
  await givePassword(visits.program, "marcus")
  const pages = [await visits.visit(plain), await visits.visit(plain)] as const
  for (const page of pages) await signIn(page, visits.url, "marcus")
  return pages
}

test("items are searched and sorted", async () => {
  const page = await visits.visitSignedIn(plain)
  await page.goto(`${visits.url}/workspace/items`)
  await page.getByLabel(en.items.search).fill("la")
  await press(page, en.search.title)
  const found = await namesOf(page)
  await page.getByLabel(en.items.search).fill("")
  await page.getByLabel(en.items.sort).selectOption("name")
  await press(page, en.search.title)
  const sorted = await namesOf(page)
  expect({ found, sorted }).toEqual({
    found: ["Lale (old edition)"],
    sorted: [
      ...["Anadolu", "Boğaziçi Admin", "Fatura", "İstanbul'da Şafak", "Kilim UI Kit"],
      ...["Lale (old edition)", "Ney ve Bendir"],
    ],
  })
})

test("a code is checked, and the page says what was removed from it", async () => {
  const page = await visits.visitSignedIn(plain)
  await page.goto(`${visits.url}/workspace/check`)
  const check = async (code: string) => {
    await page.getByLabel(en.check.label).fill(code)
    await press(page, en.check.submit)
    return page.locator("main .notice, main .hint, main .error").allTextContents()
  }
  const answers = [
    await check(" 8F14E45F–CEEA–467F–9B2C–1D6F0A7C3E21 "),
    await check("no-such-code"),
    await check(""),
  ]
  const { results, licences, cleaned, cleanings, explanations, problems } = en.check
  const removed = [cleanings.blanks, cleanings.dashes, cleanings.case]
  expect(answers).toEqual([
    [`${results.valid} · Anadolu · ${licences.Regular}`, cleaned(removed)],
    [`${results.unknown}${explanations.unknown}`],
    [problems.blank],
  ])
})

test("a key is renamed", async () => {
  const page = await visits.visitSignedIn(plain)
  await page.goto(`${visits.url}/workspace/settings/keys`)
  await page.getByRole("link", { name: "Support desk" }).click()
  await page.locator("#name").fill("Help desk")
  await page.getByRole("button", { name: en.keys.one.rename }).click()
  const heading = await textOf(page.locator("main h1"))
  expect([await noticeOf(page), heading]).toEqual([en.keys.one.renamed, "Help desk"])
})

test("a validation key is made for chosen items only", async () => {
  const page = await visits.visitSignedIn(plain)
  await page.goto(`${visits.url}/workspace/settings/keys/new`)
  const { choices, some, badItems } = en.keys.new
  const { create } = en.keys.confirm.submit
  await page.getByLabel(choices.vk).check()
  await page.locator("#name").fill("Theme")
  await page.getByLabel(some).check()
  await page.getByRole("button", { name: create }).click()
  const refusal = await textOf(page.locator(".error"))
  await page.getByLabel("Anadolu").check()
  await page.getByRole("button", { name: create }).click()
  const secret = await textOf(page.locator("[data-secret]"))
  const { store, vault } = visits.program.app
  const key = await store.keys.findByLookup(vault.lookup(secret))
  expect({ refusal, kind: key?.kind, itemIds: key?.itemIds }).toEqual({
    refusal: badItems,
    kind: "vk",
    itemIds: [1001],
  })
})

test("the language is changed, and stays with the account", async () => {
  const [here, elsewhere] = await visitTwiceAsMarcus()
  await here.goto(`${visits.url}/workspace/settings/language`)
  await here.getByLabel(tr.language).check()
  await here.getByRole("button", { name: en.save }).click()
  const notice = await noticeOf(here)
  await elsewhere.reload()
  const heading = await textOf(elsewhere.locator("h1"))
  await elsewhere.goto(`${visits.url}/workspace/settings/language`)
  await elsewhere.getByLabel(en.language).check()
  await elsewhere.getByRole("button", { name: tr.save }).click()
  const back = await noticeOf(elsewhere)
  expect({ notice, heading, back }).toEqual({
    notice: tr.languagePage.saved,
    heading: tr.overview.title,
    back: en.languagePage.saved,
  })
})

test("a new password signs out every other browser", async () => {
  const [page, elsewhere] = await visitTwiceAsMarcus()
  await page.goto(`${visits.url}/workspace/settings/security`)
  const change = async (current: string, repeat: string) => {
    await page.locator("#current").fill(current)
    await page.locator("#password").fill(nextPassword)
    await page.locator("#repeat").fill(repeat)
    await page.getByRole("button", { name: en.security.password }).click()
    return textOf(page.locator("main .error, main [role=status]"))
  }
  const said = [
    await change("not this one", nextPassword),
    await change(samplePassword, "something else"),
    await change(samplePassword, nextPassword),
  ]
  await page.reload()
  await elsewhere.reload()
  expect({ said, here: page.url(), elsewhere: elsewhere.url() }).toEqual({
    said: [en.passwordProblems.wrong, en.passwordProblems.different, en.security.changed],
    here: `${visits.url}/workspace/settings/security?done=password`,
    elsewhere: `${visits.url}/login?next=%2Fworkspace`,
  })
})

test("signing out everywhere ends the sessions of all browsers", async () => {
  const [here, elsewhere] = await visitTwiceAsMarcus()
  await here.goto(`${visits.url}/workspace/settings/security`)
  await here.locator("summary", { hasText: en.security.signOutAll }).click()
  await here.getByRole("button", { name: en.security.signOutAll }).click()
  await elsewhere.reload()
  const login = `${visits.url}/login`
  expect([here.url(), elsewhere.url()]).toEqual([
    `${login}?done=signed_out`,
    `${login}?next=%2Fworkspace`,
  ])
})
