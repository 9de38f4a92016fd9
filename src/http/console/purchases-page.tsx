import type { AuthorFacts } from "../../domain/catalog/author-search.ts"
import { purchaseBodyOf } from "../../domain/catalog/purchase.ts"
import {
  parseSaleId,
  type Sale,
  type SaleFilter,
  type SalePage,
  saleIdOf,
  saleStates,
} from "../../domain/catalog/sale.ts"
import type { AuditEventOf } from "../../domain/sign-in/audit-event.ts"
import type { FoundItem, FoundPurchase } from "../../domain/usage/operator-reads.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { listSales, saleIdOfPurchase } from "../../operations/catalog/list-sales.ts"
import {
  type CheckedCode,
  checkPurchaseOfAny,
  type MatchingCodes,
  setRefunded,
} from "../../operations/catalog/purchase-operations.ts"
import { readUsedSites, type UsedSites } from "../../operations/catalog/site-operations.ts"
import { Copyable, CopyableList } from "../pages/components/copy-button.tsx"
import {
  Field,
  PostForm,
  pastedUnitsMax,
  QuietButton,
  Select,
} from "../pages/components/form-fields.tsx"
import {
  Day,
  displayName,
  Fact,
  formatMoney,
  isolateDirection,
  licenseLabel,
  NamedLink,
  Pill,
} from "../pages/components/formatted-values.tsx"
import { numberColumn, Panel, QuietLink, Table } from "../pages/components/panels-and-tables.tsx"
import { PurchaseSites, releaseRequestedSites } from "../pages/components/purchase-sites.tsx"
import { saleColumns, saleCsvColumns } from "../pages/components/sale-columns.tsx"
import { type ListPages, pagesInMemory, sendCsv } from "../pages/csv.ts"
import { AuditTable } from "./audit-page.tsx"
import { ItemAuthor } from "./console-items-page.tsx"
import { addConfirmedChange, NoteField, noteIn } from "./layout/confirm-change.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
  viewWithNotice,
} from "./layout/console-context.ts"
import { type ChosenAuthor, ConsolePage } from "./layout/console-layout.tsx"
import { type PurchasesQuery, paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import {
  AuthorFilter,
  authorQuery,
  FilterChip,
  findAuthor,
  ListFooter,
  pageRows,
} from "./layout/list-components.tsx"

const historyMax = 20

const checkPath = paths.check(":id")

export function addPurchasesRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { audit, operatorReads: reads, sales } = services

  app.get(paths.purchasesCsv({}), async (c) => {
    const { author, filter } = await readQuery(c, services)
    const listPages: ListPages<Sale> =
      author === null
        ? pagesInMemory([])
        : (rowsMax) => listSales(services, author.id, filter, "", rowsMax)
    return sendCsv(c, "purchases", saleCsvColumns(viewOf(c)), listPages)
  })

  app.get(paths.purchases, async (c) =>
    c.html(
      <PurchasesPage view={viewOf(c)} found={null} listed={await readSalesListing(c, services)} />,
    ),
  )

  // The URL of a purchase can be shared: it does not contain the code.
  app.post(paths.purchases, async (c) => {
    const found = await lookUp(c.get("form").text("code").slice(0, pastedUnitsMax).toWellFormed())
    const { checked, item } = found
    if (checked.kind === "sold" && !checked.isInText) {
      return c.redirect(paths.check(saleIdOfPurchase(checked.purchase)), 303)
    }
    if (checked.kind !== "sold" && item !== null) return c.redirect(paths.item(item.id), 303)
    return show(c, found)
  })

  app.get(checkPath, async (c) => {
    const found = await findSale(c)
    return found === null ? c.notFound() : show(c, found)
  })

  async function show(c: ConsoleContext, found: LookupResult) {
    const sold = soldIn(found)
    const used = sold && (await readUsedSites(services, sold))
    const history = sold === null ? [] : await listHistory(sold)
    return c.html(
      <PurchasesPage view={viewWithNotice(c)} found={found} used={used} events={history} />,
    )
  }

  for (const change of ["refund", "take-back"] as const) {
    addConfirmedChange(app, services, {
      path: `${checkPath}/${change}`,
      find: async (c) => soldIn(await findSale(c)),
      confirm({ texts }, { code, author, itemId, ...purchase }, c) {
        const { title, text, submit } = texts.purchases.refunds[change]
        const name = displayName(purchaseBodyOf(purchase).item.name, itemId)
        return {
          title,
          text: text(code, isolateDirection(name), isolateDirection(author)),
          submit,
          isDangerous: change === "refund",
          back: paths.check(idOf(c)),
          fields: <NoteField c={c} />,
        }
      },
      async apply(c, purchase) {
        const recording = { ...services, actor: actorOf(c) }
        const isDone = await setRefunded(recording, purchase, change === "refund", noteIn(c))
        return isDone ? c.redirect(`${paths.check(idOf(c))}?done=${change}`, 303) : c.notFound()
      },
    })
  }

  // No confirmation: a site in use is activated again by its next validation.
  app.post(`${checkPath}/release`, async (c) => {
    const purchase = soldIn(await findSale(c))
    if (purchase === null) return c.notFound()
    const done = await releaseRequestedSites(
      { ...services, actor: actorOf(c) },
      purchase,
      c.get("form"),
    )
    return c.redirect(`${paths.check(idOf(c))}?done=${done}`, 303)
  })

  /** Newest first. */
  const listHistory = ({ accountId, code: subjectId }: FoundPurchase) =>
    audit.list({ accountId, kind: "purchase", subjectId }, null, historyMax)

  async function lookUp(pasted: string): Promise<LookupResult> {
    const [checked, item] = await Promise.all([
      checkPurchaseOfAny(reads, pasted),
      findItem(pasted.trim()),
    ])
    return { pasted, checked, item }
  }

  async function findSale(c: ConsoleContext): Promise<LookupResult | null> {
    const saleId = parseSaleId(idOf(c))
    const item = saleId && (await reads.findItem(saleId.itemId))
    const code = item && (await sales.findCode(item.accountId, idOf(c)))
    return code === null ? null : lookUp(code)
  }

  const findItem = async (text: string): Promise<FoundItem | null> =>
    /^\d{1,15}$/.test(text) ? reads.findItem(Number(text)) : null
}

