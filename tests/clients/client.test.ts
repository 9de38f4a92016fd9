import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  type Account,
  listItems,
  listPurchases,
  listSites,
  readAccount,
  readItem,
} from "../../sdk/src/author.ts"
import { createPazar, type Item, type PazarOptions, type Purchase } from "../../sdk/src/index.ts"
import { createMemoryStore } from "../../sdk/test/fake-server.ts"
import type { accountFields } from "../../src/accounts/account.ts"
import type { itemFields } from "../../src/items/item.ts"
import type { purchaseFields } from "../../src/purchases/purchase.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import {
  bodies,
  type Marketplace,
  openMarketplace,
  plain,
  revoked,
  sold,
} from "../harness/marketplace.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
})
afterAll(() => market.close())

const open = (key: string, options: Partial<PazarOptions> = {}) => {
  const store = createMemoryStore()
  return createPazar({ baseUrl: market.url, key, store, fetch: openapiFetch, ...options })
}
const author = (key: string) => ({ baseUrl: market.url, key, fetch: openapiFetch })
const code = String(sold.purchase_code)

describe("a secret key", () => {
  test("reads the account, the items and one item", async () => {
    const ada = author(market.keys.secret)
    expect(await readAccount(ada)).toEqual(JSON.parse(bodies.account("en")).data)
    expect((await listItems(ada)).map(({ id }) => id)).toEqual([13, 12, 11])
    expect(await readItem(ada, 11)).toEqual(JSON.parse(bodies.item("en", plain)).item)
    expect(await readItem(ada, 21)).toBeNull()
    expect(await listItems(author(market.keys.empty))).toEqual([])
  })

  test("reads the purchases in pages, and the sites of one", async () => {
    const ada = author(market.keys.secret)
    const all = await listPurchases(ada)
    expect(all).toEqual({ purchases: expect.any(Array), next: null })
    const first = await listPurchases(ada, { limit: 1 })
    expect(first.purchases).toEqual(all.purchases.slice(0, 1))
    const second = await listPurchases(ada, { limit: 1, after: first.next ?? "" })
    expect(second.purchases).toEqual(all.purchases.slice(1, 2))
    expect(await listPurchases(ada, { since: "2999-01-01" })).toEqual({ purchases: [], next: null })
    expect(await listSites(ada, code)).toEqual([])
    expect(await listSites(ada, "not-a-code")).toBeNull()
  })

  test("is rejected with its error code", async () => {
    await expect(readAccount(author(market.inactiveKeys.revoked))).rejects.toMatchObject({
      reason: "revoked_key",
      status: 401,
      requestId: expect.stringMatching(/./),
    })
    await expect(readAccount(author(market.keys.validation))).rejects.toMatchObject({
      reason: "key_not_allowed",
      status: 403,
    })
  })
})

describe("a validation key", () => {
  const check = (pasted: unknown, options: Partial<PazarOptions> = {}) =>
    open(market.keys.validation, { items: [11], ...options }).check(String(pasted))

  test("a sold code is valid in every notation", async () => {
    for (const pasted of [code, ` ${code}\n`, code.toUpperCase(), code.replaceAll("-", "–")]) {
      expect(await check(pasted)).toMatchObject({
        state: "valid",
        source: "server",
        purchase: JSON.parse(bodies.purchase("en", sold, plain)).data.purchase,
      })
    }
  })

  test("an unknown, a refunded and another item's code are invalid", async () => {
    expect(await check("no-such-code")).toMatchObject({ state: "invalid", reason: "unknown_code" })
    expect(await check(revoked.purchase_code)).toMatchObject({
      state: "invalid",
      reason: "revoked_code",
    })
    expect(await check(code, { items: [12] })).toMatchObject({
      state: "invalid",
      reason: "other_item",
    })
  })

  test("an invalid key and an unusable code are unknown", async () => {
    expect(await check(" ")).toMatchObject({ state: "unknown", reason: "missing_parameter" })
    expect(await check("x".repeat(300))).toMatchObject({ reason: "invalid_parameter" })
    expect(await check(code, { key: "pzr_vk_wrong" })).toMatchObject({ reason: "unknown_key" })
  })
})

describe("a test key", () => {
  const check = (pasted: string) => open(market.keys.test).check(pasted)

  test("gets every outcome", async () => {
    expect(await check("test-regular")).toMatchObject({ state: "valid" })
    expect(await check("test-revoked")).toMatchObject({ state: "invalid", reason: "revoked_code" })
    expect(await check("test-unknown")).toMatchObject({ state: "invalid", reason: "unknown_code" })
    expect(await check("test-rate-limited")).toMatchObject({
      state: "unknown",
      reason: "rate_limited",
      retryAfter: 60,
    })
    expect(await check("test-unavailable")).toMatchObject({
      state: "unknown",
      reason: "unavailable",
      retryAfter: 60,
    })
  })
})

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false

test("the client's types have the fields of the feed: otherwise this does not compile", () => {
  const account: Same<keyof Account, keyof typeof accountFields> = true
  const item: Same<keyof Item, keyof typeof itemFields> = true
  const purchase: Same<keyof Purchase, keyof typeof purchaseFields | "item"> = true
  expect([account, item, purchase]).toEqual([true, true, true])
})
