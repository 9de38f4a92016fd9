import { afterAll, beforeAll, expect, test } from "bun:test"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"
import { copyBy } from "../harness/browser/copy-button.ts"

let visits: BrowserVisits
beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterAll(() => visits.close())

const responses = [{ shown: "/workspace/elif/items/1005", path: "/api/items/item?item_id=1005" }]

test.each(responses)("$shown", async ({ shown, path }) => {
  const { secret } = await visits.program.issue("elif")
  const response = await fetch(`${visits.url}${path}`, { headers: { "X-Api-Key": secret } })
  const page = await visits.visitSignedIn({ permissions: ["clipboard-read", "clipboard-write"] })
  await page.goto(`${visits.url}${shown}`)
  await page.locator("details.json summary").click()
  await copyBy(page.locator("button[data-copy-json]"))
  expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(await response.text())
})
