/** The shortest ways to what authors come for, with their clicks counted. */
import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Locator, Page } from "playwright-core"
import { account } from "../../../src/store/contracts/records.ts"
import { type BrowserVisits, openBrowserVisits } from "../../harness/browser/browser-visits.ts"
import { signIn } from "../../harness/browser/pages.ts"
import { givePassword, samplePassword } from "../../harness/browser/sample-workspace.ts"
import { textOf } from "../../harness/measures.ts"

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
    async click(target: Locator): Promise<void> {
      clicks += 1
      await target.click()
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
  await click(page.getByRole("button", { name: "Look up" }))
  await click(page.getByRole("button", { name: "Stop it now and get a new key" }))
  const next = await readSecret(page)
  expect([count(), await ask(secret), await ask(next)]).toEqual([2, 401, 200])
})

test("who still uses the old key is answered one click from the overview", async () => {
  const page = await visits.visitSignedIn()
  await page.goto(`${visits.url}/workspace`)
  const { click, count } = createClicker()
  await click(page.getByText("“Billing” was replaced").getByRole("link"))
  const users = page.locator("section", { hasText: "Who uses this key?" }).locator("tbody tr")
  const cells = await users.first().locator("th, td").allTextContents()
  expect([count(), await users.count()]).toEqual([1, 1])
  expect(cells[0]).toBe("198.51.0.0/24")
  expect(Number(cells[1])).toBeGreaterThan(50)
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
  await page.getByText("Waiting for your first call…").waitFor()
  await click(page.locator(".sample button[data-copy-code]"))
  await page.locator(".sample button", { hasText: "Copied" }).waitFor()
  const pasted = await page.evaluate<string>("navigator.clipboard.readText()")
  const answer = await new Response(
    Bun.spawn(["sh", "-c", pasted], { stderr: "ignore" }).stdout,
  ).text()
  await page.getByText("First call received").waitFor()
  expect([count(), answer.startsWith("HTTP/1.1 200")]).toEqual([5, true])
})
