import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import {
  accountId,
  accountRecord,
  itemBody,
  itemRecord,
  type OpenEmpty,
  put,
} from "../../tests/harness/stores/store-records.ts"
import type { FeedRecord } from "../feed/feed-record.ts"
import type { Store } from "../store/store.ts"
import { renderPurchaseText } from "./purchase.ts"
import { parseSaleId, type Sale, type SaleFilter, saleIdOf } from "./sale.ts"

const at = "2026-06-30T12:00:00Z"
const everything: SaleFilter = { itemIds: null, state: null, range: null }

type Facts = Readonly<{
  isRevoked?: boolean
  buyer?: string
  until?: string
  price?: number
  currency?: string
}>

const sold = (code: string, itemId: number, date: string, facts: Facts = {}): FeedRecord => ({
  type: "purchase",
  purchase: {
    code,
    itemId,
    isRevoked: facts.isRevoked ?? false,
    buyer: facts.buyer ?? null,
    ...renderPurchaseText({
      purchase_code: code,
      license_type: "Regular",
      price: facts.price ?? 1,
      currency: facts.currency ?? "USD",
      supported_until: facts.until,
      downloaded: false,
      date,
    }),
  },
})

const codesOf = (sales: readonly Sale[]) => sales.map(({ code }) => code)

