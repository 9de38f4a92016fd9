import type { Locator, Page } from "playwright-core"
import { publicTestSecret } from "../../../src/contract/operation.ts"
import { samplePassword } from "./sample-workspace.ts"

export type PageVisit = Readonly<{
  name: string
  isPublic?: boolean
  visit(page: Page, url: string): Promise<unknown>
}>

const soldCode = "8f14e45f–ceea–467f–9b2c–1d6f0a7c3e21"

const go = (path: string) => (page: Page, url: string) => page.goto(`${url}${path}`)
const webhookLink = (page: Page) => page.locator("main td a", { hasText: "hooks.example" })
const keyLink = (page: Page) => page.locator("main .row-link").first()

const activate = (code: string, outcome: string) => async (page: Page, url: string) => {
  // Otherwise only the fragment would change, and the browser would not load the page again.
  await page.goto("about:blank")
  const site = "https://the-online-shop-of-a-long-and-honest-name.example.com/tr"
  const fields = { key: publicTestSecret, nonce: "0123456789abcdef", site }
  await page.goto(`${url}/activate#${new URLSearchParams(fields)}`)
  await page.fill("#purchase_code", code)
  await page.locator("main button[type=submit]").click()
  await page.locator(`[data-outcome=${outcome}]`).waitFor()
}

const enterCode = (code: string) => async (page: Page, url: string) => {
  await page.goto(`${url}/license`)
  await page.fill("#purchase_code", code)
  await page.locator("main button[type=submit]").click()
  await page.locator(".facts, .error").first().waitFor()
}

/** `code` is active on a site. */
export const listLicenseVisits = (code: string): readonly PageVisit[] => [
  { name: "license", isPublic: true, visit: go("/license") },
  { name: "license-unknown", isPublic: true, visit: enterCode("no-such-code") },
  { name: "license-sites", isPublic: true, visit: enterCode(code) },
  {
    name: "license-release",
    isPublic: true,
    async visit(page, url) {
      await enterCode(code)(page, url)
      await page.locator("button[name=release]").first().click()
      await page.locator("button[name=confirmed]").waitFor()
    },
  },
]

/** Submits a form; opens a link without a click, which would open a confirmation over the page. */
async function follow(page: Page, control: Locator): Promise<void> {
  const href = await control.getAttribute("href")
  if (href !== null) await page.goto(new URL(href, page.url()).href)
  else await Promise.all([page.waitForEvent("load"), control.click()])
}

