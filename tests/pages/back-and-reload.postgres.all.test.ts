import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { commandLine } from "../../src/access/actor.ts"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { createSignInLink } from "../../src/people/sign-in-operations.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { textOf } from "../harness/browser/page-measurements.ts"

let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

const readSecret = (page: Page) => textOf(page.locator("[data-secret]"))
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

async function openNewKey(page: Page, name: string): Promise<void> {
  await page.goto(`${visits.url}/workspace/elif/settings/keys/new`)
  await page.locator("#name").fill(name)
}

describe.each([
  ["with JavaScript", true],
  ["without JavaScript", false],
])("%s", (_, javaScriptEnabled) => {
  const visit = () => visits.visitSignedIn({ javaScriptEnabled })

  test("follow a sign-in link, which needs a click only without JavaScript", async () => {
    const { store, now } = visits.program.app
    const marcus = await requireAccount(store.accounts, "marcus")
    const { token } = await createSignInLink({ ...store, tokens, now, actor: commandLine }, marcus)
    const page = await visits.visit({ javaScriptEnabled })
    await page.goto(`${visits.url}/login/link/${token}`)
    if (!javaScriptEnabled) await press(page, "Continue")
    await page.waitForURL(`${visits.url}/workspace/marcus`)
    expect(await textOf(page.locator(".team"))).toBe("Marcus Lind")
  })

  test("create a key and reload: the page of the one key, without its secret", async () => {
    const page = await visit()
    const { id } = await requireAccount(visits.program.app.store.accounts, "elif")
    const count = async () => (await visits.program.app.store.keys.list(id)).length
    const before = await count()
    await openNewKey(page, "Just made")
    await press(page, "Create key")
    expect(await readSecret(page)).toMatch(/^pzr_sk_\w{36}$/)
    await page.reload()
    expect(await textOf(page.locator("main h1"))).toBe("Just made")
    expect([await page.locator("[data-secret]").count(), await count()]).toEqual([0, before + 1])
  })

  test("reveal a key on its page, hide it again, and stay there", async () => {
    const page = await visit()
    const { key, secret } = await visits.program.issue("elif")
    const keyUrl = `${visits.url}/workspace/elif/settings/keys/${key.id}`
    await page.goto(keyUrl)
    await page.getByRole("button", { name: "Reveal" }).click()
    expect(await readSecret(page)).toBe(secret)
    await page.getByRole("link", { name: "Hide" }).click()
    await page.waitForURL(keyUrl)
    expect(await page.locator("[data-secret]").count()).toBe(0)
  })

  test("a key revealed from the list is on its own page, and hidden when that page is left", async () => {
    const page = await visit()
    const { key, secret } = await visits.program.issue("elif")
    const list = `${visits.url}/workspace/elif/settings/keys`
    await page.goto(list)
    await page.locator(`[popovertarget="menu-${key.id}"]`).click()
    await page.locator(`button[formaction$="${key.id}/reveal"]`).click()
    expect(await readSecret(page)).toBe(secret)
    for (const path of [list, `${list}/${key.id}`]) {
      await page.goto(path)
      expect(await page.content()).not.toContain(secret)
    }
  })
})

test("a page in the back/forward cache contains no revealed secret", async () => {
  const page = await visits.visitSignedIn()
  const { key, secret } = await visits.program.issue("elif")
  await page.goto(`${visits.url}/workspace/elif/settings/keys/${key.id}`)
  await page.getByRole("button", { name: "Reveal" }).click()
  await page.locator("[data-secret]").waitFor()
  // Browsers under test have no back/forward cache, so the test dispatches its event.
  await page.evaluate(`dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))`)
  expect(await page.content()).not.toContain(secret)
})
