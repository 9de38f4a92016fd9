/** A team in a browser: invite, join, switch, and an operator in the workspace. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { inLocale, t } from "../../src/platform/t.ts"
import { describeViolations, runAxe } from "../harness/browser/axe.ts"
import { openPage } from "../harness/browser/browser.ts"
import { samplePassword, startQuietWorkspace } from "../harness/browser/sample-workspace.ts"
import type { Program } from "../harness/program.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { addOperator, operatorPassword } from "../harness/test-operators.ts"

let program: Program
beforeAll(async () => {
  program = await startQuietWorkspace()
  await addOperator(program, "deniz")
})
afterAll(() => program.close())

let pages: Page[] = []
afterEach(async () => {
  await Promise.all(pages.map((page) => page.context().close()))
  pages = []
  await queryStore(program, "DELETE FROM people WHERE name = 'bora'")
})

type Locale = "en" | "tr"

async function open(locale: Locale, javaScriptEnabled = true): Promise<Page> {
  const page = await openPage({ locale, javaScriptEnabled, bypassCSP: true })
  pages.push(page)
  return page
}

async function signIn(page: Page, name: string, password: string, locale: Locale): Promise<void> {
  await page.goto(`${program.url}/login`)
  await page.fill("#name", name)
  await page.fill("#password", password)
  await page
    .getByRole("button", { name: inLocale(locale, () => t("Sign in")), exact: true })
    .click()
  await page.waitForURL((url) => !url.pathname.startsWith("/login"))
}

const violationsOn = async (page: Page) => describeViolations(await runAxe(page))

test.each([
  ["en", true],
  ["tr", true],
  ["en", false],
] as const)(
  "a colleague is invited in 3 clicks and joins (%s, script: %p)",
  async (locale, hasScript) => {
    const owner = await open(locale, hasScript)
    await signIn(owner, "elif", samplePassword, locale)
    let clicks = 0
    const click = async (role: "link" | "button", name: string) => {
      clicks += 1
      await owner.getByRole(role, { name, exact: true }).first().click()
    }
    await click(
      "link",
      inLocale(locale, () => t("Settings")),
    )
    await click(
      "link",
      inLocale(locale, () => t("People")),
    )
    await owner.waitForURL("**/settings/people")
    await owner.fill("#email", "bora@example.com")
    await click(
      "button",
      inLocale(locale, () => t("Create link")),
    )
    const link = (await owner.locator(".secret code").textContent()) ?? ""
    expect([clicks, new URL(link).pathname.startsWith("/invite/")]).toEqual([3, true])
    if (hasScript) expect(await violationsOn(owner)).toEqual([])

    const colleague = await open(locale, hasScript)
    await colleague.goto(link)
    expect(await colleague.locator("main").textContent()).toContain("Elif Kaya")
    await colleague.fill("#password", "elma armut pencere")
    await colleague.fill("#repeat", "elma armut pencere")
    await colleague
      .getByRole("button", { name: inLocale(locale, () => t("Save the password")), exact: true })
      .click()
    await colleague.waitForURL("**/workspace/elif?done=welcome")
    await colleague.goto(`${program.url}/workspace/elif/settings`)
    const tabs = await colleague.locator("main nav a").allTextContents()
    expect(tabs).toContain(inLocale(locale, () => t("Security")))
    expect(tabs).not.toContain(inLocale(locale, () => t("People")))
    if (hasScript) expect(await violationsOn(colleague)).toEqual([])
  },
)

test.each(["en", "tr"] as const)(
  "the workspaces of a person are chosen and switched (%s)",
  async (locale) => {
    const { store } = program.app
    const [elif, marcus] = await Promise.all(["elif", "marcus"].map(store.accounts.findByUsername))
    const owner = (await store.people.findByName("elif"))?.id ?? 0
    await store.people.putMember(marcus?.id ?? 0, owner, "support", "2026-06-01T08:00:00Z")
    const page = await open(locale)
    await signIn(page, "elif", samplePassword, locale)
    expect(new URL(page.url()).pathname).toBe("/workspace")
    expect(await violationsOn(page)).toEqual([])
    await page.getByRole("link", { name: "Marcus Lind" }).click()
    await page.waitForURL("**/workspace/marcus")
    await page.locator(".team summary").click()
    expect(await violationsOn(page)).toEqual([])
    await page.locator(".team").getByRole("link", { name: "Elif Kaya" }).click()
    await page.waitForURL("**/workspace/elif")
    await store.people.changeMember(marcus?.id ?? 0, owner, null)
    expect(elif?.username).toBe("elif")
  },
)

test.each(["en", "tr"] as const)(
  "an operator opens the workspace of an author, and leaves it (%s)",
  async (locale) => {
    const page = await open(locale)
    await signIn(page, "deniz", operatorPassword, locale)
    const { id } = (await program.app.store.accounts.findByUsername("elif")) ?? { id: 0 }
    await page.goto(`${program.url}/console/authors/${id}`)
    await page
      .getByRole("link", { name: inLocale(locale, () => t("Open workspace")), exact: true })
      .click()
    await page.waitForURL("**/workspace/elif")
    expect(await page.locator("main .notice").first().textContent()).toContain("elif")
    expect(await violationsOn(page)).toEqual([])
    await page
      .getByRole("link", { name: inLocale(locale, () => t("API Access")), exact: true })
      .click()
    await page.waitForURL("**/settings/keys")
    expect(
      await page
        .getByRole("link", {
          name: inLocale(locale, () => t("Create a key # another")),
          exact: true,
        })
        .count(),
    ).toBe(0)
    await page
      .locator("main .notice")
      .getByRole("link", { name: inLocale(locale, () => t("Console")) })
      .click()
    await page.waitForURL("**/console")
  },
)
