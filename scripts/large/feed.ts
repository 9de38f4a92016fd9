/** The feed of the large marketplace: the generated one of the benchmark, with the texts and amounts of real shops. */
import { feedLines, type Marketplace, usernameOf } from "../../bench/stores/marketplace.ts"
import { daySeconds, secondsBefore } from "../../src/platform/time.ts"
import type { Line } from "../../tests/harness/records.ts"

/** For tests: enough for several pages of every list. */
export const small: Marketplace = { accounts: 300, items: 200, purchases: 1_000, seed: 1 }
export const large: Marketplace = { accounts: 300, items: 5_000, purchases: 100_000, seed: 1 }
export const huge: Marketplace = { accounts: 3_000, items: 40_000, purchases: 2_000_000, seed: 1 }

/** The largest author is the first account. The other authors share the rest. */
const sizeOfLargest = ({ items, purchases }: Marketplace) => ({
  items: Math.min(900, items / 2),
  sales: Math.min(62_565, purchases * 0.7),
})

const itemNames = [
  "Tide",
  "Küçük İşletmeler İçin Çağrı Merkezi, Randevu ve Ödeme Eklentisi",
  "🚀 Launch 👩‍👩‍👧‍👦 Landing Page Kit with Ready Sections 🎉🇹🇷",
  "قالب متجر إلكتروني متعدد البائعين مع دعم كامل للغة العربية والدفع عند الاستلام",
  "תבנית וורדפרס לחנות מקוונת",
  "Multi-Vendor Marketplace, Booking, Invoicing and Subscription Management Suite for WordPress and WooCommerce, v",
  `Anti${"disestablishment".repeat(6)}arianism`,
  "日本語対応の予約カレンダー",
]
const people = ["Şule Çağlayan", "محمد الأحمد", "O’Brien & Sons Ltd.", "李小龙", "Ada Yılmaz 🌊"]
const categories = ["Plugins", "Themes", "Scripts", "Ses ve müzik"]
const prices = [
  ["USD", 19.99],
  ["EUR", 24.5],
  ["TRY", 1_249.9],
  ["GBP", 17],
  ["JPY", 2_980],
] as const

const pick = <Value>(values: readonly Value[], n: number): Value => {
  const value = values[n % values.length]
  if (value === undefined) throw new Error("nothing to pick from")
  return value
}

export const nameOfItem = (id: number) => `${[...pick(itemNames, id)].slice(0, 105).join("")} ${id}`

export const authorAt = (account: number) =>
  account % 10 === 3 ? `${usernameOf(account)}-handmade-wordpress-themes` : usernameOf(account)

/** Accounts, items and purchases, in this order. */
export function* generateRecords(
  market: Marketplace,
  at: Date,
  random: () => number,
): Generator<Line> {
  const largest = sizeOfLargest(market)
  const numbers = { account: 0, item: 0, purchase: 0 }
  const change = {
    account: (n: number): Line => ({
      username: authorAt(n),
      name: { firstname: "Ada", lastname: "Yılmaz", full_name: pick(people, n) },
      balance: Math.floor(random() * 1e7) / 100,
    }),
    item: (n: number): Line => {
      const [currency, regular] = pick(prices, n)
      return {
        author: authorAt(n < largest.items ? 0 : 1 + (n % (market.accounts - 1))),
        name: nameOfItem(n + 1),
        category: pick(categories, n),
        price: { regular, extended: regular * 20 },
        currency,
        hidden: n % 25 === 0,
      }
    },
    purchase: (n: number): Line => {
      const others = market.items - largest.items
      // A few items have most of the sales, and the sales of a day grow from 0 in three years.
      const share = random() ** 2
      const age = 1 - Math.sqrt(random())
      const index = n < largest.sales ? share * largest.items : largest.items + share * others
      const item_id = 1 + Math.floor(index)
      const [currency, price] = pick(prices, item_id + (random() < 0.2 ? 1 : 0))
      const date = secondsBefore(at, 60 + Math.floor(age * 3 * 365 * daySeconds))
      const buyer = random() < 0.8 ? { buyer: `${pick(people, n)} ${n}` } : {}
      return { item_id, price, currency, date, ...buyer, revoked: random() < 0.03 }
    },
  }
  for (const text of feedLines(market)) {
    const line: Line & { type: keyof typeof change } = JSON.parse(text)
    const { type } = line
    yield { ...line, ...change[type](numbers[type]++) }
  }
}
