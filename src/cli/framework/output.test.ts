import { describe, expect, test } from "bun:test"
import fc from "fast-check"
import { createTable, renderTable } from "./output.ts"

const piped = { columns: null, hasColors: false }
const wide = (columns: number) => ({ columns, hasColors: false })

const header = ["ID", "NAME", "NOTE"]
const rows = [
  ["1", "Anadolu", "a theme"],
  ["123456789", "x", "a text that is much longer than all the other ones"],
]

test("a pipe truncates nothing", () => {
  expect(renderTable(piped, header, rows)).toBe(
    [
      "ID         NAME     NOTE",
      "1          Anadolu  a theme",
      "123456789  x        a text that is much longer than all the other ones",
      "",
    ].join("\n"),
  )
})

test("a narrow terminal truncates the widest column, but never an id", () => {
  expect(renderTable(wide(40), header, rows)).toBe(
    [
      "ID         NAME     NOTE",
      "1          Anadolu  a theme",
      "123456789  x        a text that is much…",
      "",
    ].join("\n"),
  )
})

test("with colors the header is bold", () => {
  expect(renderTable({ columns: null, hasColors: true }, ["ID"], [["1"]])).toBe(
    "\x1b[1mID\x1b[22m\n1\n",
  )
})

test("in a pipe, pages have one header and columns never get narrower", () => {
  const render = createTable(piped, ["ID", "NAME"])
  const pages = [[["123", "Ada"]], [["1", "Elif"]], [["12345", "Cem"]], [["1", "Nil"]]]
  expect(pages.map(render)).toEqual([
    "ID   NAME\n123  Ada\n",
    "1    Elif\n",
    "12345  Cem\n",
    "1      Nil\n",
  ])
})

test("on a terminal every page has the header", () => {
  const render = createTable(wide(40), ["ID", "NAME"])
  expect([[["123", "Ada"]], [["1", "Elif"]]].map(render)).toEqual([
    "ID   NAME\n123  Ada\n",
    "ID  NAME\n1   Elif\n",
  ])
})

describe("for any cells", () => {
  const cell = fc.string({ unit: "grapheme", maxLength: 40, size: "max" })
  const table = fc.array(fc.tuple(cell, cell, cell), { maxLength: 5 })

  test("a line is never wider than the terminal, unless untruncated columns need more", () => {
    fc.assert(
      fc.property(table, fc.integer({ min: 40, max: 120 }), (rows, columns) => {
        const named = ["STATE", "NAME", "NOTE"]
        for (const line of renderTable(wide(columns), named, rows).trimEnd().split("\n"))
          expect(Bun.stringWidth(line)).toBeLessThanOrEqual(columns)
      }),
    )
  })

  test("an id is never truncated", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 200 }),
        fc.stringMatching(/^[0-9a-f]{1,40}$/),
        (columns, id) => {
          expect(renderTable(wide(columns), ["ID", "NAME"], [[id, "x".repeat(300)]])).toContain(id)
        },
      ),
    )
  })
})
