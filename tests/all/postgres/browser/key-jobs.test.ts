/** The shortest ways to what authors come for, with their clicks counted. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { commandLine } from "../../../../src/domain/sign-in/audit-event.ts"
import { formatTimestamp, lastDays } from "../../../../src/domain/values/time/timestamp.ts"
import { catalogues } from "../../../../src/http/pages/view.ts"
import { revokeKey } from "../../../../src/operations/keys/change-key.ts"
import { account } from "../../../contracts/records.ts"
import { type BrowserVisits, openBrowserVisits } from "../../../harness/browser/browser-visits.ts"
import { signIn } from "../../../harness/browser/pages.ts"
import { givePassword, samplePassword } from "../../../harness/browser/sample-workspace.ts"
import { textOf } from "../../../harness/measures.ts"

const { keyPages, log, overview, stillCalled, copied: copiedWord } = catalogues.en
let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

/** Counts the clicks that are made through it. */
function createClicker() {
  let clicks = 0
  return {
    count: () => clicks,
    /** Until the next page is whole, where the click leads to one. */
    async click(target: Locator): Promise<void> {
      clicks += 1
      await target.click()
      await target.page().waitForLoadState()
    },
  }
}

async function ask(secret: string): Promise<number> {
  const headers = { "X-Api-Key": secret }
  return (await fetch(`${visits.url}/api/account/details`, { headers })).status
}

const readSecret = (page: Page) => textOf(page.locator("[data-secret]"))

test.each([true, false])("a leaked key is stopped in two clicks after pasting it", async (js) => {
  const { secret } = await visits.program.issue("elif")
  const page = await visits.visitSignedIn({ javaScriptEnabled: js })
  await page.goto(`${visits.url}/workspace/settings/keys`)
  await page.locator("#key").fill(`define('PAZAR_KEY', '${secret}');`)
  const { click, count } = createClicker()
  await click(page.getByRole("button", { name: keyPages.find.submit }))
  await click(page.getByRole("button", { name: keyPages.leak.replace }))
  const next = await readSecret(page)
  expect([count(), await ask(secret), await ask(next)]).toEqual([2, 401, 200])
})

test("who still uses the old key is answered one click from the overview", async () => {
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace`)
  const { click, count } = createClicker()
  await click(page.getByText(overview.stillUsed("Billing")).getByRole("link"))
  const users = page.locator("[aria-labelledby=networks] tbody tr")
  const cells = await users.first().locator("th, td").allTextContents()
  expect([count(), await users.count()]).toEqual([1, 1])
  expect(cells[0]).toBe("198.51.0.0/24")
  expect(Number(cells[1])).toBeGreaterThan(50)
})

test.each([true, false])("why calls failed yesterday is answered in two clicks", async (js) => {
  const page = await visits.visitSignedIn({ javaScriptEnabled: js })
  await page.goto(`${visits.url}/workspace`)
  const { click, count } = createClicker()
  // The bar of yesterday, then only the errors of that day.
  await click(page.locator(".plot a.bar").nth(-2))
  await click(page.getByRole("link", { name: log.tabs.errors, exact: true }))
  const rows = page.locator("main tbody tr")
  const [yesterday] = lastDays(formatTimestamp(visits.program.app.now()), 2)
  expect(count()).toBe(2)
  expect(new URL(page.url()).search).toBe(`?day=${yesterday}&show=errors`)
  expect(await rows.count()).toBeGreaterThan(0)
  for (const row of await rows.all()) {
    expect(await textOf(row)).toContain(log.reasons.unavailable.what)
    expect(await textOf(row)).toContain(log.reasons.unavailable.todo)
    expect(await row.locator("time").first().getAttribute("datetime")).toStartWith(`${yesterday}T`)
  }
})

test("who still calls a stopped key is answered one click from the overview", async () => {
  const { key } = await visits.program.issue("elif")
  const { store, now, keyServices } = visits.program.app
  await store.keys.rename(key.id, "Leaked")
  await revokeKey(keyServices(commandLine), key)
  const at = formatTimestamp(now())
  const call = { keyId: key.id, operation: "read_account", reason: "revoked_key" } as const
  const failure = { ...call, network: "203.0.113.0/24", code: "", calls: 77 }
  await store.counts.add(at, { failures: [{ ...failure, firstAt: at, lastAt: at }] })
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace`)
  const { click, count } = createClicker()
  await click(page.getByText(stillCalled.attention("Leaked", 77)).getByRole("link"))
  const callers = page.locator("[aria-labelledby=still-called] tbody tr")
  const cells = await callers.first().locator("th, td").allTextContents()
  expect([count(), ...cells.slice(0, 2)]).toEqual([1, "203.0.113.0/24", "77"])
})

test("fifteen keys fit one screen", async () => {
  await visits.program.load([account("collector")])
  await givePassword(visits.program, "collector")
  for (let count = 0; count < 15; count += 1) await visits.program.issue("collector")
  const page = await visits.visit({ viewport: { width: 1280, height: 860 } })
  await signIn(page, visits.url, "collector")
  await page.goto(`${visits.url}/workspace/settings/keys`)
  const last = await page.locator(".keys tbody tr").last().boundingBox()
  expect(await page.locator(".keys tbody tr").count()).toBe(15)
  expect((last?.y ?? Number.NaN) + (last?.height ?? 0)).toBeLessThanOrEqual(860)
})

test("from the landing page to a first call in five clicks and one paste", async () => {
  await visits.program.load([account("newcomer")])
  await givePassword(visits.program, "newcomer")
  const page = await visits.visit({ permissions: ["clipboard-read", "clipboard-write"] })
  const { click, count } = createClicker()
  await page.goto(visits.url)
  await click(page.locator("main a[href='/login']"))
  await page.locator("#name").fill("newcomer")
  await page.locator("#password").fill(samplePassword)
  await click(page.locator("main button[type=submit]"))
  await click(page.locator("main a[href$='/keys/new']").first())
  await page.locator("#name").fill("My server")
  await click(page.locator("main button[type=submit]"))
  await page.getByText(keyPages.start.waiting).waitFor()
  // It says so for two seconds only.
  const copied = page.locator(".sample button", { hasText: copiedWord }).waitFor()
  await click(page.locator(".sample button[data-copy-code]"))
  await copied
  const pasted = await page.evaluate<string>("navigator.clipboard.readText()")
  const answer = await new Response(
    Bun.spawn(["sh", "-c", pasted], { stderr: "ignore" }).stdout,
  ).text()
  await page.locator("[data-received]").waitFor()
  expect([count(), answer.startsWith("HTTP/1.1 200")]).toEqual([5, true])
})
