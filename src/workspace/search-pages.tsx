import { routes } from "../access/paths.ts"
import { findPastedKey } from "../keys/key-operations.ts"
import { may, type PageApp } from "../platform/pages/context.ts"
import { displayName } from "../platform/pages/elements.tsx"
import { WorkspacePage, workspaceSections } from "../platform/pages/layout.tsx"
import * as shared from "../platform/pages/search.tsx"
import { checkPurchase } from "../purchases/purchase-operations.ts"
import { saleIdOfPurchase } from "../purchases/sale-operations.ts"
import type { WorkspaceServices } from "./services.ts"

export function addSearchRoutes(app: PageApp, services: WorkspaceServices): void {
  const { itemSearch, purchases } = services
  shared.addSearchRoutes(app, {
    route: routes.search,
    Layout: WorkspacePage,
    texts: ({ texts }) => ({ ...texts.search, unknownKey: texts.keyPages.find.none }),
    sections: workspaceSections,
    findKey: async (c, pasted) =>
      may(c.var.view, "read_setup") ? findPastedKey(services, c.var.account.id, pasted) : null,
    async findCode(c, text) {
      const checked = await checkPurchase(purchases, c.var.account.id, text)
      const found = checked.kind === "sold" ? [checked.purchase] : []
      return {
        title: c.var.view.texts.columns.code,
        rows: found.map((sold) => [
          `${c.var.view.paths.check}/${saleIdOfPurchase(sold)}`,
          sold.code,
        ]),
        total: found.length,
      }
    },
    async findNames(c, text) {
      const { id } = c.var.account
      const { view } = c.var
      const { paths, texts } = view
      const query = { text, sort: "-published", after: null, rowsMax: shared.foundMax } as const
      const { items, next } = await itemSearch.search(id, query)
      const rows = items.map(
        (item) =>
          [`${paths.items}/${item.id}`, displayName(item.name, item.id), String(item.id)] as const,
      )
      return [
        { title: texts.items.title, rows, total: rows.length + (next === null ? 0 : 1) },
        ...(may(view, "read_setup")
          ? [await shared.findKeys(services, texts, { accountId: id, text })]
          : []),
      ]
    },
  })
}
