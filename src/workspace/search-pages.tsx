import { may } from "../access/page-view.ts"
import { routes } from "../access/paths.ts"
import type { KeyPageServices } from "../keys/key-facts.tsx"
import { findKeys, PastedKeyProblem, redirectPastedKey } from "../keys/key-list-pages.tsx"
import { findPastedKey } from "../keys/key-operations.ts"

import { currentView, type PageApp } from "../platform/pages/context.ts"
import { displayName } from "../platform/pages/elements.tsx"
import { addSearchPages, foundMax } from "../platform/pages/search.tsx"
import { t } from "../platform/t.ts"
import { checkPurchase, saleIdOfPurchase } from "../purchases/purchase-operations.ts"
import type { PurchasePageServices } from "../purchases/sale-pages.tsx"
import { workspaceSections } from "./frame.tsx"

export function addWorkspaceSearch(
  app: PageApp,
  services: KeyPageServices & PurchasePageServices,
): void {
  const { itemSearch, purchases } = services
  addSearchPages(app, {
    route: routes.search,
    texts: () => ({
      label: t("Search for a code, item, key or page"),
      intro: t(
        "Enter a purchase code or a message that contains one, an item name or ID, a key, its name or its last four characters, or a page name. Pazar does not store the key.",
      ),
    }),
    problem: (c) => (
      <PastedKeyProblem
        c={c}
        unknown={t(
          "This key is not yours. If you found it in public, report it to your marketplace.",
        )}
      />
    ),
    sections: workspaceSections,
    redirectKey: (c) =>
      redirectPastedKey(c, async (pasted) =>
        may("read_setup") ? findPastedKey(services, c.var.account.id, pasted) : null,
      ),
    async findCode(c, text) {
      const checked = await checkPurchase(purchases, c.var.account.id, text)
      const found = checked.kind === "sold" ? [checked.purchase] : []
      return {
        title: t("Code"),
        rows: found.map((sold) => [
          `${currentView().paths.check}/${saleIdOfPurchase(sold)}`,
          sold.code,
        ]),
        total: found.length,
      }
    },
    async findNames(c, text) {
      const { id } = c.var.account
      const { paths } = currentView()
      const query = { text, sort: "-published", after: null, rowsMax: foundMax } as const
      const { items, next } = await itemSearch.search(id, query)
      const rows = items.map(
        (item) =>
          [`${paths.items}/${item.id}`, displayName(item.name, item.id), String(item.id)] as const,
      )
      return [
        { title: t("Items"), rows, total: rows.length + (next === null ? 0 : 1) },
        ...(may("read_setup") ? [await findKeys(services, { accountId: id, text })] : []),
      ]
    },
  })
}
