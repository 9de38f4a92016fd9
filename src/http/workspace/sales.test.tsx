/** The page of the sales as a function of its data. */
import { expect, test } from "bun:test"
import { textOf, viewAt } from "../../../tests/harness/http/page-views.ts"
import type { Sale } from "../../domain/catalogue/sales.ts"
import { daysOf } from "../../domain/values/time/timestamp.ts"
import type { Locale } from "../api/answer/messages.ts"
import { readListRange } from "../pages/parts/date-range.tsx"
import { SalesPage } from "./sales.tsx"

const viewIn = (locale: Locale) => viewAt("/workspace/sales", locale)

const sale: Sale = {
  place: "2026-06-22T08:00:00Z00000000000000001",
  code: "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21",
  itemId: 7,
  itemName: "Tema",
  buyer: "Ayşe Yıldız",
  licenseType: "Extended",
  soldAt: "2026-06-22T08:00:00Z",
  supportedUntil: "2026-12-22T08:00:00Z",
  isRefunded: false,
  sites: 1_234,
}
const range = readListRange({ days: "90" }, "2026-06-30T12:00:00Z")

const show = (
  changes: Partial<Parameters<typeof SalesPage>[0]> = {},
  locale: Locale = "en",
): string =>
  String(
    SalesPage({
      view: viewIn(locale),
      query: { days: "90" },
      text: "",
      isSearchGone: false,
      range,
      filter: { itemId: null, state: null, range },
      after: null,
      found: { sales: [sale], next: null, searched: 0 },
      days: [{ day: "2026-06-22", valid: 1, refunded: 0 }],
      items: [{ id: 7, name: "Tema" }],
      isUnknownItem: false,
      ...changes,
    }),
  )
const rowsOf = (page: string) => textOf(page.split("</thead>").at(-1))

test("a row has code, item, buyer, licence, date, state, end of support and sites", () => {
  const page = show()
  expect(rowsOf(page)).toContain(
    "8f14e45f-ceea-467f-9b2c-1d6f0a7c3e21 Copy Tema Ayşe Yıldız Extended Jun 22, 2026, 8:00 AM UTC Valid Dec 22, 2026 1,234 Check",
  )
  expect(page).toContain('<a href="/workspace/items/7">')
  const refunded = { ...sale, isRefunded: true, supportedUntil: null, buyer: null }
  const tr = rowsOf(show({ found: { sales: [refunded], next: null, searched: 0 } }, "tr"))
  expect(tr).toContain("Tema – Genişletilmiş 22 Haz 2026 08:00 UTC İade edildi Yok 1.234 Sorgula")
})

test("without any sale the page says when one appears; a filter that finds none leads to all", () => {
  const found = { sales: [], next: null, searched: 0 }
  const none = { found, days: [], range: null, filter: { itemId: null, state: null, range: null } }
  expect(textOf(show(none))).toContain("No sales yet. A sale appears here as soon as")
  expect(textOf(show(none))).not.toContain("Show all sales")
  expect(textOf(show({ found, days: [] }))).toContain("No sales here. Show all sales")
})

test("the sales of the days are summed up", () => {
  const days = [
    { day: "2026-06-21", valid: 1_200, refunded: 3 },
    { day: "2026-06-22", valid: 1, refunded: 0 },
  ]
  expect(textOf(show({ days }))).toContain("1,204 sales, 1,201 of them valid.")
  expect(textOf(show({ days }, "tr"))).toContain("1.204 satış")
})

test("bars and numbers of the chart lead to their sales", () => {
  const links = [...show().matchAll(/href="(\/workspace\/sales[^"]*)"/g)].map(([, path = ""]) =>
    path.replaceAll("&amp;", "&"),
  )
  expect(links).toContain("/workspace/sales?from=2026-06-22&to=2026-06-22")
  expect(links).toContain("/workspace/sales?state=valid&days=90")
  expect(links).toContain("/workspace/sales.csv?days=90")
})

test("a search by name that ends early says so and goes on", () => {
  const found = { sales: [], next: sale.place, searched: 3_000 }
  const page = show({ text: "ay", range: null, query: { days: "all", search: "note" }, found })
  expect(textOf(page)).toContain("Looked through 3,000 sales for the name. There are older ones.")
  expect(textOf(page)).toContain("No match in the sales looked through so far.")
  expect(textOf(page)).not.toContain("No sales here.")
  expect(page).toContain(
    `href="/workspace/sales?days=all&amp;search=note&amp;after=${encodeURIComponent(sale.place)}"`,
  )
})

test("sales that are too many for a chart are listed without one", () => {
  const page = show({ days: null })
  expect(textOf(page)).toContain("More than 10,000 sales: choose fewer days or one item")
  expect(page).not.toContain('<svg class="dates"')
  expect(rowsOf(page)).toContain(sale.code)
})

const attack = `"><script>alert(1)</script>`

test("days without sales have one empty list, and no empty chart", () => {
  const page = show({ days: [], found: { sales: [], next: null, searched: 0 } })
  expect(page.split('class="empty"').length).toBe(2)
})

test("every text of a sale is shown as text, and a full page of the longest stays under 100 KB", () => {
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
      found: { sales: Array.from({ length: 25 }, () => hostile), next: sale.place, searched: 0 },
      items: Array.from({ length: 50 }, (_, id) => ({ id, name: long("ü") })),
      days: daysOf(range).map((day) => ({ day, valid: 1_000_000, refunded: 1_000_000 })),
    },
    "tr",
  )
  expect(page).not.toContain("<script>alert")
  expect(page).toContain("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
  expect(Buffer.byteLength(page)).toBeLessThan(100_000)
})
