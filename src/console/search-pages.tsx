/** Pages that the workspace also has. */

import { paths, workspaceOf } from "../access/paths.ts"
import type { AuthorSearch } from "../accounts/account.ts"
import type { KeySearchServices } from "../keys/key-facts.tsx"
import { findKeys, PastedKeyProblem, redirectPastedKey } from "../keys/key-list-pages.tsx"
import { findPastedKey } from "../keys/key-operations.ts"

import type { PeoplePageServices } from "../people/page-app.tsx"
import type { PageApp } from "../platform/pages/context.ts"
import { displayName } from "../platform/pages/elements.tsx"
import { addSearchPages, type FoundGroup, foundMax } from "../platform/pages/search.tsx"
import { t } from "../platform/t.ts"
import { foldLetters } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import { checkPurchaseOfAny } from "../purchases/purchase-operations.ts"
import { type PurchasePageServices, pathOfPurchase, pathOfSale } from "../purchases/sale-pages.tsx"
import { consoleSections } from "./frame.tsx"

type SearchServices = Pick<PeoplePageServices, "operators" | "now"> &
  KeySearchServices &
  PurchasePageServices &
  Readonly<{ authorSearch: AuthorSearch }>

export const addConsoleSearch = (app: PageApp, services: SearchServices): void =>
  addSearchPages(app, {
    route: paths.search,
    texts: () => ({
      label: t("Search for a code, buyer, key, author, item, operator or page"),
      intro: t(
        "Enter a purchase code or a message that contains one, the beginning of a buyer’s name, a key, a name of an author, item, key, operator or page, or an ID. Pazar does not store the key. To find a key by its last four characters, open its author.",
      ),
    }),
    problem: (c) => (
      <PastedKeyProblem
        c={c}
        unknown={t("This key does not exist. Check that it was copied completely.")}
      />
    ),
    sections: consoleSections,
    redirectKey: (c) => redirectPastedKey(c, (pasted) => findPastedKey(services, null, pasted)),
    async findCode(_, text) {
      const checked = await checkPurchaseOfAny(services.sales, text)
      const found = checked.kind === "sold" ? [checked.purchase] : []
      return {
        title: t("Purchase"),
        rows: found.map((sold) => [pathOfPurchase(sold), sold.code, sold.username]),
        total: found.length,
      }
    },
    findNames: (_, text) => findNames(services, text),
  })

async function findNames(services: SearchServices, text: string): Promise<readonly FoundGroup[]> {
  const at = formatTimestamp(services.now())
  const wanted = foldLetters(text)
  const operators = (await services.operators.list()).filter(({ name }) =>
    foldLetters(name).includes(wanted),
  )
  const byName = { text, sort: "name", isDescending: false, at, offset: 0 } as const
  const authors = await services.authorSearch.search({ ...byName, rowsMax: foundMax })
  const items = await services.itemSearch.listOfAny(text, foundMax + 1)
  const all = { itemIds: null, state: null, range: null }
  const sold = await services.sales.search(null, all, text, {
    after: null,
    rowsMax: foundMax,
    at,
  })
  return [
    {
      title: t("Operators"),
      rows: operators.slice(0, foundMax).map(({ name }) => [paths.operators, name]),
      total: operators.length,
    },
    {
      title: t("Authors"),
      rows: authors.authors.map(({ id, fullName, username }) => [
        paths.author(id),
        displayName(fullName, username),
        displayName(username, id),
      ]),
      total: authors.total,
    },
    {
      title: t("Items"),
      rows: items
        .slice(0, foundMax)
        .map(({ id, name, username }) => [
          `${workspaceOf(username).items}/${id}`,
          displayName(name, id),
          username,
        ]),
      total: items.length,
    },
    {
      title: t("Buyer"),
      rows: sold.sales.map((sale) => [
        pathOfSale(sale),
        sale.buyer ?? "",
        [displayName(sale.itemName, sale.itemId), sale.username, sale.soldAt.slice(0, 10)].join(
          " · ",
        ),
      ]),
      total: sold.sales.length + (sold.next === null ? 0 : 1),
    },
    await findKeys(services, { accountId: null, text }),
  ]
}