export const pageVisits: readonly PageVisit[] = [
  { name: "landing", isPublic: true, visit: go("/") },
  { name: "sign-in", isPublic: true, visit: go("/login") },
  {
    name: "sign-in-wrong",
    isPublic: true,
    async visit(page, url) {
      await page.goto(`${url}/login`)
      await page.fill("#name", "elif")
      await page.fill("#password", "not this one")
      await follow(page, page.locator("main button[type=submit]").first())
    },
  },
  { name: "not-found", isPublic: true, visit: go("/nowhere") },
  { name: "link-gone", isPublic: true, visit: go("/login/link/none") },
  { name: "docs", isPublic: true, visit: go("/docs") },
  { name: "docs-operation", isPublic: true, visit: go("/docs/validate_purchase") },
  { name: "docs-guide", isPublic: true, visit: go("/docs/ship-a-key") },
  { name: "docs-search", isPublic: true, visit: go("/docs/search?q=key") },
  { name: "activate-without-link", isPublic: true, visit: go("/activate") },
  { name: "activate-receipt", isPublic: true, visit: activate("test-regular", "ok") },
  {
    name: "activate-limit",
    isPublic: true,
    visit: activate("test-site-limit", "site_limit"),
  },
  ...listLicenseVisits(soldCode),
  {
    name: "license-refunded",
    isPublic: true,
    visit: enterCode("aab32389-22bc-425a-af60-6eb525ffdc56"),
  },
  { name: "overview", visit: go("/workspace/elif") },
  { name: "overview-own-days", visit: go("/workspace/elif?from=2020-01-01&to=2020-01-31") },
  { name: "log", visit: go("/workspace/elif/log") },
  { name: "search", visit: go("/workspace/elif/search") },
  { name: "sales", visit: go("/workspace/elif/sales?days=all") },
  { name: "sales-of-days", visit: go("/workspace/elif/sales?days=90") },
  { name: "log-none", visit: go("/workspace/elif/log?from=2020-01-01&to=2020-01-31") },
  { name: "requests", visit: go("/workspace/elif/log?error=unknown_code") },
  { name: "items", visit: go("/workspace/elif/items") },
  { name: "items-none", visit: go("/workspace/elif/items?q=zzz") },
  {
    name: "item",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/items/1001`)
      await page.click(".json summary")
    },
  },
  {
    name: "site-limit-wrong",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/items/1003`)
      await page.fill("#limit", "none")
      await follow(page, page.locator("form[action$='/sites'] button"))
    },
  },
  {
    name: "site-limit-preview",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/items/1001`)
      await page.fill("#limit", "1")
      await follow(page, page.locator("form[action$='/sites'] button"))
    },
  },
  { name: "check", visit: go("/workspace/elif/check") },
  {
    name: "check-valid",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/check`)
      await page.fill("#purchase_code", ` ${soldCode.toUpperCase()} `)
      await follow(page, page.locator("main button[type=submit]"))
    },
  },
  {
    name: "check-refunded",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/check`)
      await page.fill("#purchase_code", "Is aab32389-22bc-425a-af60-6eb525ffdc56 valid?")
      await follow(page, page.locator("main button[type=submit]"))
    },
  },
  {
    name: "check-unknown",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/check`)
      await page.fill("#purchase_code", "no-such-code")
      await follow(page, page.locator("main button[type=submit]"))
    },
  },
  { name: "keys", visit: go("/workspace/elif/settings/keys") },
  {
    name: "key-not-mine",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys`)
      await page.fill("#list [name=q]", "not a key of mine")
      await Promise.all([page.waitForEvent("load"), page.press("#list [name=q]", "Enter")])
    },
  },
  { name: "key-new", visit: go("/workspace/elif/settings/keys/new") },
  {
    name: "key-made",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys/new`)
      await page.fill("#name", "Made on the way")
      await follow(page, page.locator("main button[type=submit]"))
    },
  },
  {
    name: "key-menu",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys`)
      await page.locator("[popovertarget^=menu-]").first().click()
    },
  },
  {
    name: "key-revealed",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys`)
      await page.locator("[popovertarget^=menu-]").first().click()
      await follow(page, page.locator("button[formaction$='/reveal']").first())
    },
  },
  {
    name: "key",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys`)
      await follow(page, keyLink(page))
    },
  },
  {
    name: "key-used",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys`)
      await follow(page, page.locator("main .row-link", { hasText: /^Theme updater$/ }))
    },
  },
  {
    name: "key-replace",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys`)
      await follow(page, keyLink(page))
      await follow(page, page.locator("main a[href$='/replace']"))
    },
  },
  {
    name: "key-leak",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys`)
      await follow(page, keyLink(page))
      await follow(page, page.locator("main a[href$='/leak']"))
    },
  },
  {
    name: "key-revoke",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys`)
      await follow(page, keyLink(page))
      await follow(page, page.locator("main a[href$='/revoke']"))
    },
  },
  {
    name: "key-revoked",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/keys?state=inactive`)
      await follow(page, keyLink(page))
    },
  },
  { name: "settings", visit: go("/workspace/elif/settings") },
  { name: "webhooks", visit: go("/workspace/elif/settings/webhooks") },
  { name: "webhook-new", visit: go("/workspace/elif/settings/webhooks/new") },
  {
    name: "webhook",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/webhooks`)
      await follow(page, webhookLink(page))
    },
  },
  {
    name: "webhook-delivery",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/webhooks`)
      await follow(page, webhookLink(page))
      await follow(page, page.locator("main td a").first())
    },
  },
  {
    name: "webhook-remove",
    async visit(page, url) {
      await page.goto(`${url}/workspace/elif/settings/webhooks`)
      await follow(page, webhookLink(page))
      await follow(page, page.locator("main a[href$='/remove']"))
    },
  },
  { name: "security", visit: go("/workspace/elif/settings/security") },
  { name: "second-factor", visit: go("/workspace/elif/settings/security/second-factor") },
  { name: "workspace-not-found", visit: go("/workspace/elif/settings/keys/key_none") },
]

export async function signIn(page: Page, url: string, name = "elif"): Promise<void> {
  await page.goto(`${url}/login`)
  await page.fill("#name", name)
  await page.fill("#password", samplePassword)
  await page.press("#password", "Enter")
  await page.waitForURL(/\/workspace\/[^/]+$/)
}
