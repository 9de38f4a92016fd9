/** The sales of an author in the workspace and of all authors in the console, with totals and a chart. */
import type { Child } from "hono/jsx"
import type { AuditStore, ListedAuditEvent } from "../access/audit-event.ts"
import { paths, routes, workspaceOf } from "../access/paths.ts"
import type { AccountStore, AuthorSearch } from "../accounts/account.ts"
import { findAuthor } from "../accounts/account-operations.ts"
import type { ItemSummary } from "../items/item.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView, Page, type PageApp } from "../platform/pages/context.ts"
import { type Column, column, stateColumn } from "../platform/pages/data-table.tsx"
import {
  allDays,
  type ChosenRange,
  FilterRange,
  parseListRange,
} from "../platform/pages/date-range.tsx"
import {
  CopyableList,
  displayName,
  formatMoney,
  licenseLabel,
  NamedLink,
} from "../platform/pages/elements.tsx"
import {
  addList,
  FilterSelect,
  type ListedPage,
  type ListRequest,
  type OpenList,
} from "../platform/pages/list.tsx"
import { t } from "../platform/t.ts"
import {
  type DayRange,
  daysBefore,
  formatTimestamp,
  splitRange,
  type Timestamp,
} from "../platform/time.ts"
import { UsageChart } from "../usage/request-chart.tsx"
import { type FoundPurchase, stateOfPurchase } from "./purchase.ts"
import {
  checkPurchaseOfAny,
  findItemIds,
  findSales,
  type PurchaseServices,
  type Seller,
  saleIdOfPurchase,
} from "./purchase-operations.ts"
import {
  type Sale,
  type SalesOfDay,
  saleIdOf,
  saleStates,
  searchedSalesMax,
  sumSales,
} from "./sale.ts"

export type PurchasePageServices = Omit<PurchaseServices, "limits" | "releaserOf"> &
  Readonly<{
    accounts: AccountStore
    authorSearch: AuthorSearch
    audit: AuditStore
    /** The events of one subject, as operators see them. */
    renderHistory(events: readonly ListedAuditEvent[]): Child
  }>

/** `chart` is empty for a chart of counts; `amount` or a currency for one of amounts. */
const filterNames = ["item", "state", "days", "from", "to", "chart"] as const

type FilterName = (typeof filterNames)[number]
type SalesRequest = ListRequest<FilterName>

/** Authors or items that a filter can mean. */
const choicesMax = 10
const suggestedItemsMax = 100

export const addSalePages = (app: PageApp, services: PurchasePageServices): void =>
  addList<Sale, FilterName>(app, {
    path: routes.sales,
    file: "sales",
    filterNames,
    isPrivate: true,
    open: (c, request) => openSales(services, c.var.account, request),
  })

export const addConsoleSalePages = (app: PageApp, services: PurchasePageServices): void =>
  addList<Sale, "author" | FilterName>(app, {
    path: paths.purchases,
    file: "sales",
    filterNames: ["author", ...filterNames],
    isPrivate: true,
    async open(c, request) {
      const { text } = request
      const checked = text === "" ? null : await checkPurchaseOfAny(services.sales, text)
      // The page of a purchase can be shared: its URL does not contain the code.
      if (checked?.kind === "sold" && checked.others.length === 0)
        return c.redirect(pathOfPurchase(checked.purchase), 303)
      return openSalesOfAll(services, request, checked)
    },
  })

