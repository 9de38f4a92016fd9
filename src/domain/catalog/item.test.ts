import { expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../../tests/harness/full-test-run.ts"
import { foldLetters } from "../values/text.ts"
import { type ItemQuery, type ItemTitle, itemSorts, pickItems } from "./item.ts"

/** Reference implementation: sorts all titles in one step. */
function pickAtOnce(titles: readonly ItemTitle[], { text, sort, offset, rowsMax }: ItemQuery) {
  const nameOf = ({ name }: ItemTitle) => foldLetters(name ?? "")
  const byText = (a: string, b: string) => Number(a > b) - Number(a < b)
  const byId = (a: ItemTitle, b: ItemTitle) => a.id - b.id
  const orders = {
    published: (a: ItemTitle, b: ItemTitle) => byText(a.publishedAt, b.publishedAt) || byId(a, b),
    "-published": (a: ItemTitle, b: ItemTitle) =>
      byText(b.publishedAt, a.publishedAt) || byId(b, a),
    name: (a: ItemTitle, b: ItemTitle) => byText(nameOf(a), nameOf(b)) || byId(a, b),
    "-name": (a: ItemTitle, b: ItemTitle) => byText(nameOf(b), nameOf(a)) || byId(a, b),
    price: (a: ItemTitle, b: ItemTitle) => a.price - b.price || byId(a, b),
    "-price": (a: ItemTitle, b: ItemTitle) => b.price - a.price || byId(a, b),
  }
  const matching = titles
    .filter((title) => nameOf(title).includes(foldLetters(text)) || String(title.id) === text)
    .toSorted(orders[sort])
  const ids = matching.map(({ id }) => id)
  return { ids: ids.slice(offset, offset + rowsMax), total: ids.length }
}

const anyName = fc.option(
  fc.string({ unit: fc.constantFrom("a", "İ", "ı", "B", "1"), maxLength: 3 }),
)
const anyTitles = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 200 }),
    name: anyName,
    price: fc.nat({ max: 3 }),
    publishedAt: fc.constantFrom("", "2026-01-01", "2026-02-01"),
  }),
  { selector: ({ id }) => id, maxLength: 60 },
)
const anyQuery = fc.record({
  text: fc.constantFrom("", "a", "I", "b1", "12"),
  sort: fc.constantFrom(...itemSorts),
  offset: fc.nat({ max: 20 }),
  rowsMax: fc.integer({ min: 1, max: 10 }),
})

test("titles in batches give the same page as all titles in one step", () => {
  fc.assert(
    fc.property(anyTitles, anyQuery, fc.integer({ min: 1, max: 20 }), (titles, query, size) => {
      const pick = pickItems(query)
      for (let at = 0; at < titles.length; at += size) pick.add(titles.slice(at, at + size))
      expect(pick.result()).toEqual(pickAtOnce(titles, query))
    }),
    { numRuns: propertyRuns(500) },
  )
})
