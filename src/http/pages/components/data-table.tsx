/** The table of every list: one line per row, the row is a link, the rest is in a menu. */
import type { Child, FC } from "hono/jsx"
import type { View } from "../view.ts"
import { Time, truncate, UtcDay } from "./formatted-values.tsx"

export type Column<Row> = Readonly<{
  head: string
  /** The plain value: in the CSV file, as the title of the cell, and in the cell if there is no `cell`. */
  value(row: Row): string | number | null
  cell?(row: Row): Child
  /** A time is a timestamp, a day is in UTC; a code is shown in the monospace font. */
  kind?: "number" | "time" | "day" | "code"
  /** The name in `?sort=`. Without it, the list cannot be sorted by this column. */
  sort?: string
  /** Only in the CSV file. */
  on?: "csv"
  /** Less important columns disappear from narrow tables: 3 first, then 2. */
  priority?: 2 | 3
  /** Takes the space that is left. */
  isWide?: boolean
}>

export type SortHead = Readonly<{ name: string; direction: Direction; children?: Child }>
type Direction = "ascending" | "descending"

export type DataTableProps<Row> = Readonly<{
  view: View
  columns: readonly Column<NoInfer<Row>>[]
  rows: readonly Row[]
  /** Instead of a table without rows. */
  empty?: Child
  /** The page of a row. Its first cell is the link. */
  linkOf?: ((row: Row) => string | null) | undefined
  /** The menu at the end of a row. */
  menuOf?: ((row: Row) => Child) | undefined
  /** A heading above the first row of each group, as in "Today". */
  groupOf?: ((row: Row) => Child) | undefined
  sort?: Readonly<{ name: string; direction: Direction; Head: FC<SortHead> }>
}>

export const DataTable = <Row,>(props: DataTableProps<Row>) => {
  const { view, rows, empty, menuOf, groupOf } = props
  if (rows.length === 0 && empty !== undefined) return <p class="hint">{empty}</p>
  const columns = props.columns.filter(({ on }) => on !== "csv")
  const groups = rows.map((row) => groupOf?.(row))
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <HeadCell {...props} column={column} />
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
                {columns.map((column, index) => (
                  <BodyCell
                    view={view}
                    column={column}
                    row={row}
                    link={index === 0 ? (props.linkOf?.(row) ?? null) : null}
                    isFirst={index === 0}
                  />
                ))}
                {menuOf && <td class="menu-cell">{menuOf(row)}</td>}
              </tr>
            </>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function classOf<Row>({ kind, priority, isWide }: Column<Row>): string | undefined {
  const names = [kind, priority && `priority-${priority}`, isWide && "wide"]
  return names.filter(Boolean).join(" ") || undefined
}

type CellProps<Row> = Pick<DataTableProps<Row>, "view" | "sort"> & Readonly<{ column: Column<Row> }>

const HeadCell = <Row,>({ column, sort }: CellProps<Row>) => {
  const { head, kind, sort: name } = column
  const isSorted = name !== undefined && name === sort?.name
  // The zone of the reader, which only the script knows, replaces UTC.
  const text = kind === "time" ? [head, " ", <span data-zone>UTC</span>] : head
  return (
    <th scope="col" class={classOf(column)} aria-sort={isSorted ? sort.direction : undefined}>
      {sort === undefined || name === undefined ? (
        text
      ) : (
        <sort.Head name={name} direction={nextDirection(column, isSorted ? sort.direction : null)}>
          {text}
        </sort.Head>
      )}
    </th>
  )
}

/** The first click shows the largest or newest first; names begin with A. */
function nextDirection<Row>({ kind }: Column<Row>, current: Direction | null): Direction {
  const first = kind === "number" || kind === "time" ? "descending" : "ascending"
  if (current !== first) return first
  return first === "ascending" ? "descending" : "ascending"
}

type BodyCellProps<Row> = CellProps<Row> &
  Readonly<{ row: Row; link: string | null; isFirst: boolean }>

/** Shorter texts are never cut. */
const titledUnits = 13
const titleCharactersMax = 300

const BodyCell = <Row,>({ view, column, row, link, isFirst }: BodyCellProps<Row>) => {
  const value = column.value(row)
  const isLong =
    typeof value === "string" &&
    column.kind !== "time" &&
    column.kind !== "day" &&
    value.length > titledUnits
  const cell = column.cell?.(row) ?? <PlainValue view={view} kind={column.kind} value={value} />
  return (
    <td
      class={classOf(column)}
      data-label={isFirst ? undefined : column.head}
      title={isLong ? truncate(value, titleCharactersMax) : undefined}
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
}

type PlainValueProps = Readonly<{
  view: View
  kind: Column<never>["kind"]
  value: string | number | null
}>

const PlainValue = ({ view, kind, value }: PlainValueProps) => {
  if (value === null || value === "") return <span>–</span>
  if (typeof value === "number") return <>{value.toLocaleString(view.locale)}</>
  if (kind === "day") return <UtcDay view={view} day={value} />
  return kind === "time" ? <Time view={view} at={value} form="short" /> : <bdi>{value}</bdi>
}

type RowMenuProps = Readonly<{ view: View; id: string; name: string; children?: Child }>

/** `id` is unique on the page; `name` says what the menu is about. */
export const RowMenu = ({ view, id, name, children }: RowMenuProps) => (
  <>
    <button
      type="button"
      class="quiet"
      popovertarget={`menu-${id}`}
      aria-label={view.texts.lists.menu(name)}
    >
      ⋯
    </button>
    <div class="row-menu" id={`menu-${id}`} popover="auto">
      {children}
    </div>
  </>
)
