/** The TypeScript client against the real server. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import {
  type Account,
  createPazar,
  type Item,
  type PazarOptions,
  type Purchase,
} from "../../../sdk/src/index.ts"
import type { accountMembers } from "../../../src/domain/catalogue/account.ts"
import type { itemMembers } from "../../../src/domain/catalogue/item.ts"
import type { purchaseMembers } from "../../../src/domain/catalogue/purchase.ts"
import {
  bodies,
  type Marketplace,
  openMarketplace,
  plain,
  revoked,
  sold,
} from "../../both-stores/api/marketplace.ts"
import { describedFetch } from "../../harness/http/described-fetch.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
})
afterAll(() => market.close())

const open = (key: string, options: Partial<PazarOptions> = {}) =>
  createPazar({ baseUrl: market.url, key, retries: 0, fetch: describedFetch, ...options })
const code = String(sold.purchase_code)

describe("a secret key", () => {
  test("reads the account, the items and one item", async () => {
    const pazar = open(market.keys.secret)
    expect(await pazar.account()).toEqual(JSON.parse(bodies.account("en")).data)
    expect((await pazar.items()).map(({ id }) => id)).toEqual([13, 12, 11])
    expect(await pazar.item(11)).toEqual(JSON.parse(bodies.item("en", plain)).item)
    expect(await pazar.item(21)).toBeNull()
    expect(await open(market.keys.empty).items()).toEqual([])
  })

  test("is refused by its reason", async () => {
    await expect(open(market.dead.revoked).account()).rejects.toMatchObject({
      reason: "revoked_key",
      status: 401,
      requestId: expect.stringMatching(/./),
    })
    await expect(open(market.keys.validation, { items: [11] }).account()).rejects.toMatchObject({
      reason: "key_not_allowed",
      status: 403,
    })
  })
})

describe.each(["en", "tr"] as const)("questions in %s", (lang) => {
  const ask = (pasted: unknown, options: Partial<PazarOptions> = {}) =>
    open(market.keys.validation, { items: [11], lang, ...options }).validate(String(pasted))

  test("a code that was sold is valid, however it was pasted", async () => {
    for (const pasted of [code, ` ${code}\n`, code.toUpperCase(), code.replaceAll("-", "–")]) {
      expect(await ask(pasted)).toMatchObject({
        state: "valid",
        source: "server",
        purchase: JSON.parse(bodies.purchase(lang, sold, plain)).data.purchase,
      })
    }
  })

  test("an unknown, a refunded and another item's code are invalid", async () => {
    expect(await ask("no-such-code")).toMatchObject({ state: "invalid", reason: "unknown_code" })
    expect(await ask(revoked.purchase_code)).toMatchObject({
      state: "invalid",
      reason: "revoked_code",
    })
    expect(await ask(code, { items: [12] })).toMatchObject({
      state: "invalid",
      reason: "other_item",
    })
  })

  test("a key or a code that cannot be judged is unknown", async () => {
    expect(await ask(" ")).toMatchObject({ state: "unknown", reason: "missing_parameter" })
    expect(await ask("x".repeat(300))).toMatchObject({ reason: "invalid_parameter" })
    expect(await ask(code, { key: "pzr_vk_wrong" })).toMatchObject({ reason: "unknown_key" })
  })
})

describe("a test key", () => {
  const ask = (pasted: string) => open(market.keys.test).validate(pasted)

  test("meets every outcome", async () => {
    expect(await ask("test-regular")).toMatchObject({ state: "valid" })
    expect(await ask("test-revoked")).toMatchObject({ state: "invalid", reason: "revoked_code" })
    expect(await ask("test-unknown")).toMatchObject({ state: "invalid", reason: "unknown_code" })
    expect(await ask("test-rate-limited")).toMatchObject({
      state: "unknown",
      reason: "rate_limited",
      retryAfterMs: 1_000,
    })
    expect(await ask("test-unavailable")).toMatchObject({
      state: "unknown",
      reason: "unavailable",
      retryAfterMs: 5_000,
    })
  })
})

type Same<One, Other> = [One, Other] extends [Other, One] ? true : false

test("the client's types have the members that the feed takes: otherwise this does not compile", () => {
  const account: Same<keyof Account, keyof typeof accountMembers> = true
  const item: Same<keyof Item, keyof typeof itemMembers> = true
  const purchase: Same<keyof Purchase, keyof typeof purchaseMembers | "item"> = true
  expect([account, item, purchase]).toEqual([true, true, true])
})
