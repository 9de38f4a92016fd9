/** A price, a date or a number stays on one line. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { type BrowserVisits, openBrowserVisits } from "../harness/browser-visits.ts"
import { findCutTexts, widthOf } from "../harness/measures.ts"
import { type Program, startProgram } from "../harness/program.ts"
import { account, item } from "../harness/records.ts"
import { givePassword } from "../harness/sample-workspace.ts"

const longName =
  "Olağanüstü Uzun Adlı Çok Amaçlı Kurumsal WordPress Teması ve Eklenti Paketi ".repeat(3)
const names = [longName, "W".repeat(180), "Kısa"]
let visits: BrowserVisits

async function startWithLongNames(): Promise<Program> {
  const program = await startProgram({ LOG_LEVEL: "error" })
  const items = names.map((name, index) =>
    item("elif", index + 1, { name, price: { regular: 12_345.5, extended: 99_999 } }),
  )
  await program.load([account("elif"), ...items])
  await givePassword(program, "elif")
  const { key } = await program.issue("elif")
  const now = program.app.now().getTime()
  const counts = Array.from({ length: 30 }, (_, ago) => {
    const hour = `${new Date(now - ago * 86_400_000).toISOString().slice(0, 13)}:00:00Z`
    const call = { keyId: key.id, operation: "validate_purchase", hour } as const
    return (["ok", "unknown_code", "unavailable"] as const).map((outcome) => ({
      ...{ ...call, outcome, calls: 1_234_567 },
    }))
  })
  await program.app.store.usage.add(counts.flat(), [])
  return program
}

beforeAll(async () => {
  visits = await openBrowserVisits(startWithLongNames)
})
afterEach(() => visits.clear())
afterAll(() => visits.close())

/** The texts, among those that `selector` finds, that are broken over two lines or more. */
const findBroken = (page: Page, selector: string) =>
  page.evaluate<string[]>(`
    [...document.querySelectorAll(${JSON.stringify(selector)})].flatMap((cell) => {
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT)
      const broken = []
      while (walker.nextNode()) {
        const range = document.createRange()
        range.selectNodeContents(walker.currentNode)
        const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)))
        if (lines.size > 1) broken.push(walker.currentNode.data)
      }
      return broken
    })`)

describe.each([360, 833, 1000, 1280])("%i px wide", (width) => {
  test.each(["en", "tr"])("in %s", async (locale) => {
    const page = await visits.visitSignedIn({ locale, viewport: { width, height: 740 } })
    await page.goto(`${visits.url}/workspace/items`)
    const prices = await page.locator(".items .amount").count()
    const items = await findBroken(page, ".items .amount, .items time, .items .pill")
    const itemsWidth = [await widthOf(page), await findCutTexts(page)]
    await page.goto(`${visits.url}/workspace`)
    await page.locator(".chart summary").click()
    const cells = await page.locator(".numbers td").count()
    const table = await findBroken(page, ".numbers td, .numbers tbody th")
    const tableWidth = [await widthOf(page), await findCutTexts(page)]
    expect({ prices, items, itemsWidth, cells, table, tableWidth }).toEqual({
      ...{ prices: 3, items: [], itemsWidth: [width, []] },
      ...{ cells: 90, table: [], tableWidth: [width, []] },
    })
  })
})

test("a long name keeps room for itself beside the prices", async () => {
  const page = await visits.visitSignedIn({ viewport: { width: 1000, height: 740 } })
  await page.goto(`${visits.url}/workspace/items`)
  const box = await page.locator(".items a[href$='/items/1']").boundingBox()
  expect(box?.width ?? 0).toBeGreaterThan(150)
})
