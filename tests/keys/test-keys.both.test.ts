import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { publicTestKey, publicTestSecret } from "../../src/contract/operation.ts"
import { couldBeKey } from "../../src/keys/key.ts"
import { type ApiResponse, sendApiRequest } from "../harness/http/api-request.ts"
import {
  accountDetails,
  allItems,
  errorBody,
  generalMessages,
  languages,
  type Operation,
  oneItem,
  purchaseValidation,
} from "../harness/http/contract-messages.ts"
import { type Marketplace, openMarketplace, sold } from "../harness/marketplace.ts"
import { purchase } from "../harness/records.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace({ LOG_LEVEL: "debug" })
})
afterAll(() => market.close())

const sendTest = (
  operation: Operation,
  parameters: Record<string, string> = {},
  key = market.keys.test,
): Promise<ApiResponse> =>
  sendApiRequest(market.url, {
    operation,
    parameters,
    transport: "query",
    key,
    keyTransport: "parameter",
    headers: {},
  })
const validate = (code: string, key?: string) =>
  sendTest(purchaseValidation, { purchase_code: code }, key)

describe("codes with a fixed result", () => {
  const valid = [
    ["test-regular", "Regular", true],
    ["test-extended", "Extended", true],
    ["test-support-expired", "Regular", false],
  ] as const
  test.each(valid)("200: %s", async (code, licence, isSupported) => {
    const { purchase } = JSON.parse((await validate(code)).body).data
    expect(purchase.purchase_code).toBe(code)
    expect(purchase.license_type).toBe(licence)
    expect(Date.parse(purchase.supported_until) > Date.now()).toBe(isSupported)
  })

  test("200: in any case, like real codes", async () => {
    expect((await validate("TEST-Regular")).reason).toBe("ok")
  })

  const invalid = [
    ["test-revoked", 404, "revoked_code"],
    ["test-unknown", 404, "unknown_code"],
  ] as const
  test.each(invalid)("404: %s", async (code, status, reason) => {
    const response = await validate(code)
    expect([response.status, response.reason]).toEqual([status, reason])
    expect(response.body).toBe(errorBody(purchaseValidation.message.en, "en"))
  })

  const cannotSay = [
    ["test-rate-limited", 429, "rate_limited", "1"],
    ["test-unavailable", 503, "unavailable", "5"],
  ] as const
  test.each(cannotSay)("%s: status %d", async (code, status, reason, retryAfter) => {
    for (const lang of languages) {
      const response = await sendTest(purchaseValidation, { purchase_code: code, lang })
      expect([response.status, response.reason]).toEqual([status, reason])
      expect(response.body).toBe(errorBody(generalMessages[reason][lang], lang))
      expect(response.headers["retry-after"]).toBe(retryAfter)
    }
  })
})

test("200: an account, and one item of each kind, each readable by its id", async () => {
  expect(JSON.parse((await sendTest(accountDetails)).body).data.username).toBe("sample")
  const { items } = JSON.parse((await sendTest(allItems)).body)
  const previews = items.map(({ media }: { media: object }) => Object.keys(media).slice(1))
  expect(previews).toEqual([
    ["preview_image", "preview_video"],
    ["preview_audio"],
    ["preview_image", "screenshots"],
  ])
  for (const sample of items) {
    const response = await sendTest(oneItem, { item_id: String(sample.id) })
    expect(JSON.parse(response.body).item).toEqual(sample)
  }
})

describe("the public test key", () => {
  const same = async (operation: Operation, parameters: Record<string, string>) => {
    const responses = [
      await sendTest(operation, parameters, publicTestSecret),
      await sendTest(operation, parameters),
    ]
    expect(responses[0]).toEqual(responses[1])
    return responses[0]?.status
  }

  test("has the format of a test key and a valid checksum", () => {
    expect(couldBeKey(publicTestSecret)).toBe(true)
    expect(publicTestSecret).toStartWith("pzr_tk_")
  })

  test("gets byte for byte the responses of an author's test key", async () => {
    const statuses = [
      await same(accountDetails, {}),
      await same(allItems, {}),
      await same(oneItem, { item_id: "1" }),
      await same(oneItem, { item_id: "11" }),
      await same(purchaseValidation, { purchase_code: "test-regular" }),
      await same(purchaseValidation, { purchase_code: "test-revoked" }),
      await same(purchaseValidation, { purchase_code: String(sold.purchase_code) }),
      await same(purchaseValidation, { purchase_code: "test-unavailable" }),
    ]
    expect(statuses).toEqual([200, 200, 200, 404, 200, 404, 404, 503])
  })

  test("leaves no trace except its public id in the log", async () => {
    await sendTest(accountDetails, {}, publicTestSecret)
    expect(market.logged()).toContain(`"keyId":"${publicTestKey.id}"`)
    expect(market.logged()).not.toContain(publicTestSecret)
  })
})

test("404: a test key has no access to real data", async () => {
  expect((await validate(String(sold.purchase_code))).reason).toBe("unknown_code")
  expect((await sendTest(oneItem, { item_id: "11" })).reason).toBe("unknown_item")
})

test("404: no test code is valid for a real key, unless it was really sold", async () => {
  expect((await validate("test-regular", market.keys.secret)).reason).toBe("unknown_code")
  expect((await validate("test-rate-limited", market.keys.validation)).reason).toBe("unknown_code")
  await market.load([purchase("test-unavailable", 11)])
  expect((await validate("test-unavailable", market.keys.secret)).reason).toBe("ok")
})
