/** Every page through axe-core, in both languages, light and dark. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { AxeResults, RunOptions } from "axe-core"
import axe from "axe-core"
import type { Page } from "playwright-core"
import { errorStatuses, invite, showConfirmPage, showErrorPage } from "../harness/extra-pages.ts"
import { stops } from "../harness/pages.ts"
import { openStage, type Stage } from "../harness/stage.ts"

type Locale = "en" | "tr"
type Visit = (page: Page, locale: Locale) => Promise<unknown>

let stage: Stage

beforeAll(async () => {
  stage = await openStage()
})
afterEach(() => stage.clear())
afterAll(() => stage.close())

/** Beyond axe's own choice, text is held to the stricter contrast. */
const everything: RunOptions = { rules: { "color-contrast-enhanced": { enabled: true } } }
/** What can differ once the colours do. */
const colours: RunOptions = {
  runOnly: ["color-contrast", "color-contrast-enhanced", "link-in-text-block"],
}

/** What is wrong, and where; nothing on a page that is as it should be. */
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

/** Both languages side by side, which takes two cores half the time. */
function testPages(name: string, isPublic: boolean, visit: Visit): void {
  test(`axe finds nothing: ${name}`, async () => {
    const [en, tr] = await Promise.all((["en", "tr"] as const).map(look))
    expect({ en, tr }).toEqual({ en: [], tr: [] })
  })

  async function look(locale: Locale): Promise<readonly string[]> {
    // axe is put in from outside, which the pages' own policy would rightly refuse.
    const visitor = { locale, bypassCSP: true }
    const page = await (isPublic ? stage.visit(visitor) : stage.visitSignedIn(visitor))
    await visit(page, locale)
    return listViolations(page)
  }
}

for (const { name, isPublic = false, visit } of stops) {
  testPages(name, isPublic, (page) => visit(page, stage.url))
}

for (const status of errorStatuses) {
  testPages(`error ${status}`, true, (page, locale) =>
    showErrorPage(page, stage.url, status, locale),
  )
}

testPages("the password, asked for again", true, (page) => showConfirmPage(page, stage.program))

testPages("invitation", true, async (page) => {
  await page.goto(stage.url + (await invite(stage.program, "marcus")))
  await page.locator("#repeat").waitFor()
})

testPages("docs, signed in", false, (page) => page.goto(`${stage.url}/docs`))

for (const path of ["/workspace", "/workspace/settings/keys"]) {
  testPages(`${path}, all unfolded`, false, async (page) => {
    await page.goto(`${stage.url}${path}`)
    for (const summary of await page.locator("summary").all()) await summary.click()
  })
}
