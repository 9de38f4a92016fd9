import { expect, test } from "bun:test"
import { formatMoney } from "./elements.tsx"

const dollars = ["USD", "CAD", "AUD", "MXN"]

test("amounts in different currencies look different", () => {
  const shownIn = (locale: "en" | "tr") => dollars.map((each) => formatMoney(1050, each, locale))
  expect(shownIn("en")).toEqual(["$1,050.00", "CA$1,050.00", "A$1,050.00", "MX$1,050.00"])
  expect(new Set(shownIn("tr")).size).toBe(dollars.length)
})

test("a currency without a symbol is shown as its code", () => {
  expect(formatMoney(5, "SEK", "en")).toBe("SEK\u00a05.00")
})
