import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../../tests/harness/full-test-run.ts"
import { findNearest, foldLetters, trimWhitespace } from "./text.ts"

const whitespace: readonly (readonly [name: string, character: string])[] = [
  ["space", " "],
  ["tab", "\t"],
  ["line feed", "\n"],
  ["carriage return", "\r"],
  ["no-break space", "\u00a0"],
  ["ideographic space", "\u3000"],
  ["line separator", "\u2028"],
  ["byte order mark", "\ufeff"],
  ["zero-width space", "\u200b"],
  ["zero-width joiner", "\u200d"],
  ["word joiner", "\u2060"],
  ["left-to-right mark", "\u200e"],
  ["soft hyphen", "\u00ad"],
  ["a tag, outside the basic plane", "\u{e0020}"],
]

test.each(whitespace)("%s is trimmed at the ends and kept inside", (_, character) => {
  expect(trimWhitespace(`${character}${character}a${character}b${character}`)).toBe(
    `a${character}b`,
  )
})

test.each(["", " ", "\ufeff\u200b\r\n", "\u{e0020}"])("nothing is left of %p", (text) => {
  expect(trimWhitespace(text)).toBe("")
})

test.each(["a", "a b", "😀", "é", "\0", "-", "\ud800", "\udc00", "a \udc00"])(
  "%p is left alone",
  (text) => {
    expect(trimWhitespace(text)).toBe(text)
  },
)

test("half a surrogate pair does not hide the whitespace before it", () => {
  expect(trimWhitespace(" a \udc00 ")).toBe("a \udc00")
})

describe("for any text", () => {
  const anything = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...whitespace.map(([, character]) => character), "\ud800", "\udc00", "😀"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
  })

  test("the trimmed text is part of it, has no whitespace at its ends and is idempotent", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const trimmed = trimWhitespace(text)
        const [first = "a", ...rest] = [...trimmed]
        const isWhitespace = (character: string) => trimWhitespace(character) === ""
        expect({
          isPart: text.includes(trimmed),
          hasWhitespaceAtAnEnd: isWhitespace(first) || isWhitespace(rest.at(-1) ?? "a"),
          again: trimWhitespace(trimmed),
        }).toEqual({ isPart: true, hasWhitespaceAtAnEnd: false, again: trimmed })
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })

  test("whitespace added to its ends changes nothing", () => {
    const padding = fc.string({
      unit: fc.constantFrom(...whitespace.map(([, character]) => character)),
    })
    fc.assert(
      fc.property(padding, anything, padding, (before, text, after) => {
        expect(trimWhitespace(`${before}${trimWhitespace(text)}${after}`)).toBe(
          trimWhitespace(text),
        )
      }),
      { numRuns: propertyRuns(2_000) },
    )
  })
})

test("a long run of inner whitespace takes linear time", () => {
  // An algorithm with quadratic time would need an hour.
  const text = `a${" ".repeat(3_000_000)}b`
  expect(trimWhitespace(text)).toBe(text)
})

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

test("folding is the same for all normalization forms", () => {
  const text = fc.string({ unit: "grapheme" })
  fc.assert(
    fc.property(text, (any) => {
      const forms = ["NFC", "NFD", "NFKC", "NFKD"].map((form) => foldLetters(any.normalize(form)))
      expect(new Set([...forms, foldLetters(any)])).toHaveProperty("size", 1)
    }),
  )
})

test("folding is fast for long runs of marks", () => {
  expect(foldLetters(`a${"\u0301".repeat(100_000)}${"\u0316".repeat(100_000)}b`)).toBe("ab")
})

const commands = ["serve", "import", "imports", "export", "account", "key", "status"]

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
    expect(findNearest(typed, commands)).toBe(nearest)
  })
})

test("one typo in a word of four letters or more is recognized, and nothing throws", () => {
  const word = fc.stringMatching(/^[a-z]{4,12}$/)
  fc.assert(
    fc.property(word, fc.nat(), fc.string(), (word, seed, any) => {
      const at = seed % word.length
      const typed = word.slice(0, at) + word.slice(at + 1)
      expect(findNearest(typed, [word])).toBe(word)
      findNearest(any, commands)
    }),
  )
})