export const saleStoreContract = (adapter: string, open: OpenEmpty) =>
  describe(`SaleStore on ${adapter}`, () => {
    let store: Store
    let ada: number
    beforeEach(async () => {
      store = await open()
      const named: FeedRecord = {
        type: "item",
        item: { id: 1, author: "ada", isHidden: true, body: itemBody(1) },
      }
      await put(store, accountRecord("ada"), accountRecord("bob"), named)
      await put(store, itemRecord("ada", 2), itemRecord("bob", 3))
      ada = await accountId(store, "ada")
    })
    afterEach(() => store.close())

    /** Returns all pages of a list. */
    async function listAll(
      filter: Partial<SaleFilter> = {},
      rowsMax = 2,
      accountId: number | null = ada,
    ): Promise<string[]> {
      const codes: string[] = []
      let next: string | null = null
      do {
        const page = await store.sales.list(
          accountId,
          { ...everything, ...filter },
          { after: next, rowsMax, at },
        )
        expect(page.sales.length).toBeLessThanOrEqual(rowsMax)
        codes.push(...codesOf(page.sales))
        next = page.next
        if (next !== null) expect(parseSaleId(next)).not.toBeNull()
      } while (next !== null)
      return codes
    }

    test("finds a sale by its id, also after a refund, for its author only", async () => {
      const date = "2026-06-01T10:00:00Z"
      await put(store, sold("abc", 1, date), sold("abd", 1, date), sold("abe", 2, date))
      const address = saleIdOf({ itemId: 1, soldAt: date, code: "abd" })
      await put(store, sold("abd", 1, date, { isRevoked: true }))
      const bob = await accountId(store, "bob")
      expect(await store.sales.findCode(ada, address)).toBe("abd")
      expect(await store.sales.findCode(bob, address)).toBeNull()
      expect(await store.sales.findCode(null, address)).toBe("abd")
      expect(await store.sales.findCode(null, address.replace(/^1/, "3"))).toBeNull()
      expect(await store.sales.findCode(ada, address.replace(/^1/, "2"))).toBeNull()
      expect(await store.sales.findCode(ada, address.replace(/.$/, "-"))).toBeNull()
      expect(
        await store.sales.findCode(ada, `${address.slice(0, -16)}${"f".repeat(16)}`),
      ).toBeNull()
    })

    test("continues with older sales after a deleted one", async () => {
      const days = ["2026-06-04", "2026-06-03", "2026-06-02"]
      await put(store, ...days.map((day) => sold(day, 1, `${day}T10:00:00Z`)))
      const { next } = await store.sales.list(ada, everything, { after: null, rowsMax: 2, at })
      await put(store, { type: "deleted purchase", code: "2026-06-03" })
      const { sales } = await store.sales.list(ada, everything, { after: next, rowsMax: 2, at })
      expect(codesOf(sales)).toEqual(["2026-06-02"])
    })

    test("repeats the sales of the second of a deleted one, and leaves none out", async () => {
      const codes = ["e", "d", "c", "b", "a"]
      await put(store, ...codes.map((code) => sold(code, 1, "2026-06-04T00:00:00Z")))
      const page = { after: null, offset: 0, rowsMax: 2 }
      const { next } = await store.sales.listPurchases(ada, everything, page)
      await put(store, { type: "deleted purchase", code: "d" })
      const { sales } = await store.sales.list(ada, everything, { after: next, rowsMax: 10, at })
      expect(codesOf(sales)).toEqual(["e", "c", "b", "a"])
    })

    test("returns the fields of a list", async () => {
      await put(
        store,
        sold("abc", 1, "2026-06-01T10:00:00Z", {
          buyer: "Buse",
          until: "2026-12-01T00:00:00Z",
          price: 19.99,
          currency: "EUR",
        }),
      )
      await store.sites.recordSeen("2026-06-29T00:00:00Z", [
        { code: "abc", site: "shop.com" },
        { code: "abc", site: "localhost" },
      ])
      await store.sites.recordSeen("2026-05-01T00:00:00Z", [{ code: "abc", site: "old.com" }])
      const { sales, next } = await store.sales.list(ada, everything, {
        after: null,
        rowsMax: 10,
        at,
      })
      expect(next).toBeNull()
      expect(sales).toEqual([
        {
          code: "abc",
          accountId: ada,
          itemId: 1,
          itemName: "Ürün 1",
          username: "ada",
          buyer: "Buse",
          licenseType: "Regular",
          price: 19.99,
          currency: "EUR",
          soldAt: "2026-06-01T10:00:00Z",
          supportedUntil: "2026-12-01T00:00:00Z",
          validUntil: null,
          isRevoked: false,
          sites: 1,
        },
      ])
    })

    test("lists the sales of all items of the account, newest first", async () => {
      await put(
        store,
        ...[sold("a", 1, "2026-06-01T00:00:00Z"), sold("b", 2, "2026-06-03T00:00:00Z")],
        ...[sold("c", 1, "2026-06-02T00:00:00Z"), sold("d", 2, "2026-05-31T23:59:59Z")],
        ...[sold("bob's", 3, "2026-06-02T12:00:00Z"), sold("e", 1, "2026-06-04T00:00:00Z")],
      )
      expect(await listAll()).toEqual(["e", "b", "c", "a", "d"])
      expect(await listAll({ itemIds: [1] })).toEqual(["e", "c", "a"])
      expect(await listAll({ itemIds: [2, 3, 1, 99] })).toEqual(["e", "b", "c", "a", "d"])
      expect(await listAll({ itemIds: [3, 99] })).toEqual([])
      expect(await listAll({ itemIds: [] })).toEqual([])
      expect(await store.sales.sumByDay(ada, { ...everything, itemIds: [3] })).toEqual([])
    })

    test("filters by days, first and last day included, and by state", async () => {
      await put(
        store,
        ...[sold("a", 1, "2026-06-01T00:00:00Z"), sold("b", 2, "2026-06-02T23:59:59Z")],
        ...[sold("c", 1, "2026-05-31T23:59:59Z"), sold("d", 2, "2026-06-03T00:00:00Z")],
        sold("e", 2, "2026-06-01T12:00:00Z", { isRevoked: true }),
      )
      const range = { from: "2026-06-01", to: "2026-06-02" }
      expect(await listAll({ range })).toEqual(["b", "e", "a"])
      expect(await listAll({ range, state: "valid" })).toEqual(["b", "a"])
      expect(await listAll({ state: "refunded" })).toEqual(["e"])
      const sums = await store.sales.sumByDay(ada, { ...everything, range })
      expect(sums.map(({ day, isRefunded, sales }) => [day, isRefunded, sales])).toEqual([
        ["2026-06-01", false, 1],
        ["2026-06-01", true, 1],
        ["2026-06-02", false, 1],
      ])
      expect(await store.sales.sumByDay(ada, { ...everything, range, state: "refunded" })).toEqual([
        { day: "2026-06-01", currency: "USD", isRefunded: true, sales: 1, amount: 1 },
      ])
    })

    test("an operator override and a new author of the item take effect immediately", async () => {
      await put(store, sold("a", 1, "2026-06-01T00:00:00Z"), sold("b", 3, "2026-06-02T00:00:00Z"))
      await store.purchases.setRevokedByOperator("a", true, new Date())
      expect(await listAll({ state: "refunded" })).toEqual(["a"])
      const moved: FeedRecord = {
        type: "item",
        item: { id: 3, author: "ada", isHidden: false, body: itemBody(3) },
        wasAuthor: "bob",
      }
      await put(store, moved)
      expect(await listAll()).toEqual(["b", "a"])
    })

    test("finds sales by the name of the buyer, in pages", async () => {
      const sales = Array.from({ length: 9 }, (_, nth) =>
        sold(`code ${nth}`, 1 + (nth % 3), `2026-06-0${9 - nth}T00:00:00Z`, {
          ...(nth !== 4 && { buyer: nth % 2 === 0 ? "Buse" : "Can" }),
        }),
      )
      await put(store, ...sales)
      const find = (after: string | null, rowsMax: number, filter: Partial<SaleFilter> = {}) =>
        store.sales.search(ada, { ...everything, ...filter }, "BUSE", { after, rowsMax, at })
      // The sales of item 3 are those of Bob: the 2nd, 5th and 8th.
      const first = await find(null, 1)
      expect(codesOf(first.sales)).toEqual(["code 0"])
      const second = await find(first.next, 1)
      expect([codesOf(second.sales), second.next]).toEqual([["code 6"], null])
      expect(codesOf((await find(null, 9)).sales)).toEqual(["code 0", "code 6"])
      expect(codesOf((await find(null, 9, { itemIds: [2] })).sales)).toEqual([])
    })

    test("lists the sales of all accounts, newest first, by days and by state", async () => {
      await put(
        store,
        ...[sold("a", 1, "2026-06-01T00:00:00Z"), sold("b", 3, "2026-06-03T00:00:00Z")],
        ...[sold("c", 2, "2026-06-02T00:00:00Z"), sold("d", 3, "2026-06-02T00:00:00Z")],
        sold("e", 3, "2026-06-04T00:00:00Z", { isRevoked: true }),
        sold("f", 1, "2026-05-31T00:00:00Z", { isRevoked: true }),
      )
      expect(await listAll({}, 2, null)).toEqual(["e", "b", "d", "c", "a", "f"])
      expect(await listAll({ state: "valid" }, 1, null)).toEqual(["b", "d", "c", "a"])
      expect(await listAll({ state: "refunded" }, 1, null)).toEqual(["e", "f"])
      const range = { from: "2026-06-01", to: "2026-06-02" }
      expect(await listAll({ range }, 1, null)).toEqual(["d", "c", "a"])
      expect(await listAll({ range, state: "refunded" }, 1, null)).toEqual([])
      const { sales } = await store.sales.list(null, everything, { after: null, rowsMax: 2, at })
      expect(sales.map(({ username }) => username)).toEqual(["bob", "bob"])
    })

    test("finds the sales of all buyers whose name begins with a text, newest first", async () => {
      const buyers = ["Işıl K", "isil", "Isilay", "Can Isil", "Is", "", "Zoë", "Ipek"]
      await put(
        store,
        ...buyers.map((buyer, nth) =>
          sold(`code ${nth}`, 1 + (nth % 3), `2026-06-0${nth + 1}T00:00:00Z`, {
            isRevoked: nth === 2,
            ...(buyer !== "" && { buyer }),
          }),
        ),
      )
      const find = (text: string, after: string | null, rowsMax: number, filter = {}) =>
        store.sales.search(null, { ...everything, ...filter }, text, { after, rowsMax, at })
      const all = await find("İSIL", null, 9)
      expect([codesOf(all.sales), all.next]).toEqual([["code 2", "code 1", "code 0"], null])
      const first = await find("ısıl", null, 2)
      expect(codesOf(first.sales)).toEqual(["code 2", "code 1"])
      expect(codesOf((await find("isil", first.next, 2)).sales)).toEqual(["code 0"])
      expect(codesOf((await find("zoe", null, 2)).sales)).toEqual(["code 6"])
      expect(codesOf((await find("isil", null, 9, { state: "refunded" })).sales)).toEqual([
        "code 2",
      ])
      const range = { from: "2026-06-01", to: "2026-06-01" }
      expect(codesOf((await find("isil", null, 9, { range })).sales)).toEqual(["code 0"])
      await put(store, sold("code 1", 2, "2026-06-02T00:00:00Z", { buyer: "Can" }))
      expect(codesOf((await find("isil", null, 9)).sales)).toEqual(["code 2", "code 0"])
    })

    test("adds the sales of all accounts, also after a refund by an operator", async () => {
      const day = "2026-06-01T00:00:00Z"
      await put(store, sold("a", 1, day), sold("b", 3, day, { price: 2 }), sold("c", 2, day))
      await store.purchases.setRevokedByOperator("c", true, new Date())
      await put(store, { type: "deleted purchase", code: "a" })
      const valid = { day: "2026-06-01", currency: "USD", isRefunded: false, sales: 1, amount: 2 }
      const sums = [valid, { ...valid, isRefunded: true, amount: 1 }]
      expect(await store.sales.sumByDay(null, everything)).toEqual(sums)
      expect(await store.sales.sumByDay(null, { ...everything, state: "refunded" })).toEqual(
        sums.slice(1),
      )
    })

    test("adds the prices of each day and currency exactly", async () => {
      const price = fc.oneof(
        fc.constantFrom(0, -0.5, 19.99, 0.0001),
        fc.integer({ min: -1e9, max: 1e9 }).map((cents) => cents / 100),
      )
      const facts = fc.record({
        price,
        currency: fc.constantFrom("USD", "try", "EUR"),
        itemId: fc.constantFrom(1, 2, 3),
        isRevoked: fc.boolean(),
        day: fc.constantFrom("2026-06-01", "2026-06-02"),
      })
      const [sales = []] = fc.sample(fc.array(facts, { minLength: 60, maxLength: 60 }), {
        numRuns: 1,
        seed: 5,
      })
      await put(
        store,
        ...sales.map(({ itemId, day, ...rest }, nth) =>
          sold(`code ${nth}`, itemId, `${day}T10:00:00Z`, rest),
        ),
      )
      const expected = Map.groupBy(
        sales.filter(({ itemId }) => itemId !== 3),
        ({ day, currency, isRevoked }) => [day, currency, isRevoked].join(),
      )
      const sums = await store.sales.sumByDay(ada, everything)
      expect(sums.map(({ day }) => day)).toEqual(sums.map(({ day }) => day).toSorted())
      expect(sums).toHaveLength(expected.size)
      for (const { day, currency, isRefunded, sales, amount } of sums) {
        const rows = expected.get([day, currency, isRefunded].join()) ?? []
        expect(sales).toBe(rows.length)
        expect(amount).toBe(
          rows.reduce((sum, { price }) => sum + Math.round(price * 10_000), 0) / 10_000,
        )
      }
    })

    test("stores any price, and adds it as far as a sum goes", async () => {
      const prices = [1e300, -1e300, 1e21, 5e-324, 1.00001]
      const days = prices.map((_, nth) => `2026-06-0${nth + 1}`)
      await put(
        store,
        ...prices.map((price, nth) => sold(`code ${nth}`, 1, `${days[nth]}T10:00:00Z`, { price })),
      )
      const { sales } = await store.sales.list(ada, everything, { after: null, rowsMax: 10, at })
      expect(sales.map(({ price }) => price)).toEqual(prices.toReversed())
      const sums = await store.sales.sumByDay(ada, everything)
      expect(sums.map(({ amount }) => amount)).toEqual([1e9, -1e9, 1e9, 0, 1])
    })

    test("pages are full, also if nearly all sales are of one item", async () => {
      const minute = (nth: number) => `2026-06-01T00:${String(nth).padStart(2, "0")}:00Z`
      const many = Array.from({ length: 240 }, (_, nth) => sold(`many ${nth}`, 1, minute(nth % 60)))
      const few = Array.from({ length: 30 }, (_, nth) => sold(`few ${nth}`, nth + 4, minute(nth)))
      await put(store, ...few.map((_, nth) => itemRecord("ada", nth + 4)), ...few, ...many)
      const sizes: number[] = []
      let next: string | null = null
      do {
        const page = await store.sales.list(ada, everything, { after: next, rowsMax: 120, at })
        sizes.push(page.sales.length)
        next = page.next
      } while (next !== null)
      expect(sizes).toEqual([120, 120, 30])
    })

    test("lists the newest sales of many items", async () => {
      const ids = Array.from({ length: 1_100 }, (_, nth) => nth + 4)
      const dateOf = (minutes: number) =>
        `${new Date(Date.UTC(2026, 0, 1) + minutes * 60_000).toISOString().slice(0, 19)}Z`
      // The last item has many sales, some newer than all others.
      const rows = [
        ...ids.map((id, nth) => ({ id, minutes: (nth * 701) % 1_100 })),
        ...Array.from({ length: 300 }, (_, nth) => ({ id: 1_103, minutes: 1_000 + nth })),
      ].map((row, nth) => ({ ...row, code: `code ${nth}`, date: dateOf(row.minutes) }))
      await put(store, ...ids.map((id) => itemRecord("ada", id)))
      await put(store, ...rows.map(({ code, id, date }) => sold(code, id, date)))
      const newest = rows.toSorted((one, other) => other.minutes - one.minutes)
      const datesOf = (sales: readonly Pick<Sale, "soldAt">[]) => sales.map(({ soldAt }) => soldAt)
      for (const rowsMax of [25, 400]) {
        const page = await store.sales.list(ada, everything, { after: null, rowsMax, at })
        expect(datesOf(page.sales)).toEqual(newest.slice(0, rowsMax).map(({ date }) => date))
        const next = await store.sales.list(ada, everything, { after: page.next, rowsMax, at })
        expect(datesOf(next.sales)).toEqual(
          newest.slice(rowsMax, 2 * rowsMax).map(({ date }) => date),
        )
      }
      const range = { from: "2026-01-01", to: "2026-01-01" }
      const total = rows.length
      expect(await store.sales.sumByDay(ada, { ...everything, range, itemIds: ids })).toEqual([
        { day: "2026-01-01", currency: "USD", isRefunded: false, sales: total, amount: total },
      ])
    })

    test("pages of any size contain every sale once, also of the same second", async () => {
      const facts = fc.record({
        itemId: fc.integer({ min: 4, max: 40 }),
        second: fc.integer({ min: 0, max: 3 }),
        isRevoked: fc.boolean(),
      })
      const lists = fc.array(facts, { minLength: 150, maxLength: 250 })
      await put(store, ...Array.from({ length: 37 }, (_, at) => itemRecord("ada", at + 4)))
      const [sales = []] = fc.sample(lists, { numRuns: 1, seed: 7 })
      const rows = sales.map(({ itemId, second, isRevoked }, nth) => ({
        code: `code ${nth}`,
        date: `2026-06-01T00:00:0${second}Z`,
        itemId,
        isRevoked,
      }))
      await put(store, ...rows.map((row) => sold(row.code, row.itemId, row.date, row)))
      for (const rowsMax of [1, 7, 60, 120, 400]) {
        const codes = await listAll({}, rowsMax)
        expect(codes.toSorted()).toEqual(rows.map(({ code }) => code).toSorted())
        const dates = codes.map((code) => rows.find((row) => row.code === code)?.date ?? "")
        expect(dates).toEqual(dates.toSorted().toReversed())
      }
      const range = { from: "2026-06-01", to: "2026-06-01" }
      for (const filter of [
        { itemIds: [5] },
        { itemIds: [5, 6, 7], range },
        ...(["refunded", "valid"] as const).flatMap((state) => [
          { itemIds: null, state },
          { itemIds: [5], state, range },
          { itemIds: [5, 6, 7, 8, 9], state },
        ]),
      ]) {
        const { itemIds, state = null } = { state: null, ...filter }
        const expected = rows.filter(
          (row) =>
            (itemIds?.includes(row.itemId) ?? true) &&
            (state === null || row.isRevoked === (state === "refunded")),
        )
        const codes = await listAll(filter, 3)
        expect(codes.toSorted()).toEqual(expected.map(({ code }) => code).toSorted())
      }
    })
  })
