import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Locator } from "playwright-core"
import { secondsAfter, secondsBefore } from "../../src/platform/time.ts"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { textOf } from "../harness/browser/page-measurements.ts"
import { givePassword } from "../harness/browser/sample-workspace.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item } from "../harness/records.ts"

/** Shortly before midnight in UTC is the next day in Tokyo. */
const registeredAt = "2024-04-27T23:30:00Z"
const tokyo = { timezoneId: "Asia/Tokyo" }
let visits: BrowserVisits

async function startWithSessions(): Promise<Program> {
  const program = await startProgram({ LOG_LEVEL: "error" })
  const published_at = registeredAt
  await program.load([
    account("elif", { registered_at: registeredAt }),
    item("elif", 1, { name: "Anadolu", published_at }),
    item("elif", 2, { name: "Fatura", published_at }),
  ])
  await givePassword(program, "elif")
  return program
}

beforeAll(async () => {
  visits = await openBrowserVisits(startWithSessions)
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

const titleOf = (time: Locator) => time.getAttribute("title")

test("a date is in the reader's time zone, with the exact time on hover", async () => {
  const page = await visits.visitSignedIn(tokyo)
  await page.goto(`${visits.url}/workspace/elif/settings`)
  const time = page.locator("main dl time").first()
  expect([await textOf(time), await titleOf(time)]).toEqual([
    "Apr 28, 2024",
    "April 28, 2024 at 8:30:00 AM GMT+9",
  ])
})

test("a date is in the reader's language", async () => {
  const page = await visits.visitSignedIn({ ...tokyo, locale: "tr" })
  await page.goto(`${visits.url}/workspace/elif/settings`)
  const time = page.locator("main dl time").first()
  expect([await textOf(time), await titleOf(time)]).toEqual([
    "28 Nis 2024",
    "28 Nisan 2024 08:30:00 GMT+9",
  ])
})

test("without the script a time is in UTC", async () => {
  const page = await visits.visitSignedIn({ ...tokyo, javaScriptEnabled: false })
  await page.goto(`${visits.url}/workspace/elif/settings`)
  const day = page.locator("main dl time").first()
  const shown = [await textOf(day), await titleOf(day)]
  await page.goto(`${visits.url}/workspace/elif/settings/security`)
  const seen = await page.locator("main table").allInnerTexts()
  expect(shown).toEqual(["Apr 27, 2024", "2024-04-27 23:30:00 UTC"])
  expect(seen.filter((text) => !text.includes(" UTC"))).toEqual([])
  expect(seen.length).toBeGreaterThan(0)
})

test("times in search results are in the reader's time zone too", async () => {
  const page = await visits.visitSignedIn(tokyo)
  await page.goto(`${visits.url}/workspace/elif/items`)
  await page.locator("#list [name=q]").fill("Anad")
  await page.locator("#results tbody tr").nth(1).waitFor({ state: "detached" })
  expect(await page.locator("#results time").allTextContents()).toEqual(["Apr 28, 2024"])
})

const timestamps: readonly (readonly [seconds: number, en: string, tr: string])[] = [
  [0, "now", "şimdi"],
  [59, "now", "şimdi"],
  [125, "2 minutes ago", "2 dakika önce"],
  [3 * 3600 + 1, "3 hours ago", "3 saat önce"],
  [47 * 3600, "1 day ago", "1 gün önce"],
  [29 * 86_400, "29 days ago", "29 gün önce"],
]

/** The script reads the browser's clock, so the test fixes that clock and inserts the times. */
async function formatRelative(locale: "en" | "tr", times: readonly string[], now: Date) {
  const page = await visits.visitSignedIn({ ...tokyo, locale })
  await page.clock.setFixedTime(now)
  await page.route(`${visits.url}/workspace/elif/settings`, async (route) => {
    const response = await route.fetch()
    const elements = times.map((at) => `<time datetime="${at}" data-form="ago">UTC</time>`)
    const body = (await response.text()).replace("</main>", `${elements.join("")}</main>`)
    await route.fulfill({ response, body })
  })
  await page.goto(`${visits.url}/workspace/elif/settings`)
  return (await page.locator("main time").allTextContents()).slice(-times.length)
}

test("a past timestamp is shown as time elapsed", async () => {
  const now = new Date("2026-06-30T12:00:00Z")
  const times = timestamps.map(([seconds]) => secondsBefore(now, seconds))
  const formatted = await Promise.all([
    formatRelative("en", times, now),
    formatRelative("tr", times, now),
  ])
  expect(formatted).toEqual([timestamps.map(([, en]) => en), timestamps.map(([, , tr]) => tr)])
})

test("a future timestamp is shown as time remaining, and a distant one as a date", async () => {
  const now = new Date("2026-06-30T12:00:00Z")
  const times = [
    secondsAfter(now, 6 * 86_400 + 60),
    secondsAfter(now, 3600),
    secondsBefore(now, 40 * 86_400),
    secondsAfter(now, 40 * 86_400),
  ]
  expect(await formatRelative("en", times, now)).toEqual([
    ...["in 6 days", "in 1 hour", "May 21, 2026", "Aug 9, 2026"],
  ])
})
