import { itemBodyOf } from "../../domain/catalog/item.ts"
import type { SiteLimits } from "../../domain/catalog/site-limits.ts"
import type { ItemFilter, ListedItem } from "../../domain/usage/operator-lists.ts"
import type { FoundItem } from "../../domain/usage/operator-reads.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { Field, QuietButton, Select, searchUnitsMax } from "../pages/components/form-fields.tsx"
import { displayName, Fact, NamedLink, Pill } from "../pages/components/formatted-values.tsx"
import { Table } from "../pages/components/panels-and-tables.tsx"
import { SiteLimitsText } from "../pages/components/purchase-sites.tsx"
import { type CsvColumn, pagesByCursor, sendCsv } from "../pages/csv.ts"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { type ItemsQuery, paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import {
  AuthorFilter,
  AuthorTabs,
  type ChosenAuthor,
  findAuthor,
  ListFooter,
  pageRows,
} from "./layout/list-components.tsx"

export function addItemsRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { operatorLists, operatorReads, sites } = services

  async function readQuery(c: ConsoleContext) {
    const { state = "", q = "" } = c.req.query()
    const author = await findAuthor(services, c.req.query("author"))
    const text = trimWhitespace(q.slice(0, searchUnitsMax))
    const filter: ItemFilter = {
      accountId: author?.id ?? null,
      isHidden: Object.hasOwn(hiddenIn, state) ? (hiddenIn[state] ?? null) : null,
      text,
    }
    const query = { author: author === null ? "" : String(author.id), state, q: text }
    return { author, filter, query }
  }
  app.get(paths.itemsCsv({}), async (c) => {
    const { filter } = await readQuery(c)
    const read = (before: number | null, rowsMax: number) =>
      operatorLists.listItems(filter, before, rowsMax)
    const pages = pagesByCursor(read, ({ id }) => id)
    return sendCsv(c, "items", csvColumns(viewOf(c)), pages)
  })

  app.get(paths.items, async (c) => {
    const { before = "" } = c.req.query()
    const { author, filter, query } = await readQuery(c)
    const first = /^[1-9]\d{0,15}$/.test(before) ? Number(before) : null
    const items = await operatorLists.listItems(filter, first, pageRows + 1)
    return c.html(<ItemsPage view={viewOf(c)} query={query} author={author} items={items} />)
  })

  app.get(`${paths.items}/:id`, async (c) => {
    const id = c.req.param("id")
    const item = /^\d{1,15}$/.test(id) ? await operatorReads.findItem(Number(id)) : null
    if (item === null) return c.notFound()
    const limits = await sites.findLimits(item.id)
    return c.html(<ConsoleItemPage view={viewOf(c)} item={item} limits={limits} />)
  })
}

function csvColumns({ texts }: ConsoleView): readonly CsvColumn<ListedItem>[] {
  const { authors, purchases } = texts
  return [
    { head: texts.items.id, cell: ({ id }) => id },
    { head: texts.columns.item, cell: ({ name }) => name },
    { head: authors.author, cell: ({ author }) => author },
    {
      head: texts.columns.state,
      cell: ({ isHidden }) => (isHidden ? texts.items.hidden : purchases.visible),
    },
  ]
}

const hiddenIn: Readonly<Record<string, boolean>> = { visible: false, hidden: true }

type ItemsProps = Readonly<{
  view: ConsoleView
  query: ItemsQuery
  /** Null for items of all authors. */
  author: ChosenAuthor | null
  /** One more row than shown if more exist. */
  items: readonly ListedItem[]
}>

export const ItemsPage = ({ view, query, author, items }: ItemsProps) => {
  const { purchases, lists } = view.texts
  const shown = items.slice(0, pageRows)
  const before = String(shown.at(-1)?.id)
  const next = items.length > pageRows ? paths.itemsAt({ ...query, before }) : null
  return (
    <ConsolePage view={view} title={view.texts.items.title}>
      {author !== null && <AuthorTabs view={view} author={author} />}
      <form method="get" action={paths.items} class="filter" role="search" data-live>
        <AuthorFilter view={view} author={author} all={paths.itemsAt({ ...query, author: "" })} />
        <Field
          name="q"
          label={lists.itemName}
          type="search"
          value={query.q ?? ""}
          maxlength={searchUnitsMax}
        />
        <Select
          name="state"
          label={view.texts.columns.state}
          every={lists.every}
          options={[
            ["visible", purchases.visible],
            ["hidden", view.texts.items.hidden],
          ]}
          chosen={query.state}
        />
        <QuietButton>{view.texts.search.title}</QuietButton>
      </form>
      <div id="results" aria-live="polite">
        {shown.length === 0 ? (
          <p class="empty">{lists.none}</p>
        ) : (
          <>
            <ItemTable view={view} items={shown} />
            <ListFooter view={view} csv={paths.itemsCsv(query)} next={next} />
          </>
        )}
      </div>
    </ConsolePage>
  )
}

export const ItemTable = ({ view, items }: { view: ConsoleView; items: readonly ListedItem[] }) => (
  <Table
    rows={items}
    columns={[
      {
        head: view.texts.columns.item,
        cell: ({ id, name }) => (
          <NamedLink class="clamp" href={paths.item(id)} name={displayName(name ?? "", id)} />
        ),
      },
      { head: view.texts.items.id, class: "mono", cell: ({ id }) => id },
      {
        head: view.texts.authors.author,
        cell: ({ accountId, author }) => (
          <NamedLink class="clamp" href={paths.author(accountId)} name={author} />
        ),
      },
      {
        head: view.texts.columns.state,
        isClear: true,
        cell: ({ isHidden }) => (
          <Pill tone={isHidden ? "plain" : "good"}>
            {isHidden ? view.texts.items.hidden : view.texts.purchases.visible}
          </Pill>
        ),
      },
    ]}
  />
)

type ConsoleItemPageProps = Readonly<{
  view: ConsoleView
  item: FoundItem
  limits: SiteLimits
}>

const ConsoleItemPage = ({ view, item, limits }: ConsoleItemPageProps) => {
  const { purchases } = view.texts
  return (
    <ConsolePage view={view} title={purchases.itemTitle(item.id)}>
      <section class="panel">
        <dl class="facts">
          <Fact name={view.texts.columns.item}>
            <bdi>{displayName(itemBodyOf(item).name, item.id)}</bdi>
          </Fact>
          <ItemAuthor view={view} found={item} />
          <Fact name={view.texts.columns.state}>
            {item.isHidden ? purchases.hiddenHint : purchases.visible}
          </Fact>
          <Fact name={purchases.sold}>
            <a href={paths.purchasesAt({ item: String(item.id) })}>
              {item.purchases.toLocaleString(view.locale)}
            </a>
          </Fact>
          <Fact
            name={view.texts.sites.limit.title}
            value={<SiteLimitsText view={view} limits={limits} />}
          />
        </dl>
      </section>
    </ConsolePage>
  )
}

type AuthorProps = Readonly<{
  view: ConsoleView
  found: Pick<FoundItem, "accountId" | "author" | "isAuthorSuspended">
}>

export const ItemAuthor = ({ view, found }: AuthorProps) => (
  <Fact name={view.texts.authors.author}>
    <NamedLink href={paths.author(found.accountId)} name={found.author} />{" "}
    {found.isAuthorSuspended && <Pill tone="danger">{view.texts.authors.suspended}</Pill>}
  </Fact>
)
