import { itemBodyOf } from "../../domain/catalog/item.ts"
import type { SiteLimits } from "../../domain/catalog/site.ts"
import type { FoundItem, ListedItem } from "../../domain/usage/operator-reads.ts"
import type { Column } from "../pages/components/data-table.tsx"
import { displayName, Fact, ItemState, NamedLink, Pill } from "../pages/components/elements.tsx"
import { addList, cutPage, FilterSelect } from "../pages/components/list.tsx"
import { SiteLimitsText } from "../pages/components/purchase.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./layout/console-context.ts"
import { ConsolePage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"
import { findAuthor } from "./layout/find-author.ts"

export function addItemsRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { operatorLists, operatorReads, sites } = services

  addList(app, {
    path: paths.items,
    file: "items",
    filterNames: ["author", "state"],
    async open(c, { text, filters }) {
      const view = viewOf(c)
      const author = await findAuthor(services, filters.author)
      const state = itemStates.find((each) => each === filters.state)
      const isHidden = state === undefined ? null : state === "hidden"
      const filter = { accountId: author?.id ?? null, isHidden, text }
      return {
        columns: itemColumns(view),
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
        page: (list) => (
          <ConsolePage view={view} title={view.texts.items.title} author={author}>
            {list}
          </ConsolePage>
        ),
      }
    },
  })

  app.get(`${paths.items}/:id`, async (c) => {
    const id = c.req.param("id")
    const item = /^\d{1,15}$/.test(id) ? await operatorReads.findItem(Number(id)) : null
    if (item === null) return c.notFound()
    const limits = await sites.findLimits(item.id)
    return c.html(<ConsoleItemPage view={viewOf(c)} item={item} limits={limits} />)
  })
}

const itemStates = ["visible", "hidden"] as const

export const itemColumns = (view: ConsoleView): readonly Column<ListedItem>[] => {
  const { texts } = view
  return [
    {
      head: texts.columns.item,
      isWide: true,
      value: ({ name }) => name,
      cell: ({ id, name }) => <bdi>{displayName(name ?? "", id)}</bdi>,
    },
    { head: texts.items.id, kind: "code", priority: 2, value: ({ id }) => String(id) },
    {
      head: texts.authors.author,
      value: ({ author }) => author,
      cell: ({ accountId, author }) => <NamedLink href={paths.author(accountId)} name={author} />,
    },
    {
      head: texts.columns.state,
      value: ({ isHidden }) => texts.items.states[isHidden ? "hidden" : "visible"],
      cell: (item) => <ItemState view={view} {...item} />,
    },
  ]
}

type ConsoleItemPageProps = Readonly<{
  view: ConsoleView
  item: FoundItem
  limits: SiteLimits
}>

const ConsoleItemPage = ({ view, item, limits }: ConsoleItemPageProps) => {
  const { name } = itemBodyOf(item)
  return (
    <ConsolePage
      view={view}
      title={displayName(name, item.id)}
      heading={<bdi>{displayName(name, item.id)}</bdi>}
    >
      <section class="panel">
        <dl class="facts">
          <Fact name={view.texts.items.id} class="mono" value={item.id} />
          <ItemAuthor view={view} found={item} />
          <Fact name={view.texts.columns.state}>
            <ItemState view={view} isHidden={item.isHidden} />{" "}
            {item.isHidden && view.texts.items.hiddenNote}
          </Fact>
          <Fact name={view.texts.sales.title}>
            <a href={paths.salesOfItem(item.id)}>{item.purchases.toLocaleString(view.locale)}</a>
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
