import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { createChanges, type FeedState, rolls } from "../../tests/harness/feed/random-changes.ts"
import {
  accountId,
  type OpenEmpty,
  put,
  withoutLimits,
} from "../../tests/harness/stores/store-records.ts"
import { priceUnits } from "../items/item.ts"
import { purchaseFieldsOf, toPriceUnits } from "../purchases/purchase.ts"
import type { SalesOfDay } from "../purchases/sale.ts"
import type { Store } from "../store/store.ts"

const at = "2026-06-30T12:00:00Z"

type Sold = Readonly<{ itemId: number; author: string; sum: SalesOfDay }>

/** Reads everything, without the sums of the store. */
async function readAll(store: Store): Promise<FeedState & Readonly<{ sold: readonly Sold[] }>> {
  const state: FeedState = { names: new Set(), items: new Map(), sales: new Map() }
  const sold: Sold[] = []
  const snapshot = await store.feed.openSnapshot()
  for await (const page of snapshot.readAccounts())
    for (const { username } of page) state.names.add(username)
  for await (const page of snapshot.readItems())
    for (const { id, author } of page) state.items.set(id, author)
  for await (const page of snapshot.readPurchases()) {
    for (const { code, itemId, isRevoked, isRevokedByOperator, ...text } of page) {
      const { date, currency, price } = purchaseFieldsOf(text)
      const amount = toPriceUnits(price) / priceUnits
      const isRefunded = isRevoked || isRevokedByOperator === true
      const sum = { day: date.slice(0, 10), currency, isRefunded, sales: 1, amount }
      sold.push({ itemId, author: state.items.get(itemId) ?? "", sum })
      state.sales.set(code, itemId)
    }
  }
  await snapshot.close()
  return { ...state, sold }
}

function countSales(sold: readonly Sold[]): readonly SalesOfDay[] {
  const nameOf = ({ sum }: Sold) => `${sum.day} ${sum.currency} ${sum.isRefunded}`
  return [...Map.groupBy(sold, nameOf)]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([, [first, ...others]]) => {
      if (first === undefined) return []
      const amount = others.reduce((sum, each) => sum + each.sum.amount, first.sum.amount)
      return [{ ...first.sum, sales: others.length + 1, amount }]
    })
}

async function expectSumsToMatch(store: Store): Promise<void> {
  const { names, items, sold } = await readAll(store)
  for (const author of names) {
    const id = await accountId(store, author)
    const own = sold.filter((each) => each.author === author)
    const itemIds = [...items].filter(([, owner]) => owner === author).map(([itemId]) => itemId)
    const all = { itemIds: null, state: null, range: null }
    const day = { from: "2026-06-02", to: "2026-06-02" }
    expect(await store.sales.sumByDay(id, all)).toEqual(countSales(own))
    expect(await store.sales.sumByDay(id, { ...all, range: day, state: "refunded" })).toEqual(
      countSales(own.filter(({ sum }) => sum.day === day.from && sum.isRefunded)),
    )
    for (const itemId of itemIds) {
      expect(await store.sales.sumByDay(id, { ...all, itemIds: [itemId] })).toEqual(
        countSales(own.filter((each) => each.itemId === itemId)),
      )
    }
    const facts = await store.authorSearch.find(id, at)
    expect(facts).toMatchObject({ items: itemIds.length, purchases: own.length })
  }
  const everything = { itemIds: null, state: null, range: null }
  expect(await store.sales.sumByDay(null, everything)).toEqual(countSales(sold))
  expect(await store.feed.listWrongSums()).toEqual([])
}

/** Enough accounts, items and purchases for the random changes. */
const basis = ["create", "create", "publish", "publish", "publish", ...Array(6).fill("sell")].map(
  (kind: string, roll) => ({ kind, one: roll, other: roll, isOdd: roll % 2 === 0 }),
)

export const feedSumsContract = (adapter: string, open: OpenEmpty) =>
  describe(`daily sums on ${adapter}`, () => {
    test("match all purchases and items after any changes", async () => {
      const store = await open()
      const refund = fc.record({ sale: fc.nat(), isRefund: fc.boolean() })
      const refunds = fc.array(refund, { minLength: 4, maxLength: 8 })
      await fc.assert(
        fc.asyncProperty(
          rolls,
          fc.integer({ min: 1, max: 40 }),
          refunds,
          async (all, size, some) => {
            const records = createChanges(await readAll(store), [...basis, ...all])
            for (let from = 0; from < records.length; from += size)
              await put(store, ...records.slice(from, from + size))
            const codes = [...(await readAll(store)).sales.keys()]
            for (const { sale, isRefund } of some)
              await store.purchases.setRevokedByOperator(
                codes[sale % codes.length] ?? "",
                isRefund,
                new Date(),
              )
            await expectSumsToMatch(store)
          },
        ),
        { numRuns: 12, endOnFailure: true },
      )
      const origin = { source: "test", via: "file" } as const
      const full = await store.feed.openBatches({ ...origin, limits: withoutLimits })
      await full.removeOlder(new Date(), Date.now() + 60_000)
      expect([...(await readAll(store)).names, ...(await store.feed.listWrongSums())]).toEqual([])
      await store.close()
    })
  })
