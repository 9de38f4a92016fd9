import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  itemRecord,
  type OpenEmpty,
  purchaseRecord,
  put,
} from "../../tests/harness/store-records.ts"
import type { Store } from "../domain/store.ts"

export const purchaseStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`PurchaseStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      store = await open()
      await put(store, accountRecord("ada"), accountRecord("bob"))
      await put(store, itemRecord("ada", 1), itemRecord("ada", 2, true), itemRecord("bob", 3))
      ada = await accountId(store, "ada")
      bob = await accountId(store, "bob")
    })
    afterEach(() => store.close())

    const codes = async (account: number, code: string) =>
      (await store.purchases.listByCode(account, code)).map((purchase) => purchase.code).sort()

    test("finds nothing for a code nobody bought", async () =>
      expect(await store.purchases.listByCode(ada, "abc")).toEqual([]))

    test("brings the purchase's text with its item's inside", async () => {
      await put(store, purchaseRecord("abc", 1))
      expect(await store.purchases.listByCode(ada, "abc")).toEqual([
        {
          code: "abc",
          accountId: ada,
          itemId: 1,
          isRevoked: false,
          body: '{"code":"abc","item":{"id":1}}',
          buyer: null,
        },
      ])
    })

    test("keeps the buyer beside the text, and forgets it when a record comes without", async () => {
      const withoutBuyer = purchaseRecord("abc", 1)
      const withBuyer = purchaseRecord("abc", 1, false, "İpek \u{1f600}")
      const buyerOf = async () => (await store.purchases.listByCode(ada, "abc"))[0]?.buyer
      await put(store, withBuyer)
      expect(await buyerOf()).toBe("İpek \u{1f600}")
      await put(store, withoutBuyer)
      expect(await buyerOf()).toBeNull()
      await put(store, withBuyer)
      expect(await buyerOf()).toBe("İpek \u{1f600}")
    })

    test("includes revoked purchases and those of hidden items, and says so", async () => {
      await put(store, purchaseRecord("abc", 2, true))
      const [purchase] = await store.purchases.listByCode(ada, "abc")
      expect(purchase?.isRevoked).toBe(true)
      expect(purchase?.itemId).toBe(2)
    })

    test("keeps another account's codes out", async () => {
      await put(store, purchaseRecord("abc", 1), purchaseRecord("ABC", 3))
      expect(await codes(ada, "abc")).toEqual(["abc"])
      expect(await codes(bob, "abc")).toEqual(["ABC"])
    })

    test("compares ASCII letters without case, and nothing else", async () => {
      await put(store, ...["Abc", "aBC", "ß-ı", "é"].map((code) => purchaseRecord(code, 1)))
      expect(await codes(ada, "ABC")).toEqual(["Abc", "aBC"])
      expect(await codes(ada, "SS-I")).toEqual([])
      expect(await codes(ada, "ß-i")).toEqual([])
      expect(await codes(ada, "É")).toEqual([])
      expect(await codes(ada, "ß-ı")).toEqual(["ß-ı"])
    })

    test("answers each of many who ask the same at once, and each once", async () => {
      await put(store, purchaseRecord("abc", 1), purchaseRecord("ABC", 3))
      const asked = [codes(ada, "abc"), codes(ada, "ABC"), codes(bob, "abc"), codes(ada, "abc")]
      expect(await Promise.all(asked)).toEqual([["abc"], ["abc"], ["ABC"], ["abc"]])
    })

    test("keeps codes apart that a pattern or a number would join", async () => {
      await put(
        store,
        ...["a_c", "a%c", "1e3", "1000", "0x10"].map((code) => purchaseRecord(code, 1)),
      )
      expect(await codes(ada, "a_c")).toEqual(["a_c"])
      expect(await codes(ada, "a%c")).toEqual(["a%c"])
      expect(await codes(ada, "1000")).toEqual(["1000"])
      expect(await codes(ada, "16")).toEqual([])
    })
  })
