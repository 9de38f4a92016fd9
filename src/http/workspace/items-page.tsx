import { type ItemSummary, itemSorts } from "../../domain/catalog/item-search.ts"
import { type AuthorApp, viewOf, visitorOf } from "../pages/author-context.ts"
import type { Column } from "../pages/components/data-table.tsx"
import { displayName, formatMoney, ItemState } from "../pages/components/formatted-values.tsx"
import { addList, readByOffset } from "../pages/components/list.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { itemsPath } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

export const addItemsRoutes = (app: AuthorApp, { itemSearch }: WorkspaceServices): void =>
  addList(app, {
    path: itemsPath,
    file: "items",
    open(c, { text, sort: wanted }) {
      const view = viewOf(c)
      const texts = view.texts.items
      const sort =
        itemSorts.find(
          (each) => each === `${wanted?.direction === "descending" ? "-" : ""}${wanted?.name}`,
        ) ?? "-published"
      return {
        view,
        columns: columnsOf(view),
        search: texts.search,
        read: (after, rowsMax) =>
          readByOffset(after, rowsMax, async (offset) => {
            const query = { text, sort, offset, rowsMax }
            const { items, total } = await itemSearch.search(visitorOf(c).account.id, query)
            return { rows: items, total }
          }),
        linkOf: ({ id }: ItemSummary) => `${itemsPath}/${id}`,
        empty: text === "" ? texts.none : view.texts.lists.none,
        page: (list) => (
          <WorkspacePage view={view} title={texts.title}>
            {list}
          </WorkspacePage>
        ),
      }
    },
  })

const columnsOf = (view: View): readonly Column<ItemSummary>[] => {
  const { columns, items: texts } = view.texts
  return [
    {
      head: columns.item,
      sort: "name",
      isWide: true,
      value: ({ name }) => name,
      cell: ({ id, name }) => <bdi>{displayName(name, id)}</bdi>,
    },
    { head: texts.id, kind: "code", priority: 2, value: ({ id }) => String(id) },
    { head: texts.category, priority: 3, value: ({ category }) => category },
    {
      head: columns.price,
      kind: "number",
      sort: "price",
      value: ({ price }) => price,
      cell: ({ price, currency }) => formatMoney(price, currency, view.locale),
    },
    { head: view.texts.sales.currency, on: "csv", value: ({ currency }) => currency },
    {
      head: texts.published,
      kind: "time",
      sort: "published",
      value: ({ publishedAt }) => publishedAt,
    },
    {
      head: columns.state,
      value: ({ isHidden }) => texts.states[isHidden ? "hidden" : "visible"],
      cell: (item) => <ItemState view={view} {...item} />,
    },
  ]
}
