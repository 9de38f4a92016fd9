import { expect, test } from "bun:test"
import fc from "fast-check"
import { foldLetters } from "./text.ts"

test.each([
  ["Aurora 2", "aurora 2"],
  ["ÇĞİÖŞÜ çğıöşü", "cgiosu cgiosu"],
  ["I ı İ i", "i i i i"],
  ["e\u0301\u0323", "e"],
  ["ﬁne №1", "fine no1"],
  ["Ελλάδα", "ελλαδα"],
])("%s becomes %s", (text, folded) => {
  expect(foldLetters(text)).toBe(folded)
})

test("is the same however a letter and its marks are written", () => {
  const text = fc.string({ unit: "grapheme" })
  fc.assert(
    fc.property(text, (given) => {
      const forms = ["NFC", "NFD", "NFKC", "NFKD"].map((form) => foldLetters(given.normalize(form)))
      expect(new Set([...forms, foldLetters(given)])).toHaveProperty("size", 1)
    }),
  )
})

test("is fast for long runs of marks", () => {
  expect(foldLetters(`a${"\u0301".repeat(100_000)}${"\u0316".repeat(100_000)}b`)).toBe("ab")
})
