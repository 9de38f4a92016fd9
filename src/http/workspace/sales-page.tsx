/** Sales of the author: list with filters and search, chart by day, and CSV. */
import type { ItemSummary } from "../../domain/catalog/item-search.ts"
import {
  type Sale,
  type SaleFilter,
  type SaleState,
  type SalesOfDay,
  type SearchedPage,
  saleIdOf,
  saleStates,
} from "../../domain/catalog/sale.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { daysOf, formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { findItemIds, findSales, listSales } from "../../operations/catalog/list-sales.ts"
import { type AuthorApp, type AuthorContext, viewOf, visitorOf } from "../pages/author-context.ts"
import { CopyPreviousButton } from "../pages/components/copy-button.tsx"
import {
  type ChosenRange,
  chartDaysMax,
  fitsChart,
  paramsOfRange,
  parseListRange,
  RangeNav,
} from "../pages/components/date-range.tsx"
import {
  Field,
  PostForm,
  QuietButton,
  Select,
  searchUnitsMax,
} from "../pages/components/form-fields.tsx"
import { Day, NamedLink } from "../pages/components/formatted-values.tsx"
import { CsvLink, numberColumn, QuietLink, Table } from "../pages/components/panels-and-tables.tsx"
import { authorSaleCsvColumns, saleColumns, shortName } from "../pages/components/sale-columns.tsx"
import { UsageChart } from "../pages/components/usage-chart.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { sendCsv } from "../pages/csv.ts"
import { pathOfSales, type SalesQuery, salesCsvPath, salesPath } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

/** A row has about 1 KB. Keeps the page under 100 KB. */
const pageRows = 25
/** Authors with more items enter an item ID: a list of all would be the largest part of the page. */
const listedItemsMax = 50

const dayParams = ["days", "from", "to"] as const
const filterNames = ["item", "state", ...dayParams, "after"] as const

/** Default range of searches, and if the last 30 days have no sales. */
const allDays = "all"

export function addSalesRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { itemSearch, sales, now } = services

  /** `isOpen`: the request names neither days nor a text. */
  async function readRequest(
    c: AuthorContext,
  ): Promise<SalesRequest & Readonly<{ isOpen: boolean }>> {
    // A text may be a purchase code, which must not be in a URL: searches, their next pages and CSV files use POST.
    const isSearch = c.req.method === "POST"
    const { item, state, days, from, to, after } = isSearch
      ? Object.fromEntries(filterNames.map((name) => [name, c.get("form").text(name).trim()]))
      : c.req.query()
    const text = isSearch ? textIn(c) : ""
    const enteredItem = trimWhitespace(item ?? "").slice(0, searchUnitsMax)
    const itemIds = await findItemIds(services, visitorOf(c).account.id, enteredItem)
    const saleState = saleStates.find((each) => each === state) ?? null
    const chosen = parseListRange({ days, from, to }, formatTimestamp(now()))
    const isUndated = !days && !from && !to
    const range = days === allDays || (isUndated && text !== "") ? null : chosen
    return {
      isOpen: isUndated && text === "",
      query: {
        item: enteredItem,
        state: saleState ?? undefined,
        ...(range === null ? { days: allDays } : paramsOfRange(range)),
      },
      text,
      range,
      filter: { itemIds, state: saleState, range },
      after: after || null,
    }
  }

  /** Null if the author has too many items to list. */
  async function listItems(accountId: number): Promise<readonly ItemSummary[] | null> {
    const { visible, hidden } = await itemSearch.count(accountId)
    if (visible + hidden > listedItemsMax) return null
    const query = { text: "", sort: "name", offset: 0, rowsMax: listedItemsMax } as const
    return (await itemSearch.search(accountId, query)).items
  }

  async function readListing(accountId: number, { filter, text, after, range }: SalesRequest) {
    const hasChart = range !== null && text === "" && fitsChart(range)
    const [found, listed, days] = await Promise.all([
      findSales(services, accountId, filter, text, after, pageRows),
      listItems(accountId),
      hasChart ? sales.sumByDay(accountId, filter) : [],
    ])
    return { found, days, items: listed, isUnknownItem: filter.itemIds?.length === 0 }
  }

  app.get(salesPath, async (c) => {
    const { id } = visitorOf(c).account
    const { isOpen, ...request } = await readRequest(c)
    const listing = await readListing(id, request)
    if (!isOpen || listing.found.sales.length > 0) {
      return c.html(<SalesPage view={viewOf(c)} {...request} {...listing} />)
    }
    const all = withAllDays(request)
    return c.html(<SalesPage view={viewOf(c)} {...all} {...(await readListing(id, all))} />)
  })

  app.post(salesPath, async (c) => {
    if (textIn(c) !== "") {
      const { isOpen: _, ...request } = await readRequest(c)
      const listing = await readListing(visitorOf(c).account.id, request)
      return c.html(<SalesPage view={viewOf(c)} {...request} {...listing} />)
    }
    const query = new URLSearchParams()
    for (const name of ["item", "state", ...dayParams]) {
      const value = c.get("form").text(name).trim()
      if (value !== "") query.set(name, value)
    }
    return c.redirect(query.size === 0 ? salesPath : `${salesPath}?${query}`, 303)
  })

  async function sendFile(c: AuthorContext) {
    const { id } = visitorOf(c).account
    const { isOpen, ...request } = await readRequest(c)
    async function* listMatching(rowsMax: () => number) {
      let isEmpty = true
      for await (const page of listSales(services, id, request.filter, request.text, rowsMax)) {
        isEmpty &&= page.length === 0
        yield page
      }
      if (isEmpty && isOpen)
        yield* listSales(services, id, withAllDays(request).filter, "", rowsMax)
    }
    return sendCsv(c, "sales", authorSaleCsvColumns(viewOf(c)), listMatching)
  }
  app.get(salesCsvPath, sendFile)
  app.post(salesCsvPath, sendFile)
}

