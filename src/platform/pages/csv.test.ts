import { expect, test } from "bun:test"
import { inLocale } from "../t.ts"
import { csvTimestamp, pagesInMemory, renderCsv } from "./csv.ts"

const textColumn = { head: "Text", value: (value: string | number | null) => value }

const render = async (locale: "en" | "tr", ...values: readonly (string | number | null)[]) =>
  inLocale(locale, async () => {
    const chunks = renderCsv([textColumn, textColumn], pagesInMemory(values))
    return (await Array.fromAsync(chunks)).join("")
  })

test("a file begins with a byte order mark and has the separator of the language", async () => {
  expect(await render("en", "ğ", 12)).toBe('\uFEFF"Text","Text"\r\n"ğ","ğ"\r\n12,12\r\n')
  expect(await render("tr", "ğ", null)).toBe('\uFEFF"Text";"Text"\r\n"ğ";"ğ"\r\n;\r\n')
})

test("quotes, separators and line breaks stay inside their cell", async () => {
  const [, , ...lines] = (await render("en", 'a"b,c;d\r\ne')).split('"Text"')
  expect(lines.join("")).toBe('\r\n"a""b,c;d\r\ne","a""b,c;d\r\ne"\r\n')
})

test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t1", "\r1", "\n1", "＝1", "＋1", "－1", "＠A1"])(
  "a spreadsheet reads %p as text",
  async (text) => {
    expect(await render("en", text)).toContain(`"'${text}","'${text}"`)
  },
)

/** Splits as Excel and LibreOffice do: quotes count only at the beginning of a cell. */
const splitAt = (separator: string, line: string) => {
  const [, first = "", rest = ""] = /^("(?:[^"]|"")*")(.*)$/s.exec(line) ?? []
  return [first, ...rest.split(separator).map((cell) => cell.replace(/^""/, ""))]
}

test.each([
  ["en", ";", "x;=cmd|' /C calc'!A0;y"],
  ["en", ";", 'x;"=1+1&"'],
  ["en", "\n", "x\n+1;"],
  ["tr", ",", "x,-1,y"],
  ["tr", ",", "x,＝1,y"],
] as const)(
  "a spreadsheet that splits a list in %s at %p finds no formula in %p",
  async (locale, other, text) => {
    const [, line = ""] = (await render(locale, text)).split(/\r\n/)
    expect(line).toContain(text.slice(-1))
    expect(splitAt(other, line).filter((cell) => /^[=+\-@＝＋－＠]/.test(cell))).toEqual([])
  },
)

test("a sign after a separator and a space is not escaped", async () => {
  expect(await render("en", "Fast, -small; + clean")).toContain('"Fast, -small; + clean"')
})

test("a timestamp has the format that spreadsheets recognize", () => {
  expect(csvTimestamp("2026-06-22T08:05:09Z")).toBe("2026-06-22 08:05:09")
})

test("a negative number is a number", async () => {
  expect(await render("en", -5)).toEndWith("\r\n-5,-5\r\n")
})

test("the event loop turns between two pages, even if the database responds synchronously", async () => {
  async function* pages() {
    for (let page = 0; page < 5; page += 1) yield [page]
  }
  let turns = 0
  const count = () => {
    turns += 1
    next = setImmediate(count)
  }
  let next = setImmediate(count)
  await Array.fromAsync(renderCsv([textColumn], pages))
  clearImmediate(next)
  expect(turns).toBeGreaterThanOrEqual(4)
})

test("a page is read only on demand, and none after the client disconnects", async () => {
  const read: number[] = []
  async function* pages() {
    try {
      for (let page = 0; ; page += 1) {
        read.push(page)
        yield [page]
      }
    } finally {
      read.push(-1)
    }
  }
  const chunks = renderCsv([textColumn], pages)
  for (let chunk = 0; chunk < 3; chunk += 1) await chunks.next()
  expect(read).toEqual([0, 1])
  await chunks.return(undefined)
  expect(read).toEqual([0, 1, -1])
})

test("pages of long rows are short, and every row is sent once", async () => {
  const [short, long] = ["x", "y".repeat(10_000)]
  const rows = Array.from({ length: 1_500 }, (_, at) => `${at}:${at < 1_000 ? short : long}`)
  const pages: number[] = []
  async function* listPages(rowsMax: () => number) {
    for await (const page of pagesInMemory(rows)(rowsMax)) {
      pages.push(page.length)
      yield page
    }
  }
  const text = (await Array.fromAsync(renderCsv([textColumn], listPages))).join("")
  expect(text.match(/(?<=")\d+(?=:)/g)?.map(Number)).toEqual(rows.map((_, at) => at))
  expect(pages.slice(0, 3)).toEqual([100, 500, 500])
  expect(Math.max(...pages.slice(4))).toBe(6)
})
