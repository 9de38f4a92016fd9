import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Program, startProgram } from "../../tests/harness/program.ts"
import {
  accountBody,
  codeOf,
  feedLines,
  itemBody,
  itemIdOf,
  itemOfPurchase,
  keyOf,
  listBody,
  ownerOf,
  validationBody,
} from "./marketplace.ts"

const market = { accounts: 3, items: 20, purchases: 60, seed: 7 }
const purchases = Array.from({ length: market.purchases }, (_, purchase) => purchase)

let program: Program

beforeAll(async () => {
  program = await startProgram({ LOG_LEVEL: "silent" })
  const { accepted, rejectedLines } = await program.load([...feedLines(market)].join(""))
  expect({ accepted, refused: rejectedLines }).toEqual({ accepted: 83, refused: [] })
})
afterAll(() => program.close())

const sendRequest = async (path: string, parameters: Record<string, string>, method = "GET") =>
  (await fetch(`${program.url}${path}?${new URLSearchParams(parameters)}`, { method })).text()

test("expected responses are known in advance, byte for byte", async () => {
  expect(await sendRequest("/api/account/details", { api_key: keyOf(2) })).toBe(accountBody(2))
  expect(await sendRequest("/api/items/all", { api_key: keyOf(1) })).toBe(listBody(market, 1))
  const one = { api_key: keyOf(ownerOf(market, 7)), item_id: `${itemIdOf(7)}` }
  expect(await sendRequest("/api/items/item", one)).toBe(itemBody(7))
  for (const purchase of purchases) {
    const owner = ownerOf(market, itemOfPurchase(market, purchase))
    const sold = { api_key: keyOf(owner), purchase_code: codeOf(market, purchase) }
    expect(await sendRequest("/api/purchases/validation", sold, "POST")).toBe(
      validationBody(market, purchase),
    )
  }
})

test("codes are distinct UUIDs, and differ by seed", () => {
  const numbers = Array.from({ length: 100_000 }, (_, purchase) => purchase)
  const codes = numbers.map((purchase) => codeOf(market, purchase))
  const others = numbers.map((purchase) => codeOf({ ...market, seed: 8 }, purchase))
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(codes.filter((code) => !uuid.test(code))).toEqual([])
  expect(new Set([...codes, ...others]).size).toBe(200_000)
})

test("the same sizes and seed create the same feed", () => {
  expect([...feedLines(market)]).toEqual([...feedLines({ ...market })])
})
