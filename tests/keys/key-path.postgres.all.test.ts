/** The contract's path to a key, with the labels that it names, in a real browser. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { inLocale, t } from "../../src/platform/t.ts"
import { secondsBefore } from "../../src/platform/time.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { textOf } from "../harness/browser/page-measurements.ts"
import { givePassword, samplePassword } from "../harness/browser/sample-workspace.ts"
import { account, item, purchase } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { until } from "../harness/until.ts"

type Language = "en" | "tr"
/** The contract defines only the English labels. */
const labels = {
  en: { settings: "Settings", access: /^API (Key|Access)$/ },
  tr: {
    settings: inLocale("tr", () => t("Settings")),
    access: inLocale("tr", () => t("API Access")),
  },
}
const worksEverywhere = [200, 200, 200, 200]
const rejectedEverywhere = [401, 401, 401, 401]

let visits: BrowserVisits
let authors = 0

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

async function welcomeAuthor() {
  authors += 1
  const author = { username: `author-${authors}`, itemId: 9000 + authors, code: `code-${authors}` }
  await visits.program.load([
    account(author.username),
    item(author.username, author.itemId),
    purchase(author.code, author.itemId),
  ])
  await givePassword(visits.program, author.username)
  return author
}

type Author = Awaited<ReturnType<typeof welcomeAuthor>>

async function enter(page: Page, { username }: Author, locale: Language): Promise<void> {
  await page.goto(`${visits.url}/login`)
  await page
    .getByLabel(
      inLocale(locale, () => t("Username or e-mail")),
      { exact: true },
    )
    .fill(username)
  await page
    .getByLabel(
      inLocale(locale, () => t("Password")),
      { exact: true },
    )
    .fill(samplePassword)
  await page
    .getByRole("button", { name: inLocale(locale, () => t("Sign in")), exact: true })
    .click()
}

async function openAccess(page: Page, locale: Language): Promise<void> {
  const { settings, access } = labels[locale]
  await page.getByRole("link", { name: settings, exact: true }).click()
  await page.locator("main section", { has: page.getByRole("heading", { name: access }) }).waitFor()
  await page
    .getByRole("link", { name: inLocale(locale, () => t("Manage keys")), exact: true })
    .click()
}

async function create(page: Page, locale: Language): Promise<string> {
  await page
    .getByRole("link", { name: inLocale(locale, () => t("Create a key # another")), exact: true })
    .click()
  await page.locator("#name").fill("My server")
  await page
    .getByRole("button", { name: inLocale(locale, () => t("Create key")), exact: true })
    .click()
  return readSecret(page)
}

const openKey = (page: Page) => page.locator("#results tbody a").first().click()
const readSecret = (page: Page) => textOf(page.locator("[data-secret]"))
const clipboardOf = (page: Page) => page.evaluate<string>("navigator.clipboard.readText()")

async function sendAll(key: string, { itemId, code }: Author): Promise<readonly number[]> {
  const headers = { "X-Api-Key": key }
  const api = `${visits.url}/api`
  const responses = await Promise.all([
    fetch(`${api}/account/details`, { headers }),
    fetch(`${api}/items/all`, { headers }),
    fetch(`${api}/items/item?item_id=${itemId}`, { headers }),
    fetch(`${api}/purchases/validation`, {
      method: "POST",
      headers,
      body: new URLSearchParams({ purchase_code: code }),
    }),
  ])
  return responses.map(({ status }) => status)
}

async function findKey({ username }: Author, secret: string) {
  const { store, keyCipher } = visits.program.app
  const found = await store.accounts.findByUsername(username)
  const lookup = Buffer.from(keyCipher.lookup(secret))
  const key = (await store.keys.list(found?.id ?? 0)).find((each) => lookup.equals(each.lookup))
  if (key === undefined) throw new Error("the page showed a key that is not in the store")
  return key
}

async function letFiveMinutesPass(author: Author, secret: string): Promise<void> {
  const { accountId } = await findKey(author, secret)
  const { people, sessions } = visits.program.app.store
  const owner = await people.findOwner(accountId)
  const [session] = await sessions.list(owner?.id ?? 0)
  await sessions.confirm(session?.id ?? "", secondsBefore(new Date(), 6 * 60))
}

async function letEnd(author: Author, secret: string): Promise<void> {
  const { id } = await findKey(author, secret)
  const past = "2026-01-01T00:00:00Z"
  await queryStore(visits.program, "UPDATE api_keys SET expires_at = ? WHERE id = ?", past, id)
  // A server applies changes of other processes within a second.
  const headers = { "X-Api-Key": secret }
  await until(async () => {
    const { status } = await fetch(`${visits.url}/api/account/details`, { headers })
    return status === 401 ? true : undefined
  })
}

