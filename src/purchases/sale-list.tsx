/** The sales of an author, or for operators of all authors, with totals and a chart. */
import type { Child } from "hono/jsx"
import type { AuditStore, ListedAuditEvent } from "../access/audit-event.ts"
import type { AccountStore, AuthorSearch } from "../accounts/account.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView } from "../platform/pages/context.ts"
import { type Column, column } from "../platform/pages/data-table.tsx"
import { allDays, FilterRange, parseListRange } from "../platform/pages/date-range.tsx"
import { formatMoney, licenseLabel, Pill } from "../platform/pages/elements.tsx"
import { FilterSelect, type ListedPage, type ListRequest } from "../platform/pages/list.tsx"
import { t } from "../platform/t.ts"
import {
  type DayRange,
  daysBefore,
  formatTimestamp,
  splitRange,
  type Timestamp,
} from "../platform/time.ts"
import { UsageChart } from "../usage/request-chart.tsx"
import { stateOfPurchase } from "./purchase.ts"
import {
  findItemIds,
  findSales,
  type PurchaseServices,
  type Seller,
} from "./purchase-operations.ts"
import { type Sale, type SalesOfDay, saleStates, searchedSalesMax, sumSales } from "./sale.ts"

/** `chart` is empty for a chart of counts; `amount` or a currency for one of amounts. */
export type PurchasePageServices = Omit<PurchaseServices, "limits" | "releaserOf"> &
  Readonly<{
    accounts: AccountStore
    authorSearch: AuthorSearch
    audit: AuditStore
    /** The events of one subject, as operators see them. */
    renderHistory(events: readonly ListedAuditEvent[]): Child
  }>

export const saleFilterNames = ["item", "state", "days", "from", "to", "chart"] as const

export type SaleFilterName = (typeof saleFilterNames)[number]
type SalesRequest = ListRequest<SaleFilterName>

const suggestedItemsMax = 100

/** An `OpenList`; `readHead` returns what is above the list. */
export async function openSales(
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
  return {
    columns: saleColumns(at),
    search: t("Purchase code or buyer"),
    async read(after: string | null, rowsMax: number) {
      const { sales, next } = await findSales(services, seller, filter, { text, after, rowsMax })
      return { rows: sales, next }
    },
    filters: (
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
    ),
    empty:
      itemIds?.length === 0
        ? t("You have no item with this name or ID.")
        : isAll
          ? t("No sales yet. A sale appears here when your marketplace imports it.")
          : t("No sales match."),
    async readHead({ next }: ListedPage<Sale>) {
      if (text !== "" && seller === null)
        return (
          <p class="hint">
            {t("Finds buyers whose name begins with this text, up to {n sale|sales}.", {
              n: searchedSalesMax,
            })}
          </p>
        )
      if (text !== "")
        return (
          next !== null && (
            <p class="hint">{t("Each page searches {n sale|sales}.", { n: searchedSalesMax })}</p>
          )
        )
      const sums = await sales.sumByDay(seller?.id ?? null, filter)
      if (sums.length === 0) return null
      const today = at.slice(0, 10)
      const days = chartedDays(range, sums, today)
      return <Totals {...{ filters, sums, days, today }} />
    },
  }
}

/** Null without bars: sales older than 20 years or of later days have none. */
function chartedDays(
  range: DayRange | null,
  sums: readonly SalesOfDay[],
  today: string,
): DayRange | null {
  const oldest = daysBefore(today, 20 * 365).slice(0, 10)
  const first = sums.find(({ day }) => day >= oldest && day <= today)?.day
  if (first === undefined) return null
  if (range === null) return { from: first, to: today }
  return range.from < oldest ? { from: oldest, to: range.to } : range
}

type TotalsProps = Readonly<{
  filters: SalesRequest["filters"]
  sums: readonly SalesOfDay[]
  days: DayRange | null
  today: string
}>

const Totals = ({ filters, sums, days, today }: TotalsProps) => {
  const view = currentView()
  const linkTo = (changes: Partial<SalesRequest["filters"]>) =>
    withQuery(view.path, { ...filters, ...changes })
  const periods = days === null ? [] : splitRange(days)
  let period = -1
  /** Empty before the first period. The days are sorted, and thousands with the sales of years. */
  const periodOf = (day: string) => {
    while ((periods[period + 1]?.from ?? "~") <= day) period += 1
    return periods[period]?.from ?? ""
  }
  const sumsOfPeriods = sumSales(sums, periodOf)
  const all = sumSales(sumsOfPeriods, () => "")
  const [valid = [], refunded = []] = [false, true].map((isRefunded) =>
    all.filter((each) => each.isRefunded === isRefunded),
  )
  const totals = (valid.length > 0 ? valid : refunded).toSorted((a, b) => b.sales - a.sales)
  const countOf = (rows: readonly SalesOfDay[]) => rows.reduce((sum, row) => sum + row.sales, 0)
  const chart = filters.chart === "amount" ? totals[0]?.currency : filters.chart
  /** Undefined for a chart of counts. */
  const charted = totals.find(({ currency }) => currency === chart)?.currency
  const byPeriod = Map.groupBy(
    sumsOfPeriods.filter((each) => charted === undefined || each.currency === charted),
    ({ day }) => day,
  )
  const sumOf = (day: string, isRefunded: boolean) =>
    (byPeriod.get(day) ?? [])
      .filter((each) => each.isRefunded === isRefunded)
      .reduce((sum, { sales, amount }) => sum + (charted === undefined ? sales : amount), 0)
  return (
    <>
      <ul class="totals">
        <li>
          <a href={linkTo({ chart: "" })} aria-current={charted === undefined}>
            {t("{n sale|sales}", { n: countOf(totals) })}
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
                n: countOf(refunded),
                amounts: refunded.map((each) => formatMoney(each.amount, each.currency)),
              })}
            </a>
          </li>
        )}
      </ul>
      {days !== null && (
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
      )}
    </>
  )
}

export const saleColumns = (at: Timestamp): readonly Column<Sale>[] => {
  const stateOf = ({ isRevoked, validUntil }: Sale) =>
    stateOfPurchase({ isRevoked, validUntil }, at)
  return [
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
    column(t("Status"), (sale) => t(saleStateTexts[stateOf(sale)]), {
      cell: (sale) => (
        <Pill tone={stateOf(sale) === "valid" ? "good" : "danger"}>
          {t(saleStateTexts[stateOf(sale)])}
        </Pill>
      ),
    }),
    column(t("Support until"), (sale) => sale.supportedUntil, { kind: "time", on: "csv" }),
    column(t("Valid until"), (sale) => sale.validUntil, { kind: "time", on: "csv" }),
    column(t("Sites # column"), ({ sites }) => sites, { kind: "number", priority: 2 }),
  ]
}

const saleStateTexts = { valid: "Valid", refunded: "Refunded", expired: "Expired" } as const

export const checkResultTexts = {
  valid: "Valid",
  refunded: "Refunded # result",
  expired: "Expired # result",
  test: "Test code",
  unknown: "Unknown code",
} as const
