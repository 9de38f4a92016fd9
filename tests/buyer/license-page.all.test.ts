import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { inLocale, t } from "../../src/platform/t.ts"
import { describeViolations, runAxe } from "../harness/browser/axe.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { findCutTexts, findSmallTargets, widthOf } from "../harness/browser/page-measurements.ts"
import { startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"

let days = 0
const supportUrl = "https://market.example/help"
let visits: BrowserVisits
let key: string
let code: string
let codes = 0

beforeAll(async () => {
  visits = await openBrowserVisits(async () => {
    const settings = { LOG_LEVEL: "debug", PAZAR_SUPPORT_URL: supportUrl }
    const now = () => new Date(Date.now() + days * 86_400_000)
    const program = await startProgram(settings, {}, undefined, now)
    await program.load([account("ada"), item("ada", 7)])
    return program
  })
  key = (await visits.program.issue("ada", "vk", [7])).secret
  await visits.program.app.store.sites.putLimits(7, { sites: 2, byLicense: {} })
})
beforeEach(async () => {
  code = `CODE & ${++codes}`
  await visits.program.load([purchase(code, 7)])
  for (const site of ["mysite.com", "other.co.uk"]) await validate(site)
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

async function validate(site: string): Promise<string | null> {
  const body = new URLSearchParams({ api_key: key, purchase_code: code, site })
  const response = await fetch(`${visits.url}/api/purchases/validation`, { method: "POST", body })
  return response.headers.get("pazar-reason")
}
const sites = async () =>
  (await visits.program.app.store.sites.list(code)).map(({ site }) => site).toSorted()

async function enterCode(page: Page): Promise<void> {
  await page.goto(`${visits.url}/license`)
  await page.locator("#purchase_code").fill(code)
  await page.locator("main button[type=submit]").click()
  await page.locator(".facts").waitFor()
}

async function measure(page: Page) {
  return {
    violations: describeViolations(await runAxe(page)),
    width: await widthOf(page),
    cutTexts: await findCutTexts(page),
    smallTargets: await findSmallTargets(page),
  }
}
const clean = { violations: [], width: 360, cutTexts: [], smallTargets: [] }

test.each([
  ["en", "light"],
  ["en", "dark"],
  ["tr", "light"],
  ["tr", "dark"],
] as const)(
  "a buyer releases a site on a phone, without JavaScript (%s %s)",
  async (locale, theme) => {
    const page = await visits.visit({
      locale,
      colorScheme: theme,
      viewport: { width: 360, height: 740 },
      javaScriptEnabled: false,
    })
    await page.goto(`${visits.url}/license`)
    expect(await page.locator(`main a[href="${supportUrl}"]`).count()).toBe(1)
    await enterCode(page)
    expect(await page.locator(".notice").textContent()).toBe(
      inLocale(locale, () => t("This purchase code is valid.")),
    )
    const cells = await page.locator("tbody td:first-child").allTextContents()
    expect(cells.toSorted()).toEqual(["my•••e.com", "ot•••.co.uk"])

    await page
      .getByRole("button", { name: `${inLocale(locale, () => t("Release"))} my•••e.com` })
      .click()
    const title = inLocale(locale, () => t("Release {site}?", { site: "\u2068my•••e.com\u2069" }))
    await page.getByRole("heading", { name: title }).waitFor()
    expect(await sites()).toEqual(["mysite.com", "other.co.uk"])
    await page.locator("button[name=confirmed]").click()
    const done = inLocale(locale, () =>
      t("{site} was released.", { site: "\u2068my•••e.com\u2069" }),
    )
    await page.getByRole("status").filter({ hasText: done }).waitFor()
    expect(await sites()).toEqual(["other.co.uk"])
    expect(await validate("new.com")).toBe("ok")
    expect(page.url()).toBe(`${visits.url}/license`)
  },
)

const press = async (page: Page, name: "release" | "reclaim" | "confirmed", shown: string) => {
  await page.locator(`button[name=${name}]`).last().click()
  await page.locator(shown).waitFor()
}
/** Each step starts where the one before ended. axe changes the page, so a page is measured once. */
const steps: readonly ((page: Page) => Promise<unknown>)[] = [
  (page) => page.goto(`${visits.url}/license`),
  enterCode,
  (page) => press(page, "release", "button[name=confirmed]"),
  (page) => press(page, "confirmed", ".notice[role=status]"),
  async (page) => {
    days += 31
    for (const site of ["stranger.org", "stranger.net"]) await validate(site)
    await enterCode(page)
  },
  (page) => press(page, "reclaim", "button[name=confirmed]"),
  (page) => press(page, "confirmed", ".notice[role=status]"),
]

test.each(
  steps.map(
    (_, at) =>
      [at, ...(at % 2 === 0 ? (["en", "light"] as const) : (["tr", "dark"] as const))] as const,
  ),
)(
  "fits a phone and has no accessibility problem: step %d (%s %s)",
  async (at, locale, colorScheme) => {
    const viewport = { width: 360, height: 740 }
    const page = await visits.visit({ locale, colorScheme, viewport, bypassCSP: true })
    for (const step of steps.slice(0, at + 1)) await step(page)
    const isReclaimed = at === steps.length - 1
    expect(await validate("new.com")).toBe(at === 3 || isReclaimed ? "ok" : "site_limit")
    expect(await measure(page)).toEqual(clean)
  },
)

test("Cancel returns to the sites and releases nothing", async () => {
  const page = await visits.visit()
  await enterCode(page)
  await page.locator("button[name=release]").first().click()
  await page.getByRole("button", { name: "Cancel" }).click()
  await page.locator(".facts").waitFor()
  expect(await sites()).toEqual(["mysite.com", "other.co.uk"])
})

test("a link fills in the code, which leaves the address and reaches no URL, log or referrer", async () => {
  const page = await visits.visit()
  const sent: string[] = []
  page.on("request", (request) => {
    sent.push(request.url(), request.headers().referer ?? "")
  })
  const byHand = "100%&A+B"
  for (const [fragment, filledIn] of [
    [byHand, byHand],
    [new URLSearchParams({ code }), code],
    [encodeURIComponent(code), code],
  ]) {
    await page.goto("about:blank")
    await page.goto(`${visits.url}/license#${fragment}`)
    await page.waitForURL(`${visits.url}/license`)
    expect(await page.locator("#purchase_code").inputValue()).toBe(`${filledIn}`)
  }
  await page.locator("a[hreflang=tr]").click()
  await page.getByRole("heading", { name: inLocale("tr", () => t("Your license")) }).waitFor()
  expect(await page.locator("#purchase_code").inputValue()).toBe(code)
  await page.locator("main button[type=submit]").click()
  await page.locator(".facts").waitFor()
  await page.locator(".skip").focus()
  await page.keyboard.press("Enter")
  expect(await page.locator("#purchase_code").inputValue()).toBe(code)
  await page.locator("header a[href='/docs']").click()
  await page.waitForURL(`${visits.url}/docs`)
  const spellings = [code, encodeURIComponent(code), code.replaceAll(" ", "+")]
  const path = sent.map((url) => url.replace(/#.*/, "")).join("\n")
  for (const spelling of spellings) {
    expect(path).not.toContain(spelling)
    expect(visits.program.logged()).not.toContain(spelling)
  }
  expect(sent.filter((url) => url.endsWith("/license"))).not.toEqual([])
})

test("offline activation beyond the limit links to the license, with the code that was entered", async () => {
  const page = await visits.visit()
  await page.goto(
    `${visits.url}/activate#${new URLSearchParams({ key, nonce: "0123456789abcdef", site: "new.com" })}`,
  )
  await page.locator("#purchase_code").fill(code)
  await page.locator("main button[type=submit]").click()
  await page
    .getByText(
      "This purchase code has reached its site limit. See your license below to release another site. A site not seen for 30 days frees its slot.",
    )
    .waitFor()
  await page.locator("main a").click()
  await page.getByRole("heading", { name: "Your license" }).waitFor()
  expect(await page.locator("#purchase_code").inputValue()).toBe(code)
})
