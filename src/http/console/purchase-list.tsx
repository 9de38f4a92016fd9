/** Purchases of an author or item, newest first. Without a filter, a list of authors. */
import type { AuthorFacts } from "../../domain/catalog/author-search.ts"
import {
  type Sale,
  type SaleFilter,
  type SalePage,
  saleIdOf,
  saleStates,
} from "../../domain/catalog/sale.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { listSales } from "../../operations/catalog/list-sales.ts"
import { QuietButton, Select } from "../pages/components/form-fields.tsx"
import {
  displayName,
  licenseLabel,
  NamedLink,
  Pill,
  Time,
} from "../pages/components/formatted-values.tsx"
import { numberColumn, Table } from "../pages/components/panels-and-tables.tsx"
import { saleColumns } from "../pages/components/sale-columns.ts"
import { type ListPages, pagesInMemory, sendCsv } from "../pages/csv.ts"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./layout/console-context.ts"
import { type PurchasesQuery, paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import {
  AuthorFilter,
  authorQuery,
  type ChosenAuthor,
  FilterChip,
  findAuthor,
  ListFooter,
  pageRows,
} from "./layout/list-components.tsx"

const authorsShown = 10

export type SalesListing = Readonly<{
  query: PurchasesQuery
  author: ChosenAuthor | null
  page: SalePage
  /** Authors with the most requests, if none is selected. */
  authors: readonly AuthorFacts[]
}>

async function readQuery(c: ConsoleContext, services: ConsoleServices) {
  const { item = "", state: stateParameter } = c.req.query()
  const found = /^\d{1,15}$/.test(item) ? await services.operatorReads.findItem(Number(item)) : null
  const author =
    found === null
      ? await findAuthor(services, c.req.query("author"))
      : { id: found.accountId, username: found.author }
  const state = saleStates.find((each) => each === stateParameter) ?? null
  const filter: SaleFilter = { itemId: found?.id ?? null, state, range: null }
  const query: PurchasesQuery = {
    author: author === null ? "" : String(author.id),
    item: found === null ? "" : String(found.id),
    state: state ?? "",
  }
  return { author, filter, query }
}

export async function readSalesListing(
  c: ConsoleContext,
  services: ConsoleServices,
): Promise<SalesListing> {
  const { authorSearch, sales, now } = services
  const at = formatTimestamp(now())
  const { author, filter, query } = await readQuery(c, services)
  if (author === null) {
    const most = { text: "", sort: "calls", at, offset: 0, rowsMax: authorsShown } as const
    const { authors } = await authorSearch.search(most)
    return { query, author, page: { sales: [], next: null }, authors }
  }
  const { after = null } = c.req.query()
  const page = await sales.list(author.id, filter, after, pageRows, at)
  return { query, author, page, authors: [] }
}

export function addSalesCsvRoute(app: ConsoleApp, services: ConsoleServices): void {
  app.get(paths.purchasesCsv({}), async (c) => {
    const { author, filter } = await readQuery(c, services)
    const listPages: ListPages<Sale> =
      author === null
        ? pagesInMemory([])
        : (rowsMax) => listSales(services, author.id, filter, "", rowsMax)
    return sendCsv(c, "purchases", saleColumns(viewOf(c)), listPages)
  })
}

type Props = SalesListing & Readonly<{ view: ConsoleView }>

export const SalesList = (props: Props) =>
  props.author === null ? <MostSales {...props} /> : <AuthorSales {...props} />

const MostSales = ({ view, authors }: Props) => {
  const { authors: texts, purchases } = view.consoleTexts
  return (
    <section>
      <h2>{purchases.chooseAuthor}</h2>
      <p class="hint">{purchases.chooseAuthorHint}</p>
      <Table
        rows={authors}
        columns={[
          {
            head: texts.author,
            cell: (author) => (
              <NamedLink
                class="clamp"
                href={paths.purchasesAt(authorQuery(author))}
                name={displayName(author.fullName, author.username)}
              />
            ),
          },
          numberColumn(view, view.texts.sales.title, "purchases"),
        ]}
      />
      <p>
        <a href={paths.authors}>{purchases.allAuthors}</a>
      </p>
    </section>
  )
}

const AuthorSales = ({ view, query, author, page: { sales, next } }: Props) => (
  <section>
    <h2>{view.consoleTexts.purchases.title}</h2>
    <form method="get" action={paths.purchases} class="filter">
      <AuthorFilter
        view={view}
        author={author}
        all={paths.purchasesAt({ ...query, author: "", item: "" })}
      />
      {query.item && (
        <FilterChip
          view={view}
          name="item"
          value={Number(query.item)}
          label={view.texts.columns.item}
          text={query.item}
          all={paths.purchasesAt({ ...query, item: "" })}
        />
      )}
      <Select
        name="state"
        label={view.texts.columns.state}
        every={view.consoleTexts.lists.every}
        options={saleStates.map((each) => [each, view.texts.sales.states[each]])}
        chosen={query.state}
      />
      <QuietButton>{view.consoleTexts.audit.filter}</QuietButton>
    </form>
    {sales.length === 0 ? (
      <p class="empty">{view.consoleTexts.lists.none}</p>
    ) : (
      <>
        <SaleTable view={view} sales={sales} />
        <ListFooter
          view={view}
          csv={paths.purchasesCsv(query)}
          next={next === null ? null : paths.purchasesAt({ ...query, after: next })}
        />
      </>
    )}
  </section>
)

const SaleTable = ({ view, sales }: Readonly<{ view: ConsoleView; sales: readonly Sale[] }>) => {
  const texts = view.texts.sales
  return (
    <Table
      rows={sales}
      columns={[
        {
          head: view.texts.columns.code,
          cell: (sale) => (
            <a class="mono wraps" href={paths.check(saleIdOf(sale))}>
              {sale.code}
            </a>
          ),
        },
        {
          head: view.texts.columns.item,
          cell: ({ itemId, itemName }) => (
            <NamedLink
              class="clamp"
              href={paths.item(itemId)}
              name={displayName(itemName ?? "", itemId)}
            />
          ),
        },
        {
          head: texts.buyerAndLicense,
          cell: ({ buyer, licenseType }) => (
            <>
              <span class="clamp">
                <bdi>{displayName(buyer ?? "", "–")}</bdi>
              </span>{" "}
              <span class="hint clamp">
                <bdi>{licenseLabel(view, { license_type: licenseType })}</bdi>
              </span>
            </>
          ),
        },
        {
          head: texts.date,
          cell: ({ soldAt }) => <Time view={view} at={soldAt} form="datetime" />,
        },
        {
          head: view.texts.columns.state,
          isClear: true,
          cell: ({ isRefunded }) => (
            <Pill tone={isRefunded ? "danger" : "good"}>
              {texts.states[isRefunded ? "refunded" : "valid"]}
            </Pill>
          ),
        },
      ]}
    />
  )
}