const idOf = (c: ConsoleContext) => c.req.param("id") ?? ""

const soldIn = (found: LookupResult | null): FoundPurchase | null =>
  found?.checked.kind === "sold" ? found.checked.purchase : null

type LookupResult = Readonly<{
  pasted: string
  checked: CheckedCode<FoundPurchase> | MatchingCodes
  /** Null unless an item ID was pasted. */
  item: FoundItem | null
}>

type Props = Readonly<{
  view: ConsoleView
  found: LookupResult | null
  /** The list below the empty form. */
  listed?: SalesListing
  used?: UsedSites | null
  events?: readonly AuditEventOf<"purchase">[]
}>

export const PurchasesPage = ({ view, found, listed, used = null, events = [] }: Props) => {
  const { purchases } = view.texts
  const sold = soldIn(found)
  const kind = found?.checked.kind
  const problems = { empty: purchases.empty, invalid: view.texts.check.problems.invalid }
  const problem = kind === "empty" || kind === "invalid" ? problems[kind] : null
  return (
    <ConsolePage
      view={view}
      title={view.texts.sales.title}
      problem={problem}
      author={listed?.author ?? null}
    >
      <p>{purchases.intro}</p>
      <PostForm view={view} action={paths.purchases} class="filter">
        <Field
          name="code"
          label={purchases.label}
          value={found?.pasted ?? ""}
          autocomplete="off"
          error={problem}
          isFocused={found === null && !listed?.author}
        />
        <button type="submit">{purchases.submit}</button>
      </PostForm>
      {listed !== undefined && <SalesList view={view} {...listed} />}
      {found !== null && <Result view={view} found={found} />}
      {sold !== null && used !== null && (
        <PurchaseSites view={view} action={`${pathOfSale(sold)}/release`} {...used} />
      )}
      {events.length > 0 && (
        <Panel id="history-title" title={purchases.history}>
          <AuditTable view={view} events={events} isOfOne />
        </Panel>
      )}
    </ConsolePage>
  )
}

const pathOfSale = (purchase: FoundPurchase) => paths.check(saleIdOfPurchase(purchase))

