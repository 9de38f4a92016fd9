import type { AuthorFacts } from "../../domain/catalog/account.ts"
import { purchaseBodyOf, stateOfPurchase } from "../../domain/catalog/purchase.ts"
import { parseSaleId, type Sale, saleIdOf } from "../../domain/catalog/sale.ts"
import type { AuditEventOf } from "../../domain/sign-in/audit-event.ts"
import type { FoundPurchase } from "../../domain/usage/operator-reads.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { saleIdOfPurchase } from "../../operations/catalog/list-sales.ts"
import {
  type CheckedCode,
  checkPurchaseOfAny,
  setRefunded,
} from "../../operations/catalog/purchase-operations.ts"
import {
  CopyableList,
  displayName,
  Fact,
  isolateDirection,
  Panel,
  Pill,
  QuietLink,
} from "../pages/components/elements.tsx"
import { addList, type ListRequest, readByOffset } from "../pages/components/list.tsx"
import {
  addSiteRoutes,
  PurchaseFacts,
  PurchaseSites,
  readSites,
  type ShownSites,
} from "../pages/components/purchase.tsx"
import { openSales, type SaleFilterName, saleFilterNames } from "../pages/components/sales-list.tsx"
import { AuditTable } from "./audit-page.tsx"
import { salesOfAuthorColumns } from "./authors-page.tsx"
import { ItemAuthor } from "./console-items-page.tsx"
import { addConfirmedChange, NoteField, noteIn } from "./layout/confirm-change.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  may,
  viewOf,
} from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import { findAuthor } from "./layout/find-author.ts"

const historyMax = 20

/** Without a chosen author, the list shows the authors. */
type Row = Sale | AuthorFacts

const checkPath = paths.check(":id")

export function addPurchasesRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { audit, authorSearch, operatorReads: reads, sales, now } = services

  addList<Row, "author" | SaleFilterName>(app, {
    path: paths.purchases,
    file: "sales",
    filterNames: ["author", ...saleFilterNames],
    isPrivate: true,
    async open(c, request) {
      const view = viewOf(c)
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
        ...{ view, search },
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
          page: (list) => (
            <ConsolePage view={view} title={view.texts.sales.title}>
              {list}
            </ConsolePage>
          ),
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

  async function show(c: ConsoleContext, found: Sold) {
    const { accountId, code: subjectId } = found.purchase
    return c.html(
      <PurchasePage
        view={viewOf(c)}
        {...found}
        sites={await readSites(c, services, found.purchase)}
        events={await audit.list({ accountId, kind: "purchase", subjectId }, null, historyMax)}
      />,
    )
  }

  for (const change of ["refund", "take-back"] as const) {
    addConfirmedChange(app, services, {
      path: `${checkPath}/${change}`,
      find: findSold,
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

  addSiteRoutes(app, services, { path: checkPath, find: findSold })

  async function findSold(c: ConsoleContext): Promise<FoundPurchase | null> {
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

const idOf = (c: ConsoleContext) => c.req.param("id") ?? ""

type Sold = Extract<CheckedCode<FoundPurchase>, { kind: "sold" }>

type Props = Sold &
  Readonly<{
    view: ConsoleView
    sites: ShownSites
    events: readonly AuditEventOf<"purchase">[]
  }>

const PurchasePage = ({ view, purchase, isInText, others, sites, events }: Props) => {
  const { purchases, check, columns } = view.texts
  const path = paths.check(saleIdOfPurchase(purchase))
  const change = purchase.isRevokedByOperator ? "take-back" : "refund"
  const state = stateOfPurchase(purchase, sites.at)
  return (
    <ConsolePage view={view} title={purchases.purchase}>
      {isInText && <p class="hint">{check.inText}</p>}
      {others.length > 0 && (
        <p class="hint">
          {purchases.others} <CopyableList view={view} texts={others} />
        </p>
      )}
      <section class="panel">
        <PurchaseFacts view={view} purchase={purchase} itemPath={paths.item(purchase.itemId)}>
          <Fact name={columns.state}>
            <Pill tone={state === "valid" ? "good" : "danger"}>{check.results[state]}</Pill>
          </Fact>
          <Fact
            name={purchases.feedState}
            value={check.results[purchase.isRevokedByFeed ? "refunded" : "valid"]}
          />
          <Fact name={purchases.operatorOverride}>
            {purchase.isRevokedByOperator ? check.results.refunded : "–"}
          </Fact>
          <ItemAuthor view={view} found={purchase} />
        </PurchaseFacts>
        {may(view, "manage") && (
          <p class="actions">
            <QuietLink href={`${path}/${change}`} data-dialog>
              {purchases.refunds[change].submit}
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
        <Panel id="history-title" title={purchases.history}>
          <AuditTable view={view} events={events} isOfOne />
        </Panel>
      )}
    </ConsolePage>
  )
}
