import { afterAll, beforeAll, expect, test } from "bun:test"
import { type ApiResponse, sendApiRequest } from "../harness/http/api-request.ts"
import { oneItem, purchaseValidation } from "../harness/http/contract-messages.ts"
import { type Marketplace, openMarketplace, revoked, sold } from "../harness/marketplace.ts"
import { account, item, purchase } from "../harness/records.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
  await market.load([
    account("cem"),
    item("cem", 31),
    purchase(String(sold.purchase_code).toUpperCase(), 31),
    purchase("Two-Of-A-Kind", 11),
    purchase("two-of-a-kind", 12),
  ])
})
afterAll(() => market.close())

const readItem = (id: number, key = market.keys.secret): Promise<ApiResponse> =>
  sendApiRequest(market.url, {
    operation: oneItem,
    parameters: { item_id: String(id) },
    transport: "query",
    key,
    keyTransport: "X-Api-Key",
    headers: {},
  })
const validateCode = (code: unknown, key = market.keys.secret): Promise<ApiResponse> =>
  sendApiRequest(market.url, {
    operation: purchaseValidation,
    parameters: { purchase_code: String(code) },
    transport: "json",
    key,
    keyTransport: "X-Api-Key",
    headers: {},
  })

test("404: another author's item and a hidden one are indistinguishable from an unknown one", async () => {
  const absent = await readItem(999)
  expect(absent.reason).toBe("unknown_item")
  expect(await readItem(21)).toEqual(absent)
  expect(await readItem(14)).toEqual(absent)
})

test("404: another author's code, sold or revoked, is indistinguishable from an unknown one", async () => {
  const absent = await validateCode("no-such-code", market.keys.bob)
  expect(absent.reason).toBe("unknown_code")
  expect(await validateCode(sold.purchase_code, market.keys.bob)).toEqual(absent)
  expect(await validateCode(revoked.purchase_code, market.keys.bob)).toEqual(absent)
})

test("404: a code outside a key's scope, sold or revoked, is indistinguishable from an unknown one", async () => {
  const absent = await validateCode("no-such-code", market.keys.oneItem)
  expect(await validateCode(sold.purchase_code, market.keys.oneItem)).toEqual(absent)
  expect(await validateCode(revoked.purchase_code, market.keys.oneItem)).toEqual(absent)
})

test("200: another author's code does not make one's own ambiguous", async () => {
  const response = await validateCode(String(sold.purchase_code).replace("f", "F"))
  expect(response.status).toBe(200)
  expect(JSON.parse(response.body).data.purchase.purchase_code).toBe(sold.purchase_code)
})

test("200: a code outside the scope does not make one inside ambiguous, nor hide it", async () => {
  expect((await validateCode("TWO-OF-A-KIND")).reason).toBe("unknown_code")
  for (const typed of ["TWO-OF-A-KIND", "Two-Of-A-Kind", "two-of-a-kind"]) {
    const response = await validateCode(typed, market.keys.oneItem)
    expect(JSON.parse(response.body).data.purchase.purchase_code).toBe("two-of-a-kind")
  }
})

test("401: short, long, foreign and damaged wrong keys get the same response", async () => {
  const wrong = ["x", "y".repeat(255), "z".repeat(4000), `${market.keys.secret}0`, "pzr_sk_", "ü"]
  const responses = await Promise.all(
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
  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
  expect(responses[0]?.reason).toBe("unknown_key")
})
