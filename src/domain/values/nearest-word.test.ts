import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { findNearest } from "./text.ts"

const known = ["serve", "import", "imports", "export", "account", "key", "status"]

describe("the nearest word", () => {
  test.each([
    ["sevre", "serve"],
    ["imprt", "import"],
    ["exprot", "export"],
    ["acount", "account"],
    ["kye", "key"],
    ["stat", "status"],
    ["frobnicate", null],
    ["x", null],
    ["", null],
  ])("%s: %p", (typed, nearest) => {
    expect(findNearest(typed, known)).toBe(nearest)
  })
})

test("one mistake in a word of four letters or more is forgiven, and nothing throws", () => {
  const word = fc.stringMatching(/^[a-z]{4,12}$/)
  fc.assert(
    fc.property(word, fc.nat(), fc.string(), (word, seed, any) => {
      const at = seed % word.length
      const typed = word.slice(0, at) + word.slice(at + 1)
      expect(findNearest(typed, [word])).toBe(word)
      findNearest(any, known)
    }),
  )
})
