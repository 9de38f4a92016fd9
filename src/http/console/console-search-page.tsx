import { foldLetters } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { saleIdOfPurchase } from "../../operations/catalog/list-sales.ts"
import { checkPurchaseOfAny } from "../../operations/catalog/purchase-operations.ts"
import { findPastedKeyOfAny } from "../../operations/keys/key-operations.ts"
import * as shared from "../pages/app/search-page.tsx"
import { displayName } from "../pages/components/elements.tsx"
import type { PageApp } from "../pages/page-context.ts"
import { ConsolePage, sectionsOf } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

const { foundMax } = shared

export function addSearchRoutes(app: PageApp, services: ConsoleServices): void {
  const { authorSearch, operatorLists, operatorReads, operators, now } = services
  shared.addSearchRoutes(app, {
    path: paths.search,
    Layout: ConsolePage,
    texts: ({ texts }) => ({ ...texts.search.console, unknownKey: texts.keys.console.none }),
    sections: sectionsOf,
    findKey: (_, pasted) => findPastedKeyOfAny(services, pasted),
    pathOfKey: paths.key,
    async findCode(c, text) {
      const checked = await checkPurchaseOfAny(operatorReads, text)
      const found = checked.kind === "sold" ? [checked.purchase] : []
      return {
        title: c.var.view.texts.purchases.purchase,
        rows: found.map((sold) => [paths.check(saleIdOfPurchase(sold)), sold.code, sold.author]),
        total: found.length,
      }
    },
    async findNames(c, text) {
      const { texts } = c.var.view
      const at = formatTimestamp(now())
      const wanted = foldLetters(text)
      const named = (await operators.list()).filter(({ name }) =>
        foldLetters(name).includes(wanted),
      )
      const byName = { text, sort: "name", isDescending: false, at, offset: 0 } as const
      const { authors, total } = await authorSearch.search({ ...byName, rowsMax: foundMax })
      const any = { accountId: null, isHidden: null, text }
      const items = await operatorLists.listItems(any, null, foundMax + 1)
      return [
        {
          title: texts.operators.title,
          rows: named.slice(0, foundMax).map(({ name }) => [paths.operators, name]),
          total: named.length,
        },
        {
          title: texts.authors.title,
          rows: authors.map(({ id, fullName, username }) => [
            paths.author(id),
            displayName(fullName, username),
            displayName(username, id),
          ]),
          total,
        },
        {
          title: texts.items.title,
          rows: items
            .slice(0, foundMax)
            .map(({ id, name, author }) => [paths.item(id), displayName(name ?? "", id), author]),
          total: items.length,
        },
        await shared.findKeys(services, texts, { accountId: null, text, pathOf: paths.key }),
      ]
    },
  })
}
