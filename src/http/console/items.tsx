import { itemBodyOf } from "../../domain/catalogue/item.ts"
import type { SiteLimits } from "../../domain/catalogue/sites.ts"
import type { ItemFilter, ListedItem } from "../../domain/usage/operator-lists.ts"
import type { FoundItem } from "../../domain/usage/operator-reads.ts"
import { trimBlank } from "../../domain/values/text.ts"
import { type CsvColumn, pagesAfter, sendCsv } from "../pages/csv.ts"
import { Table } from "../pages/parts/blocks.tsx"
import { Field, QuietButton, Select, searchUnitsMax } from "../pages/parts/fields.tsx"
import { LimitsText } from "../pages/parts/sites.tsx"
import { Fact, NamedLink, Pill, shownName } from "../pages/parts/values.tsx"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
} from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { type ItemsQuery, paths } from "./frame/console-paths.ts"
import {
  AuthorTabs,
  type ChosenAuthor,
  findAuthor,
  ListEnd,
  OfAuthor,
  pageRows,
} from "./frame/lists.tsx"
import type { ConsoleServices } from "./frame/services.ts"

export function addItemsRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { operatorLists, operatorReads, sites } = services

  async function readQuery(c: ConsoleContext) {
    const { state = "", q = "" } = c.req.query()
    const author = await findAuthor(services, c.req.query("author"))
    const text = trimBlank(q.slice(0, searchUnitsMax))
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
    const pages = pagesAfter(read, ({ id }) => id)
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

function csvColumns({ texts, words }: ConsoleView): readonly CsvColumn<ListedItem>[] {
  const { authors, lists, purchases } = texts
  return [
    { head: lists.itemId, cell: ({ id }) => id },
    { head: words.columns.item, cell: ({ name }) => name },
    { head: authors.author, cell: ({ author }) => author },
    {
      head: words.columns.state,
      cell: ({ isHidden }) => (isHidden ? words.items.hidden : purchases.visible),
    },
  ]
}

const hiddenIn: Readonly<Record<string, boolean>> = { visible: false, hidden: true }

type ItemsProps = Readonly<{
  view: ConsoleView
  query: ItemsQuery
  /** Whose items are listed; null for those of all. */
  author: ChosenAuthor | null
  /** One more than are shown, where there are more. */
  items: readonly ListedItem[]
}>

export const ItemsPage = ({ view, query, author, items }: ItemsProps) => {
  const { purchases, lists } = view.texts
  const shown = items.slice(0, pageRows)
  const before = String(shown.at(-1)?.id)
  const next = items.length > pageRows ? paths.itemsAt({ ...query, before }) : null
  return (
    <ConsolePage view={view} title={view.words.items.title}>
      {author !== null && <AuthorTabs view={view} author={author} />}
      <form method="get" action={paths.items} class="filter" role="search" data-live>
        <OfAuthor view={view} author={author} all={paths.itemsAt({ ...query, author: "" })} />
        <Field
          name="q"
          label={lists.itemName}
          type="search"
          value={query.q ?? ""}
          maxlength={searchUnitsMax}
        />
        <Select
          name="state"
          label={view.words.columns.state}
          every={lists.every}
          options={[
            ["visible", purchases.visible],
            ["hidden", view.words.items.hidden],
          ]}
          chosen={query.state}
        />
        <QuietButton>{view.words.search.title}</QuietButton>
      </form>
      <div id="results" aria-live="polite">
        {shown.length === 0 ? (
          <p class="empty">{lists.none}</p>
        ) : (
          <>
            <ItemTable view={view} items={shown} />
            <ListEnd view={view} csv={paths.itemsCsv(query)} next={next} />
          </>
        )}
      </div>
    </ConsolePage>
  )
}

type ItemTableProps = Readonly<{ view: ConsoleView; items: readonly ListedItem[] }>

export const ItemTable = ({ view, items }: ItemTableProps) => {
  const { authors, purchases } = view.texts
  return (
    <Table
      rows={items}
      columns={[
        {
          head: view.words.columns.item,
          cell: ({ id, name }) => (
            <NamedLink class="clamp" href={paths.item(id)} name={shownName(name ?? "", id)} />
          ),
        },
        { head: view.texts.lists.itemId, class: "mono", cell: ({ id }) => id },
        {
          head: authors.author,
          cell: ({ accountId, author }) => (
            <NamedLink class="clamp" href={paths.author(accountId)} name={author} />
          ),
        },
        {
          head: view.words.columns.state,
          isClear: true,
          cell: ({ isHidden }) => (
            <Pill tone={isHidden ? "plain" : "good"}>
              {isHidden ? view.words.items.hidden : purchases.visible}
            </Pill>
          ),
        },
      ]}
    />
  )
}

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
          <Fact name={view.words.columns.item}>
            <bdi>{shownName(itemBodyOf(item).name, item.id)}</bdi>
          </Fact>
          <ItemAuthor view={view} found={item} />
          <Fact name={view.words.columns.state}>
            {item.isHidden ? purchases.hiddenHint : purchases.visible}
          </Fact>
          <Fact name={purchases.sold}>
            <a href={paths.purchasesAt({ item: String(item.id) })}>
              {item.purchases.toLocaleString(view.locale)}
            </a>
          </Fact>
          <Fact
            name={view.words.sites.limit.title}
            value={<LimitsText view={view} limits={limits} />}
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
