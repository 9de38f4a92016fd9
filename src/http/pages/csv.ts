/**
 * Lists as files for spreadsheets. A file is sent page by page as the client reads it, so that a long list needs no
 * more memory than a short one.
 */

import type { Locale } from "../../domain/values/locale.ts"
import type { Timestamp } from "../../domain/values/time/timestamp.ts"
import { untilNextTurn } from "../../domain/values/work-queue.ts"
import type { PageContext } from "./page-context.ts"

export type CsvColumn<Row> = Readonly<{ head: string; cell(row: Row): string | number | null }>

/** The rows of a list in pages of at most `rowsMax()`, which changes from page to page. */
export type ListPages<Row> = (rowsMax: () => number) => AsyncIterable<readonly Row[]>

/** The first page has few rows, so that a download begins soon. */
const [firstRows, pageRowsMax] = [100, 500]
/** A page is in memory for as long as the client does not read: one with long rows has fewer of them. */
const pageLettersMax = 64 * 1024

/** Spreadsheets in Turkish read a comma as the decimal sign, and a file with commas as one column. */
const separators: Readonly<Record<Locale, string>> = { en: ",", tr: ";" }

/** Without it Excel reads UTF-8 as the local code page and breaks every letter beyond ASCII. */
const byteOrderMark = "\uFEFF"

/** A spreadsheet would run a text that begins so; also in full width, which East Asian ones accept. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** So does a cell of one that cuts at the other separator: it sees no quotes after the first cell of a line. */
const innerFormula = /([,;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g

/** The apostrophe makes a spreadsheet take the rest as text. Every text is quoted, also one that needs no quotes. */
function renderCell(value: string | number | null): string {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const inner = value.replace(innerFormula, "$1'")
  const harmless = formula.test(value) ? `'${inner}` : inner
  return `"${harmless.replaceAll('"', '""')}"`
}

/** Spreadsheets take this form for a moment; the head of the column says that it is in UTC. */
export const csvTimestamp = (at: Timestamp) => at.slice(0, 19).replace("T", " ")

export async function* renderCsv<Row>(
  locale: Locale,
  columns: readonly CsvColumn<Row>[],
  listPages: ListPages<Row>,
): AsyncGenerator<string> {
  const lineOf = (cells: readonly (string | number | null)[]) =>
    `${cells.map(renderCell).join(separators[locale])}\r\n`
  yield byteOrderMark + lineOf(columns.map(({ head }) => head))
  let rowsMax = firstRows
  for await (const rows of listPages(() => rowsMax)) {
    const text = rows.map((row) => lineOf(columns.map(({ cell }) => cell(row)))).join("")
    const fitting = Math.floor((pageLettersMax * rows.length) / Math.max(1, text.length))
    rowsMax = rows.length === 0 ? rowsMax : Math.max(1, Math.min(fitting, pageRowsMax))
    yield text
    // An embedded store answers at once: without this no other request would be answered until the end of the file.
    await untilNextTurn()
  }
}

/**
 * A list as a file with this name. The first page is read before the answer begins, so that a store that does not
 * answer is an error page; if it fails later, the download breaks off.
 */
export async function sendCsv<Row, Visitor>(
  c: PageContext<Visitor>,
  name: string,
  columns: readonly CsvColumn<Row>[],
  listPages: ListPages<Row>,
): Promise<Response> {
  const pieces = renderCsv(c.get("locale"), columns, listPages)
  const encoder = new TextEncoder()
  const ready = [await pieces.next(), await pieces.next()]
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = ready.shift() ?? (await pieces.next())
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await pieces.return(undefined)
      },
    },
    // No page is read before the client has taken the last one.
    { highWaterMark: 0 },
  )
  return c.body(body, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}.csv"`,
  })
}

/** Each page is read after the last row of the one before. */
export function pagesByCursor<Row, Cursor>(
  read: (after: Cursor | null, rowsMax: number) => Promise<readonly Row[]>,
  cursorOf: (row: Row) => Cursor,
): ListPages<Row> {
  return async function* listPages(currentRowsMax) {
    for (let after: Cursor | null = null; ; ) {
      const rowsMax = currentRowsMax()
      const rows: readonly Row[] = await read(after, rowsMax)
      yield rows
      const last = rows[rowsMax - 1]
      if (last === undefined) return
      after = cursorOf(last)
    }
  }
}

/** For a list that is in memory already. */
export function pagesInMemory<Row>(rows: readonly Row[]): ListPages<Row> {
  return async function* listPages(currentRowsMax) {
    for (let at = 0; at < rows.length; ) {
      const page = rows.slice(at, at + currentRowsMax())
      at += page.length
      yield page
    }
  }
}
