import { expect, test } from "bun:test"
import { inLocale } from "../t.ts"
import { formatMoney } from "./elements.tsx"

const dollars = ["USD", "CAD", "AUD", "MXN"]

test("amounts in different currencies look different", () => {
  const shownIn = (locale: "en" | "tr") =>
    inLocale(locale, () => dollars.map((each) => formatMoney(1050, each)))
  expect(shownIn("en")).toEqual(["$1,050.00", "CA$1,050.00", "A$1,050.00", "MX$1,050.00"])
  expect(new Set(shownIn("tr")).size).toBe(dollars.length)
})

test("a currency without a symbol is shown as its code", () => {
  expect(formatMoney(5, "SEK")).toBe("SEK\u00a05.00")
})
