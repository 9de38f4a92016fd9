/**
 * A list of the workspace or the console: search, filters, sort, pages and CSV file. The parameters are `q`
 * (search), the names of the filters, `sort` (`name` or `-name`) and `after` (where the page begins).
 */
import type { Child } from "hono/jsx"
import type { HtmlEscapedString } from "hono/utils/html"
import { withQuery } from "../http/parameters.ts"
import { t } from "../t.ts"
import { trimWhitespace } from "../text.ts"
import { currentView, type PageApp, type PageContext } from "./context.ts"
import {
  type Column,
  DataTable,
  type DataTableProps,
  isSortedBy,
  type ListPages,
  type SortLinkProps,
  sendCsv,
} from "./data-table.tsx"
import { pastedUnitsMax, QuietButton, searchUnitsMax } from "./form-fields.tsx"
import { checkClient, inTurn, openFile } from "./turns.ts"

const pageRows = 50

export type ListRequest<Name extends string = string> = Readonly<{
  text: string
  /** An empty string for a filter that is not set. */
  filters: Readonly<Record<Name, string>>
  /** `name` or, if descending, `-name` of a column; an empty string for the order of the list. */
  sort: string
}>

export type ListedPage<Row> = Readonly<{
  rows: readonly Row[]
  /** The parameter `after` of the next page; null on the last one. */
  next: string | null
  /** Empty string for the first page; null if there is no page before. */
  previous?: string | null
  /** Rows on all pages, if they are counted. */
  total?: number
}>

export type OpenList<Row> = Pick<DataTableProps<Row>, "linkOf" | "menuOf" | "groupOf"> &
  Readonly<{
    columns: readonly Column<Row>[]
    read(after: string | null, rowsMax: number): Promise<ListedPage<Row>>
    /** The label of the search field; without it, the list has none. */
    search?: string
    filters?: Child
    empty: Child
    page(list: Child, listed: ListedPage<Row>): HtmlEscapedString | Promise<HtmlEscapedString>
  }>

type ListOptions<Row, Name extends string> = Readonly<{
  path: string
  /** The name of the CSV file; null for a list without one. */
  file: string | null
  filterNames?: readonly Name[]
  /** The search may be a code or a message with one, which must not be in a URL: it is sent by POST. */
  isPrivate?: boolean
  /** A response, as in 404, is sent instead of the list. */
  open(
    c: PageContext,
    request: ListRequest<Name>,
  ): Promise<OpenList<Row> | Response> | OpenList<Row> | Response
}>

export function addList<Row, Name extends string = never>(
  app: PageApp,
  options: ListOptions<Row, Name>,
): void {
  const { path, file, filterNames = [], isPrivate = false, open } = options

  function readParameter(c: PageContext, name: string): string {
    const value = c.req.method === "POST" ? c.var.form.text(name) : (c.req.query(name) ?? "")
    return trimWhitespace(
      value.slice(0, isPrivate ? pastedUnitsMax : searchUnitsMax).toWellFormed(),
    )
  }

  function readRequest(c: PageContext): ListRequest<Name> {
    const filters = filterNames.map((name) => [name, readParameter(c, name)])
    const isSearch = !isPrivate || c.req.method === "POST"
    return {
      text: isSearch ? readParameter(c, "q") : "",
      filters: Object.fromEntries(filters) as Record<Name, string>,
      sort: readParameter(c, "sort"),
    }
  }

  async function show(c: PageContext): Promise<Response> {
    const request = readRequest(c)
    if (c.req.method === "POST" && request.text === "") {
      return c.redirect(withQuery(c.req.path, queryOf(request)), 303)
    }
    return inTurn(c, request.text === "" ? "list" : "search", () => showPage(c, request))
  }

  async function showPage(c: PageContext, request: ListRequest<Name>): Promise<Response> {
    const list = await open(c, request)
    if (list instanceof Response) return list
    await checkClient(c)
    const after = readParameter(c, "after") || null
    const listed = await list.read(after, pageRows)
    await checkClient(c)
    const shown = { list, listed, request, after, isPrivate, hasFile: file !== null }
    return c.html(await list.page(<List {...shown} />, listed))
  }

  async function sendFile(c: PageContext): Promise<Response> {
    const close = await openFile(c)
    try {
      const list = await inTurn(c, "file", async () => open(c, readRequest(c)))
      if (!(list instanceof Response)) {
        return await sendCsv(c, file ?? "", list.columns, allPages(c, list, close))
      }
      close()
      return list
    } catch (error) {
      close()
      throw error
    }
  }

  app.get(path, show)
  if (isPrivate) app.post(path, show)
  if (file === null) return
  app.get(`${path}.csv`, sendFile)
  if (isPrivate) app.post(`${path}.csv`, sendFile)
}

const queryOf = ({ filters, sort }: ListRequest) => ({ ...filters, sort })

const allPages = <Row,>(
  c: PageContext,
  { read }: OpenList<Row>,
  close: () => void,
): ListPages<Row> =>
  async function* listPages(currentRowsMax) {
    try {
      for (let after: string | null = null; ; ) {
        const from = after
        const page: ListedPage<Row> = await inTurn(c, "file", () => read(from, currentRowsMax()))
        yield page.rows
        if (page.next === null) return
        after = page.next
      }
    } finally {
      close()
    }
  }

/** The page of a query that read one row more than `rowsMax`. */
export const cutPage = <Row,>(
  rows: readonly Row[],
  rowsMax: number,
  cursorOf: (row: Row) => string,
): ListedPage<Row> => {
  const last = rows[rowsMax - 1]
  const next = rows.length > rowsMax && last !== undefined ? cursorOf(last) : null
  return { rows: rows.slice(0, rowsMax), next }
}

