import { type Sale, saleIdOf } from "../../domain/catalog/sale.ts"
import { type AuthorApp, type Visitor, viewOf, visitorOf } from "../pages/author-context.ts"
import { addList } from "../pages/components/list.tsx"
import { openSales, type SaleFilterName, saleFilterNames } from "../pages/components/sales-list.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { checkPath, salesPath } from "../pages/paths.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

export const addSalesRoutes = (app: AuthorApp, services: WorkspaceServices): void =>
  addList<Sale, Visitor, SaleFilterName>(app, {
    path: salesPath,
    file: "sales",
    filterNames: saleFilterNames,
    isPrivate: true,
    async open(c, request) {
      const view = viewOf(c)
      const list = await openSales(view, services, visitorOf(c).account.id, request)
      return {
        ...list,
        linkOf: (sale) => `${checkPath}/${saleIdOf(sale)}`,
        page: async (rows, listed) => (
          <WorkspacePage view={view} title={view.texts.sales.title}>
            {await list.readHead(listed)}
            {rows}
          </WorkspacePage>
        ),
      }
    },
  })
