/**
 * A list of the workspace or the console: search, filters, sort, pages and CSV file. The parameters are `q`
 * (search), the names of the filters, `sort` (`name` or `-name`) and `after` (where the page begins).
 */
import type { Child } from "hono/jsx"
import type { HtmlEscapedString } from "hono/utils/html"
import { DomainError } from "../error.ts"
import { withQuery } from "../http/parameters.ts"
import { t } from "../t.ts"
import { trimWhitespace } from "../text.ts"
import { untilNextTurn } from "../timers.ts"
import { currentView, type PageApp, type PageContext } from "./context.ts"
import { type ListPages, sendCsv } from "./csv.ts"
import {
  type Column,
  DataTable,
  type DataTableProps,
  isSortedBy,
  type SortLinkProps,
} from "./data-table.tsx"
import { pastedUnitsMax, QuietButton, searchUnitsMax } from "./elements.tsx"

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
  const { path, file, isPrivate } = options
  const methods = isPrivate ? ["GET", "POST"] : ["GET"]
  app.on(methods, path, (c) => showList(c, options))
  if (file !== null) app.on(methods, `${path}.csv`, (c) => sendFile(c, file, options))
}

function readRequest<Row, Name extends string>(
  c: PageContext,
  { filterNames = [], isPrivate = false }: ListOptions<Row, Name>,
): ListRequest<Name> & Readonly<{ after: string | null }> {
  const isPost = c.req.method === "POST"
  const unitsMax = isPrivate ? pastedUnitsMax : searchUnitsMax
  const read = (name: string) => {
    const value = isPost ? c.var.form.text(name) : (c.req.query(name) ?? "")
    return trimWhitespace(value.slice(0, unitsMax).toWellFormed())
  }
  return {
    text: isPrivate && !isPost ? "" : read("q"),
    filters: Object.fromEntries(filterNames.map((name) => [name, read(name)])) as Record<
      Name,
      string
    >,
    sort: read("sort"),
    after: read("after") || null,
  }
}

async function showList<Row, Name extends string>(
  c: PageContext,
  options: ListOptions<Row, Name>,
): Promise<Response> {
  const request = readRequest(c, options)
  const { text, after } = request
  if (c.req.method === "POST" && text === "") {
    return c.redirect(withQuery(c.req.path, listParams(request)), 303)
  }
  return inTurn(c, text === "" ? "list" : "search", async () => {
    const list = await options.open(c, request)
    if (list instanceof Response) return list
    await checkClient(c)
    const listed = await list.read(after, pageRows)
    await checkClient(c)
    const { file, isPrivate = false } = options
    const shown = { list, listed, request, after, isPrivate, hasFile: file !== null }
    return c.html(await list.page(<List {...shown} />, listed))
  })
}

async function sendFile<Row, Name extends string>(
  c: PageContext,
  name: string,
  options: ListOptions<Row, Name>,
): Promise<Response> {
  const close = await openFile(c)
  try {
    const list = await inTurn(c, "file", async () => options.open(c, readRequest(c, options)))
    if (!(list instanceof Response)) {
      return await sendCsv(c, name, list.columns, allPages(c, list, close))
    }
    close()
    return list
  } catch (error) {
    close()
    throw error
  }
}

const listParams = ({ filters, sort }: ListRequest) => ({ ...filters, sort })

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

/*
 * An author or an operator reads one list, one file and one search at a time on each thread: others have the rest of it.
 * Nothing more is read for a client that is gone.
 */

const takeTurn = (c: PageContext, kind: string, max: number) =>
  c.env.takeTurn(`${kind} of ${c.var.person.id}`, max, c.req.raw.signal)

export async function inTurn<T>(
  c: PageContext,
  kind: "list" | "file" | "search",
  read: () => Promise<T>,
): Promise<T> {
  const end = await takeTurn(c, kind, 1)
  try {
    return await read()
  } finally {
    end()
  }
}

/** Throws `unavailable` if the client is gone. SQLite blocks the thread, which learns of it only between two reads. */
export async function checkClient(c: PageContext): Promise<void> {
  await untilNextTurn()
  if (c.req.raw.signal.aborted) throw new DomainError("unavailable")
}

/** Each takes a megabyte until it is read. */
const filesMax = 2

/** Call the returned function at the end of the file. Until then, the file keeps the place of its page. */
async function openFile(c: PageContext): Promise<() => void> {
  const end = await takeTurn(c, "open file", filesMax)
  let leave = c.env.keepPlace()
  return () => {
    end()
    leave()
    leave = () => {}
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
    const found = rows.filter((row) =>
      columns.some(({ value }) =>
        String(value(row) ?? "")
          .toLocaleLowerCase()
          .includes(wanted),
      ),
    )
    const column = columns.find((each) => isSortedBy(each, sort))
    const sign = sort.startsWith("-") ? -1 : 1
    if (column !== undefined)
      found.sort((a, b) => sign * compareValues(column.value(a), column.value(b)))
    return readByOffset(after, rowsMax, async (offset) => ({
      rows: found.slice(offset, offset + rowsMax),
      total: found.length,
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
  const { list, listed, request, after, isPrivate } = props
  const { text, sort } = request
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
        href={withQuery(currentView().path, { ...listParams(request), q: text, [name]: value })}
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
      <ListBar {...props} />
      <div id="results" aria-live="polite">
        {listed.rows.length === 0 ? (
          <div class="empty">{list.empty}</div>
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

const ListBar = <Row,>({ list, listed, request, isPrivate, hasFile }: ListProps<Row>) => {
  const { path, formToken } = currentView()
  const { search, filters } = list
  return (
    <form
      id={formId}
      class="list-bar"
      method={isPrivate ? "post" : "get"}
      action={path}
      role="search"
      data-live
    >
      {isPrivate && <input type="hidden" name="form_token" value={formToken} />}
      {request.sort !== "" && <input type="hidden" name="sort" value={request.sort} />}
      {search !== undefined && (
        <input
          type="search"
          name="q"
          value={request.text}
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
      {hasFile && <QuietButton formaction={`${path}.csv`}>{t("CSV")}</QuietButton>}
    </form>
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
