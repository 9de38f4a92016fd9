/** The table of every list: one line per row, the row is a link, the rest is in a menu. */
import type { Child, FC } from "hono/jsx"
import { currentLocale, t } from "../t.ts"
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
