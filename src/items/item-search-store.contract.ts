import { afterEach, beforeEach, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { type OpenEmpty, openWithAuthors, put } from "../../tests/harness/stores/store-records.ts"
import type { FeedRecord } from "../feed/feed-record.ts"
import { foldLetters } from "../platform/text.ts"
import type { Store } from "../store/store.ts"
import { type ItemQuery, itemSorts } from "./item.ts"

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

    const all: ItemQuery = { text: "", sort: "published", after: null, rowsMax: 100 }
    const found = async (query: Partial<ItemQuery>, account = ada) =>
      (await store.itemSearch.search(account, { ...all, ...query })).items.map(({ id }) => id)

    test("returns the fields of a list, also of hidden items, without the body", async () => {
      await put(store, named(1, "Ürün", { price: 9.5 }), named(2, "Gizli", { isHidden: true }))
      const shown = { category, currency: "TRY", thumbnail, publishedAt: someDay }
      const items = [
        { ...shown, id: 1, isHidden: false, name: "Ürün", price: 9.5 },
        { ...shown, id: 2, isHidden: true, name: "Gizli", price: 10 },
      ]
      expect(await store.itemSearch.search(ada, all)).toEqual({ items, next: null })
      const byName = { ...all, sort: "name", text: "i" } as const
      expect(await store.itemSearch.search(ada, byName)).toEqual({
        items: items.slice(1),
        next: null,
      })
    })

    test("finds items by a part of the name, ignoring the case of ASCII letters", async () => {
      await put(store, named(1, "Dark Theme"), named(2, "theme, light"), named(3, "Plugin"))
      expect(await found({ text: "THEME" })).toEqual([1, 2])
      expect(await found({ text: "k t" })).toEqual([1])
      expect(await found({ text: "themes" })).toEqual([])
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
        answers.push(await found({ text }))
      }
      expect(answers).toEqual([[1], [1], [1], [1], [2], [2], [3], [3]])
    })

    test("finds an item by its complete id, and by digits in its name", async () => {
      await put(store, named(12, "Twelve"), named(123, "More"), named(7, "Sound 12"))
      expect(await found({ text: "12" })).toEqual([7, 12])
      expect(await found({ text: "012" })).toEqual([])
      expect(await found({ text: "12.0" })).toEqual([])
    })

    test("treats every character literally", async () => {
      const names = ["100%", "a_b", "a\\b", "it's", 'say "hi"', "axb", "100x", "<b>", "?", "$text"]
      await put(store, ...names.map((name, index) => named(index + 1, name)))
      const typed = ["0%", "a_", "a\\", "'", '"', "%", "_", "<b>", "?", "$text"]
      const answers: unknown[] = []
      for (const text of typed) answers.push(await found({ text }))
      expect(answers).toEqual([[1], [2], [3], [4], [5], [1], [2], [8], [9], [10]])
    })

    test("finds other scripts and emoji", async () => {
      await put(store, named(1, "Şık Çınar"), named(2, "漢字 🎈"), named(3, "مرحبا"))
      const answers: unknown[] = []
      for (const text of ["Çın", "🎈", "字", "حبا"]) answers.push(await found({ text }))
      expect(answers).toEqual([[1], [2], [2], [3]])
    })

    test("finds nothing for a text longer than any name", async () => {
      await put(store, named(1, "a"))
      expect(await found({ text: "a".repeat(100_000) })).toEqual([])
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
        newest: await found({ sort: "-published" }),
        oldest: await found({ sort: "published" }),
        name: await found({ sort: "name" }),
        price: await found({ sort: "price" }),
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
        await found({ text, sort: "-published" }),
        await found({ text, sort: "published" }),
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
      expect(await found({ sort: "-published", rowsMax: 2 })).toEqual([2, 1])
    })

    test("pages of every order contain each matching item once", async () => {
      const fields = fc.record({
        name: fc.string({
          unit: fc.constantFrom("a", "İ", "ı", "B", "1", "😀", "%"),
          maxLength: 3,
        }),
        price: fc.nat({ max: 3 }),
        publishedAt: fc.constantFrom("2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"),
      })
      const [items = []] = fc.sample(fc.array(fields, { minLength: 60, maxLength: 60 }), {
        numRuns: 1,
        seed: 5,
      })
      const rows = items.map((each, index) => ({ ...each, id: index + 1 }))
      await put(store, ...rows.map(({ id, name, ...rest }) => named(id, name, rest)))
      const valuesOf = ({ name, price, publishedAt }: (typeof rows)[number]) => ({
        name: Buffer.from(foldLetters(name)).toString("hex"),
        price: `${price}`,
        published: publishedAt,
      })
      for (const sort of itemSorts) {
        for (const text of ["", "a", "I", "b1", "12", "😀", "%"]) {
          const matching = rows.filter(
            ({ id, name }) => foldLetters(name).includes(foldLetters(text)) || String(id) === text,
          )
          const column = sort.replace("-", "") as "name" // `as`: any of the three
          const ordered = matching.toSorted((one, other) => {
            const [a, b] = [valuesOf(one)[column], valuesOf(other)[column]]
            return a === b ? one.id - other.id : a < b ? -1 : 1
          })
          const ids: number[] = []
          let after: string | null = null
          do {
            const query: ItemQuery = { text, sort, after, rowsMax: 7 }
            const page = await store.itemSearch.search(ada, query)
            ids.push(...page.items.map(({ id }) => id))
            after = page.next
          } while (after !== null)
          const expected = sort.startsWith("-") ? ordered.toReversed() : ordered
          expect([sort, text, ids]).toEqual([sort, text, expected.map(({ id }) => id)])
        }
      }
    })

    test("a position that no page has returned begins with the first item", async () => {
      await put(store, named(1, "a"), named(2, "b"))
      for (const after of ["", "50", "x:1", "1:x", "-1:a"])
        expect(await found({ sort: "price", after })).toEqual([1, 2])
    })

    test("finds changes of a feed", async () => {
      await put(store, named(1, "Before", { price: 1 }), named(2, "Other", { price: 2 }))
      await put(store, named(1, "After", { price: 3 }))
      expect(await found({ text: "before" })).toEqual([])
      expect(await found({ text: "after" })).toEqual([1])
      expect(await found({ sort: "price" })).toEqual([2, 1])
    })

    test("excludes items of other accounts, by name, by id and in the totals", async () => {
      await put(store, named(1, "Theme"), named(2, "Theme", { author: "bob", isHidden: true }))
      expect(await found({ text: "theme" })).toEqual([1])
      expect(await found({ text: "2" })).toEqual([])
      expect(await found({}, bob)).toEqual([2])
      expect([await store.itemSearch.count(ada), await store.itemSearch.count(bob)]).toEqual([1, 1])
    })

    test("counts all items, also hidden ones", async () => {
      expect(await store.itemSearch.count(ada)).toBe(0)
      await put(store, named(1, "a"), named(2, "b"), named(3, "c", { isHidden: true }))
      expect(await store.itemSearch.count(ada)).toBe(3)
    })
  })