async function openSalesOfAll(
  services: PurchasePageServices,
  request: ListRequest<"author" | FilterName>,
  checked: Awaited<ReturnType<typeof checkPurchaseOfAny>> | null,
): Promise<OpenList<Sale>> {
  const { text, filters } = request
  const choices = await findChoices(services, filters)
  const [seller = null] = choices?.length === 1 ? choices : []
  const isUnclear = choices !== null && seller === null
  const item = seller?.item ?? filters.item
  const list = await openSales(services, seller, { ...request, filters: { ...filters, item } })
  const author = column<Sale>(t("Author"), ({ username }) => username, {
    ...(seller && { on: "csv" }),
    cell: ({ accountId, username }) => <NamedLink href={paths.author(accountId)} name={username} />,
  })
  const matching = checked?.kind === "matching" ? checked.codes : []
  const codes = checked?.kind === "sold" ? [checked.purchase.code, ...checked.others] : matching
  const empty = checked && (
    <>
      {t(checkedTexts[checked.kind])} <CopyableList texts={codes} />
    </>
  )
  const unclear = choices?.length
    ? t("Several match. Choose one:")
    : t("No results match this filter.")
  return {
    ...list,
    columns: list.columns.toSpliced(3, 0, author),
    search: t("Code, buyer or author"),
    read: async (after, rowsMax) =>
      isUnclear || codes.length > 0 ? { rows: [], next: null } : list.read(after, rowsMax),
    filters: (
      <>
        <input
          type="text"
          name="author"
          value={filters.author && (seller?.username ?? filters.author)}
          placeholder={t("All authors")}
          aria-label={t("Author")}
          autocomplete="off"
        />
        {list.filters}
      </>
    ),
    empty: isUnclear ? <Choices label={unclear} choices={choices} /> : (empty ?? list.empty),
    async page(rows, listed) {
      const isOther = text !== "" && seller === null && listed.rows.length === 0
      const named = isOther ? await searchAuthors(services, text) : []
      return (
        <Page title={t("Sales")}>
          {!isUnclear && (await list.renderHead(listed))}
          {named.length > 0 && <Choices label={t("Sales of:")} choices={named} />}
          {rows}
        </Page>
      )
    },
  }
}

export const pathOfPurchase = (purchase: FoundPurchase) =>
  `${workspaceOf(purchase.username).check}/${saleIdOfPurchase(purchase)}`

export const pathOfSale = (sale: Sale) => `${workspaceOf(sale.username).check}/${saleIdOf(sale)}`

/** What a filter can mean: an author, or an item of one. */
type Choice = Seller & Readonly<{ path: string; name: string; item?: string }>

const Choices = ({ label, choices }: Readonly<{ label: string; choices: readonly Choice[] }>) => (
  <p class="hint">
    {label}{" "}
    {choices.map(({ path, name, username, item }) => (
      <>
        <NamedLink href={path} name={name} /> {item && <bdi>({username})</bdi>}{" "}
      </>
    ))}
  </p>
)

/** Null without these filters. */
async function findChoices(
  services: PurchasePageServices,
  { author, item }: Readonly<Record<"author" | "item", string>>,
): Promise<readonly Choice[] | null> {
  const { accounts, itemSearch } = services
  if (author !== "") {
    const found = (await accounts.findByUsername(author)) ?? (await findAuthor(services, author))
    return found === null ? searchAuthors(services, author) : [toChoice(found)]
  }
  if (item === "") return null
  const found = /^\d{1,15}$/.test(item) ? await itemSearch.findOfAny(Number(item)) : null
  const items = found ? [{ ...found, name: "" }] : await itemSearch.listOfAny(item, choicesMax)
  return items.map(({ id, name, accountId, username }) => {
    const path = paths.salesOfItem(id)
    return { id: accountId, username, path, name: displayName(name, id), item: String(id) }
  })
}

const toChoice = ({ id, username }: Seller): Choice => ({
  id,
  username,
  path: paths.salesOf(id),
  name: username,
})

async function searchAuthors({ authorSearch, now }: PurchasePageServices, text: string) {
  const order = { sort: "name", isDescending: false, at: formatTimestamp(now()) } as const
  const query = { ...order, text, offset: 0, rowsMax: choicesMax }
  return (await authorSearch.search(query)).authors.map(toChoice)
}

