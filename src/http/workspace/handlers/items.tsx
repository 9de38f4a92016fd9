import { itemSorts } from "../../../domain/catalogue/item-search.ts"
import { readItemEndpoint } from "../../api/read-item.ts"
import {
  type AuthorApp,
  type AuthorContext,
  viewOf,
  visitorOf,
} from "../../pages/author-context.ts"
import { apiText } from "../frame/api-text.ts"
import { itemFactsOf } from "../frame/item-facts.ts"
import { type ListPlace, pathOfItems } from "../frame/item-paths.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { ItemPage } from "../pages/item-page.tsx"
import { ItemsPage } from "../pages/items-page.tsx"

const pageItems = 25
const searchUnitsMax = 200

export function addItemRoutes(app: AuthorApp, { store }: WorkspaceServices): void {
  app.get("/workspace/items", async (c) => {
    const { account } = visitorOf(c)
    const { text, sort, page } = readPlace(c)
    const offset = (page - 1) * pageItems
    const found = await store.itemSearch.search(account.id, {
      text,
      sort,
      offset,
      limit: pageItems,
    })
    const pages = Math.max(1, Math.ceil(found.total / pageItems))
    if (found.total > 0 && page > pages)
      return c.redirect(pathOfItems({ text, sort, page: pages }), 302)
    return c.html(
      <ItemsPage
        view={viewOf(c)}
        text={text}
        sort={sort}
        page={page}
        pages={pages}
        total={found.total}
        items={found.items}
      />,
    )
  })

  app.get("/workspace/items/:id{[0-9]+}", async (c) => {
    const { account } = visitorOf(c)
    const id = Number(c.req.param("id"))
    const item = Number.isSafeInteger(id) ? await store.items.find(account.id, id) : null
    if (item === null) return c.notFound()
    const view = viewOf(c)
    const json = await apiText(readItemEndpoint, item, view.locale)
    return c.html(
      <ItemPage view={view} item={itemFactsOf(item)} json={json} place={readPlace(c)} />,
    )
  })
}

/** Links to an item carry it, so that the item's page can lead back to the same search. */
function readPlace(c: AuthorContext): ListPlace {
  return {
    text: (c.req.query("q") ?? "").trim().slice(0, searchUnitsMax),
    sort: itemSorts.find((each) => each === c.req.query("sort")) ?? "newest",
    page: Math.max(1, Math.min(1_000_000, Math.floor(Number(c.req.query("page")) || 1))),
  }
}