const textIn = (c: AuthorContext) =>
  trimWhitespace(c.get("form").text("q")).slice(0, searchUnitsMax).toWellFormed()

type SalesRequest = Readonly<{
  /** Query parameters of the page. */
  query: SalesQuery
  text: string
  range: ChosenRange | null
  filter: SaleFilter
  after: string | null
}>

const withAllDays = ({
  query: { days, from, to, ...query },
  filter,
  ...request
}: SalesRequest): SalesRequest => ({
  ...request,
  query: { ...query, days: allDays },
  range: null,
  filter: { ...filter, range: null },
})

type Props = SalesRequest &
  Readonly<{
    view: View
    found: SearchedPage
    days: readonly SalesOfDay[]
    /** Null if the author has too many items to list. */
    items: readonly Pick<ItemSummary, "id" | "name">[] | null
    isUnknownItem: boolean
  }>

export const SalesPage = (props: Props) => {
  const { view, query, text, range, found } = props
  const texts = view.texts.sales
  const { item, state } = query
  return (
    <WorkspacePage view={view} title={texts.title}>
      <FilterForm {...props} />
      {text === "" && (
        <RangeNav
          view={view}
          range={range}
          others={[{ text: texts.anyTime, params: { days: allDays }, isChosen: range === null }]}
          linkTo={(days) => pathOfSales({ item, state, ...days })}
        />
      )}
      {text === "" && range !== null && <SalesChart {...props} range={range} />}
      {found.sales.length === 0 ? (
        <NoSales {...props} />
      ) : (
        <SalesTable view={view} sales={found.sales} />
      )}
      <Rest {...props} />
    </WorkspacePage>
  )
}

const NoSales = ({ view, text, filter, after, found }: Props) => {
  const texts = view.texts.sales
  // A search reads a limited number of sales per page.
  if (found.next !== null) return <p class="empty">{texts.noneSoFar}</p>
  const isAll =
    text === "" && after === null && Object.values(filter).every((each) => each === null)
  return (
    <p class="empty">
      {isAll ? texts.none : texts.noMatch}{" "}
      {!isAll && after === null && <a href={pathOfSales({ days: allDays })}>{texts.showAll}</a>}
    </p>
  )
}

const FilterForm = ({ view, query, text, items, isUnknownItem }: Props) => {
  const texts = view.texts.sales
  return (
    <PostForm view={view} action={salesPath} class="filter">
      {dayParams.map(
        (name) =>
          query[name] !== undefined && <input type="hidden" name={name} value={query[name]} />,
      )}
      <Field name="q" label={texts.search} type="search" value={text} maxlength={searchUnitsMax} />
      {items === null ? (
        <div class="field sort">
          <label for="item">{view.texts.columns.item}</label>
          <input
            type="text"
            id="item"
            name="item"
            value={query.item}
            aria-describedby="item-hint"
          />
          <p class={isUnknownItem ? "error" : "hint"} id="item-hint">
            {isUnknownItem ? texts.noItem : texts.itemHint}
          </p>
        </div>
      ) : (
        <Select
          name="item"
          label={view.texts.columns.item}
          every={texts.allItems}
          options={items.map(({ id, name }) => [String(id), shortName(name, id)])}
          chosen={String(query.item ?? "")}
        />
      )}
      <Select
        name="state"
        label={view.texts.columns.state}
        every={texts.allStates}
        options={saleStates.map((state) => [state, texts.states[state]])}
        chosen={query.state}
      />
      <QuietButton>{view.texts.range.show}</QuietButton>
    </PostForm>
  )
}

