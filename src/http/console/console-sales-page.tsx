import type { AuthorFacts } from "../../domain/catalog/account.ts"
import { itemBodyOf } from "../../domain/catalog/item.ts"
import { purchaseBodyOf, stateOfPurchase } from "../../domain/catalog/purchase.ts"
import { parseSaleId, type Sale, saleIdOf } from "../../domain/catalog/sale.ts"
import type { FoundItem, FoundPurchase, ListedItem } from "../../domain/usage/operator-reads.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { saleIdOfPurchase } from "../../operations/catalog/list-sales.ts"
import {
  type CheckedCode,
  checkPurchaseOfAny,
  setRefunded,
} from "../../operations/catalog/purchase-operations.ts"
import type { Column } from "../pages/components/data-table.tsx"
import {
  CopyableList,
  displayName,
  Fact,
  ItemState,
  isolateDirection,
  NamedLink,
  Panel,
  Pill,
  QuietLink,
} from "../pages/components/elements.tsx"
import {
  addList,
  cutPage,
  FilterSelect,
  type ListRequest,
  readByOffset,
} from "../pages/components/list.tsx"
import {
  addSiteRoutes,
  PurchaseFacts,
  PurchaseSites,
  readSites,
  SiteLimitsText,
} from "../pages/components/purchase.tsx"
import { openSales, type SaleFilterName, saleFilterNames } from "../pages/components/sales-list.tsx"
import type { PageApp, PageContext, View } from "../pages/page-context.ts"
import { AuditTable } from "./audit-page.tsx"
import { salesOfAuthorColumns } from "./authors-page.tsx"
import { addConfirmedChange, NoteField, noteIn } from "./layout/confirm-change.tsx"
import { findAuthor, may } from "./layout/console-context.ts"
import { ConsolePage, pageOf } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

const historyMax = 20

/** Without a chosen author, the list shows the authors. */
type Row = Sale | AuthorFacts

const checkPath = paths.check(":id")

