import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import type { ItemQuery } from "../../../src/domain/catalog/item.ts"
import type { FeedRecord } from "../../../src/domain/feed/feed-record.ts"
import type { Store } from "../../../src/domain/store.ts"
import { DomainError } from "../../../src/domain/values/error.ts"
import { type OpenEmpty, openWithAuthors, put } from "../store-records.ts"

type Named = Readonly<{
  author?: string
  price?: number
  isHidden?: boolean
  publishedAt?: string
}>

const someDay = "2026-01-01T00:00:00Z"
const category = "Temalar"
const thumbnail = "https://files.example.com/1.png"
const bodyOf = (id: number, name: string, price: number, published_at = someDay) =>
  JSON.stringify({
    id,
    name,
    description: "x".repeat(100),
    category,
    currency: "TRY",
    published_at,
    media: { thumbnail, screenshots: [thumbnail] },
    price: { regular: price, extended: 100 },
  })
const named = (id: number, name: string, options: Named = {}): FeedRecord => {
  const { author = "ada", price = 10, isHidden = false, publishedAt } = options
  const body = bodyOf(id, name, price, publishedAt)
  return { type: "item", item: { id, author, isHidden, body } }
}

export const itemSearchContract = (adapter: string, open: OpenEmpty) =>
  describe(`ItemSearch on ${adapter}`, () => {
    let store: Store
    let ada: number
    let bob: number
    beforeEach(async () => {
      ;[store, ada, bob] = await openWithAuthors(open)
    })
    afterEach(() => store.close())

    test("lists items of the account by id, in the order of the ids", async () => {
      await put(store, named(1, "one"), named(2, "two", { isHidden: true }), named(4, "four"))
      await put(store, named(3, "three", { author: "bob" }))
      const many = Array.from({ length: 1_000 }, (_, index) => index + 10)
      const items = await store.itemSearch.listByIds(ada, [4, 3, ...many, 2, 1])
      expect(items.map(({ id, name, isHidden }) => ({ id, name, isHidden }))).toEqual([
        { id: 4, name: "four", isHidden: false },
        { id: 2, name: "two", isHidden: true },
        { id: 1, name: "one", isHidden: false },
      ])
      expect(await store.itemSearch.listByIds(ada, [])).toEqual([])
    })

    test("lists the ids of all items with a name, else of those that contain it", async () => {
      await put(store, named(1, "Işık"), named(2, "Işık Pro", { isHidden: true }), named(3, "ISIK"))
      await put(store, named(4, "Işık", { author: "bob" }), named(5, "Tide"))
      const many = Array.from({ length: 1_100 }, (_, nth) => named(nth + 10, `Set ${nth}`))
      await put(store, ...many)
      const ids = async (text: string) =>
        (await store.itemSearch.listIdsByName(ada, text)).toSorted((one, other) => one - other)
      expect(await ids("ışık")).toEqual([1, 3])
      expect(await ids("ışık p")).toEqual([2])
      expect(await ids("isi")).toEqual([1, 2, 3])
      expect(await ids("5")).not.toContain(5)
      expect(await ids("set")).toHaveLength(1_100)
      expect(await ids("none")).toEqual([])
    })

    const all: ItemQuery = { text: "", sort: "published", offset: 0, rowsMax: 100 }
    const found = async (query: Partial<ItemQuery>, account = ada) => {
      const { items, total } = await store.itemSearch.search(account, { ...all, ...query })
      return { ids: items.map(({ id }) => id), total }
    }

    test("returns the fields of a list, also of hidden items, without the body", async () => {
      await put(store, named(1, "Ürün", { price: 9.5 }), named(2, "Gizli", { isHidden: true }))
      const shown = { category, currency: "TRY", thumbnail, publishedAt: someDay }
      const items = [
        { ...shown, id: 1, isHidden: false, name: "Ürün", price: 9.5 },
        { ...shown, id: 2, isHidden: true, name: "Gizli", price: 10 },
      ]
      expect(await store.itemSearch.search(ada, all)).toEqual({ items, total: 2 })
      const byName = { ...all, sort: "name", text: "i" } as const
      expect(await store.itemSearch.search(ada, byName)).toEqual({
        items: items.slice(1),
        total: 1,
      })
    })

    test("finds items by a part of the name, ignoring the case of ASCII letters", async () => {
      await put(store, named(1, "Dark Theme"), named(2, "theme, light"), named(3, "Plugin"))
      expect(await found({ text: "THEME" })).toEqual({ ids: [1, 2], total: 2 })
      expect(await found({ text: "k t" })).toEqual({ ids: [1], total: 1 })
      expect(await found({ text: "themes" })).toEqual({ ids: [], total: 0 })
    })

    test("finds Turkish names in any spelling of case", async () => {
      await put(store, named(1, "İstanbul'da Şafak"), named(2, "ILGAZ"), named(3, "Ürün"))
      const answers: unknown[] = []
      for (const text of [
        "istanbul",
        "İSTANBUL",
        "ıstanbul",
        "safak",
        "ılgaz",
        "ilgaz",
        "ürün",
        "URUN",
      ]) {
        answers.push((await found({ text })).ids)
      }
      expect(answers).toEqual([[1], [1], [1], [1], [2], [2], [3], [3]])
    })

    test("finds an item by its complete id, and by digits in its name", async () => {
      await put(store, named(12, "Twelve"), named(123, "More"), named(7, "Sound 12"))
      expect(await found({ text: "12" })).toEqual({ ids: [7, 12], total: 2 })
      expect(await found({ text: "012" })).toEqual({ ids: [], total: 0 })
      expect(await found({ text: "12.0" })).toEqual({ ids: [], total: 0 })
    })

    test("treats every character literally", async () => {
      const names = ["100%", "a_b", "a\\b", "it's", 'say "hi"', "axb", "100x", "<b>", "?", "$text"]
      await put(store, ...names.map((name, index) => named(index + 1, name)))
      const typed = ["0%", "a_", "a\\", "'", '"', "%", "_", "<b>", "?", "$text"]
      const answers: unknown[] = []
      for (const text of typed) answers.push((await found({ text })).ids)
      expect(answers).toEqual([[1], [2], [3], [4], [5], [1], [2], [8], [9], [10]])
    })

    test("finds other scripts and emoji", async () => {
      await put(store, named(1, "Şık Çınar"), named(2, "漢字 🎈"), named(3, "مرحبا"))
      const answers: unknown[] = []
      for (const text of ["Çın", "🎈", "字", "حبا"]) answers.push((await found({ text })).ids)
      expect(answers).toEqual([[1], [2], [2], [3]])
    })

    test("finds nothing for a text longer than any name", async () => {
      await put(store, named(1, "a"))
      expect(await found({ text: "a".repeat(100_000) })).toEqual({ ids: [], total: 0 })
    })

    test("sorts by day and id, by name ignoring case, and by price and id", async () => {
      await put(
        store,
        named(3, "beta", { price: 100 }),
        named(1, "Beta", { price: 9.5 }),
        named(4, "alpha", { price: 20 }),
        named(2, "Gamma", { price: 20 }),
      )
      const sorted = {
        newest: (await found({ sort: "-published" })).ids,
        oldest: (await found({ sort: "published" })).ids,
        name: (await found({ sort: "name" })).ids,
        price: (await found({ sort: "price" })).ids,
      }
      expect(sorted).toEqual({
        newest: [4, 3, 2, 1],
        oldest: [1, 2, 3, 4],
        name: [4, 1, 3, 2],
        price: [1, 2, 4, 3],
      })
    })

    test("sorts newest and oldest by day of publication, then by id", async () => {
      const days = ["2026-03-01", "2026-01-01", "2026-02-01", "2026-01-01"]
      const records = days.map((day, index) =>
        named(index + 1, "Theme", { publishedAt: `${day}T00:00:00Z` }),
      )
      await put(store, ...records)
      const orders = async (text: string) => [
        (await found({ text, sort: "-published" })).ids,
        (await found({ text, sort: "published" })).ids,
      ]
      const sorted = [
        [1, 3, 4, 2],
        [2, 4, 3, 1],
      ]
      expect({ browsed: await orders(""), searched: await orders("theme") }).toEqual({
        browsed: sorted,
        searched: sorted,
      })
      await put(store, named(2, "Theme", { publishedAt: "2026-04-01T00:00:00Z" }))
      expect((await found({ sort: "-published", rowsMax: 2 })).ids).toEqual([2, 1])
    })

    test("sorts an item without a day of publication as the oldest", async () => {
      const body = '{"id":9,"name":"Old","price":{"regular":1,"extended":2}}'
      const old: FeedRecord = {
        type: "item",
        item: { id: 9, author: "ada", isHidden: false, body },
      }
      await put(store, named(1, "Lale"), old)
      const sorts = [
        await found({ sort: "-published" }),
        await found({ sort: "published", text: "l" }),
      ]
      expect(sorts).toEqual([
        { ids: [1, 9], total: 2 },
        { ids: [9, 1], total: 2 },
      ])
    })

    test("returns a page and the total number of matches", async () => {
      await put(store, ...[1, 2, 3, 4, 5].map((id) => named(id, id === 3 ? "Plugin" : "Theme")))
      const query = { text: "theme", sort: "-published", rowsMax: 2 } as const
      expect(await found({ ...query, offset: 0 })).toEqual({ ids: [5, 4], total: 4 })
      expect(await found({ ...query, offset: 2 })).toEqual({ ids: [2, 1], total: 4 })
      expect(await found({ ...query, offset: 4 })).toEqual({ ids: [], total: 4 })
    })

    test("finds changes of a feed", async () => {
      await put(store, named(1, "Before", { price: 1 }), named(2, "Other", { price: 2 }))
      await put(store, named(1, "After", { price: 3 }))
      expect(await found({ text: "before" })).toEqual({ ids: [], total: 0 })
      expect(await found({ text: "after" })).toEqual({ ids: [1], total: 1 })
      expect((await found({ sort: "price" })).ids).toEqual([2, 1])
    })

    test("excludes items of other accounts, by name, by id and in the totals", async () => {
      await put(store, named(1, "Theme"), named(2, "Theme", { author: "bob", isHidden: true }))
      expect(await found({ text: "theme" })).toEqual({ ids: [1], total: 1 })
      expect(await found({ text: "2" })).toEqual({ ids: [], total: 0 })
      expect(await found({}, bob)).toEqual({ ids: [2], total: 1 })
      expect([await store.itemSearch.count(ada), await store.itemSearch.count(bob)]).toEqual([
        { visible: 1, hidden: 0 },
        { visible: 0, hidden: 1 },
      ])
    })

    test("reads many items in batches, each once, with any names", async () => {
      const names = ["Theme", "theme", "Ürün", "", null, "Z", "a"]
      const records = Array.from({ length: 1_300 }, (_, index) => {
        const name = index < 700 ? "Same" : names[index % names.length]
        const { price } = { price: { regular: 1, extended: 2 } }
        const body = JSON.stringify({ id: index + 1, ...(name === null ? {} : { name }), price })
        return { type: "item", item: { id: index + 1, author: "ada", isHidden: false, body } }
      })
      await put(store, ...(records as FeedRecord[])) // the type of each is a constant
      const all = await found({ sort: "name", rowsMax: 2_000 })
      expect(all.total).toBe(1_300)
      expect(new Set(all.ids).size).toBe(1_300)
      expect((await found({ text: "same", rowsMax: 1_000 })).ids).toEqual(
        Array.from({ length: 700 }, (_, index) => index + 1),
      )
      expect((await found({ text: "same", offset: 690, rowsMax: 5 })).ids).toEqual([
        ...[691, 692, 693, 694, 695],
      ])
    })

    test("rejects too many concurrent searches of one account, and no other account", async () => {
      await put(store, named(1, "Theme"), named(2, "Theme", { author: "bob" }))
      const searches = Array.from({ length: 6 }, () => found({ text: "theme" }))
      const other = found({ text: "theme" }, bob)
      const outcomes = await Promise.allSettled(searches)
      expect(outcomes.map(({ status }) => status)).toEqual([
        ...Array<"fulfilled">(4).fill("fulfilled"),
        ...Array<"rejected">(2).fill("rejected"),
      ])
      await expect(searches[5]).rejects.toEqual(new DomainError("unavailable"))
      expect((await other).ids).toEqual([2])
      for (let round = 0; round < 40; round += 1) await found({ text: "theme" })
      expect((await found({ text: "theme" })).ids).toEqual([1])
    })

    test("counts visible and hidden items", async () => {
      expect(await store.itemSearch.count(ada)).toEqual({ visible: 0, hidden: 0 })
      await put(store, named(1, "a"), named(2, "b"), named(3, "c", { isHidden: true }))
      expect(await store.itemSearch.count(ada)).toEqual({ visible: 2, hidden: 1 })
    })
  })
