import { afterAll, afterEach, beforeAll, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser/browser-visits.ts"

let visits: BrowserVisits

beforeAll(async () => {
  visits = await openBrowserVisits()
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

async function openKey(page: Page): Promise<string> {
  const { key } = await visits.program.issue("elif")
  const path = `${visits.url}/workspace/elif/settings/keys/${key.id}`
  await page.goto(path)
  return path
}

const revoke = (page: Page) => page.locator("main").getByRole("link", { name: "Revoke" })

test("a confirmation opens over the page: Cancel and Escape close it, its form does what the page does", async () => {
  const page = await visits.visitSignedIn()
  const path = await openKey(page)
  const dialog = page.getByRole("dialog")
  for (const close of [
    () => dialog.getByRole("link", { name: "Cancel" }).click(),
    () => page.keyboard.press("Escape"),
  ]) {
    await revoke(page).click()
    await dialog.waitFor()
    expect(
      await page.evaluate("document.querySelector('dialog').contains(document.activeElement)"),
    ).toBe(true)
    await close()
    await dialog.waitFor({ state: "detached" })
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Revoke")
  }
  await revoke(page).click()
  await dialog.getByRole("button", { name: "Revoke key" }).click()
  await page.waitForURL(/done=revoke/)
  await page.goto(path)
  expect(await revoke(page).count()).toBe(0)
})

test("without script the same confirmation is a page", async () => {
  const page = await visits.visitSignedIn({ javaScriptEnabled: false })
  const path = await openKey(page)
  await revoke(page).click()
  await page.waitForURL(`${path}/revoke`)
  await page.getByRole("button", { name: "Revoke key" }).click()
  await page.waitForURL(/done=revoke/)
})
