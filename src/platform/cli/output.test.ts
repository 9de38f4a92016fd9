import { expect, test } from "bun:test"
import { createTable, renderTable } from "./output.ts"

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