/** The page of a query by offset, which is the parameter `after`. */
export async function readByOffset<Row>(
  after: string | null,
  rowsMax: number,
  read: (offset: number) => Promise<Readonly<{ rows: readonly Row[]; total: number }>>,
): Promise<ListedPage<Row>> {
  const offset = /^\d{1,9}$/.test(after ?? "") ? Number(after) : 0
  const { rows, total } = await read(offset)
  const before = Math.max(0, offset - rowsMax)
  return {
    rows,
    total,
    next: offset + rowsMax < total ? String(offset + rowsMax) : null,
    previous: offset === 0 ? null : before === 0 ? "" : String(before),
  }
}

/** A list that is in memory: searched in and sorted by the plain values of its columns. */
export const readInMemory =
  <Row,>(rows: readonly Row[], columns: readonly Column<Row>[], { text, sort }: ListRequest) =>
  (after: string | null, rowsMax: number): Promise<ListedPage<Row>> => {
    const wanted = text.toLocaleLowerCase()
    const contains = ({ value }: Column<Row>, row: Row) =>
      String(value(row) ?? "")
        .toLocaleLowerCase()
        .includes(wanted)
    const found =
      wanted === "" ? rows : rows.filter((row) => columns.some((column) => contains(column, row)))
    const column = columns.find((each) => isSortedBy(each, sort))
    const sign = sort.startsWith("-") ? -1 : 1
    const sorted =
      column === undefined
        ? found
        : found.toSorted((a, b) => sign * compareValues(column.value(a), column.value(b)))
    return readByOffset(after, rowsMax, async (offset) => ({
      rows: sorted.slice(offset, offset + rowsMax),
      total: sorted.length,
    }))
  }

const collator = new Intl.Collator(undefined, { numeric: true })

function compareValues(one: string | number | null, other: string | number | null): number {
  if (typeof one === "number" && typeof other === "number") return one - other
  return collator.compare(String(one ?? ""), String(other ?? ""))
}

const formId = "list"

type ListProps<Row> = Readonly<{
  list: OpenList<Row>
  listed: ListedPage<Row>
  request: ListRequest
  after: string | null
  isPrivate: boolean
  hasFile: boolean
}>

type LinkProps = Readonly<{ name: "sort" | "after"; value: string; rel?: string; children?: Child }>

const List = <Row,>(props: ListProps<Row>) => {
  const { list, listed, request, after, isPrivate, hasFile } = props
  const view = currentView()
  const { text, sort } = request
  const { search, filters, empty } = list
  /** A private search is not in the URL, so its links are buttons of the form. */
  const Link = ({ name, value, rel, children }: LinkProps) =>
    isPrivate && text !== "" ? (
      <button type="submit" class={rel ? "quiet" : "link"} form={formId} name={name} value={value}>
        {children}
      </button>
    ) : (
      <a
        class={rel && "button quiet"}
        rel={rel}
        href={withQuery(view.path, { ...queryOf(request), q: text, [name]: value })}
      >
        {children}
      </a>
    )
  const SortLink = ({ to, children }: SortLinkProps) => (
    <Link name="sort" value={to}>
      {children}
    </Link>
  )
  const previous = listed.previous === undefined && after !== null ? "" : listed.previous
  const links = [
    { to: previous ?? null, rel: "prev", text: previous === "" ? t("First page") : t("Previous") },
    { to: listed.next, rel: "next", text: t("Next") },
  ].filter(({ to }) => to !== null)
  return (
    <>
      <form
        id={formId}
        class="list-bar"
        method={isPrivate ? "post" : "get"}
        action={view.path}
        role="search"
        data-live
      >
        {isPrivate && <input type="hidden" name="form_token" value={view.formToken} />}
        {sort !== "" && <input type="hidden" name="sort" value={sort} />}
        {search !== undefined && (
          <input
            type="search"
            name="q"
            value={text}
            placeholder={search}
            aria-label={search}
            maxlength={isPrivate ? pastedUnitsMax : searchUnitsMax}
            autocomplete="off"
            spellcheck={false}
          />
        )}
        {filters}
        {(search ?? filters) !== undefined && (
          <button type="submit" class="quiet apply">
            {t("Apply")}
          </button>
        )}
        <span class="count" id="count">
          {listed.total !== undefined && t("{n result|results}", { n: listed.total })}
        </span>
        {hasFile && <QuietButton formaction={`${view.path}.csv`}>{t("CSV")}</QuietButton>}
      </form>
      <div id="results" aria-live="polite">
        {listed.rows.length === 0 ? (
          <div class="empty">{empty}</div>
        ) : (
          <DataTable {...list} rows={listed.rows} sort={{ by: sort, SortLink }} />
        )}
        {links.length > 0 && (
          <nav class="pager" aria-label={t("Pages")}>
            {links.map(({ to, rel, text }) => (
              <Link name="after" value={to ?? ""} rel={rel}>
                {text}
              </Link>
            ))}
          </nav>
        )}
      </div>
    </>
  )
}

type FilterSelectProps = Readonly<{
  name: string
  label: string
  every: string
  options: readonly (readonly [value: string, text: string])[]
  chosen: string
}>

export const FilterSelect = ({ name, label, every, options, chosen }: FilterSelectProps) => (
  <select name={name} aria-label={label}>
    <option value="">{every}</option>
    {options.map(([value, text]) => (
      <option value={value} selected={value === chosen}>
        {text}
      </option>
    ))}
  </select>
)
