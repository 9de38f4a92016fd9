/** Every page through axe-core, in both languages, light and dark. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { AxeResults, RunOptions } from "axe-core"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { guides } from "../../src/http/docs/texts.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser-visits.ts"
import { errorStatuses, invite, showConfirmPage, showErrorPage } from "../harness/extra-pages.ts"
import { stops } from "../harness/pages.ts"

type Locale = "en" | "tr"
type Visit = (page: Page, locale: Locale) => Promise<unknown>

let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

/** All default rules of axe, and its stricter contrast rule. */
const everything: RunOptions = { rules: { "color-contrast-enhanced": { enabled: true } } }
/** The rules that depend on colours. */
const colours: RunOptions = {
  runOnly: ["color-contrast", "color-contrast-enhanced", "link-in-text-block"],
}

/** The violations and where they are. */
async function listViolations(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe.source}; 0`)
  const light = await run(everything)
  await page.emulateMedia({ colorScheme: "dark" })
  return [...light, ...(await run(colours)).map((text) => `dark: ${text}`)]

  async function run(options: RunOptions): Promise<readonly string[]> {
    const call = JSON.stringify({ ...options, resultTypes: ["violations"] })
    const violations = await page.evaluate<AxeResults["violations"]>(
      `axe.run(${call}).then(({ violations }) => violations)`,
    )
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id} at ${target.join(" ")}: ${failureSummary}`),
    )
  }
}

/** Both languages run in parallel, to use two cores. */
function testPages(name: string, isPublic: boolean, visit: Visit): void {
  test(`axe finds nothing: ${name}`, async () => {
    const [en, tr] = await Promise.all((["en", "tr"] as const).map(look))
    expect({ en, tr }).toEqual({ en: [], tr: [] })
  })

  async function look(locale: Locale): Promise<readonly string[]> {
    // axe is injected, which the pages' own content policy refuses.
    const page = await visits.reusePage(!isPublic, { locale, bypassCSP: true })
    await page.emulateMedia({ colorScheme: "light" })
    await visit(page, locale)
    return listViolations(page)
  }
}

for (const { name, isPublic = false, visit } of stops) {
  testPages(name, isPublic, (page) => visit(page, visits.url))
}

for (const status of errorStatuses) {
  testPages(`error ${status}`, true, (page, locale) =>
    showErrorPage(page, visits.url, status, locale),
  )
}

testPages("the password, asked for again", true, (page) => showConfirmPage(page, visits.program))

testPages("invitation", true, async (page) => {
  await page.goto(visits.url + (await invite(visits.program, "marcus")))
  await page.locator("#repeat").waitFor()
})

testPages("docs, signed in, all unfolded and run", false, async (page) => {
  await page.goto(`${visits.url}/docs`)
  await page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true })")
  await page.locator(".run button").first().click()
  await page.locator(".run pre:visible").waitFor()
})

for (const { id } of guides) {
  testPages(`docs, ${id}`, true, (page) => page.goto(`${visits.url}/docs/${id}`))
}

for (const path of ["/workspace", "/workspace/settings/keys"]) {
  testPages(`${path}, all unfolded`, false, async (page) => {
    await page.goto(`${visits.url}${path}`)
    for (const summary of await page.locator("summary").all()) await summary.click()
  })
}
