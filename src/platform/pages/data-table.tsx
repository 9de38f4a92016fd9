/** The table of every list: one line per row, the row is a link, the rest is in a menu. */
import type { Child, FC } from "hono/jsx"
import type { Locale } from "../locale.ts"
import { currentLocale, t } from "../t.ts"
import type { Timestamp } from "../time.ts"
import { untilNextTurn } from "../timers.ts"
import { currentView, inView, type PageContext } from "./context.ts"
import { Pill, Time, truncate, UtcDay } from "./elements.tsx"

export type Column<Row> = Readonly<{
  head: string
  /** The plain value: in the CSV file, as the title of the cell, and in the cell if there is no `cell`. */
  value(row: Row): string | number | null
  cell?(row: Row): Child
  /** A time is a timestamp, a day is in UTC; a code is shown in the monospace font. */
  kind?: "number" | "time" | "day" | "code"
  /** The name in `?sort=`. Without it, the list cannot be sorted by this column. */
  sort?: string
  on?: "csv"
  /** Less important columns disappear from narrow tables: 3 first, then 2. */
  priority?: 2 | 3
  isWide?: boolean
}>

export const column = <Row,>(
  head: string,
  value: Column<Row>["value"],
  more: Omit<Column<Row>, "head" | "value"> = {},
): Column<Row> => ({ head, value, ...more })

/** A link that sorts by `name` or, descending, by `-name`. */
export type SortLinkProps = Readonly<{ to: string; children?: Child }>

export const isSortedBy = <Row,>({ sort }: Column<Row>, by: string) =>
  sort !== undefined && sort === by.replace(/^-/, "")

export type DataTableProps<Row> = Readonly<{
  columns: readonly Column<NoInfer<Row>>[]
  rows: readonly Row[]
  empty?: Child
  /** The page of a row. Its first cell is the link. */
  linkOf?: ((row: Row) => string | null) | undefined
  menuOf?: ((row: Row) => Child) | undefined
  /** A heading above the first row of each group, as in "Today". */
  groupOf?: ((row: Row) => Child) | undefined
  sort?: Readonly<{ by: string; SortLink: FC<SortLinkProps> }>
}>

export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { rows, empty, linkOf, menuOf, groupOf, sort } = props
  if (rows.length === 0 && empty !== undefined) return <p class="hint">{empty}</p>
  const columns = props.columns.filter(({ on }) => on !== "csv")
  const groups = rows.map((row) => groupOf?.(row))
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                scope="col"
                class={listClasses(column)}
                aria-sort={
                  sort && isSortedBy(column, sort.by)
                    ? sort.by.startsWith("-")
                      ? "descending"
                      : "ascending"
                    : undefined
                }
              >
                {renderHead(column, sort)}
              </th>
            ))}
            {menuOf && <td />}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <>
              {groups[index] !== undefined && groups[index] !== groups[index - 1] && (
                <tr class="group">
                  <th scope="rowgroup" colspan={columns.length + (menuOf ? 1 : 0)}>
                    {groups[index]}
                  </th>
                </tr>
              )}
              <tr>
                {columns.map((column, index) => {
                  const link = index === 0 ? (linkOf?.(row) ?? null) : null
                  const cell = column.cell?.(row) ?? renderPlain(column.kind, column.value(row))
                  return (
                    <td
                      class={listClasses(column)}
                      data-label={index === 0 ? undefined : column.head}
                      title={findTitle(column, row)}
                    >
                      {link === null ? (
                        cell
                      ) : (
                        <a class="row-link" href={link}>
                          {cell}
                        </a>
                      )}
                    </td>
                  )
                })}
                {menuOf && <td class="menu-cell">{menuOf(row)}</td>}
              </tr>
            </>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function listClasses<Row>({ kind, priority, isWide }: Column<Row>): string | undefined {
  const names = [kind, priority && `priority-${priority}`, isWide && "wide"]
  return names.filter(Boolean).join(" ") || undefined
}

function renderHead<Row>(column: Column<Row>, sort: DataTableProps<Row>["sort"]): Child {
  const { head, kind, sort: name } = column
  // The zone of the reader, which only the script knows, replaces UTC.
  const text = kind === "time" ? [head, " ", <span data-zone>UTC</span>] : head
  if (sort === undefined || name === undefined) return text
  // The first click shows the largest or newest first; names begin with A.
  const both = kind === "number" || kind === "time" ? [`-${name}`, name] : [name, `-${name}`]
  return <sort.SortLink to={both.find((each) => each !== sort.by) ?? name}>{text}</sort.SortLink>
}

const titledUnits = 13
const titleCharactersMax = 300

/** Texts that may be cut have a title. */
function findTitle<Row>({ kind, value }: Column<Row>, row: Row): string | undefined {
  const text = value(row)
  const isCut = typeof text === "string" && text.length > titledUnits
  return isCut && kind !== "time" && kind !== "day" ? truncate(text, titleCharactersMax) : undefined
}

function renderPlain(kind: Column<never>["kind"], value: string | number | null): Child {
  if (value === null || value === "") return <span>–</span>
  if (typeof value === "number") return value.toLocaleString(currentLocale())
  if (kind === "day") return <UtcDay day={value} />
  return kind === "time" ? <Time at={value} form="short" /> : <bdi>{value}</bdi>
}

/** `id` is unique on the page; `name` says what the menu is about. */
export const RowMenu = ({
  id,
  name,
  children,
}: Readonly<{ id: string; name: string; children?: Child }>) => (
  <>
    <button
      type="button"
      class="quiet"
      popovertarget={`menu-${id}`}
      aria-label={t("Actions for {name}", { name })}
    >
      ⋯
    </button>
    <div class="row-menu" id={`menu-${id}`} popover="auto">
      {children}
    </div>
  </>
)

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

export type Tone = Parameters<typeof Pill>[0]["tone"]

/** A column of states in colors. */
export const stateColumn = <Row,>(
  head: string,
  stateOf: (row: Row) => readonly [tone: Tone, text: string],
): Column<Row> => ({
  head,
  value: (row) => stateOf(row)[1],
  cell(row) {
    const [tone, text] = stateOf(row)
    return <Pill tone={tone}>{text}</Pill>
  },
})
