import { purchaseBodyOf, stateOfPurchase } from "../../domain/catalog/purchase.ts"
import { type Sale, saleIdOf } from "../../domain/catalog/sale.ts"
import type { FoundItem, FoundPurchase } from "../../domain/usage/operator-reads.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { type Seller, saleIdOfPurchase } from "../../operations/catalog/list-sales.ts"
import {
  type CheckedCode,
  checkPurchaseOfAny,
  setRefunded,
} from "../../operations/catalog/purchase-operations.ts"
import { addConfirmedChange, NoteField, noteIn } from "../pages/app/confirm-change.tsx"
import {
  CopyableList,
  displayName,
  Fact,
  isolateDirection,
  NamedLink,
  Panel,
  Pill,
  QuietLink,
} from "../pages/components/elements.tsx"
import { addList } from "../pages/components/list.tsx"
import {
  addSiteRoutes,
  PurchaseFacts,
  PurchaseSites,
  readSites,
} from "../pages/components/purchase.tsx"
import { openSales, type SaleFilterName, saleFilterNames } from "../pages/components/sales-list.tsx"
import type { PageApp, PageContext, View } from "../pages/page-context.ts"
import { may } from "../pages/page-context.ts"
import { workspaceOf } from "../pages/paths.ts"
import { AuditTable } from "./audit-page.tsx"
import { findAuthor } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

const historyMax = 20

const checkPath = paths.check(":id")

/** Authors or items that a filter can mean. */
const choicesMax = 10

export function addPurchasesRoutes(app: PageApp, services: ConsoleServices): void {
  const { audit, operatorReads: reads, sales } = services

  addList<Sale, "author" | SaleFilterName>(app, {
    path: paths.purchases,
    file: "sales",
    filterNames: ["author", ...saleFilterNames],
    isPrivate: true,
    async open(c, request) {
      const { view } = c.var
      const { text, filters } = request
      const { authors: authorTexts, lists, purchases: texts, sales: saleTexts } = view.texts
      // The page of a purchase can be shared: its URL does not contain the code.
      const checked = text === "" ? null : await checkPurchaseOfAny(reads, text)
      if (checked?.kind === "sold") {
        if (checked.isInText) return show(c, checked)
        return c.redirect(paths.check(saleIdOfPurchase(checked.purchase)), 303)
      }
      const choices = await findChoices(services, filters)
      const [seller = null] = choices?.length === 1 ? choices : []
      const isUnclear = choices !== null && seller === null
      const item = seller?.item ?? filters.item
      const list = await openSales(view, services, seller, {
        ...request,
        filters: { ...filters, item },
      })
      return {
        ...list,
        columns: list.columns.toSpliced(3, 0, {
          head: authorTexts.author,
          ...(seller && { on: "csv" }),
          value: ({ username }) => username,
          cell: ({ accountId, username }) => (
            <NamedLink href={paths.author(accountId)} name={username} />
          ),
        }),
        search: texts.search,
        read: async (after, rowsMax) =>
          isUnclear || checked?.kind === "matching"
            ? { rows: [], next: null }
            : list.read(after, rowsMax),
        filters: (
          <>
            <input
              type="text"
              name="author"
              value={filters.author && (seller?.username ?? filters.author)}
              placeholder={texts.allAuthors}
              aria-label={authorTexts.author}
              autocomplete="off"
            />
            {list.filters}
          </>
        ),
        linkOf: (sale) => paths.check(saleIdOf(sale)),
        empty: isUnclear ? (
          <Choices label={choices.length > 0 ? texts.several : lists.none} choices={choices} />
        ) : checked === null ? (
          list.empty
        ) : (
          <>
            {texts[checked.kind]}{" "}
            {checked.kind === "matching" && <CopyableList view={view} texts={checked.codes} />}
          </>
        ),
        async page(rows, listed) {
          const isOther = text !== "" && seller === null && listed.rows.length === 0
          const named = isOther ? await searchAuthors(services, text) : []
          return (
            <ConsolePage view={view} title={saleTexts.title}>
              {!isUnclear && (await list.readHead(listed))}
              {named.length > 0 && <Choices label={texts.salesOf} choices={named} />}
              {rows}
            </ConsolePage>
          )
        },
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
          <PurchaseFacts
            view={view}
            purchase={purchase}
            itemPath={`${workspaceOf(purchase.username).items}/${purchase.itemId}`}
          >
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
        <PurchaseSites view={view} path={path} {...sites} />
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
      Layout: ConsolePage,
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
    const code = await sales.findCode(null, idOf(c))
    const checked = code && (await checkPurchaseOfAny(reads, code))
    return checked && checked.kind === "sold" ? checked.purchase : null
  }
}

const idOf = (c: PageContext) => c.req.param("id") ?? ""

type Sold = Extract<CheckedCode<FoundPurchase>, { kind: "sold" }>

/** What a filter can mean: an author, or an item of one. */
type Choice = Seller & Readonly<{ path: string; name: string; item?: string }>

type ChoicesProps = Readonly<{ label: string; choices: readonly Choice[] }>

const Choices = ({ label, choices }: ChoicesProps) => (
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
  services: ConsoleServices,
  { author, item }: Readonly<Record<"author" | "item", string>>,
): Promise<readonly Choice[] | null> {
  if (author !== "") {
    const { accounts } = services
    const found = (await accounts.findByUsername(author)) ?? (await findAuthor(services, author))
    return found === null ? searchAuthors(services, author) : [toChoice(found)]
  }
  if (item === "") return null
  const { operatorReads } = services
  const found = /^\d{1,15}$/.test(item) ? await operatorReads.findItem(Number(item)) : null
  const items = found ? [{ ...found, name: "" }] : await operatorReads.searchItems(item, choicesMax)
  return items.map(({ id, name, accountId, username }) => {
    const path = paths.salesOfItem(id)
    return { id: accountId, username, path, name: displayName(name, id), item: String(id) }
  })
}

const toChoice = ({ id, username }: Seller): Choice => {
  return { id, username, path: paths.salesOf(id), name: username }
}

async function searchAuthors({ authorSearch, now }: ConsoleServices, text: string) {
  const order = { sort: "name", isDescending: false, at: formatTimestamp(now()) } as const
  const query = { ...order, text, offset: 0, rowsMax: choicesMax }
  return (await authorSearch.search(query)).authors.map(toChoice)
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
