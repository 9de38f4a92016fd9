import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { createPazar, type PazarOptions } from "../../sdk/src/index.ts"
import { createMemoryStore } from "../../sdk/test/fake-server.ts"
import { commandLine } from "../../src/access/actor.ts"
import type { outcomeTexts } from "../../src/buyer/activation-pages.tsx"
import { publicTestSecret } from "../../src/contract/operation.ts"
import { inLocale, t } from "../../src/platform/t.ts"
import { rotateSigningKey } from "../../src/signing/signing-key-operations.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { copyBy } from "../harness/browser/copy-button.ts"
import { readKeySet } from "../harness/http/key-set.ts"
import { openInstalledClient } from "../harness/php/php-client.ts"
import { startProgram } from "../harness/program.ts"
import { account, item, purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

const site = "https://shop.example.com/süper?a=1&b=2"
const nonce = "0123456789abcdef"
let visits: BrowserVisits
let key: string
let pinned: readonly string[]

beforeAll(async () => {
  visits = await openBrowserVisits(async () => {
    const program = await startProgram({ LOG_LEVEL: "debug" })
    const refunded = { ...purchase("REFUNDED", 7), revoked: true }
    const ended = { ...purchase("ENDED", 7), valid_until: "2026-01-01T00:00:00Z" }
    await program.load([account("ada"), item("ada", 7), purchase("CODE–7", 7), refunded, ended])
    return program
  })
  key = (await visits.program.issue("ada", "vk", [7])).secret
  pinned = (await readKeySet(visits.url)).map(({ x }) => x)
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

const open = (changes: Partial<PazarOptions> & Pick<PazarOptions, "store">) =>
  createPazar({
    baseUrl: visits.url,
    key,
    items: [7],
    keys: pinned,
    site,
    fetch: () => Promise.reject(new Error("no requests from here")),
    ...changes,
  })

/** Opens an empty page first: a browser does not reload a page if only the fragment changes. */
async function visitEmpty(): Promise<Page> {
  const page = await visits.reusePage(false)
  await page.goto("about:blank")
  return page
}

async function enter(page: Page, code: string): Promise<void> {
  await page.locator("#purchase_code").fill(code)
  await page.locator("main button[type=submit]").click()
}
type Outcome = keyof typeof outcomeTexts
const untilShown = (page: Page, outcome: Outcome) =>
  page.locator(`main [role=status] [data-outcome=${outcome}]`).waitFor()
const lineOf = (page: Page) => page.locator("#receipt").inputValue()

test("a product without an internet connection is activated, on its own site only", async () => {
  const [store, other] = [createMemoryStore(), createMemoryStore()]
  const page = await visits.visit({ permissions: ["clipboard-read", "clipboard-write"] })
  const requested: string[] = []
  page.on("request", (request) => requested.push(request.url()))
  await page.goto(await open({ store }).activationUrl())
  expect(await page.locator("[data-site]").textContent()).toBe(
    `The receipt is for this site only: shop.example.com`,
  )
  await enter(page, "\u200b code–7 ")
  await untilShown(page, "ok")
  const line = await lineOf(page)
  await copyBy(page.locator("[data-receipt] button"))
  expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(line)

  const elsewhere = { site: "https://other.example" }
  await open({ ...elsewhere, store: other }).activationUrl()
  for (const copied of [other, createMemoryStore(store.text())]) {
    const rejected = await open({ ...elsewhere, store: copied }).importReceipt(line)
    expect(rejected.isActive).toBe(false)
  }
  const imported = await open({ store }).importReceipt(line)
  expect(imported).toMatchObject({ state: "valid", code: "code-7" })
  expect(await open({ store }).check(imported.code)).toMatchObject({ source: "cache" })

  expect(requested.filter((url) => url.includes(key) || url.includes("nonce"))).toEqual([])
  const stored = await page.evaluate(
    "[document.cookie, localStorage.length, sessionStorage.length]",
  )
  expect([stored, await page.context().cookies()]).toEqual([["", 0, 0], []])
  expect(visits.program.logged()).not.toContain(key)
})

test("the PHP client imports the receipt too", async () => {
  const client = openInstalledClient()
  const options = { base_url: visits.url, key, items: [7], keys: pinned, site }
  const [link, text] = await client.run({
    options,
    steps: [{ call: "activationUrl" }, { call: "readStore" }],
  })
  const page = await visitEmpty()
  await page.goto(String(link))
  await enter(page, "CODE–7")
  await untilShown(page, "ok")
  const offline = { ...options, base_url: "http://127.0.0.1:1" }
  const paste = { call: "importReceipt", arguments: [await lineOf(page)] }
  const [, elsewhere, imported, cached] = await client.run({
    options: offline,
    steps: [
      { call: "writeStore", arguments: [text] },
      { ...paste, options: { site: "https://other.example" } },
      paste,
      { call: "cached", arguments: ["CODE–7"] },
    ],
  })
  await client.close()
  expect(elsewhere).toMatchObject({ state: "unknown", reason: "forged", code: "CODE–7" })
  expect([imported, cached]).toMatchObject([
    { state: "valid", source: "receipt", code: "CODE–7" },
    { state: "valid", source: "cache" },
  ])
})

const fragment = (fields: Readonly<Record<string, string>>) => `#${new URLSearchParams(fields)}`

test.each([
  ["an unknown code", "no-such-code", "unknown_code"],
  ["a code of blanks", "\u200b", "unknown_code"],
  ["a refund", "REFUNDED", "revoked_code"],
  ["a subscription that has ended", "ENDED", "expired_code"],
] as const)("%s", async (_, code, outcome) => {
  const page = await visitEmpty()
  await page.goto(`${visits.url}/activate${fragment({ key, nonce })}`)
  await enter(page, code)
  await untilShown(page, outcome)
  expect(await page.locator("[data-receipt]:visible, [data-site]:visible").count()).toBe(0)
})

test.each([
  ["test-site-limit", "site_limit"],
  ["test-rate-limited", "unknown"],
  ["test-unavailable", "unknown"],
] as const)("%s, after a receipt", async (code, outcome) => {
  const page = await visitEmpty()
  await page.goto(`${visits.url}/activate${fragment({ key: publicTestSecret, nonce, site })}`)
  await enter(page, "test-regular")
  await page.locator("#receipt").waitFor()
  await enter(page, code)
  await untilShown(page, outcome)
  expect(await page.locator("[data-receipt]:visible").count()).toBe(0)
})

test("a revoked key, and no internet connection", async () => {
  const page = await visits.visit()
  const unknownKey = `${key.slice(0, -1)}${key.endsWith("a") ? "b" : "a"}`
  await page.goto(`${visits.url}/activate${fragment({ key: unknownKey, nonce })}`)
  await enter(page, "CODE-7")
  await untilShown(page, "key")
  await page.context().setOffline(true)
  await enter(page, "CODE-7")
  await untilShown(page, "unknown")
})

test("a response of something other than Pazar is ignored", async () => {
  const page = await visitEmpty()
  await page.goto(`${visits.url}/activate${fragment({ key, nonce })}`)
  for (const status of [404, 200]) {
    await page.route("**/api/**", (route) => route.fulfill({ status, body: "<h1>Hello</h1>" }))
    await enter(page, "CODE–7")
    await untilShown(page, "unknown")
    await page.reload()
  }
})

test.each([
  ["nothing", {}],
  ["no nonce", { key: "pzr_vk_a" }],
  ["a short nonce", { key: "pzr_vk_a", nonce: "a" }],
  ["a secret key", { key: "pzr_sk_a", nonce }],
])("a link with %s has no form", async (_, fields) => {
  const page = await visitEmpty()
  await page.goto(`${visits.url}/activate${fragment(fields)}`)
  await untilShown(page, "no_link")
  expect(await page.locator("main form:visible").count()).toBe(0)
})

test("a change of language keeps the link, and so does the skip link", async () => {
  const page = await visitEmpty()
  await page.goto(`${visits.url}/activate${fragment({ key, nonce, site })}`)
  await page.locator("a[hreflang=tr]").click()
  await page.getByRole("heading", { name: inLocale("tr", () => t("Offline activation")) }).waitFor()
  await page.locator(".skip").focus()
  await page.keyboard.press("Enter")
  await enter(page, "CODE–7")
  await page
    .getByText(
      inLocale("tr", () =>
        t("The code is valid. Copy the receipt and paste it into your product."),
      ),
    )
    .waitFor()
  expect(await page.locator("[data-receipt]").textContent()).toContain(
    inLocale("tr", () => t("Paste it soon. It is valid for a limited time.")),
  )
})

test("a second link in the same tab replaces the first", async () => {
  const page = await visitEmpty()
  await page.goto(`${visits.url}/activate${fragment({ key, nonce, site: "a.example" })}`)
  await page.goto(`${visits.url}/activate${fragment({ key, nonce, site: "b.example" })}`)
  await page.getByText("b.example").waitFor()
})

test("without JavaScript the page says that it needs JavaScript", async () => {
  const page = await visits.visit({ javaScriptEnabled: false })
  await page.goto(`${visits.url}/activate`)
  const shown = page.locator("main [role=status] p:visible")
  expect(await shown.allTextContents()).toEqual([
    "This page requires JavaScript. Enable it and open the link again.",
  ])
  expect(await page.locator("main form:visible, #receipt:visible").count()).toBe(0)
})

test("after three rotations of the signing key, products of the first one are activated", async () => {
  for (let rotation = 0; rotation < 3; rotation++) {
    await rotateSigningKey(visits.program.app.signingKeyServices(commandLine))
  }
  const [current] = await readKeySet(visits.url)
  await until(async () => (await readSigner()) === current?.kid || undefined)
  const keys = pinned.slice(0, 2)

  const store = createMemoryStore()
  const php = openInstalledClient()
  const options = { base_url: visits.url, key, items: [7], keys, site }
  const steps = [{ call: "activationUrl" }, { call: "readStore" }]
  const [link, text] = await php.run({ options, steps })
  const lines = []
  for (const url of [await open({ store, keys }).activationUrl(), String(link)]) {
    const page = await visitEmpty()
    await page.goto(url)
    await enter(page, "CODE–7")
    await untilShown(page, "ok")
    lines.push(await lineOf(page))
  }
  const [first = "", second] = lines
  expect(await open({ store, keys }).importReceipt(first)).toMatchObject({ state: "valid" })
  expect(await open({ store, keys }).cached("CODE–7")).toMatchObject({ state: "valid" })
  const [, ...results] = await php.run({
    options,
    steps: [
      { call: "writeStore", arguments: [text] },
      { call: "importReceipt", arguments: [second] },
      { call: "cached", arguments: ["CODE–7"] },
    ],
  })
  await php.close()
  expect(results).toMatchObject([{ state: "valid" }, { state: "valid" }])
})

async function readSigner(): Promise<string | undefined> {
  const body = new URLSearchParams({ api_key: key, purchase_code: "CODE–7", nonce })
  const response = await fetch(`${visits.url}/api/purchases/validation`, { method: "POST", body })
  return /keyid="([^"]+)"/.exec(response.headers.get("signature-input") ?? "")?.[1]
}
