import { expect, test } from "bun:test"
import fc from "fast-check"
import { escapeControlCharacters, replaceControlCharacters } from "./control-characters.ts"

const hostile = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
    fc.constantFrom("\u202e", "\u2066", "\u200f", "\u061c", "\u2028", "\u{e0041}", "ş", "a"),
  ),
})
const moves = /[\p{Cc}\p{Cf}\u2028\u2029]/u

test("no character that moves the cursor or reorders a line is left", () => {
  fc.assert(
    fc.property(hostile, (text) => expect(replaceControlCharacters(text)).not.toMatch(moves)),
  )
})

test("ordinary text stays as it is", () => {
  const text = "Şahin Ğ ışık 漢字 😀 a'\"\\ü"
  expect(replaceControlCharacters(text)).toBe(text)
})

test("JSON keeps its value, and its line breaks", () => {
  fc.assert(
    fc.property(fc.array(hostile), (value) => {
      const shown = escapeControlCharacters(`${JSON.stringify(value)}\n`)
      expect(shown.slice(0, -1)).not.toMatch(moves)
      expect(shown.endsWith("\n")).toBe(true)
      expect(JSON.parse(shown)).toEqual(value)
    }),
  )
})
