/**
 * Lists as CSV files. A file is streamed page by page as the client reads it, so that a long list needs no
 * more memory than a short one.
 */

import type { Locale } from "../../../domain/values/locale.ts"
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"
import { untilNextTurn } from "../../../domain/values/work-queue.ts"
import type { PageContext } from "../page-context.ts"
import { dictionaries } from "../translations/texts.ts"
import type { Column } from "./data-table.tsx"

/** The rows in pages of at most `rowsMax()`, which changes from page to page. */
export type ListPages<Row> = (rowsMax: () => number) => AsyncIterable<readonly Row[]>

/** The first page is short, so that the download starts soon. */
const [firstRows, pageRowsMax] = [100, 500]
/** A page stays in memory until the client reads it, so pages of long rows have fewer rows. */
const pageLengthMax = 64 * 1024

/** Turkish spreadsheets read a comma as the decimal sign, and a file with commas as one column. */
const separators: Readonly<Record<Locale, string>> = { en: ",", tr: ";" }

/** Excel reads UTF-8 without a byte order mark as the local code page. */
const byteOrderMark = "\uFEFF"

/** Spreadsheets run texts with these beginnings as formulas; East Asian ones also accept full width. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/
/** A spreadsheet that splits at the other separator ignores quotes after the first cell of a line. */
const innerFormula = /([,;\t\r\n]"*)(?=[=+\-@＝＋－＠])/g

/** An apostrophe makes a spreadsheet read a cell as text. Every text is quoted. */
function renderCell(value: string | number | null): string {
  if (value === null) return ""
  if (typeof value === "number") return String(value)
  const inner = value.replace(innerFormula, "$1'")
  const escaped = formula.test(value) ? `'${inner}` : inner
  return `"${escaped.replaceAll('"', '""')}"`
}

/** The format that spreadsheets recognize as a timestamp. The column head says that it is in UTC. */
export const csvTimestamp = (at: Timestamp) => at.slice(0, 19).replace("T", " ")

export async function* renderCsv<Row>(
  locale: Locale,
  columns: readonly Column<Row>[],
  listPages: ListPages<Row>,
): AsyncGenerator<string> {
  const { inUtc } = dictionaries[locale].lists.csv
  const lineOf = (cells: readonly (string | number | null)[]) =>
    `${cells.map(renderCell).join(separators[locale])}\r\n`
  const cellOf = ({ kind, value }: Column<Row>, row: Row) => {
    const plain = value(row)
    return kind === "time" && typeof plain === "string" ? csvTimestamp(plain) : plain
  }
  yield byteOrderMark +
    lineOf(columns.map(({ head, kind }) => (kind === "time" ? inUtc(head) : head)))
  let rowsMax = firstRows
  for await (const rows of listPages(() => rowsMax)) {
    const text = rows.map((row) => lineOf(columns.map((column) => cellOf(column, row)))).join("")
    const fitting = Math.floor((pageLengthMax * rows.length) / Math.max(1, text.length))
    rowsMax = rows.length === 0 ? rowsMax : Math.max(1, Math.min(fitting, pageRowsMax))
    yield text
    // SQLite responds synchronously: without a pause, other requests would wait for the end of the file.
    await untilNextTurn()
  }
}

/**
 * Sends a list as a file with this name. The first page is read before the response starts, so that an
 * unavailable database gives an error page. A later failure aborts the download.
 */
export async function sendCsv<Row, Visitor>(
  c: PageContext<Visitor>,
  name: string,
  columns: readonly Column<Row>[],
  listPages: ListPages<Row>,
): Promise<Response> {
  const chunks = renderCsv(c.get("locale"), columns, listPages)
  const encoder = new TextEncoder()
  const ready = [await chunks.next(), await chunks.next()]
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = ready.shift() ?? (await chunks.next())
        if (done) controller.close()
        else controller.enqueue(encoder.encode(value))
      },
      async cancel() {
        await chunks.return(undefined)
      },
    },
    // Read a page only after the client has taken the previous one.
    { highWaterMark: 0 },
  )
  return c.body(body, 200, {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}.csv"`,
  })
}

export function pagesInMemory<Row>(rows: readonly Row[]): ListPages<Row> {
  return async function* listPages(currentRowsMax) {
    for (let at = 0; at < rows.length; ) {
      const page = rows.slice(at, at + currentRowsMax())
      at += page.length
      yield page
    }
  }
}
