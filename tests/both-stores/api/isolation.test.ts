import { afterAll, beforeAll, expect, test } from "bun:test"
import { account, item, purchase } from "../../contracts/records.ts"
import { type ApiResponse, sendApiRequest } from "./api-request.ts"
import { oneItem, purchaseValidation } from "./contract-messages.ts"
import { type Marketplace, openMarketplace, revoked, sold } from "./marketplace.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
  await market.load([
    account("cem"),
    item("cem", 31),
    // Another author's code that differs from ada's only in case.
    purchase(String(sold.purchase_code).toUpperCase(), 31),
    purchase("Two-Of-A-Kind", 11),
    purchase("two-of-a-kind", 12),
  ])
})
afterAll(() => market.close())

const askItem = (id: number, key = market.keys.secret): Promise<ApiResponse> =>
  sendApiRequest(market.url, {
    operation: oneItem,
    parameters: { item_id: String(id) },
    transport: "query",
    key,
    keyTransport: "X-Api-Key",
    headers: {},
  })
const askCode = (code: unknown, key = market.keys.secret): Promise<ApiResponse> =>
  sendApiRequest(market.url, {
    operation: purchaseValidation,
    parameters: { purchase_code: String(code) },
    transport: "json",
    key,
    keyTransport: "X-Api-Key",
    headers: {},
  })

test("404: another author's item and a hidden one are indistinguishable from an unknown one", async () => {
  const absent = await askItem(999)
  expect(absent.reason).toBe("unknown_item")
  expect(await askItem(21)).toEqual(absent)
  expect(await askItem(14)).toEqual(absent)
})

test("404: another author's code, sold or revoked, is indistinguishable from an unknown one", async () => {
  const absent = await askCode("no-such-code", market.keys.bob)
  expect(absent.reason).toBe("unknown_code")
  expect(await askCode(sold.purchase_code, market.keys.bob)).toEqual(absent)
  expect(await askCode(revoked.purchase_code, market.keys.bob)).toEqual(absent)
})

test("404: a code outside a key's scope, sold or revoked, is indistinguishable from an unknown one", async () => {
  const absent = await askCode("no-such-code", market.keys.oneItem)
  expect(await askCode(sold.purchase_code, market.keys.oneItem)).toEqual(absent)
  expect(await askCode(revoked.purchase_code, market.keys.oneItem)).toEqual(absent)
})

test("200: another author's code does not make one's own ambiguous", async () => {
  const answer = await askCode(String(sold.purchase_code).replace("f", "F"))
  expect(answer.status).toBe(200)
  expect(JSON.parse(answer.body).data.purchase.purchase_code).toBe(sold.purchase_code)
})

test("200: a code outside the scope does not make one inside ambiguous, nor hide it", async () => {
  expect((await askCode("TWO-OF-A-KIND")).reason).toBe("unknown_code")
  for (const typed of ["TWO-OF-A-KIND", "Two-Of-A-Kind", "two-of-a-kind"]) {
    const answer = await askCode(typed, market.keys.oneItem)
    expect(JSON.parse(answer.body).data.purchase.purchase_code).toBe("two-of-a-kind")
  }
})

test("401: short, long, foreign and damaged wrong keys get the same response", async () => {
  const wrong = ["x", "y".repeat(255), "z".repeat(4000), `${market.keys.secret}0`, "pzr_sk_", "ü"]
  const answers = await Promise.all(
    wrong.map((key) =>
      sendApiRequest(market.url, {
        operation: purchaseValidation,
        parameters: { purchase_code: "abc" },
        transport: "json",
        key,
        keyTransport: "parameter",
        headers: {},
      }),
    ),
  )
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(answers[0]?.reason).toBe("unknown_key")
})
