import type { Child } from "hono/jsx"
import type { View } from "../view.ts"
import { NamedLink } from "./formatted-values.tsx"

/** A section whose heading is its accessible name. */
export const Panel = ({ id, title, children }: { id: string; title: string; children?: Child }) => (
  <section class="panel" aria-labelledby={id}>
    <h2 id={id}>{title}</h2>
    {children}
  </section>
)

export type Column<Row> = Readonly<{
  head: Child
  cell(row: Row): Child
  /** Aligns the column and its head to the right. */
  isNumber?: boolean
  isRowHead?: boolean
  class?: string
  /** On a phone, cells are shown without the head, which other columns repeat as a label. */
  isClear?: boolean
}>

export const numberColumn = <Name extends string>(
  { locale }: View,
  head: string,
  name: Name,
): Column<Readonly<Record<Name, number>>> => ({
  head,
  isNumber: true,
  cell: (row) => row[name].toLocaleString(locale),
})

type TableProps<Row> = Readonly<{
  class?: string
  columns: readonly Column<NoInfer<Row>>[]
  rows: readonly Row[]
}>

/** The first cell has no label on a phone, nor do cells whose head is not a string. */
export const Table = <Row,>({ class: name = "stack", columns, rows }: TableProps<Row>) => {
  const classOf = (column: Column<Row>) => (column.isNumber ? "amount" : column.class)
  return (
    <table class={name}>
      <thead>
        <tr>
          {columns.map(({ head, isNumber }) => (
            <th scope="col" class={isNumber ? "amount" : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {columns.map((column, index) => {
              const { head, cell, isRowHead, isClear } = column
              if (isRowHead) {
                return (
                  <th scope="row" class={column.class}>
                    {cell(row)}
                  </th>
                )
              }
              const isLabeled = index > 0 && !isClear && typeof head === "string"
              return (
                <td class={classOf(column)} data-label={isLabeled ? head : undefined}>
                  {cell(row)}
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type ListProps<Row> = Pick<TableProps<Row>, "columns" | "rows"> &
  Readonly<{
    title: string
    hint?: string
    empty?: string
  }>

export const TableSection = <Row,>({ title, ...list }: ListProps<Row>) => (
  <section>
    <h2>{title}</h2>
    <TableOrEmpty {...list} />
  </section>
)

export const FoldedTable = <Row,>({ title, ...list }: ListProps<Row>) => (
  <details class="fold">
    <summary>
      <h2>{title}</h2> <span class="pill">{list.rows.length}</span>
    </summary>
    <TableOrEmpty {...list} />
  </details>
)

const TableOrEmpty = <Row,>({ hint, empty, ...table }: Omit<ListProps<Row>, "title">) => (
  <>
    {hint !== undefined && <p class="hint">{hint}</p>}
    {table.rows.length === 0 ? <p class="empty">{empty}</p> : <Table {...table} />}
  </>
)

type LinksProps = Readonly<{
  rows: readonly (readonly [path: string, name: string, note?: string])[]
}>

export const Links = ({ rows }: LinksProps) => (
  <ul>
    {rows.map(([path, name, note]) => (
      <li>
        <NamedLink href={path} name={name} />{" "}
        {note !== undefined && (
          <span class="hint">
            <bdi>{note}</bdi>
          </span>
        )}
      </li>
    ))}
  </ul>
)

type TabsProps = Readonly<{
  label: string
  tabs: readonly Readonly<{ path: string; text: Child; isCurrent: boolean }>[]
}>

export const Tabs = ({ label, tabs }: TabsProps) => (
  <nav aria-label={label} class="tabs">
    <ul>
      {tabs.map(({ path, text, isCurrent }) => (
        <li>
          <a href={path} aria-current={isCurrent ? "page" : undefined}>
            {text}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

type QuietLinkProps = Readonly<{
  href: string
  rel?: string
  /** A confirmation, which opens over the page. */
  "data-dialog"?: boolean
  children?: Child
}>

export const QuietLink = ({ children, ...attributes }: QuietLinkProps) => (
  <a class="button quiet" {...attributes}>
    {children}
  </a>
)

/**
 * Downloads the list above it. The attribute `download` would also save a sign-in or error page as a file.
 */
export const CsvLink = ({ view, path }: Readonly<{ view: View; path: string }>) => (
  <a class="button quiet" href={path}>
    {view.texts.lists.csv.download}
  </a>
)

type PagerProps = Readonly<{
  view: View
  label: string
  total?: string
  page: number
  pages: number
  linkTo(page: number): string
}>

export const Pager = ({ view, label, total, page, pages, linkTo }: PagerProps) => {
  const texts = view.texts.items
  return (
    <nav class="pager" aria-label={label}>
      <span>
        {total}
        {pages > 1 && `${total === undefined ? "" : " · "}${texts.page(page, pages)}`}
      </span>
      <span class="actions">
        {page > 1 && (
          <QuietLink href={linkTo(page - 1)} rel="prev">
            {texts.previous}
          </QuietLink>
        )}
        {page < pages && (
          <QuietLink href={linkTo(page + 1)} rel="next">
            {texts.next}
          </QuietLink>
        )}
      </span>
    </nav>
  )
}
