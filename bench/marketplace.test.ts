import { expect, test } from "bun:test"
import { parseRecord } from "../src/feed/record.ts"
import {
  accountText,
  codeOf,
  feedLines,
  itemOfPurchase,
  itemText,
  validationBody,
} from "./marketplace.ts"

const market = { accounts: 3, items: 20, purchases: 500, seed: 7 }

const noKeys = () => {
  throw new Error("the feed brings no keys")
}
const records = [...feedLines(market)].map((line) => parseRecord(JSON.parse(line), noKeys))

test("the feed holds accounts, then items, then purchases, all of them fit for the store", () => {
  const types = records.map(({ type }) => type)
  expect(types).toEqual([
    ...Array(market.accounts).fill("account"),
    ...Array(market.items).fill("item"),
    ...Array(market.purchases).fill("purchase"),
  ])
})

test("the texts are those the store keeps, byte for byte", () => {
  const texts = records.flatMap((record) => {
    if (record.type === "account") return [record.account.body]
    return record.type === "item" ? [record.item.body] : []
  })
  expect(texts).toEqual([
    ...Array.from({ length: market.accounts }, (_, account) => accountText(account)),
    ...Array.from({ length: market.items }, (_, item) => itemText(item)),
  ])
})

test("a validation's answer is what the store would put together", () => {
  const purchases = records.flatMap((record) =>
    record.type === "purchase" ? [record.purchase] : [],
  )
  const bodies = purchases.map(({ beforeItem, afterItem }, purchase) => {
    const item = itemText(itemOfPurchase(market, purchase))
    return `{"status":"success","data":{"purchase":${beforeItem}${item}${afterItem}}}`
  })
  expect(bodies).toEqual(purchases.map((_, purchase) => validationBody(market, purchase)))
})

test("codes are UUIDs, no two alike, and other ones for another seed", () => {
  const numbers = Array.from({ length: 100_000 }, (_, purchase) => purchase)
  const codes = numbers.map((purchase) => codeOf(market, purchase))
  const others = numbers.map((purchase) => codeOf({ ...market, seed: 8 }, purchase))
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(codes.filter((code) => !uuid.test(code))).toEqual([])
  expect(new Set([...codes, ...others]).size).toBe(200_000)
})

test("the same sizes and seed give the same feed", () => {
  expect([...feedLines(market)]).toEqual([...feedLines({ ...market })])
})
