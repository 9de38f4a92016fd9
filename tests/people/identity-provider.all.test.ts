import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { tokens } from "../../src/access/token.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { inLocale, t } from "../../src/platform/t.ts"
import { describeViolations, runAxe } from "../harness/browser/axe.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { signIn } from "../harness/browser/page-visits.ts"
import { startQuietWorkspace } from "../harness/browser/sample-workspace.ts"
import { openTestProvider, type TestProvider } from "../harness/identity-provider.ts"
import { inviteOwner } from "../harness/invite-owner.ts"

let provider: TestProvider
let visits: BrowserVisits
let host: string

beforeAll(async () => {
  provider = await openTestProvider()
  visits = await openBrowserVisits(() => startQuietWorkspace(provider.env))
  provider.serve(visits.url)
  host = new URL(provider.issuer).host
})
afterEach(() => visits.clear())
afterAll(async () => {
  await visits.close()
  await provider.close()
})

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click()

/** On another site than ours, whose cookies are not sent to it. */
async function signInThere(page: Page, subject: string): Promise<void> {
  await page.waitForURL(`${provider.issuer}/interaction/**`)
  await page.fill("input[name=login]", subject)
  await page.fill("input[name=password]", "any")
  await page.click("button[type=submit]")
}

async function invite(username: string): Promise<string> {
  const { store, now } = visits.program.app
  const account = await requireAccount(store.accounts, username)
  const { token } = await inviteOwner({ ...store, tokens, now }, account)
  return `${visits.url}/invite/${token}`
}

describe.each([
  ["with script", true],
  ["without script", false],
])("%s", (_, javaScriptEnabled) => {
  const subject = `subject-${javaScriptEnabled}`

  test.each(["en", "tr"] as const)("by the sign-in page (%s)", async (locale) => {
    const { identities, people } = visits.program.app.store
    const elif = await people.findByName("elif")
    await identities.connect({ issuer: provider.issuer, subject }, elif?.id ?? 0)
    const page = await visits.visit({ javaScriptEnabled, locale })
    const problems: string[] = []
    page.on("console", (message) => message.type() === "error" && problems.push(message.text()))
    await page.goto(`${visits.url}/login?next=/workspace/elif/items`)
    await press(
      page,
      inLocale(locale, () => t("Sign in through {site}", { site: host })),
    )
    await signInThere(page, subject)
    await page.waitForURL(`${visits.url}/workspace/elif/items`)
    expect(await page.locator("h1").textContent()).toBe(inLocale(locale, () => t("Items")))
    expect(problems.filter((text) => text.includes("Content Security Policy"))).toEqual([])
  })

  test("by an invitation, then disconnected after a password was set", async () => {
    const page = await visits.visit({ javaScriptEnabled })
    await page.goto(await invite("marcus"))
    await press(page, t("Continue with {host}", { host }))
    await signInThere(page, `marcus-${javaScriptEnabled}`)
    await page.waitForURL(`${visits.url}/workspace/marcus`)
    await page.goto(`${visits.url}/workspace/marcus/settings/security`)
    await page.getByLabel("New password", { exact: true }).fill("chosen by the invited")
    await page.getByLabel("New password again").fill("chosen by the invited")
    await press(page, "Set a password")
    await page.getByText("The password was changed. All other sessions were signed out.").waitFor()
    await press(page, "Disconnect")
    await page.getByText("The connection was removed.").waitFor()
    const { passwords, people } = visits.program.app.store
    await passwords.put((await people.findByName("marcus"))?.id ?? 0, null)
  })

  test("connected on the security page", async () => {
    const page = await visits.visit({ javaScriptEnabled })
    await signIn(page, visits.url, "elif")
    await page.goto(`${visits.url}/workspace/elif/settings/security`)
    await press(page, t("Connect {host}", { host }))
    await signInThere(page, `elif-${javaScriptEnabled}`)
    await page.getByText("From now on you can also sign in this way.").waitFor()
    await page.getByText(`elif-${javaScriptEnabled}`).waitFor()
  })
})

test.each(["en", "tr"] as const)("axe finds nothing on its pages (%s)", async (locale) => {
  const page = await visits.visit({ bypassCSP: true, locale })
  const found: Record<string, readonly string[]> = {}
  const check = async (name: string) => {
    found[name] = describeViolations(await runAxe(page))
  }
  await page.goto(`${visits.url}/login`)
  await check("sign-in")
  await page.goto(await invite("marcus"))
  await check("invitation")
  await page.goto(`${visits.url}/login`)
  await press(
    page,
    inLocale(locale, () => t("Sign in through {site}", { site: host })),
  )
  await signInThere(page, `unknown-${locale}`)
  await page
    .getByRole("heading", { name: inLocale(locale, () => t("Not connected yet")) })
    .waitFor()
  await check("unknown")
  await page.goto(`${visits.url}/login/oidc/callback`)
  await check("expired")
  // Otherwise the page leads on at once.
  await page.route(`${visits.url}/login/oidc`, async (route) => {
    const response = await route.fetch()
    const { refresh: _, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  await page.goto(`${visits.url}/login`)
  await press(
    page,
    inLocale(locale, () => t("Sign in through {site}", { site: host })),
  )
  await page
    .getByRole("heading", { name: inLocale(locale, () => t("Continue with {host}", { host })) })
    .waitFor()
  await check("on the way")
  await signIn(page, visits.url, "elif")
  await page.goto(`${visits.url}/workspace/elif/settings/security`)
  await page
    .getByText(inLocale(locale, () => t("Single sign-on")))
    .first()
    .waitFor()
  await check("security")
  expect(found).toEqual(Object.fromEntries(Object.keys(found).map((name) => [name, []])))
  expect(Object.keys(found)).toHaveLength(6)
})
