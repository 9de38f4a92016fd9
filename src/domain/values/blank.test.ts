import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { trimBlank } from "./text.ts"

const blanks: readonly (readonly [name: string, character: string])[] = [
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

test.each(blanks)("%s is nothing at the ends and stays inside", (_, character) => {
  expect(trimBlank(`${character}${character}a${character}b${character}`)).toBe(`a${character}b`)
})

test.each(["", " ", "\ufeff\u200b\r\n", "\u{e0020}"])("nothing is left of %p", (text) => {
  expect(trimBlank(text)).toBe("")
})

test.each(["a", "a b", "😀", "é", "\0", "-", "\ud800", "\udc00", "a \udc00"])(
  "%p is left alone",
  (text) => {
    expect(trimBlank(text)).toBe(text)
  },
)

test("half a surrogate pair does not take a blank before it along", () => {
  expect(trimBlank(" a \udc00 ")).toBe("a \udc00")
})

describe("for any text", () => {
  const anything = fc.string({
    unit: fc.oneof(
      fc.constantFrom(...blanks.map(([, character]) => character), "\ud800", "\udc00", "😀"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
  })

  test("what is left is part of it, has no blank at its ends and is trimmed already", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const trimmed = trimBlank(text)
        const [first = "a", ...rest] = [...trimmed]
        const isBlank = (character: string) => trimBlank(character) === ""
        expect({
          isPart: text.includes(trimmed),
          isBlankAtAnEnd: isBlank(first) || isBlank(rest.at(-1) ?? "a"),
          again: trimBlank(trimmed),
        }).toEqual({ isPart: true, isBlankAtAnEnd: false, again: trimmed })
      }),
      { numRuns: 2_000 },
    )
  })

  test("blanks added to its ends change nothing", () => {
    const padding = fc.string({
      unit: fc.constantFrom(...blanks.map(([, character]) => character)),
    })
    fc.assert(
      fc.property(padding, anything, padding, (before, text, after) => {
        expect(trimBlank(`${before}${trimBlank(text)}${after}`)).toBe(trimBlank(text))
      }),
      { numRuns: 2_000 },
    )
  })
})

test("a long run of blanks inside costs no more than its length", () => {
  // By its square it would take an hour.
  const text = `a${" ".repeat(3_000_000)}b`
  expect(trimBlank(text)).toBe(text)
})