/** Each step returns the text of the page and the API's response; one expectation checks all. */
async function walk(page: Page, locale: Language, takeKey: (page: Page) => Promise<string>) {
  const author = await welcomeAuthor()
  await enter(page, author, locale)
  await openAccess(page, locale)
  const shown = await create(page, locale)
  const key = await takeKey(page)
  const afterCreating = await sendAll(key, author)

  await page.getByRole("link", { name: inLocale(locale, () => t("Done")), exact: true }).click()
  await letFiveMinutesPass(author, key)
  await page.locator("[popovertarget^=menu-]").first().click()
  await page.getByRole("button", { name: inLocale(locale, () => t("Reveal")) }).click()
  const confirmation = await textOf(page.locator("main h1"))
  await page.locator("#password").fill("not this one")
  await page.getByRole("button", { name: inLocale(locale, () => t("Reveal key")) }).click()
  const error = await textOf(page.locator(".error"))
  await page.locator("#password").fill(samplePassword)
  await page.getByRole("button", { name: inLocale(locale, () => t("Reveal key")) }).click()
  const revealed = await readSecret(page)

  await page.getByRole("link", { name: inLocale(locale, () => t("Rotate")), exact: true }).click()
  await page.locator("input[name=overlap][value='1h']").check()
  await page.getByRole("button", { name: inLocale(locale, () => t("Rotate key")) }).click()
  const next = await takeKey(page)
  const both = [await sendAll(key, author), await sendAll(next, author)]
  await letEnd(author, key)
  const afterOverlap = [await sendAll(key, author), await sendAll(next, author)]

  await page.getByRole("link", { name: inLocale(locale, () => t("Done")), exact: true }).click()
  await openKey(page)
  await page.getByRole("link", { name: inLocale(locale, () => t("Revoke")), exact: true }).click()
  const beforeConfirming = await sendAll(next, author)
  await page.getByRole("button", { name: inLocale(locale, () => t("Revoke key")) }).click()
  const notice = await textOf(page.locator("main [role=status]"))
  const afterRevoking = await sendAll(next, author)

  expect({ copied: key, confirmation, error, revealed, isNew: next !== key }).toEqual({
    copied: shown,
    confirmation: inLocale(locale, () => t("Confirm your password")),
    error: inLocale(locale, () => t("Wrong password.")),
    revealed: shown,
    isNew: true,
  })
  expect({ afterCreating, both, afterOverlap, beforeConfirming, notice, afterRevoking }).toEqual({
    afterCreating: worksEverywhere,
    both: [worksEverywhere, worksEverywhere],
    afterOverlap: [rejectedEverywhere, worksEverywhere],
    beforeConfirming: worksEverywhere,
    notice: inLocale(locale, () => t("The key was revoked.")),
    afterRevoking: rejectedEverywhere,
  })
}

test("from sign-in to a revoked key, in Turkish", async () => {
  const permissions = ["clipboard-read", "clipboard-write"]
  const page = await visits.visit({ locale: "tr", permissions })
  await walk(page, "tr", async () => {
    // The button shows this text for two seconds only.
    const confirmation = page
      .getByRole("button", { name: inLocale("tr", () => t("Copied")) })
      .waitFor()
    await page.locator("button[data-copy]").click()
    await confirmation
    return clipboardOf(page)
  })
})

test("from sign-in to a revoked key, in English and without JavaScript", async () => {
  const page = await visits.visit({ javaScriptEnabled: false })
  await walk(page, "en", async () => {
    const secret = await readSecret(page)
    expect(await page.locator("button[data-copy]").isVisible()).toBe(false)
    return secret
  })
})

test("a copied key is announced on its button and to a screen reader, for a while", async () => {
  const page = await visits.visitSignedIn({ permissions: ["clipboard-read", "clipboard-write"] })
  await page.goto(`${visits.url}/workspace/elif/settings/keys/new`)
  await page.locator("#name").fill("My server")
  await page.locator("main button[type=submit]").click()
  await page.waitForLoadState()
  await page.evaluate(`
    const button = document.querySelector("button[data-copy]")
    const status = document.querySelector("#announcer[role=status]")
    const note = () => said.push([button.textContent, status.textContent])
    window.said = []
    note()
    new MutationObserver(note).observe(button, { childList: true })`)
  await page.locator("button[data-copy]").click()
  const said = await until(async () => {
    const all = await page.evaluate<string[][]>("said")
    return all.length > 2 ? all : undefined
  })
  expect(said).toEqual([
    ["Copy", ""],
    ["Copied", "Copied"],
    ["Copy", ""],
  ])
})

test("a key rotated without overlap is rejected immediately", async () => {
  const author = await welcomeAuthor()
  const page = await visits.visit()
  await enter(page, author, "en")
  await openAccess(page, "en")
  const old = await create(page, "en")
  await page.getByRole("link", { name: "Done", exact: true }).click()
  await openKey(page)
  await page.getByRole("link", { name: "Rotate", exact: true }).click()
  await page.locator("input[name=overlap][value='0']").check()
  await page.getByRole("button", { name: "Rotate key" }).click()
  const next = await readSecret(page)
  const responses = [await sendAll(old, author), await sendAll(next, author)]
  expect(responses).toEqual([rejectedEverywhere, worksEverywhere])
})
