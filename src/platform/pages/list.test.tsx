import { expect, test } from "bun:test"
import fc from "fast-check"
import { Hono } from "hono"
import { viewAt } from "../../../tests/harness/http/page-views.ts"
import { createTurns } from "../http/in-flight.ts"
import { createForm, inView, type PageEnv } from "./context.ts"
import type { Column } from "./data-table.tsx"
import { addList, type ListRequest, readInMemory } from "./list.tsx"

type Row = Readonly<{ name: string; calls: number }>
const columns: readonly Column<Row>[] = [
  { head: "Name", sort: "name", value: ({ name }) => name },
  { head: "Requests", kind: "number", sort: "calls", value: ({ calls }) => calls },
]
const rowsOf = fc.array(fc.record({ name: fc.string(), calls: fc.nat() }))
const request: ListRequest = { text: "", filters: {}, sort: "" }

test("the pages of a list contain every row once, in the order of the sorted column", async () => {
  const sorts = fc.constantFrom("", "calls", "-calls")
  await fc.assert(
    fc.asyncProperty(rowsOf, sorts, fc.integer({ min: 1, max: 9 }), async (rows, sort, size) => {
      const read = readInMemory(rows, columns, { ...request, sort })
      const found: Row[] = []
      for (let after: string | null = ""; after !== null; ) {
        const page = await read(after, size)
        expect(page.total).toBe(rows.length)
        found.push(...page.rows)
        after = page.next
      }
      const sign = sort === "-calls" ? -1 : 1
      const expected = sort ? rows.toSorted((a, b) => sign * (a.calls - b.calls)) : rows
      expect(found).toEqual(expected)
    }),
  )
})

test("a search finds the rows with the text in any column", async () => {
  await fc.assert(
    fc.asyncProperty(rowsOf, fc.string(), async (rows, text) => {
      const { rows: found } = await readInMemory(rows, columns, { ...request, text })(null, 1_000)
      const lower = text.toLocaleLowerCase()
      const expected = rows.filter(({ name, calls }) =>
        [name.toLocaleLowerCase(), String(calls)].some((each) => each.includes(lower)),
      )
      expect(found).toEqual(expected)
    }),
  )
})

function appOf(rows: readonly Row[], isPrivate = false) {
  const app = new Hono<PageEnv>()
  app.use(async (c, next) => {
    c.set("person", { id: 1, name: "ada", email: null, locale: null, theme: null })
    c.set("actor", { kind: "author", name: "ada", ipRange: "" })
    if (c.req.method === "POST") c.set("form", createForm(await c.req.parseBody()))
    await inView(viewAt("/list", "en"), next)
  })
  addList(app, {
    path: "/list",
    file: "rows",
    filterNames: ["kind"],
    isPrivate,
    open: (_, request) => ({
      columns,
      read: readInMemory(rows, columns, request),
      search: "Search",
      empty: "Nothing",
      page: (list) => <main>{list}</main>,
    }),
  })
  const env = { takeTurn: createTurns(), keepPlace: () => () => {} }
  return { request: (path: string, init?: RequestInit) => app.request(path, init, env) }
}

const rows = Array.from({ length: 120 }, (_, index) => ({ name: `row ${index}`, calls: index }))

test("links of a list keep its search, filters and sort", async () => {
  const page = await (await appOf(rows).request("/list?q=row&kind=vk&sort=-calls")).text()
  expect(page).toContain("row 119")
  expect(page).toContain('href="/list?kind=vk&amp;sort=-calls&amp;q=row&amp;after=50"')
  expect(page).toContain('href="/list?kind=vk&amp;sort=calls&amp;q=row"')
  expect(page).toContain('aria-sort="descending"')
})

test("a private search is never part of a URL", async () => {
  const body = new URLSearchParams({ q: "row", kind: "vk" })
  const response = await appOf(rows, true).request("/list", { method: "POST", body })
  const page = await response.text()
  expect(page).toContain("row 49")
  expect(page).not.toContain("q=")
  expect(page).toMatch(/<button[^>]* name="after" value="50"/)
  const cleared = new URLSearchParams({ q: "", kind: "vk" })
  const redirect = await appOf(rows, true).request("/list", { method: "POST", body: cleared })
  expect(redirect.headers.get("location")).toBe("/list?kind=vk")
})

test("the CSV file has all rows of the filtered list", async () => {
  const file = await (await appOf(rows).request("/list.csv?q=row+11&sort=-calls")).text()
  const lines = file.trim().split("\r\n")
  expect(lines).toHaveLength(1 + 11)
  expect(lines[1]).toBe('"row 119",119')
})