const Result = ({ view, found }: Readonly<{ view: ConsoleView; found: LookupResult }>) => {
  const { purchases } = view.texts
  const { checked, item } = found
  switch (checked.kind) {
    case "empty":
    case "invalid":
      return null
    case "unknown":
    case "test":
      return <p class="notice warning">{purchases[checked.kind]}</p>
    case "matching":
      return (
        <p class="notice warning">
          {purchases.caseVariants} <CopyableList view={view} texts={checked.codes} />
        </p>
      )
    case "sold":
      return (
        <section class="panel">
          {checked.isInText && <p class="hint">{purchases.inText}</p>}
          {checked.others.length > 0 && (
            <p class="hint">
              {purchases.others} <CopyableList view={view} texts={checked.others} />
            </p>
          )}
          <PurchaseFacts view={view} purchase={checked.purchase} />
          <p class="actions">
            <QuietLink href={`${pathOfSale(checked.purchase)}/${changeOf(checked.purchase)}`}>
              {purchases.refunds[changeOf(checked.purchase)].submit}
            </QuietLink>
          </p>
          {item !== null && (
            <p>
              <a href={paths.item(item.id)}>{purchases.itemTitle(item.id)}</a>
            </p>
          )}
        </section>
      )
  }
}

const PurchaseFacts = ({ view, purchase }: { view: ConsoleView; purchase: FoundPurchase }) => {
  const { check, columns, purchases } = view.texts
  const body = purchaseBodyOf(purchase)
  return (
    <dl class="facts">
      <Fact name={columns.state}>
        <Pill tone={purchase.isRevoked ? "danger" : "good"}>
          {check.results[purchase.isRevoked ? "refunded" : "valid"]}
        </Pill>
      </Fact>
      <Fact name={purchases.feedState}>
        {check.results[purchase.isRevokedByFeed ? "refunded" : "valid"]}
      </Fact>
      <Fact name={purchases.operatorOverride}>
        {purchase.isRevokedByOperator ? check.results.refunded : purchases.nothing}
      </Fact>
      <Fact name={columns.code} value={<Copyable view={view} text={purchase.code} />} />
      <ItemAuthor view={view} found={purchase} />
      <Fact name={columns.item}>
        <NamedLink
          href={paths.item(purchase.itemId)}
          name={displayName(body.item.name, purchase.itemId)}
        />
      </Fact>
      <Fact name={columns.license} value={licenseLabel(view, body)} />
      <Fact name={columns.price} class="amount">
        {formatMoney(body.price, body.currency, view.locale)}
      </Fact>
      <Fact name={check.bought} value={<Day view={view} at={body.date} />} />
      <Fact name={check.support}>
        {body.supported_until === undefined ? (
          check.noSupport
        ) : (
          <Day view={view} at={body.supported_until} />
        )}
      </Fact>
      <Fact name={columns.buyer} value={<bdi>{purchase.buyer ?? purchases.noBuyer}</bdi>} />
    </dl>
  )
}

const changeOf = ({ isRevokedByOperator }: FoundPurchase) =>
  isRevokedByOperator ? "take-back" : "refund"

const authorsShown = 10

type SalesListing = Readonly<{
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
  const filter: SaleFilter = { itemIds: found && [found.id], state, range: null }
  const query: PurchasesQuery = {
    author: author === null ? "" : String(author.id),
    item: found === null ? "" : String(found.id),
    state: state ?? "",
  }
  return { author, filter, query }
}

async function readSalesListing(
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

type ListProps = SalesListing & Readonly<{ view: ConsoleView }>

const SalesList = (props: ListProps) =>
  props.author === null ? <MostSales {...props} /> : <AuthorSales {...props} />

const MostSales = ({ view, authors }: ListProps) => {
  const { authors: texts, purchases } = view.texts
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

const AuthorSales = ({ view, query, author, page: { sales, next } }: ListProps) => (
  <section>
    <h2>{view.texts.purchases.title}</h2>
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
        every={view.texts.lists.every}
        options={saleStates.map((each) => [each, view.texts.sales.states[each]])}
        chosen={query.state}
      />
      <QuietButton>{view.texts.audit.filter}</QuietButton>
    </form>
    {sales.length === 0 ? (
      <p class="empty">{view.texts.lists.none}</p>
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

const SaleTable = ({ view, sales }: Readonly<{ view: ConsoleView; sales: readonly Sale[] }>) => (
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
      ...saleColumns(view),
    ]}
  />
)
