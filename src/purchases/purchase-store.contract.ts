import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import {
  accountId,
  accountRecord,
  itemRecord,
  type OpenEmpty,
  purchaseBody,
  purchaseRecord,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { FeedRecord } from "../feed/feed-record.ts"
import type { Store } from "../store/store.ts"

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

    test("finds nothing for an unknown code", async () =>
      expect(await store.purchases.listByCode(ada, "abc")).toEqual([]))

    test("returns the body of the purchase with its item", async () => {
      await put(store, purchaseRecord("abc", 1))
      expect(await store.purchases.listByCode(ada, "abc")).toEqual([
        {
          code: "abc",
          accountId: ada,
          itemId: 1,
          isRevoked: false,
          body: purchaseBody("abc", 1),
          buyer: null,
          validUntil: null,
          siteLimit: null,
          siteLimits: null,
          site: null,
          siteLastDay: null,
        },
      ])
    })

    test("stores the buyer, and deletes it with a record without one", async () => {
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

    test("includes revoked purchases and those of hidden items", async () => {
      await put(store, purchaseRecord("abc", 2, true))
      const [purchase] = await store.purchases.listByCode(ada, "abc")
      expect(purchase?.isRevoked).toBe(true)
      expect(purchase?.itemId).toBe(2)
    })

    test("excludes codes of other accounts", async () => {
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

    test("returns every result once for equal concurrent lookups", async () => {
      await put(store, purchaseRecord("abc", 1), purchaseRecord("ABC", 3))
      const asked = [codes(ada, "abc"), codes(ada, "ABC"), codes(bob, "abc"), codes(ada, "abc")]
      expect(await Promise.all(asked)).toEqual([["abc"], ["abc"], ["ABC"], ["abc"]])
    })

    test("distinguishes codes that a pattern or a number would match", async () => {
      await put(
        store,
        ...["a_c", "a%c", "1e3", "1000", "0x10"].map((code) => purchaseRecord(code, 1)),
      )
      expect(await codes(ada, "a_c")).toEqual(["a_c"])
      expect(await codes(ada, "a%c")).toEqual(["a%c"])
      expect(await codes(ada, "1000")).toEqual(["1000"])
      expect(await codes(ada, "16")).toEqual([])
    })

    describe("an operator override", () => {
      const refund = (isRevoked: boolean) =>
        store.purchases.setRevokedByOperator("abc", isRevoked, new Date())
      /** Returns the effective state, the feed's state and the operator override. */
      const look = async () => {
        const isExact = ({ code }: Readonly<{ code: string }>) => code === "abc"
        const counts = (await store.purchases.listByCode(ada, "abc")).find(isExact)
        const found = (await store.sales.listByCode("abc")).find(isExact)
        return [counts?.isRevoked, found?.isRevokedByFeed, found?.isRevokedByOperator]
      }

      test("is independent of the feed, whose state is shown too", async () => {
        await put(store, purchaseRecord("abc", 1), purchaseRecord("ABC", 1))
        expect(await refund(true)).toBe(true)
        expect(await look()).toEqual([true, false, true])
        for (const isRevoked of [true, false]) {
          await put(store, purchaseRecord("abc", 1, isRevoked, `buyer ${isRevoked}`))
          expect(await look()).toEqual([true, isRevoked, true])
        }
        const patch = {
          type: "patched purchase",
          code: "abc",
          isRevoked: true,
          fields: {},
        } as const
        await put(store, purchaseRecord("abc", 1), patch)
        expect(await look()).toEqual([true, true, true])
        const alike = await store.sales.listByCode("abc")
        expect(alike.find(({ code }) => code === "ABC")?.isRevoked).toBe(false)
      })

      test("writes an audit event when the feed changes its state, and only then", async () => {
        await put(store, purchaseRecord("abc", 1), purchaseRecord("def", 1))
        await refund(true)
        for (const isRevoked of [false, true, true, false]) {
          const records = [purchaseRecord("abc", 1, isRevoked), purchaseRecord("def", 1, isRevoked)]
          await put(store, ...records)
        }
        const word = (isByFeed: boolean) => ({
          actor: { kind: "feed", name: "test", ipRange: "" },
          kind: "purchase",
          action: "feed_word",
          account: { id: ada, username: "ada" },
          subjectId: "abc",
          isByFeed,
        })
        const events = await store.audit.list({ accountId: null, kind: null }, null, 10)
        expect(events).toMatchObject([word(false), word(true)])
      })

      test("after it is removed, the state of the feed applies", async () => {
        for (const isRevoked of [true, false]) {
          await put(store, purchaseRecord("abc", 1, isRevoked))
          expect([await refund(true), await refund(true), await refund(false)]).toEqual([
            ...[true, true, true],
          ])
          expect(await look()).toEqual([isRevoked, isRevoked, false])
          expect(await refund(false)).toBe(true)
          expect(await look()).toEqual([isRevoked, isRevoked, false])
        }
      })

      test("is restored with a purchase that a full sync had deleted", async () => {
        await put(store, purchaseRecord("abc", 1), purchaseRecord("def", 1))
        await refund(true)
        const writer = await store.feed.openBatches({ source: "full", via: "file" })
        await writer.removeOlder(new Date(), Date.now() + 1)
        await store.feed.deleteOldTombstones(Date.now() + 1_000, 100)
        await put(store, accountRecord("ada"), itemRecord("ada", 1))
        await put(store, purchaseRecord("abc", 1), purchaseRecord("def", 1))
        ada = await accountId(store, "ada")
        expect(await look()).toEqual([true, false, true])
        const [other] = await store.sales.listByCode("def")
        expect(other?.isRevoked).toBe(false)
      })

      test("is restored with a pending purchase, and outlives its deletion", async () => {
        await put(store, purchaseRecord("abc", 1))
        await refund(true)
        const gone: FeedRecord = { type: "deleted purchase", code: "abc" }
        await put(store, gone, { type: "deleted item", id: 1 })
        const waits = purchaseRecord("abc", 1)
        expect(await put(store, waits, gone, waits, purchaseRecord("abc", 1, true))).toEqual([
          "pending",
          null,
          "pending",
          "pending",
        ])
        await put(store, gone)
        await put(store, waits)
        await put(store, itemRecord("ada", 1))
        expect(await look()).toEqual([true, false, true])
      })

      test("returns false for an unknown purchase", async () => {
        await put(store, purchaseRecord("ABC", 1))
        expect(await refund(true)).toBe(false)
      })
    })
  })