export function addPurchasesRoutes(app: PageApp, services: ConsoleServices): void {
  const { audit, authorSearch, operatorReads: reads, sales, now } = services

  addList<Row, "author" | SaleFilterName>(app, {
    path: paths.purchases,
    file: "sales",
    filterNames: ["author", ...saleFilterNames],
    isPrivate: true,
    async open(c, request) {
      const view = c.var.view
      const { text, filters } = request
      // The page of a purchase can be shared: its URL does not contain the code.
      const checked = text === "" ? null : await checkPurchaseOfAny(reads, text)
      if (checked?.kind === "sold") {
        if (checked.isInText) return show(c, checked)
        return c.redirect(paths.check(saleIdOfPurchase(checked.purchase)), 303)
      }
      const item = await findItem(text === "" ? filters.item : text)
      if (text !== "" && item !== null) return c.redirect(paths.item(item.id), 303)
      const author = await findAuthor(services, item ? String(item.accountId) : filters.author)
      const { search } = view.texts.purchases
      const page = {
        search,
        linkOf: (row: Row) =>
          "username" in row ? paths.salesOf(row.id) : paths.check(saleIdOf(row)),
      }
      if (author === null) {
        return {
          ...page,
          columns: salesOfAuthorColumns(view),
          read: async (after, rowsMax) =>
            checked === null ? listAuthors(request.sort, after, rowsMax) : { rows: [], next: null },
          empty: checked !== null && (
            <>
              {view.texts.purchases[checked.kind]}{" "}
              {checked.kind === "matching" && <CopyableList view={view} texts={checked.codes} />}
            </>
          ),
          page: pageOf(view, view.texts.sales.title),
        }
      }
      const list = await openSales(view, services, author.id, request)
      return {
        ...list,
        ...page,
        filters: (
          <>
            <input type="hidden" name="author" value={author.id} />
            {list.filters}
          </>
        ),
        page: async (rows, listed) => (
          <ConsolePage view={view} title={view.texts.sales.title} author={author}>
            {await list.readHead({ rows: [], next: listed.next })}
            {rows}
          </ConsolePage>
        ),
      }
    },
  })

  app.get(checkPath, async (c) => {
    const purchase = await findSold(c)
    if (purchase === null) return c.notFound()
    return show(c, { kind: "sold", purchase, isInText: false, others: [] })
  })

  async function show(c: PageContext, { purchase, isInText, others }: Sold) {
    const { accountId, code: subjectId } = purchase
    const view = c.var.view
    const { purchases: texts, check, columns } = view.texts
    const path = paths.check(saleIdOfPurchase(purchase))
    const change = purchase.isRevokedByOperator ? "take-back" : "refund"
    const sites = await readSites(c, services, purchase)
    const state = stateOfPurchase(purchase, sites.at)
    const filter = { accountId, kind: "purchase", subjectId } as const
    const events = await audit.list(filter, null, historyMax)
    return c.html(
      <ConsolePage view={view} title={texts.purchase}>
        {isInText && <p class="hint">{check.inText}</p>}
        {others.length > 0 && (
          <p class="hint">
            {texts.others} <CopyableList view={view} texts={others} />
          </p>
        )}
        <section class="panel">
          <PurchaseFacts view={view} purchase={purchase} itemPath={paths.item(purchase.itemId)}>
            <Fact name={columns.state}>
              <Pill tone={state === "valid" ? "good" : "danger"}>{check.results[state]}</Pill>
            </Fact>
            <Fact
              name={texts.feedState}
              value={check.results[purchase.isRevokedByFeed ? "refunded" : "valid"]}
            />
            <Fact name={texts.operatorOverride}>
              {purchase.isRevokedByOperator ? check.results.refunded : "–"}
            </Fact>
            <ItemAuthor view={view} found={purchase} />
          </PurchaseFacts>
          {may(view, "manage") && (
            <p class="actions">
              <QuietLink href={`${path}/${change}`} data-dialog>
                {texts.refunds[change].submit}
              </QuietLink>
            </p>
          )}
        </section>
        <PurchaseSites
          view={view}
          path={path}
          {...sites}
          mayRelease={may(view, "release_sites")}
          mayLimit={may(view, "manage")}
        />
        {events.length > 0 && (
          <Panel id="history-title" title={texts.history}>
            <AuditTable view={view} events={events} isOfOne />
          </Panel>
        )}
      </ConsolePage>,
    )
  }

  for (const change of ["refund", "take-back"] as const) {
    addConfirmedChange(app, services, {
      path: `${checkPath}/${change}`,
      find: findSold,
      confirm({ texts }, { code, username, itemId, ...purchase }, c) {
        const { text, ...rest } = texts.purchases.refunds[change]
        const name = displayName(purchaseBodyOf(purchase).item.name, itemId)
        return {
          ...rest,
          text: text(code, isolateDirection(name), isolateDirection(username)),
          isDangerous: change === "refund",
          back: paths.check(idOf(c)),
          fields: <NoteField c={c} />,
        }
      },
      async apply(c, purchase) {
        const recording = { ...services, actor: c.var.actor }
        const isDone = await setRefunded(recording, purchase, change === "refund", noteIn(c))
        return isDone ? c.redirect(`${paths.check(idOf(c))}?done=${change}`, 303) : c.notFound()
      },
    })
  }

  addSiteRoutes(app, services, checkPath, findSold)

  async function findSold(c: PageContext): Promise<FoundPurchase | null> {
    const saleId = parseSaleId(idOf(c))
    const item = saleId && (await reads.findItem(saleId.itemId))
    const code = item && (await sales.findCode(item.accountId, idOf(c)))
    const checked = code && (await checkPurchaseOfAny(reads, code))
    return checked && checked.kind === "sold" ? checked.purchase : null
  }

  const findItem = async (text: string) =>
    /^\d{1,15}$/.test(text) ? reads.findItem(Number(text)) : null

  /** The busiest first, or by name: no other column can be sorted. */
  const listAuthors = (sort: ListRequest["sort"], after: string | null, rowsMax: number) =>
    readByOffset(after, rowsMax, async (offset) => {
      const order = { sort: sort === "" ? "calls" : "name", at: formatTimestamp(now()) } as const
      const isDescending = sort === "" || sort.startsWith("-")
      const query = { ...order, text: "", isDescending, offset, rowsMax }
      const found = await authorSearch.search(query)
      return { rows: found.authors, total: found.total }
    })
}