/** `renderHead` returns what is above the list. */
async function openSales(
  services: PurchasePageServices,
  seller: Seller | null,
  { text, filters }: SalesRequest,
) {
  const { itemSearch, sales, now } = services
  const at = formatTimestamp(now())
  const isAnyTime = filters.days === allDays || !(filters.days || filters.from || filters.to)
  const range = isAnyTime ? null : parseListRange(filters, at)
  const state = saleStates.find((each) => each === filters.state) ?? null
  const itemIds = seller && (await findItemIds(services, seller.id, filters.item))
  const filter = { itemIds, state, range }
  const newest = { text: "", sort: "-published", after: null, rowsMax: suggestedItemsMax } as const
  const { items } = seller ? await itemSearch.search(seller.id, newest) : { items: [] }
  const isAll = text === "" && Object.values(filter).every((each) => each === null)

  async function renderHead({ next }: ListedPage<Sale>): Promise<Child> {
    if (text === "") {
      const sums = await sales.sumByDay(seller?.id ?? null, filter)
      return sums.length > 0 && <Totals {...{ filters, sums, range, today: at.slice(0, 10) }} />
    }
    const n = searchedSalesMax
    if (seller === null)
      return (
        <p class="hint">
          {t("Finds buyers whose name begins with this text, up to {n sale|sales}.", { n })}
        </p>
      )
    return next !== null && <p class="hint">{t("Each page searches {n sale|sales}.", { n })}</p>
  }

  return {
    columns: saleColumns(at),
    search: t("Purchase code or buyer"),
    linkOf: pathOfSale,
    async read(after: string | null, rowsMax: number) {
      const { sales, next } = await findSales(services, seller, filter, { text, after, rowsMax })
      return { rows: sales, next }
    },
    filters: <SaleFilters {...{ filters, items, range }} />,
    empty:
      itemIds?.length === 0
        ? t("You have no item with this name or ID.")
        : isAll
          ? t("No sales yet. A sale appears here when your marketplace imports it.")
          : t("No sales match."),
    renderHead,
    page: async (rows: Child, listed: ListedPage<Sale>) => (
      <Page title={t("Sales")}>
        {await renderHead(listed)}
        {rows}
      </Page>
    ),
  }
}

type FiltersProps = Readonly<{
  filters: SalesRequest["filters"]
  /** Suggestions. */
  items: readonly Pick<ItemSummary, "id" | "name">[]
  range: ChosenRange | null
}>

const SaleFilters = ({ filters, items, range }: FiltersProps) => (
  <>
    <input
      type="text"
      name="item"
      list="items"
      value={filters.item}
      placeholder={t("All items # filter")}
      aria-label={t("Item")}
      autocomplete="off"
    />
    <datalist id="items">
      {items.map(({ id, name }) => (
        <option value={name}>{id}</option>
      ))}
    </datalist>
    <FilterSelect
      name="state"
      label={t("Status")}
      every={t("All statuses")}
      options={saleStates.map((each) => [each, t(saleStateTexts[each])])}
      chosen={filters.state}
    />
    <FilterRange range={range} hasAllDays />
    <input type="hidden" name="chart" value={filters.chart} />
  </>
)

type TotalsProps = Readonly<{
  filters: SalesRequest["filters"]
  sums: readonly SalesOfDay[]
  range: DayRange | null
  today: string
}>

/** Also a chart, of the number of sales or of the amounts in one currency. */
const Totals = ({ filters, sums, range, today }: TotalsProps) => {
  const { path } = currentView()
  const linkTo = (changes: Partial<SalesRequest["filters"]>) =>
    withQuery(path, { ...filters, ...changes })
  const periods = listPeriods(range, sums, today)
  let period = -1
  const sumsOfPeriods = sumSales(sums, (day) => {
    // The days are sorted, and thousands with the sales of years.
    while ((periods[period + 1]?.from ?? "~") <= day) period += 1
    return periods[period]?.from ?? ""
  })
  const all = sumSales(sumsOfPeriods, () => "")
  const valid = all.filter(({ isRefunded }) => !isRefunded)
  const refunded = all.filter(({ isRefunded }) => isRefunded)
  const totals = (valid.length > 0 ? valid : refunded).toSorted((a, b) => b.sales - a.sales)
  const countSales = (rows: readonly SalesOfDay[]) => rows.reduce((sum, row) => sum + row.sales, 0)
  const chart = filters.chart === "amount" ? totals[0]?.currency : filters.chart
  /** Undefined for a chart of counts. */
  const charted = totals.find(({ currency }) => currency === chart)?.currency
  return (
    <>
      <ul class="totals">
        <li>
          <a href={linkTo({ chart: "" })} aria-current={charted === undefined}>
            {t("{n sale|sales}", { n: countSales(totals) })}
          </a>
        </li>
        {totals.map(({ currency, amount }) => (
          <li>
            <a href={linkTo({ chart: currency })} aria-current={currency === charted}>
              {formatMoney(amount, currency)}
            </a>
          </li>
        ))}
        {valid.length > 0 && refunded.length > 0 && (
          <li>
            <a href={linkTo({ state: "refunded" })}>
              {t("{n} refunded ({amounts})", {
                n: countSales(refunded),
                amounts: refunded.map((each) => formatMoney(each.amount, each.currency)),
              })}
            </a>
          </li>
        )}
      </ul>
      {periods.length > 0 && (
        <SalesChart {...{ periods, sums: sumsOfPeriods, currency: charted, today, linkTo }} />
      )}
    </>
  )
}

