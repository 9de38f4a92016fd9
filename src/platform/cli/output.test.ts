import { expect, test } from "bun:test"
import fc from "fast-check"
import {
  createTable,
  escapeControlCharacters,
  renderTable,
  replaceControlCharacters,
} from "./output.ts"

test("columns are as wide as their widest cell, and no cell is truncated", () => {
  const rows = [
    ["1", "Anadolu", "a theme"],
    ["123456789", "漢字", "a text that is much longer than all the other ones"],
  ]
  expect(renderTable(false, ["ID", "NAME", "NOTE"], rows)).toBe(
    [
      "ID         NAME     NOTE",
      "1          Anadolu  a theme",
      "123456789  漢字     a text that is much longer than all the other ones",
      "",
    ].join("\n"),
  )
})

test("with colors the header is bold", () => {
  expect(renderTable(true, ["ID"], [["1"]])).toBe("\x1b[1mID\x1b[22m\n1\n")
})

test("pages have one header, and columns never get narrower", () => {
  const render = createTable(false, ["ID", "NAME"])
  const pages = [[["123", "Ada"]], [["1", "Elif"]], [["12345", "Cem"]], [["1", "Nil"]]]
  expect(pages.map(render)).toEqual([
    "ID   NAME\n123  Ada\n",
    "1    Elif\n",
    "12345  Cem\n",
    "1      Nil\n",
  ])
})

const hostile = fc.string({
  unit: fc.oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    fc.integer({ min: 0, max: 0x9f }).map((code) => String.fromCharCode(code)),
    fc.constantFrom("\u202e", "\u2066", "\u200f", "\u061c", "\u2028", "\u{e0041}", "ş", "a"),
  ),
})
const moves = /[\p{Cc}\p{Cf}\u2028\u2029]/u

test("replaces characters that move the cursor or reorder a line", () => {
  fc.assert(
    fc.property(hostile, (text) => expect(replaceControlCharacters(text)).not.toMatch(moves)),
  )
})

test("leaves ordinary text unchanged", () => {
  const text = "Şahin Ğ ışık 漢字 😀 a'\"\\ü"
  expect(replaceControlCharacters(text)).toBe(text)
})

test("escapes JSON without changing its value or its line breaks", () => {
  fc.assert(
    fc.property(fc.array(hostile), (value) => {
      const shown = escapeControlCharacters(`${JSON.stringify(value)}\n`)
      expect(shown.slice(0, -1)).not.toMatch(moves)
      expect(shown.endsWith("\n")).toBe(true)
      expect(JSON.parse(shown)).toEqual(value)
    }),
  )
})
