import { paths, workspaceOf } from "../access/paths.ts"
import { findAuthor } from "../accounts/account-operations.ts"
import type { PageApp } from "../platform/pages/context.ts"
import { CopyableList, displayName, NamedLink } from "../platform/pages/elements.tsx"
import { addList } from "../platform/pages/list.tsx"
import { Page } from "../platform/pages/page.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { FoundPurchase } from "./purchase.ts"
import { checkPurchaseOfAny, type Seller, saleIdOfPurchase } from "./purchase-operations.ts"
import { type Sale, saleIdOf } from "./sale.ts"
import {
  openSales,
  type PurchasePageServices,
  type SaleFilterName,
  saleFilterNames,
} from "./sale-list.tsx"

/** Authors or items that a filter can mean. */
const choicesMax = 10

export function addPurchasesRoutes(app: PageApp, services: PurchasePageServices): void {
  const { sales: reads } = services

  addList<Sale, "author" | SaleFilterName>(app, {
    path: paths.purchases,
    file: "sales",
    filterNames: ["author", ...saleFilterNames],
    isPrivate: true,
    async open(c, request) {
      const { text, filters } = request
      // The page of a purchase can be shared: its URL does not contain the code.
      const found = text === "" ? null : await checkPurchaseOfAny(reads, text)
      if (found?.kind === "sold" && found.others.length === 0)
        return c.redirect(pathOfPurchase(found.purchase), 303)
      const checked =
        found?.kind === "sold"
          ? ({ kind: "matching", codes: [found.purchase.code, ...found.others] } as const)
          : found
      const choices = await findChoices(services, filters)
      const [seller = null] = choices?.length === 1 ? choices : []
      const isUnclear = choices !== null && seller === null
      const item = seller?.item ?? filters.item
      const list = await openSales(services, seller, {
        ...request,
        filters: { ...filters, item },
      })
      return {
        ...list,
        columns: list.columns.toSpliced(3, 0, {
          head: t("Author"),
          ...(seller && { on: "csv" }),
          value: ({ username }) => username,
          cell: ({ accountId, username }) => (
            <NamedLink href={paths.author(accountId)} name={username} />
          ),
        }),
        search: t("Code, buyer or author"),
        read: async (after, rowsMax) =>
          isUnclear || checked?.kind === "matching"
            ? { rows: [], next: null }
            : list.read(after, rowsMax),
        filters: (
          <>
            <input
              type="text"
              name="author"
              value={filters.author && (seller?.username ?? filters.author)}
              placeholder={t("All authors")}
              aria-label={t("Author")}
              autocomplete="off"
            />
            {list.filters}
          </>
        ),
        linkOf: pathOfSale,
        empty: isUnclear ? (
          <Choices
            label={
              choices.length > 0
                ? t("Several match. Choose one:")
                : t("No results match this filter.")
            }
            choices={choices}
          />
        ) : checked === null ? (
          list.empty
        ) : (
          <>
            {found?.kind === "sold"
              ? t("The text contains more codes:")
              : t(purchaseProblemTexts[checked.kind])}{" "}
            {checked.kind === "matching" && <CopyableList texts={checked.codes} />}
          </>
        ),
        async page(rows, listed) {
          const isOther = text !== "" && seller === null && listed.rows.length === 0
          const named = isOther ? await searchAuthors(services, text) : []
          return (
            <Page title={t("Sales")}>
              {!isUnclear && (await list.readHead(listed))}
              {named.length > 0 && <Choices label={t("Sales of:")} choices={named} />}
              {rows}
            </Page>
          )
        },
      }
    },
  })
}

export const pathOfPurchase = (purchase: FoundPurchase) =>
  `${workspaceOf(purchase.username).check}/${saleIdOfPurchase(purchase)}`

export const pathOfSale = (sale: Sale) => `${workspaceOf(sale.username).check}/${saleIdOf(sale)}`

/** What a filter can mean: an author, or an item of one. */
type Choice = Seller & Readonly<{ path: string; name: string; item?: string }>

type ChoicesProps = Readonly<{ label: string; choices: readonly Choice[] }>

const Choices = ({ label, choices }: ChoicesProps) => (
  <p class="hint">
    {label}{" "}
    {choices.map(({ path, name, username, item }) => (
      <>
        <NamedLink href={path} name={name} /> {item && <bdi>({username})</bdi>}{" "}
      </>
    ))}
  </p>
)

/** Null without these filters. */
async function findChoices(
  services: PurchasePageServices,
  { author, item }: Readonly<Record<"author" | "item", string>>,
): Promise<readonly Choice[] | null> {
  if (author !== "") {
    const { accounts } = services
    const found = (await accounts.findByUsername(author)) ?? (await findAuthor(services, author))
    return found === null ? searchAuthors(services, author) : [toChoice(found)]
  }
  if (item === "") return null
  const { itemSearch } = services
  const found = /^\d{1,15}$/.test(item) ? await itemSearch.findOfAny(Number(item)) : null
  const items = found ? [{ ...found, name: "" }] : await itemSearch.listOfAny(item, choicesMax)
  return items.map(({ id, name, accountId, username }) => {
    const path = paths.salesOfItem(id)
    return { id: accountId, username, path, name: displayName(name, id), item: String(id) }
  })
}

const toChoice = ({ id, username }: Seller): Choice => ({
  id,
  username,
  path: paths.salesOf(id),
  name: username,
})

async function searchAuthors({ authorSearch, now }: PurchasePageServices, text: string) {
  const order = { sort: "name", isDescending: false, at: formatTimestamp(now()) } as const
  const query = { ...order, text, offset: 0, rowsMax: choicesMax }
  return (await authorSearch.search(query)).authors.map(toChoice)
}

const purchaseProblemTexts = {
  empty: "No purchase has this code.",
  invalid: "No purchase has this code.",
  matching: "Several codes differ from this one only in upper and lower case:",
  unknown:
    "No purchase has this code or a buyer whose name begins with this text. If you pasted a message, paste only the code.",
  test: "This is a test code. It works with test keys only; no buyer has it.",
} as const
