import { type ItemSort, type ItemSummary, itemSorts } from "../../domain/catalog/item-search.ts"
import { type AuthorApp, type AuthorContext, viewOf, visitorOf } from "../pages/author-context.ts"
import { Field, QuietButton, Select, searchUnitsMax } from "../pages/components/form-fields.tsx"
import {
  Day,
  displayName,
  formatMoney,
  NamedLink,
  Pill,
} from "../pages/components/formatted-values.tsx"
import { Pager, Table } from "../pages/components/panels-and-tables.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

const pageItems = 25

export function addItemsRoutes(app: AuthorApp, { itemSearch }: WorkspaceServices): void {
  app.get(itemsPath, async (c) => {
    const { account } = visitorOf(c)
    const { page, ...list } = parseItemListQuery(c)
    const query = { ...list, offset: (page - 1) * pageItems, rowsMax: pageItems }
    const found = await itemSearch.search(account.id, query)
    const pages = Math.max(1, Math.ceil(found.total / pageItems))
    const isBeyond = found.total > 0 && page > pages
    if (isBeyond) return c.redirect(pathOfItems({ ...list, page: pages }), 302)
    return c.html(<ItemsPage view={viewOf(c)} {...list} page={page} pages={pages} {...found} />)
  })
}

/** Query parameters that the page of an item needs to link back to the same list. */
export function parseItemListQuery(c: AuthorContext): ItemListQuery {
  return {
    text: (c.req.query("q") ?? "").trim().slice(0, searchUnitsMax),
    sort: itemSorts.find((each) => each === c.req.query("sort")) ?? "newest",
    page: Math.max(1, Math.min(1_000_000, Math.floor(Number(c.req.query("page")) || 1))),
  }
}

export type ItemListQuery = Readonly<{ text: string; sort: ItemSort; page: number }>

export const itemsPath = "/workspace/items"

const queryOf = ({ text, sort, page }: ItemListQuery) =>
  new URLSearchParams({ q: text, sort, page: String(page) })

export const pathOfItems = (query: ItemListQuery) => `${itemsPath}?${queryOf(query)}`

/** The first page of the unfiltered list needs no parameters. */
function pathOfItem(id: number, query: ItemListQuery): string {
  const isBeginning = query.text === "" && query.sort === "newest" && query.page === 1
  return isBeginning ? `${itemsPath}/${id}` : `${itemsPath}/${id}?${queryOf(query)}`
}

type Props = ItemListQuery &
  Readonly<{ view: View; pages: number; total: number; items: readonly ItemSummary[] }>

const ItemsPage = (props: Props) => {
  const { view, text, sort, total } = props
  const texts = view.texts.items
  return (
    <WorkspacePage view={view} title={texts.title}>
      {(total > 0 || text !== "") && <SearchForm view={view} text={text} sort={sort} />}
      <div id="results" aria-live="polite">
        {total === 0 ? <NoItems view={view} text={text} /> : <ItemTable {...props} />}
      </div>
    </WorkspacePage>
  )
}

const SearchForm = ({ view, text, sort }: Pick<Props, "view" | "text" | "sort">) => {
  const texts = view.texts.items
  return (
    <form method="get" action={itemsPath} class="filter" role="search" data-live>
      <Field name="q" label={texts.search} type="search" value={text} maxlength={searchUnitsMax} />
      <Select
        name="sort"
        label={texts.sort}
        options={itemSorts.map((each) => [each, texts.sorts[each]])}
        chosen={sort}
      />
      <QuietButton>{view.texts.search.title}</QuietButton>
    </form>
  )
}

const NoItems = ({ view, text }: { view: View; text: string }) =>
  text === "" ? (
    <p class="empty">{view.texts.items.none}</p>
  ) : (
    <p class="empty">
      {view.texts.items.noMatch(text)} <a href={itemsPath}>{view.texts.items.showAll}</a>
    </p>
  )

const ItemTable = ({ view, text, sort, page, pages, total, items }: Props) => {
  const texts = view.texts.items
  return (
    <>
      <p class="hint">
        {text === "" ? (
          texts.total(total)
        ) : (
          <>
            {texts.matches(total, text)} <a href={itemsPath}>{texts.showAll}</a>
          </>
        )}
      </p>
      <Table
        class="stack items"
        rows={items}
        columns={[
          {
            head: view.texts.columns.item,
            cell: (item) => (
              <div class="item-cell">
                <Thumbnail name={item.name} url={item.thumbnail} />
                <div>
                  <NamedLink
                    class="clamp"
                    href={pathOfItem(item.id, { text, sort, page })}
                    name={displayName(item.name, item.id)}
                  />
                  <span class="hint mono">{item.id}</span>{" "}
                  <ItemState view={view} isHidden={item.isHidden} />
                </div>
              </div>
            ),
          },
          {
            head: texts.category,
            isClear: true,
            cell: ({ category }) => (
              <span class="clamp">
                <bdi>{category}</bdi>
              </span>
            ),
          },
          {
            head: texts.published,
            isClear: true,
            cell: ({ publishedAt }) => <Day view={view} at={publishedAt} />,
          },
          {
            head: view.texts.columns.price,
            isClear: true,
            isNumber: true,
            cell: ({ price, currency }) => formatMoney(price, currency, view.locale),
          },
        ]}
      />
      {pages > 1 && (
        <Pager
          view={view}
          label={texts.title}
          total={texts.total(total)}
          page={page}
          pages={pages}
          linkTo={(target) => pathOfItems({ text, sort, page: target })}
        />
      )}
    </>
  )
}

export const ItemState = ({ view, isHidden }: { view: View; isHidden: boolean }) =>
  isHidden ? <Pill tone="warning">{view.texts.items.hidden}</Pill> : null

/** The first letter is visible if the image cannot be loaded. */
export const Thumbnail = ({
  name,
  url,
  isLarge,
}: {
  name: string
  url: string
  isLarge?: boolean
}) => (
  <span class={isLarge ? "thumb large" : "thumb"} aria-hidden="true">
    {[...name.trim()][0] ?? "?"}
    <img src={url} alt="" loading="lazy" referrerpolicy="no-referrer" />
  </span>
)
