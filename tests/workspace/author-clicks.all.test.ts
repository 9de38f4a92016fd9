/** What authors come for, and the number of clicks from the home page. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { inLocale, t } from "../../src/platform/t.ts"
import { formatTimestamp, lastDays } from "../../src/platform/time.ts"
import { createEndpoint } from "../../src/webhooks/endpoint-operations.ts"
import { openPage } from "../harness/browser/browser.ts"
import { copyBy } from "../harness/browser/copy-button.ts"
import { givePassword, startQuietWorkspace } from "../harness/browser/sample-workspace.ts"
import { openSignedIn } from "../harness/browser/visitor.ts"
import { failDelivery } from "../harness/failed-delivery.ts"
import type { Program } from "../harness/program.ts"
import { addUsage } from "../harness/stores/store-records.ts"
import { openReceiver } from "../harness/webhook-receiver.ts"

const receiver = openReceiver()
let program: Program
let yesterday: string

beforeAll(async () => {
  program = await startQuietWorkspace({}, { webhookReceiver: receiver.url })
  await givePassword(program, "marcus")
  const { store, endpointServices, now } = program.app
  ;[yesterday = ""] = lastDays(formatTimestamp(now()), 2)
  const { key } = await program.issue("elif")
  const call = { keyId: key.id, operation: "validate_purchase", day: yesterday } as const
  await addUsage(store, {
    calls: [
      { ...call, outcome: "ok", calls: 900 },
      { ...call, outcome: "missing_parameter", calls: 41 },
    ],
    lastUses: [{ keyId: key.id, lastUsedAt: formatTimestamp(now()) }],
  })
  const elif = await requireAccount(store.accounts, "elif")
  const created = { url: receiver.url, events: [] }
  const { endpoint } = await createEndpoint(endpointServices(commandLine), elif, created)
  await failDelivery(program, endpoint.id, Date.now())
  program.startHousekeeping()
})
afterAll(async () => {
  await program.close()
  await receiver.close()
})

/** Opens the home page of an author; `click` counts. */
async function openHome(username: string) {
  const page = await openPage({
    viewport: { width: 1440, height: 900 },
    permissions: ["clipboard-read", "clipboard-write"],
  })
  const visitor = await openSignedIn(program.url, username)
  const cookies = [...visitor.cookies]
  await page
    .context()
    .addCookies(cookies.map(([name, value]) => ({ name, value, url: program.url })))
  await page.goto(`${program.url}${visitor.home()}`)
  let clicks = 0
  async function click(target: Locator): Promise<void> {
    clicks += 1
    await target.click()
  }
  const close = () => page.context().close()
  return { page, click, close, clicks: () => clicks }
}

const row = (page: Page, text: string) => page.locator("tbody tr", { hasText: text }).first()

test("one click leads to why requests failed yesterday", async () => {
  const { page, click, close, clicks } = await openHome("elif")
  await click(page.locator(".plot").last().locator("a.bar").nth(-2))
  await page.waitForURL(`**/workspace/elif/log?from=${yesterday}&to=${yesterday}`)
  const text = (await row(page, "Missing parameter").textContent()) ?? ""
  expect([
    text.includes("41"),
    text.includes(
      "Compare the request with the sample in the docs. A common cause is an empty code field.",
    ),
    clicks(),
  ]).toEqual([true, true, 1])
  await close()
})

test("three clicks download the sales of one item", async () => {
  const { page, click, close, clicks } = await openHome("elif")
  await click(page.getByRole("link", { name: "Items", exact: true }))
  await click(page.locator("#results a.row-link").first())
  await page.waitForURL(/\/items\/\d+$/)
  const downloading = page.waitForEvent("download")
  await click(page.getByRole("link", { name: "CSV" }))
  expect([(await downloading).suggestedFilename().endsWith(".csv"), clicks()]).toEqual([true, 3])
  await close()
})

test("three clicks redeliver a failed delivery, and its result appears without a reload", async () => {
  const { page, click, close, clicks } = await openHome("elif")
  await click(page.getByRole("link", { name: "Show why" }))
  await click(row(page, "Failed"))
  await page.waitForURL(/\/messages\//)
  await Promise.all([
    page.waitForEvent("load"),
    click(page.getByRole("button", { name: "Redeliver" })),
  ])
  await page.evaluate("globalThis.isSame = true")
  await page.locator("#attempts .pill", { hasText: "Delivered" }).waitFor()
  expect([await page.evaluate<boolean>("globalThis.isSame"), clicks()]).toEqual([true, 3])
  await close()
})

test("three clicks lead from no key to the first request", async () => {
  const { page, click, close, clicks } = await openHome("marcus")
  await click(page.getByRole("link", { name: "Create a key" }))
  await page.locator("#name").fill("Support desk")
  await click(page.getByRole("button", { name: "Create key" }))
  await page.locator("#first-request[data-refresh]").waitFor()
  const [secret = ""] = /pzr_sk_\w+/.exec(await page.content()) ?? []
  await copyBy(page.locator("button[data-copy-code]").first())
  const response = await fetch(`${program.url}/api/account/details`, {
    headers: { "X-Api-Key": secret },
  })
  expect([response.status, clicks() + 1]).toEqual([200, 3])
  await page.locator("#first-request .good").waitFor()
  await close()
})

// The language is stored for the author, so this is the last.
test("two clicks change the language", async () => {
  const { page, click, close, clicks } = await openHome("elif")
  await click(page.locator(".person summary"))
  await click(page.getByRole("button", { name: inLocale("tr", () => t("English")) }))
  await page.locator("html[lang=tr]").waitFor()
  expect(clicks()).toBe(2)
  await close()
})
