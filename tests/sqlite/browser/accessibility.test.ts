/**
 * Every page through axe-core. Languages and themes take turns from page to page, so every part of the
 * layout is seen in all four ways; `npm run soak -- pages` sees every page in all of them.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { AxeResults } from "axe-core"
import type { Page } from "playwright-core"
import { describeViolations, runAxe } from "../../harness/browser/axe.ts"
import { type BrowserVisits, openBrowserVisits } from "../../harness/browser/browser-visits.ts"
import { docsPaths } from "../../harness/browser/docs-paths.ts"
import {
  errorStatuses,
  invite,
  showConfirmPage,
  showErrorPage,
  showLinkPage,
  showSuspendedPage,
} from "../../harness/browser/extra-pages.ts"
import { stops } from "../../harness/browser/pages.ts"

type Locale = "en" | "tr"
type Theme = "light" | "dark"
type PageState = Readonly<{
  name: string
  isPublic: boolean
  visit(page: Page, locale: Locale): Promise<unknown>
}>

let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

/** The violations on a page. */
async function listViolations(
  { isPublic, visit }: Pick<PageState, "isPublic" | "visit">,
  locale: Locale,
  colorScheme: Theme,
): Promise<AxeResults["violations"]> {
  const page = await visits.reusePage(!isPublic, { locale, bypassCSP: true })
  await page.emulateMedia({ colorScheme })
  await visit(page, locale)
  return runAxe(page)
}

/** Another test below checks these with all their parts unfolded. */
const unfolded = ["docs", "docs-operation", "docs-guide", "overview", "keys"]

const pageStates: readonly PageState[] = [
  ...stops
    .filter(({ name }) => !unfolded.includes(name))
    .map(({ name, isPublic = false, visit }) => ({
      name,
      isPublic,
      visit: (page: Page) => visit(page, visits.url),
    })),
  ...errorStatuses.map((status) => ({
    name: `error ${status}`,
    isPublic: true,
    visit: (page: Page, locale: Locale) => showErrorPage(page, visits.url, status, locale),
  })),
  {
    name: "the password, asked for again",
    isPublic: true,
    visit: (page) => showConfirmPage(page, visits.program),
  },
  {
    name: "another author's sign-in link",
    isPublic: true,
    visit: (page) => showLinkPage(page, visits.program),
  },
  {
    name: "suspended",
    isPublic: true,
    visit: (page) => showSuspendedPage(page, visits.program),
  },
  {
    name: "invitation",
    isPublic: true,
    async visit(page) {
      await page.goto(visits.url + (await invite(visits.program, "marcus")))
      await page.locator("#repeat").waitFor()
    },
  },
  ...docsPaths.map((path, at) => ({
    name: `${path}, all unfolded and run`,
    isPublic: at % 2 === 0,
    async visit(page: Page) {
      await page.goto(visits.url + path)
      await page.evaluate(
        "document.querySelectorAll('details').forEach((one) => { one.open = true })",
      )
      for (const run of await page.locator(".run").all()) {
        await run.locator("button").click()
        await run.getByText(/^(Response|Yanıt)$/).waitFor()
      }
    },
  })),
  ...["/workspace", "/workspace/settings/keys"].map((path) => ({
    name: `${path}, all unfolded`,
    isPublic: false,
    async visit(page: Page) {
      await page.goto(`${visits.url}${path}`)
      for (const summary of await page.locator("summary").all()) await summary.click()
    },
  })),
]

const ways = [
  ["en", "light"],
  ["tr", "dark"],
  ["en", "dark"],
  ["tr", "light"],
] as const
const isEveryWay = process.env.PAZAR_TEST_EVERY_WAY === "1"

for (const [index, state] of pageStates.entries()) {
  const chosen = isEveryWay ? ways : [ways[index % ways.length] ?? ways[0]]
  test.each(chosen)(`axe finds nothing: ${state.name} (%s %s)`, async (locale, theme) => {
    expect(describeViolations(await listViolations(state, locale, theme))).toEqual([])
  })
}

describe("axe finds planted faults", () => {
  const faults = `
    <p id="day" style="color: light-dark(#999, #fff)">Too pale on white</p>
    <p id="night" style="color: light-dark(#000, #555)">Too dim on black</p>
    <p id="grey" style="color: #666; background: #fff">Enough for AA, too little for AAA</p>
    <p>Some longer text around <a id="link" href="/"
      style="color: light-dark(#223, #ddf); text-decoration: none">a link</a>, and more of it.</p>
    <input id="input"><button id="button"></button><h5 id="heading">Two levels left out</h5>`

  async function visit(page: Page): Promise<void> {
    await page.goto(`${visits.url}/login`)
    const call = `insertAdjacentHTML("beforeend", ${JSON.stringify(faults)})`
    await page.evaluate(`document.querySelector("main").${call}`)
  }

  for (const locale of ["en", "tr"] as const) {
    test.each([
      ["light", "#day"],
      ["dark", "#night"],
    ] as const)(`${locale}, %s`, async (theme, faint) => {
      const violations = await listViolations({ isPublic: true, visit }, locale, theme)
      const places = violations.map(({ id, nodes }) => [
        id,
        ...nodes.flatMap(({ target }) => target),
      ])
      expect(places.sort()).toEqual([
        ["button-name", "#button"],
        ["color-contrast", faint, "#grey"],
        ["heading-order", "#heading"],
        ["label", "#input"],
        ["link-in-text-block", "#link"],
      ])
    })
  }
})
