import { expect, test } from "bun:test"
import fc from "fast-check"
import { toEnvatoSale } from "./envato-endpoints.ts"

const purchase = (changes: object, item: object = {}) => ({
  code: "code",
  accountId: 1,
  itemId: 1,
  isRevoked: false,
  buyer: null,
  validUntil: null,
  siteLimit: null,
  body: JSON.stringify({
    purchase_code: "code",
    license_type: "Regular",
    price: 59,
    currency: "USD",
    item: {
      id: 1,
      name: "Theme",
      description: "",
      category: "Themes",
      sub_category: "",
      demo_link: "https://demo.example.com/",
      tags: [],
      price: { regular: 59, extended: 1 },
      published_at: "2024-05-01T08:30:00Z",
      ...item,
    },
    downloaded: false,
    date: "2025-01-02T03:04:05Z",
    ...changes,
  }),
})
const render = (changes: object, item: object = {}) =>
  toEnvatoSale(purchase(changes, item), { author: "ada", site: "market.example.com" })

test("the classification of an item without a sub-category is its category", () => {
  expect(render({}).item.classification).toBe("Themes")
})

test("a price is rounded to whole cents", () => {
  const centsOf = (regular: number) => render({}, { price: { regular } }).item.price_cents
  expect([0, 19.99, 0.29, 1.1, 4.35].map(centsOf)).toEqual([0, 1999, 29, 110, 435])
})

test("for any price, the amount is a string and the cents are a safe integer", () => {
  const price = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(price, (regular) => {
      const { amount, item } = render({ price: regular }, { price: { regular } })
      expect(amount).toMatch(/^-?\d/)
      expect(Number.isSafeInteger(item.price_cents)).toBe(true)
    }),
  )
})
