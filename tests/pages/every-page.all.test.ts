/** Every page with axe-core, by the Tab key, and on a phone of 320 px. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { inLocale, t } from "../../src/platform/t.ts"
import { describeViolations, runAxe } from "../harness/browser/axe.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { docsPaths } from "../harness/browser/docs-paths.ts"
import {
  errorStatuses,
  invite,
  showCodePage,
  showConfirmPage,
  showErrorPage,
  showLinkPage,
  showSuspendedPage,
} from "../harness/browser/extra-pages.ts"
import {
  findCutTexts,
  findSmallTargets,
  listControls,
  unfoldAll,
  widthOf,
} from "../harness/browser/page-measurements.ts"
import { pageVisits } from "../harness/browser/page-visits.ts"
import { addSampleWebhooks, startSampleWorkspace } from "../harness/browser/sample-workspace.ts"
import { tabThrough } from "../harness/browser/tab-key.ts"
import { listWays } from "../harness/browser/ways.ts"
import { smtpSettings } from "../harness/mail-server.ts"

type Locale = "en" | "tr"
type Theme = "light" | "dark"
type PageState = Readonly<{
  name: string
  isPublic: boolean
  /** Another state shows the same page with more content to axe. */
  isSeenUnfolded?: boolean
  isTabbed?: boolean
  /** A path is set for pages with long texts: they are measured on a phone in both languages. */
  path?: string
  visit(page: Page, locale: Locale): Promise<unknown>
}>

let visits: BrowserVisits

beforeAll(async () => {
  // A mail server shows "Forgot your password?". No e-mail is sent to it.
  const settings = { LOG_LEVEL: "error", ...smtpSettings({ port: 1 }) }
  visits = await openBrowserVisits(() => startSampleWorkspace(settings))
  await addSampleWebhooks(visits.program)
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

async function open(
  { isPublic, visit }: Pick<PageState, "isPublic" | "visit">,
  locale: Locale,
  colorScheme: Theme,
): Promise<Page> {
  const page = await visits.reusePage(!isPublic, { locale, bypassCSP: true })
  await page.emulateMedia({ colorScheme })
  await visit(page, locale)
  return page
}

async function measureOnPhone(page: Page) {
  const before = page.viewportSize()
  await page.setViewportSize(phone)
  const width = await widthOf(page)
  const cutTexts = await findCutTexts(page)
  const smallTargets = await findSmallTargets(page)
  if (before !== null) await page.setViewportSize(before)
  return { width, cutTexts, smallTargets }
}

async function measureInOther(path: string, locale: Locale) {
  const other = locale === "en" ? "tr" : "en"
  const page = await visits.reusePage(false, { locale: other, bypassCSP: true })
  await page.goto(visits.url + path)
  await unfoldAll(page)
  return measureOnPhone(page)
}

const phone = { width: 320, height: 740 }
const fitting = { width: 320, cutTexts: [], smallTargets: [] }
const unfoldedElsewhere = ["docs", "docs-operation", "docs-guide", "overview", "keys"]

const pageStates: readonly PageState[] = [
  ...pageVisits.map(({ name, isPublic = false, visit }) => ({
    name,
    isPublic,
    isSeenUnfolded: unfoldedElsewhere.includes(name),
    isTabbed: true,
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
    name: "a wrong two-factor code",
    isPublic: true,
    isTabbed: true,
    visit: (page) => showCodePage(page, visits.program),
  },
  {
    name: "suspended",
    isPublic: true,
    visit: (page) => showSuspendedPage(page, visits.program),
  },
  {
    name: "forgotten password",
    isPublic: true,
    isTabbed: true,
    visit: (page) => page.goto(`${visits.url}/login/reset`),
  },
  {
    name: "forgotten password, without an address",
    isPublic: true,
    async visit(page) {
      await page.goto(`${visits.url}/login/reset`)
      await page.fill("#email", "not an address")
      // A browser would reject it.
      await page.evaluate("document.querySelector('main form').noValidate = true")
      await Promise.all([page.waitForEvent("load"), page.click("main button[type=submit]")])
      await page.locator(".error").first().waitFor()
    },
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
    path,
    async visit(page: Page, locale: Locale) {
      await page.goto(visits.url + path)
      await unfoldAll(page)
      for (const run of await page.locator(".run").all()) {
        await run.locator(".actions button").click()
        await run
          .getByText(
            inLocale(locale, () => t("Response")),
            { exact: true },
          )
          .waitFor()
      }
    },
  })),
  ...["/workspace/elif", "/workspace/elif/items/1001", "/workspace/elif/settings/keys"].map(
    (path) => ({
      name: `${path}, all unfolded`,
      isPublic: false,
      async visit(page: Page) {
        await page.goto(`${visits.url}${path}`)
        await unfoldAll(page)
      },
    }),
  ),
]

for (const [index, state] of pageStates.entries()) {
  test.each(listWays(index))(
    `has no accessibility problem: ${state.name} (%s %s)`,
    async (locale, theme) => {
      const page = await open(state, locale, theme)
      const onPhone = await measureOnPhone(page)
      const [, ...controls] = state.isTabbed ? await listControls(page) : []
      const tabbed = state.isTabbed ? await tabThrough(page, controls.length) : []
      const violations = state.isSeenUnfolded ? [] : await runAxe(page)
      const inOther = state.path === undefined ? fitting : await measureInOther(state.path, locale)
      expect({ violations: describeViolations(violations), onPhone, inOther, tabbed }).toEqual({
        violations: [],
        onPhone: fitting,
        inOther: fitting,
        tabbed: controls.map((tag) => ({ tag, isVisible: true })),
      })
    },
  )
}
