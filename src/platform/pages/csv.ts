/** Lists as CSV files, rendered page by page while the client reads. */

import type { Locale } from "../locale.ts"
import { currentLocale, t } from "../t.ts"
import type { Timestamp } from "../time.ts"
import { untilNextTurn } from "../timers.ts"
import { currentView, inView, type PageContext } from "./context.ts"
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

/** Renders page by page as the client reads it: a long list needs no more memory than a short one. */
export async function* renderCsv<Row>(
  columns: readonly Column<Row>[],
  listPages: ListPages<Row>,
): AsyncGenerator<string> {
  const separator = separators[currentLocale()]
  const renderLine = (cells: readonly (string | number | null)[]) =>
    `${cells.map(renderCell).join(separator)}\r\n`
  const heads = columns.map(({ head, kind }) =>
    kind === "time" ? t("{head} (UTC)", { head }) : head,
  )
  yield byteOrderMark + renderLine(heads)
  let rowsMax = firstRows
  for await (const rows of listPages(() => rowsMax)) {
    let text = ""
    for (const row of rows) {
      const cells = columns.map(({ kind, value }) => {
        const plain = value(row)
        return kind === "time" && typeof plain === "string" ? csvTimestamp(plain) : plain
      })
      text += renderLine(cells)
    }
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
export async function sendCsv<Row>(
  c: PageContext,
  name: string,
  columns: readonly Column<Row>[],
  listPages: ListPages<Row>,
): Promise<Response> {
  const chunks = renderCsv(columns, listPages)
  // The client reads the body later, outside of the request.
  const view = currentView()
  const readChunk = () => inView(view, () => chunks.next())
  const encoder = new TextEncoder()
  const ready = [await readChunk(), await readChunk()]
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = ready.shift() ?? (await readChunk())
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
  const headers = {
    "Content-Type": "text/csv; charset=utf-8",
    "Content-Disposition": `attachment; filename="${name}.csv"`,
  }
  if (c.req.method !== "HEAD") return c.body(body, 200, headers)
  // Nobody reads this body.
  await body.cancel()
  return c.body(null, 200, headers)
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
