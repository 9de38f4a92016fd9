/** Decisions of the four operations on rows that were already found: no store is asked. */
import { describe, expect, test } from "bun:test"
import type { Item } from "../domain/catalogue/item.ts"
import { CodeRefused, type PurchaseOnSite } from "../domain/catalogue/purchase.ts"
import type { ApiKey } from "../domain/keys/api-key.ts"
import { readAccount } from "./catalogue/accounts.ts"
import { listItems, readItem } from "./catalogue/items.ts"
import { validatePurchase } from "./catalogue/purchases.ts"

const key: ApiKey = {
  id: "key_1",
  accountId: 1,
  kind: "sk",
  itemIds: null,
  expiresAt: null,
  revokedAt: null,
}
const item: Item = { id: 7, accountId: 1, isHidden: false, body: "{}" }
const sold = (code: string, part: Partial<PurchaseOnSite> = {}): PurchaseOnSite => ({
  code,
  accountId: 1,
  itemId: 7,
  isRevoked: false,
  body: "{}",
  buyer: null,
  siteLimits: null,
  site: null,
  siteLastDay: null,
  ...part,
})

/** The result, or the reason for a "no". */
function decide<Result>(work: () => Result): Result | string {
  try {
    return work()
  } catch (error) {
    return error instanceof Error && "reason" in error ? String(error.reason) : `bug: ${error}`
  }
}

test("an account that went with its key is an unknown key", () => {
  const account = { id: 1, username: "ada", body: "{}", isSuspended: false }
  expect(decide(() => readAccount.decide(account, key, null))).toBe(account)
  expect(decide(() => readAccount.decide(null, key, null))).toBe("unknown_key")
})

test("a hidden item and an absent one are the same", () => {
  expect(decide(() => readItem.decide(item, key, 7))).toBe(item)
  expect(decide(() => readItem.decide({ ...item, isHidden: true }, key, 7))).toBe("unknown_item")
  expect(decide(() => readItem.decide(null, key, 7))).toBe("unknown_item")
})

test("an account without a list has no items", () => {
  expect(decide(() => listItems.decide(null, key, null))).toBe("no_items")
})

describe("a purchase code", () => {
  const abc = sold("abc")
  const revoked = sold("abc", { isRevoked: true })
  const cases: readonly (readonly [
    string,
    readonly PurchaseOnSite[],
    ApiKey,
    string,
    PurchaseOnSite | string,
  ])[] = [
    ["that nobody has", [], key, "abc", "unknown_code"],
    ["in the case it was sold in", [abc, sold("ABC")], key, "abc", abc],
    ["in another case, with one match", [abc], key, "ABC", abc],
    ["in another case, with two matches", [abc, sold("ABc")], key, "ABC", "unknown_code"],
    ["of a revoked purchase", [revoked], key, "abc", "revoked_code"],
    ["of an item outside the key's choice", [abc], { ...key, itemIds: [8] }, "abc", "unknown_code"],
    [
      "beside one outside the key's choice",
      [abc, sold("ABc", { itemId: 8 })],
      { ...key, itemIds: [7] },
      "ABC",
      abc,
    ],
    [
      "of a revoked purchase outside the key's choice",
      [revoked],
      { ...key, itemIds: [8] },
      "abc",
      "unknown_code",
    ],
  ]
  test.each(cases)("%s", (_, found, asking, code, expected) => {
    expect(decide(() => validatePurchase.decide(found, asking, { code, site: null }))).toEqual(
      expected,
    )
  })
})

test("the log may show a refused code whole if the author sold it, even outside the key's choice", () => {
  const refusedBy = (alike: readonly PurchaseOnSite[], by: ApiKey, code: string) => {
    try {
      return validatePurchase.decide(alike, by, { code, site: null })
    } catch (error) {
      return error instanceof CodeRefused ? error.refused : error
    }
  }
  const own = { code: "abc", isOwn: true }
  expect(refusedBy([], key, "abc")).toEqual({ code: "abc", isOwn: false })
  expect(refusedBy([sold("ABc"), sold("aBc")], key, "abc")).toEqual({ code: "abc", isOwn: false })
  expect(refusedBy([sold("abc")], { ...key, itemIds: [8] }, "abc")).toEqual(own)
  expect(refusedBy([sold("abc", { isRevoked: true })], key, "ABC")).toEqual(own)
})