const idOf = (c: PageContext) => c.req.param("id") ?? ""

type Sold = Extract<CheckedCode<FoundPurchase>, { kind: "sold" }>

export function addItemsRoutes(app: PageApp, services: ConsoleServices): void {
  const { operatorLists, operatorReads, sites } = services

  addList(app, {
    path: paths.items,
    file: "items",
    filterNames: ["author", "state"],
    async open(c, { text, filters }) {
      const view = c.var.view
      const author = await findAuthor(services, filters.author)
      const state = itemStates.find((each) => each === filters.state)
      const isHidden = state === undefined ? null : state === "hidden"
      const filter = { accountId: author?.id ?? null, isHidden, text }
      return {
        columns: itemColumns(view, author !== null),
        async read(after, rowsMax) {
          const before = /^[1-9]\d{0,15}$/.test(after ?? "") ? Number(after) : null
          const items = await operatorLists.listItems(filter, before, rowsMax + 1)
          return cutPage(items, rowsMax, ({ id }) => String(id))
        },
        search: view.texts.lists.itemName,
        filters: (
          <>
            {author !== null && <input type="hidden" name="author" value={author.id} />}
            <FilterSelect
              name="state"
              label={view.texts.columns.state}
              every={view.texts.lists.allStates}
              options={itemStates.map((each) => [each, view.texts.items.states[each]])}
              chosen={filters.state}
            />
          </>
        ),
        linkOf: ({ id }) => paths.item(id),
        empty: view.texts.lists.none,
        page: pageOf(view, view.texts.items.title, author),
      }
    },
  })

  app.get(`${paths.items}/:id`, async (c) => {
    const id = c.req.param("id")
    const item = /^\d{1,15}$/.test(id) ? await operatorReads.findItem(Number(id)) : null
    if (item === null) return c.notFound()
    const view = c.var.view
    const { columns, items, sales, sites: texts } = view.texts
    const name = displayName(itemBodyOf(item).name, item.id)
    return c.html(
      <ConsolePage view={view} title={name} heading={<bdi>{name}</bdi>}>
        <section class="panel">
          <dl class="facts">
            <Fact name={items.id} class="mono" value={item.id} />
            <ItemAuthor view={view} found={item} />
            <Fact name={columns.state}>
              <ItemState view={view} isHidden={item.isHidden} /> {item.isHidden && items.hiddenNote}
            </Fact>
            <Fact name={sales.title}>
              <a href={paths.salesOfItem(item.id)}>{item.purchases.toLocaleString(view.locale)}</a>
            </Fact>
            <Fact name={texts.limit.title}>
              <SiteLimitsText view={view} limits={await sites.findLimits(item.id)} />
            </Fact>
          </dl>
        </section>
      </ConsolePage>,
    )
  })
}

const itemStates = ["visible", "hidden"] as const

const itemColumns = (view: View, isOfOne: boolean): readonly Column<ListedItem>[] => {
  const { texts } = view
  return [
    {
      head: texts.columns.item,
      isWide: true,
      value: ({ name }) => name,
      cell: ({ id, name }) => <bdi>{displayName(name, id)}</bdi>,
    },
    { head: texts.items.id, kind: "code", priority: 2, value: ({ id }) => String(id) },
    {
      head: texts.authors.author,
      ...(isOfOne && { on: "csv" }),
      value: ({ username }) => username,
      cell: ({ accountId, username }) => (
        <NamedLink href={paths.author(accountId)} name={username} />
      ),
    },
    {
      head: texts.columns.state,
      value: ({ isHidden }) => texts.items.states[isHidden ? "hidden" : "visible"],
      cell: (item) => <ItemState view={view} {...item} />,
    },
  ]
}

type AuthorProps = Readonly<{
  view: View
  found: Pick<FoundItem, "accountId" | "username" | "isSuspended">
}>

const ItemAuthor = ({ view, found }: AuthorProps) => (
  <Fact name={view.texts.authors.author}>
    <NamedLink href={paths.author(found.accountId)} name={found.username} />{" "}
    {found.isSuspended && <Pill tone="danger">{view.texts.authors.suspended}</Pill>}
  </Fact>
)
