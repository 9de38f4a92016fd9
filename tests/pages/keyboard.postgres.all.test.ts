import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { focusOf, textOf } from "../harness/browser/page-measurements.ts"
import { samplePassword } from "../harness/browser/sample-workspace.ts"
import { tabTo } from "../harness/browser/tab-key.ts"
import { until } from "../harness/until.ts"

const sections = ["/sales", "/items", "/log", "/settings/keys", "/settings"].map(
  (path) => `/workspace/elif${path}`,
)
const tabs = ["webhooks", "security"].map((tab) => `/workspace/elif/settings/${tab}`)

let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

async function follow(page: Page, selector: string, key: "Enter" | "Space" = "Enter") {
  await tabTo(page, selector)
  const loaded = page.waitForEvent("load")
  await page.keyboard.press(key)
  await loaded
}

/** The focus is set when the page is first painted, which can be after its load event. */
async function untilFocused(page: Page, selector: string): Promise<void> {
  const isFocused = `document.activeElement.matches(${JSON.stringify(selector)})`
  await until(async () => (await page.evaluate<boolean>(isFocused)) || undefined)
}

async function openPersonMenu(page: Page): Promise<void> {
  await tabTo(page, ".person summary")
  await page.keyboard.press("Enter")
}

async function signInByKeyboard(page: Page): Promise<void> {
  await page.goto(`${visits.url}/login`)
  await tabTo(page, "#name")
  await page.keyboard.type("elif")
  await page.keyboard.press("Tab")
  await page.keyboard.type(samplePassword)
  await page.keyboard.press("Enter")
  await page.waitForURL(`${visits.url}/workspace/elif`)
}

test("signs in and reaches every section, every tab of the settings and the documentation", async () => {
  const page = await visits.visit()
  await signInByKeyboard(page)
  const reached: string[] = []
  const reach = async (selector: string) => {
    await follow(page, selector)
    reached.push(new URL(page.url()).pathname)
  }
  for (const path of sections) await reach(`.sidebar nav a[href='${path}']`)
  for (const path of tabs) await reach(`.tabs a[href='${path}']`)
  await openPersonMenu(page)
  await reach(".person a[href='/docs']")
  expect(reached).toEqual([...sections, ...tabs, "/docs"])
})

test("creates a key, copies it, reveals it and signs out", async () => {
  const page = await visits.visit({ permissions: ["clipboard-read", "clipboard-write"] })
  await signInByKeyboard(page)
  await follow(page, "nav a[href='/workspace/elif/settings/keys']")
  await follow(page, "a[href$='/keys/new']")
  await tabTo(page, "input[name=kind]")
  await page.keyboard.press("Space")
  await tabTo(page, "#name")
  await page.keyboard.type("By keyboard")
  await follow(page, "main button[type=submit]", "Space")
  const secret = await textOf(page.locator("[data-secret]"))
  await tabTo(page, "button[data-copy]")
  // The button shows this text for two seconds only.
  const confirmation = page.getByRole("button", { name: "Copied" }).waitFor()
  await page.keyboard.press("Enter")
  await confirmation
  const copied = await page.evaluate("navigator.clipboard.readText()")
  await follow(page, "main a.button[href$='/keys']")
  await tabTo(page, "[popovertarget^=menu-]")
  await page.keyboard.press("Enter")
  await follow(page, "button[formaction$='/reveal']", "Space")
  const revealed = await textOf(page.locator("[data-secret]"))
  await untilFocused(page, "[data-secret]")
  await openPersonMenu(page)
  await follow(page, ".person form[action='/logout'] button")
  expect({ copied, revealed, at: page.url() }).toEqual({
    copied: secret,
    revealed: secret,
    at: `${visits.url}/login`,
  })
})

