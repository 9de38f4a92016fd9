/** A price, a date or a number stays on one line. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test"
import type { Page } from "playwright-core"
import { formatTimestamp, lastDays } from "../../../src/domain/values/time/timestamp.ts"
import { catalogues } from "../../../src/http/pages/view.ts"
import { account, item } from "../../contracts/records.ts"
import { addUsage } from "../../contracts/store-records.ts"
import { type BrowserVisits, openBrowserVisits } from "../../harness/browser/browser-visits.ts"
import { givePassword } from "../../harness/browser/sample-workspace.ts"
import { findCutTexts, textOf, widthOf } from "../../harness/measures.ts"
import { type Program, startProgram } from "../../harness/program.ts"

const longName =
  "Olağanüstü Uzun Adlı Çok Amaçlı Kurumsal WordPress Teması ve Eklenti Paketi ".repeat(3)
const names = [longName, "W".repeat(180), "Kısa"]
let visits: BrowserVisits

/** Stands still, so that today stays today. */
const startedAt = new Date()
async function startWithLongNames(): Promise<Program> {
  const program = await startProgram({ LOG_LEVEL: "error" }, {}, undefined, () => startedAt)
  const items = names.map((name, index) =>
    item("elif", index + 1, { name, price: { regular: 12_345.5, extended: 99_999 } }),
  )
  await program.load([account("elif"), ...items])
  await givePassword(program, "elif")
  const { key } = await program.issue("elif")
  const now = program.app.now().getTime()
  const counts = Array.from({ length: 30 }, (_, ago) => {
    const day = new Date(now - ago * 86_400_000).toISOString().slice(0, 10)
    const call = { keyId: key.id, operation: "validate_purchase", day } as const
    return (["ok", "unknown_code", "unavailable"] as const).map((outcome) => ({
      ...call,
      outcome,
      calls: 1_234_567,
    }))
  })
  await addUsage(program.app.store, { calls: counts.flat() })
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
    const prices = await page.locator(".items td.amount").count()
    const items = await findBroken(page, ".items .amount, .items time, .items .pill")
    const itemsWidth = [await widthOf(page), await findCutTexts(page)]
    await page.goto(`${visits.url}/workspace`)
    await page.locator(".chart summary").click()
    const cells = await page.locator(".numbers td").count()
    const table = await findBroken(page, ".numbers td, .numbers tbody th")
    const tableWidth = [await widthOf(page), await findCutTexts(page)]
    expect({ prices, items, itemsWidth, cells, table, tableWidth }).toEqual({
      prices: 3,
      items: [],
      itemsWidth: [width, []],
      cells: 90,
      table: [],
      tableWidth: [width, []],
    })
  })
})

test("a long name keeps room for itself beside the prices", async () => {
  const page = await visits.visitSignedIn({ viewport: { width: 1000, height: 740 } })
  await page.goto(`${visits.url}/workspace/items`)
  const box = await page.locator(".items a[href$='/items/1']").boundingBox()
  expect(box?.width ?? 0).toBeGreaterThan(150)
})

const { overview } = catalogues.en
/** What a bar says under its day. */
const values = [overview.groups.ok, overview.groups.refused, overview.groups.failed].map(
  (name) => `${name}: 1,234,567`,
)

const shortDay = (day = "") =>
  new Date(day).toLocaleDateString("en", { day: "numeric", month: "short", timeZone: "UTC" })

test.each([320, 1280])(
  "each seventh day back from today has a label; none is outside the chart or over another (%i px)",
  async (width) => {
    const page = await visits.visitSignedIn({ viewport: { width, height: 740 } })
    await page.goto(`${visits.url}/workspace`)
    const wrong = await page.evaluate<string[]>(`(() => {
    const plot = document.querySelector(".plot").getBoundingClientRect()
    return [".scale span", ".dates text"].flatMap((selector) => {
      const all = [...document.querySelectorAll(selector)]
      const labels = all.filter((label) => label.checkVisibility({ visibilityProperty: true })).map((label) => {
        const range = document.createRange()
        range.selectNodeContents(label)
        return { text: label.textContent, box: range.getBoundingClientRect() }
      })
      return labels.filter(({ box }, at) => {
        const before = labels[at - 1]?.box
        const isOver = before && box.left < before.right && box.top < before.bottom
        return isOver || box.left < plot.left || box.right > plot.right + 1
      }).map(({ text }) => text)
    })
  })()`)
    const labels = await page.locator(".dates text:visible").allTextContents()
    const days = lastDays(formatTimestamp(visits.program.app.now()), 30)
    const labelled = [days[8], days[15], days[22]].map(shortDay)
    expect([wrong, labels]).toEqual([[], [...labelled, overview.soFar]])
  },
)

test.each([320, 1280])(
  "the values of a day are shown on hover, inside the page (%i px)",
  async (width) => {
    const page = await visits.visitSignedIn({ viewport: { width, height: 740 } })
    await page.goto(`${visits.url}/workspace`)
    const tip = page.locator(".tip")
    const hidden = await tip.isVisible()
    for (const bar of [page.locator(".bar").first(), page.locator(".bar").last()]) {
      await bar.hover()
      expect((await textOf(tip)).split("\n").slice(1)).toEqual(values)
      const box = await tip.boundingBox()
      expect(box?.x).toBeGreaterThanOrEqual(0)
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width)
    }
    await page.locator("h1").hover()
    expect([hidden, await tip.isVisible()]).toEqual([false, false])
  },
)

test("without the script the browser shows the values of a day", async () => {
  const page = await visits.visitSignedIn({ javaScriptEnabled: false })
  await page.goto(`${visits.url}/workspace`)
  const titles = await page.locator(".bar title").allTextContents()
  expect(titles.map((title) => title.split("\n").slice(1))).toEqual(
    Array.from(titles, () => values),
  )
  expect([titles.length, await page.locator(".bar[tabindex]").count()]).toEqual([30, 0])
})