const SalesChart = ({ view, query, days, range }: Props & Readonly<{ range: ChosenRange }>) => {
  const texts = view.texts.sales
  if (!fitsChart(range)) return <p class="hint">{texts.noChart(chartDaysMax)}</p>
  // The list shows that there are no sales.
  if (days.length === 0) return null
  const countOf = (state: SaleState, day?: string) =>
    days
      .filter(
        (each) => each.isRefunded === (state === "refunded") && (day ?? each.day) === each.day,
      )
      .reduce((sum, { sales }) => sum + sales, 0)
  const states = { ok: "valid", rejected: "refunded" } as const
  return (
    <>
      <p>{texts.chart(countOf("valid") + countOf("refunded"), countOf("valid"))}</p>
      <UsageChart
        view={view}
        today={range.today}
        days={daysOf(range).map((day) => ({
          day,
          ok: countOf("valid", day),
          rejected: countOf("refunded", day),
        }))}
        names={{ ok: texts.states.valid, rejected: texts.states.refunded }}
        caption={texts.chart}
        linkTo={(day, group) => {
          // The bar of a day has this link. Two more links per day would double the page size.
          if (day !== null && group !== null) return undefined
          const state = group === null ? undefined : states[group]
          const days = day === null ? paramsOfRange(range) : { from: day, to: day }
          return pathOfSales({ item: query.item, state, ...days })
        }}
      />
    </>
  )
}

type TableProps = Readonly<{
  view: View
  sales: readonly Sale[]
  isOfOne?: boolean
}>

export const SalesTable = ({ view, sales, isOfOne = false }: TableProps) => {
  const texts = view.texts.sales
  return (
    <Table
      rows={sales}
      columns={[
        {
          head: view.texts.columns.code,
          cell: ({ code }) => (
            <>
              <bdi class="mono">{code}</bdi> <CopyPreviousButton view={view} />
            </>
          ),
        },
        ...(isOfOne
          ? []
          : [
              {
                head: view.texts.columns.item,
                cell: ({ itemId, itemName }: Sale) => (
                  <NamedLink
                    href={`/workspace/items/${itemId}`}
                    name={shortName(itemName, itemId)}
                  />
                ),
              },
            ]),
        ...saleColumns(view),
        {
          head: texts.supportEnd,
          cell: ({ supportedUntil }) =>
            supportedUntil === null ? texts.noSupport : <Day view={view} at={supportedUntil} />,
        },
        numberColumn(view, texts.sites, "sites"),
        {
          head: <span class="visually-hidden">{view.texts.check.submit}</span>,
          cell: (sale) => (
            <QuietLink href={`/workspace/check/${saleIdOf(sale)}`}>
              {view.texts.check.submit} <span class="visually-hidden">{sale.code}</span>
            </QuietLink>
          ),
        },
      ]}
    />
  )
}

const Rest = ({ view, query, text, after, found: { sales, next, searched } }: Props) => {
  const texts = view.texts.sales
  const isSearch = text !== "" && next !== null && sales.length < pageRows
  return (
    <>
      {isSearch && <p class="hint">{texts.searched(searched)}</p>}
      {text === "" ? (
        <nav class="pager" aria-label={texts.title}>
          <CsvLink view={view} path={pathOfSales(query, salesCsvPath)} />
          <span class="actions">
            {after !== null && <QuietLink href={pathOfSales(query)}>{texts.newest}</QuietLink>}
            {next !== null && (
              <QuietLink href={pathOfSales({ ...query, after: next })} rel="next">
                {texts.older}
              </QuietLink>
            )}
          </span>
        </nav>
      ) : (
        <PostForm view={view} action={salesPath} class="pager">
          {Object.entries({ ...query, q: text }).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <QuietButton formaction={salesCsvPath}>{view.texts.lists.csv.download}</QuietButton>
          <span class="actions">
            {after !== null && <QuietButton>{texts.newest}</QuietButton>}
            {next !== null && (
              <QuietButton name="after" value={next}>
                {isSearch ? texts.searchOlder : texts.older}
              </QuietButton>
            )}
          </span>
        </PostForm>
      )}
    </>
  )
}
