/** After a form, Back and reload show the result again: the browser does not ask to send it again. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { secondsBefore } from "../../../../src/domain/values/time/timestamp.ts"
import { catalogues } from "../../../../src/http/pages/view.ts"
import { requireAccount } from "../../../../src/operations/catalogue/accounts.ts"
import { createSignInLink } from "../../../../src/operations/sign-in/sign-in.ts"
import { tokens } from "../../../../src/secrets/sign-in/tokens.ts"
import { type BrowserVisits, openBrowserVisits } from "../../../harness/browser/browser-visits.ts"
import { samplePassword } from "../../../harness/browser/sample-workspace.ts"
import { textOf } from "../../../harness/measures.ts"
import { queryStore } from "../../../harness/stores/stored-rows.ts"

const { en } = catalogues
const code = "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21"
let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

const readSecret = (page: Page) => textOf(page.locator("[data-secret]"))
const verdictOf = (page: Page) => textOf(page.locator("main .notice h2"))
const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

async function openNewKey(page: Page, name: string): Promise<void> {
  await page.goto(`${visits.url}/workspace/settings/keys/new`)
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
    const { token } = await createSignInLink({ ...store, tokens, now }, marcus)
    const page = await visits.visit({ javaScriptEnabled })
    await page.goto(`${visits.url}/login/link/${token}`)
    if (!javaScriptEnabled) await press(page, en.link.submit)
    await page.waitForURL(`${visits.url}/workspace`)
    expect(await textOf(page.locator(".who-name"))).toBe("Marcus Lind")
  })

  test("check a code, open the item, go back, reload", async () => {
    const page = await visit()
    await page.goto(`${visits.url}/workspace/check`)
    await page.getByLabel(en.check.label).fill(code)
    await press(page, en.check.submit)
    const said = [await verdictOf(page)]
    const place = page.url()
    await page.locator("main dl a").click()
    const item = await textOf(page.locator("h1"))
    await page.goBack()
    said.push(await verdictOf(page))
    await page.reload()
    said.push(await verdictOf(page))
    expect({ item, said, at: page.url() }).toEqual({
      item: "Anadolu",
      said: Array(3).fill(`${en.check.results.valid} · Anadolu · ${en.check.licences.Regular}`),
      at: place,
    })
    expect(place).not.toContain(code)
  })

  test("make a key, go elsewhere, come back, reload", async () => {
    const page = await visit()
    await openNewKey(page, "Just made")
    await press(page, en.keys.confirm.submit.create)
    const made = await readSecret(page)
    await page.locator("a[href='/workspace/items']").first().click()
    await page.goBack()
    const afterBack = await readSecret(page)
    await page.reload()
    const afterReload = await readSecret(page)
    expect([afterBack, afterReload]).toEqual([made, made])
    expect(made).toMatch(/^pzr_sk_\w{36}$/)
    expect(page.url()).not.toContain(made)
  })

  test("reveal a key on its page, hide it again, and stay there", async () => {
    const page = await visit()
    const { key, secret } = await visits.program.issue("elif")
    const place = `${visits.url}/workspace/settings/keys/${key.id}`
    await page.goto(place)
    await page.getByRole("button", { name: en.keys.reveal }).click()
    const revealed = [page.url(), await readSecret(page)]
    await page.getByRole("button", { name: en.keys.hide }).click()
    const hidden = [page.url(), await page.locator("[data-secret]").count()]
    expect({ revealed, hidden }).toEqual({ revealed: [place, secret], hidden: [place, 0] })
  })

  test.each(["list", "key"])(
    "a key revealed on the page of the %s is hidden when that page is left, and nowhere else",
    async (where) => {
      const page = await visit()
      const { key, secret } = await visits.program.issue("elif")
      const list = `${visits.url}/workspace/settings/keys`
      const place = where === "list" ? list : `${list}/${key.id}`
      await page.goto(place)
      if (where === "key") await page.getByRole("button", { name: en.keys.reveal }).click()
      else {
        await page.locator(`#${key.id} [popovertarget^=menu-]`).click()
        await page.locator(`button[formaction$="${key.id}/reveal"]`).click()
      }
      expect(await readSecret(page)).toBe(secret)
      const after: string[] = []
      await page.locator("a[href='/workspace/items']").first().click()
      await page.waitForURL(/items$/)
      after.push(await page.content())
      await page.goBack()
      after.push(await page.content())
      for (const path of [list, `${list}/${key.id}`, place]) {
        await page.goto(path)
        after.push(await page.content())
      }
      expect(after.map((content) => content.includes(secret))).toEqual(Array(5).fill(false))
    },
  )

  test("give the password with a new key, then go back and reload", async () => {
    const page = await visit()
    const past = secondsBefore(new Date(), 3600)
    await queryStore(visits.program, "UPDATE sessions SET confirmed_at = ?", past)
    await openNewKey(page, "Made late")
    await page.locator("#password").fill(samplePassword)
    await press(page, en.keys.confirm.submit.create)
    const heading = await textOf(page.locator("main h1"))
    const made = await readSecret(page)
    await page.goBack()
    const before = await textOf(page.locator("main h1"))
    await page.goForward()
    expect({ heading, before, again: await readSecret(page) }).toEqual({
      heading: "Made late",
      before: en.keys.create,
      again: made,
    })
  })
})

test("a page that the browser keeps for Back holds no revealed secret", async () => {
  const page = await visits.visitSignedIn()
  const { key, secret } = await visits.program.issue("elif")
  await page.goto(`${visits.url}/workspace/settings/keys/${key.id}`)
  await page.getByRole("button", { name: en.keys.reveal }).click()
  await page.locator("[data-secret]").waitFor()
  // Browsers under test keep no pages, so the event stands for it.
  await page.evaluate(`dispatchEvent(new PageTransitionEvent("pagehide", { persisted: true }))`)
  expect(await page.content()).not.toContain(secret)
})