/** None without bars: sales older than 20 years or of later days have none. */
function listPeriods(
  range: DayRange | null,
  sums: readonly SalesOfDay[],
  today: string,
): readonly DayRange[] {
  const oldest = daysBefore(today, 20 * 365).slice(0, 10)
  const first = sums.find(({ day }) => day >= oldest && day <= today)?.day
  if (first === undefined) return []
  if (range === null) return splitRange({ from: first, to: today })
  return splitRange(range.from < oldest ? { from: oldest, to: range.to } : range)
}

type SalesChartProps = Readonly<{
  periods: readonly DayRange[]
  /** By the first day of their period. */
  sums: readonly SalesOfDay[]
  /** Undefined for a chart of counts. */
  currency: string | undefined
  today: string
  linkTo(changes: Partial<SalesRequest["filters"]>): string
}>

const SalesChart = ({ periods, sums, currency, today, linkTo }: SalesChartProps) => {
  const charted = sums.filter((each) => currency === undefined || each.currency === currency)
  const byPeriod = Map.groupBy(charted, ({ day }) => day)
  const sumOf = (day: string, isRefunded: boolean) =>
    (byPeriod.get(day) ?? [])
      .filter((each) => each.isRefunded === isRefunded)
      .reduce((sum, { sales, amount }) => sum + (currency === undefined ? sales : amount), 0)
  return (
    <div class="sales-chart">
      <UsageChart
        today={today}
        periods={periods.map((period) => ({
          ...period,
          ok: Math.round(sumOf(period.from, false)),
          rejected: Math.round(sumOf(period.from, true)),
        }))}
        names={{ ok: "Valid", rejected: "Refunded" }}
        caption={(n) => t("{n sale|sales}", { n })}
        linkTo={(period, group) =>
          linkTo({
            ...(group && { state: group === "ok" ? "valid" : "refunded" }),
            ...(period && { from: period.from, to: period.to, days: "" }),
          })
        }
      />
    </div>
  )
}

export const saleColumns = (at: Timestamp): readonly Column<Sale>[] => [
  column(t("Code"), ({ code }) => code, { kind: "code" }),
  column(t("ID"), ({ itemId }) => itemId, { on: "csv" }),
  column(t("Item"), (sale) => sale.itemName || String(sale.itemId), { isWide: true }),
  column(t("Buyer"), ({ buyer }) => buyer, { priority: 2 }),
  column(t("License"), (sale) => licenseLabel(sale.licenseType), { priority: 3 }),
  column(t("Price"), ({ price }) => price, {
    kind: "number",
    cell: ({ price, currency }) => formatMoney(price, currency),
  }),
  column(t("Currency"), ({ currency }) => currency, { on: "csv" }),
  column(t("Sold"), ({ soldAt }) => soldAt, { kind: "time" }),
  stateColumn(t("Status"), (sale) => {
    const state = stateOfPurchase(sale, at)
    return [state === "valid" ? "good" : "danger", t(saleStateTexts[state])]
  }),
  column(t("Support until"), (sale) => sale.supportedUntil, { kind: "time", on: "csv" }),
  column(t("Valid until"), (sale) => sale.validUntil, { kind: "time", on: "csv" }),
  column(t("Sites # column"), ({ sites }) => sites, { kind: "number", priority: 2 }),
]

const saleStateTexts = { valid: "Valid", refunded: "Refunded", expired: "Expired" } as const

/** Of a search that does not lead to one purchase. */
const checkedTexts = {
  sold: "The text contains more codes:",
  empty: "No purchase has this code.",
  invalid: "No purchase has this code.",
  matching: "Several codes differ from this one only in upper and lower case:",
  unknown:
    "No purchase has this code or a buyer whose name begins with this text. If you pasted a message, paste only the code.",
  test: "This is a test code. It works with test keys only; no buyer has it.",
} as const
