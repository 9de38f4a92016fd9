import { expect, test } from "bun:test"
import { unescapeHtml } from "../../../tests/harness/browser/docs-page.ts"
import { textOf, viewAt } from "../../../tests/harness/http/page-views.ts"
import { type Sale, saleIdOf } from "../../domain/catalog/sale.ts"
import type { Locale } from "../../domain/values/locale.ts"
import { daysOf } from "../../domain/values/time/timestamp.ts"
import { parseListRange } from "../pages/components/date-range.tsx"
import { dictionaries } from "../pages/translations/texts.ts"
import { SalesPage } from "./sales-page.tsx"

const { en, tr } = dictionaries
const viewIn = (locale: Locale) => viewAt("/workspace/sales", locale)
const shownOf = (page: unknown) => unescapeHtml(textOf(page))

const sale: Sale = {
  code: "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21",
  itemId: 7,
  itemName: "Tema",
  buyer: "Ayşe Yıldız",
  licenseType: "Extended",
  price: 59,
  currency: "USD",
  soldAt: "2026-06-22T08:00:00Z",
  supportedUntil: "2026-12-22T08:00:00Z",
  isRefunded: false,
  sites: 1_234,
}
const sold = (day: string, sales: number, isRefunded = false) => ({
  day,
  currency: "USD",
  isRefunded,
  sales,
  amount: 59 * sales,
})
const range = parseListRange({ days: "90" }, "2026-06-30T12:00:00Z")

const show = (
  changes: Partial<Parameters<typeof SalesPage>[0]> = {},
  locale: Locale = "en",
): string =>
  String(
    SalesPage({
      view: viewIn(locale),
      query: { days: "90" },
      text: "",
      range,
      filter: { itemIds: null, state: null, range },
      after: null,
      found: { sales: [sale], next: null, searched: 0 },
      days: [sold("2026-06-22", 1)],
      items: [{ id: 7, name: "Tema" }],
      isUnknownItem: false,
      ...changes,
    }),
  )
const rowsOf = (page: string) => shownOf(page.split("</thead>").at(-1))

test("a row has code, item, buyer, license, date, status, end of support and sites", () => {
  const page = show()
  expect(rowsOf(page)).toContain(
    `${sale.code} ${en.words.copy} Tema Ayşe Yıldız ${en.check.licenses.Extended} Jun 22, 2026, 8:00 AM UTC ${en.sales.states.valid} Dec 22, 2026 1,234 ${en.check.submit}`,
  )
  expect(page).toContain('<a href="/workspace/items/7">')
  const refunded = { ...sale, isRefunded: true, supportedUntil: null, buyer: null }
  const row = rowsOf(show({ found: { sales: [refunded], next: null, searched: 0 } }, "tr"))
  expect(row).toContain(
    `Tema – ${tr.check.licenses.Extended} 22 Haz 2026 08:00 UTC ${tr.sales.states.refunded} ${tr.sales.noSupport} 1.234 ${tr.check.submit}`,
  )
})

test("an empty list explains when sales appear; a filter without matches links to all sales", () => {
  const found = { sales: [], next: null, searched: 0 }
  const none = { found, days: [], range: null, filter: { itemIds: null, state: null, range: null } }
  expect(shownOf(show(none))).toContain(en.sales.none)
  expect(shownOf(show(none))).not.toContain(en.sales.showAll)
  expect(shownOf(show({ found, days: [] }))).toContain(`${en.sales.noMatch} ${en.sales.showAll}`)
})

test("the chart has a total", () => {
  const days = [sold("2026-06-21", 1_200), sold("2026-06-21", 3, true), sold("2026-06-22", 1)]
  expect(shownOf(show({ days }))).toContain(en.sales.chart(1_204, 1_201))
  expect(shownOf(show({ days }, "tr"))).toContain(tr.sales.chart(1_204, 1_201))
  expect(shownOf(show({ days }, "tr"))).toContain("1.204")
})

test("bars and numbers of the chart link to their sales", () => {
  const links = [...show().matchAll(/href="(\/workspace\/sales[^"]*)"/g)].map(([, path = ""]) =>
    path.replaceAll("&amp;", "&"),
  )
  expect(links).toContain("/workspace/sales?from=2026-06-22&to=2026-06-22")
  expect(links).toContain("/workspace/sales?state=valid&days=90")
  expect(links).toContain("/workspace/sales.csv?days=90")
})

test("a search by name that reached its limit reports it, and links to older sales", () => {
  const found = { sales: [], next: saleIdOf(sale), searched: 3_000 }
  const page = show({ text: "ay", range: null, query: { days: "all" }, found })
  expect(shownOf(page)).toContain(en.sales.searched(3_000))
  expect(shownOf(page)).toContain(en.sales.noneSoFar)
  expect(shownOf(page)).not.toContain(en.sales.noMatch)
  expect(page).toContain('<input type="hidden" name="q" value="ay"/>')
  expect(page).toContain(`name="after" value="${saleIdOf(sale)}"`)
  expect(page).not.toMatch(/(?:href|action)="[^"]*ay\b[^"]*="/)
})

const attack = `"><script>alert(1)</script>`

test("a range without sales has an empty list and no chart", () => {
  const page = show({ days: [], found: { sales: [], next: null, searched: 0 } })
  expect(page.split('class="empty"').length).toBe(2)
})

test("texts of a sale are escaped, and a page of the longest texts is under 100 KB", () => {
  const long = (text: string) => attack + text.repeat(300)
  const hostile = {
    ...sale,
    code: `${attack}${"ü".repeat(220)}`,
    itemName: long("👩‍👩‍👧"),
    buyer: long("ü"),
    licenseType: long("ğ"),
  }
  const page = show(
    {
      text: attack,
      found: {
        sales: Array.from({ length: 25 }, () => hostile),
        next: saleIdOf(sale),
        searched: 0,
      },
      items: Array.from({ length: 50 }, (_, id) => ({ id, name: long("ü") })),
      days: daysOf(range).flatMap((day) => [sold(day, 1e6), sold(day, 1e6, true)]),
    },
    "tr",
  )
  expect(page).not.toContain("<script>alert")
  expect(page).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
  expect(Buffer.byteLength(page)).toBeLessThan(100_000)
})