test("the menu of a key closes on Escape and on a click outside, and does not cover its row", async () => {
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace/elif/settings/keys`)
  const button = page.locator("[popovertarget^=menu-]").first()
  const menu = page.locator(".row-menu").first()
  await button.click()
  const names = await menu.locator("a, button").allTextContents()
  const [row, opened] = [
    await page.locator("#results tr:has([popovertarget])").first().boundingBox(),
    await menu.boundingBox(),
  ]
  await page.keyboard.press("Escape")
  const afterEscape = await menu.isVisible()
  await button.click()
  await page.locator("h1").click()
  expect({ names, afterEscape, afterClick: await menu.isVisible() }).toEqual({
    names: [...["Reveal", "Rotate", "This key leaked", "Rename"], ...["Revoke", "Copy key ID"]],
    afterEscape: false,
    afterClick: false,
  })
  expect(opened?.y).toBeGreaterThanOrEqual((row?.y ?? 0) + (row?.height ?? 0) - 4)
})

test("the skip link is first and leads to the content", async () => {
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace/elif/items`)
  await page.keyboard.press("Tab")
  const first = await focusOf(page)
  await page.keyboard.press("Enter")
  await untilFocused(page, "#main")
  await page.keyboard.press("Tab")
  const isInContent = await page.evaluate("document.activeElement.closest('#main') !== null")
  expect({ first, isInContent }).toEqual({
    first: { tag: '<a class="skip" href="#main"></a>', isVisible: true },
    isInContent: true,
  })
})

test("after a wrong password the name is kept and the password has the focus", async () => {
  const page = await visits.visit()
  await page.goto(`${visits.url}/login`)
  await page.fill("#name", "elif")
  await page.fill("#password", "not this one")
  await page.keyboard.press("Enter")
  await page.locator("#password-error").waitFor()
  await untilFocused(page, "#password")
  expect(await page.inputValue("#name")).toBe("elif")
})

test("the chart is one tab stop; arrow keys move from day to day and show its values", async () => {
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace/elif`)
  const plot = page.locator(".plot").first()
  await tabTo(page, ".bar")
  const days: string[] = []
  for (const key of ["ArrowRight", "ArrowLeft", "ArrowLeft", "Home", "ArrowLeft", "End"]) {
    await page.keyboard.press(key)
    days.push(await page.evaluate<string>("document.activeElement.getAttribute('aria-label')"))
    expect((await plot.locator(".tip").textContent())?.replaceAll("\n", ", ")).toBe(
      days.at(-1) ?? "",
    )
  }
  const labels = await plot
    .locator(".bar")
    .evaluateAll((bars) => bars.map((bar) => bar.getAttribute("aria-label") ?? ""))
  const expected = [6, 5, 4, 0, 0, 6].map((at) => labels[at] ?? "")
  await page.keyboard.press("Escape")
  const isShown = await plot.locator(".tip").isVisible()
  await page.keyboard.press("Tab")
  const isLeft = await page.evaluate(
    "!document.querySelector('.plot').contains(document.activeElement)",
  )
  expect({ days, isShown, isLeft }).toEqual({ days: expected, isShown: false, isLeft: true })
})

test("the error of a form is in the title, and its field has the focus", async () => {
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace/elif/settings/security`)
  await page.fill("#current", "not this one")
  await page.fill("#password", "zeytin rüzgâr merdiven")
  await page.fill("#repeat", "zeytin rüzgâr merdiven")
  await page.keyboard.press("Enter")
  const error = await textOf(page.locator(".error"))
  await untilFocused(page, "#current")
  const described = await page.evaluate(
    "document.getElementById(document.activeElement.getAttribute('aria-describedby')).textContent",
  )
  expect([await page.title(), described]).toEqual([`${error} · Pazar`, error])
})

test("passwords can be shown in every password field", async () => {
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace/elif/settings/security`)
  const types = () =>
    page
      .locator("main form input[autocomplete$=password]")
      .evaluateAll((fields) => fields.map((field) => field.getAttribute("type")))
  const before = await types()
  await page.getByLabel("Show password").check()
  expect([before, await types()]).toEqual([
    ["password", "password", "password"],
    ["text", "text", "text"],
  ])
})
