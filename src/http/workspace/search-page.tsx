/** Search of an author for own codes, items, keys and pages. The query is never in a URL. */
import type { ItemSummary } from "../../domain/catalog/item-search.ts"
import type { Purchase } from "../../domain/catalog/purchase.ts"
import {
  containsKey,
  extractSecret,
  maskOf,
  parseKeyEnding,
  publicTestSecret,
  type StoredKey,
} from "../../domain/keys/api-key.ts"
import { foldLetters, trimWhitespace } from "../../domain/values/text.ts"
import { saleIdOfPurchase } from "../../operations/catalog/list-sales.ts"
import { checkPurchase } from "../../operations/catalog/purchase-operations.ts"
import { findPastedKey } from "../../operations/keys/find-key.ts"
import { type AuthorApp, viewOf, visitorOf } from "../pages/author-context.ts"
import { Field, PostForm, pastedUnitsMax } from "../pages/components/form-fields.tsx"
import { displayName } from "../pages/components/formatted-values.tsx"
import { listPagesNamed, type Page } from "../pages/components/layout.tsx"
import { Links, Panel } from "../pages/components/panels-and-tables.tsx"
import { WorkspacePage, workspaceSections } from "../pages/components/workspace-layout.tsx"
import { pathOfKey, searchPath } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

/** Longer texts are not searched as names. */
const nameUnitsMax = 200
/** Results per kind. */
const foundMax = 10

const pathOfItem = (id: number) => `/workspace/items/${id}`
const pathOfSale = (purchase: Purchase) => `/workspace/check/${saleIdOfPurchase(purchase)}`

export function addSearchRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { itemSearch, keys, purchases, keyCipher } = services

  async function search(view: View, accountId: number, text: string): Promise<Found> {
    const checked = await checkPurchase(purchases, accountId, text)
    const purchase = checked.kind === "sold" ? checked.purchase : null
    if (text.length > nameUnitsMax) {
      return { purchase, pages: [], items: [], itemsTotal: 0, keys: [] }
    }
    const query = { text, sort: "-published", offset: 0, rowsMax: foundMax } as const
    const { items, total: itemsTotal } = await itemSearch.search(accountId, query)
    const wanted = foldLetters(text)
    const ending = parseKeyEnding(text)
    const own = (await keys.list(accountId)).filter(
      (key) =>
        key.id === text ||
        foldLetters(key.name).includes(wanted) ||
        (ending !== null && maskOf(keyCipher, key).endsWith(`…${ending}`)),
    )
    const pages = listPagesNamed(workspaceSections(view), text)
    return { purchase, pages, items, itemsTotal, keys: own.toReversed() }
  }

  app.get(searchPath, (c) => c.html(<SearchPage view={viewOf(c)} text="" found={null} />))

  app.post(searchPath, async (c) => {
    const { account } = visitorOf(c)
    const text = trimWhitespace(c.get("form").text("q").slice(0, pastedUnitsMax).toWellFormed())
    if (text === "") return c.redirect(searchPath, 303)
    const key = await findPastedKey(services, account.id, text)
    if (key !== null) return c.redirect(pathOfKey(key.id), 303)
    // An unknown key may be valid on another server, so the page does not repeat it.
    if (containsKey(text)) {
      const texts = viewOf(c).texts.keyPages.find
      const problem = extractSecret(text) === publicTestSecret ? texts.publicTest : texts.none
      return c.html(<SearchPage view={viewOf(c)} text="" found={null} problem={problem} />, 422)
    }
    const found = await search(viewOf(c), account.id, text)
    const only = countOf(found) === 1 ? pathOfOnly(found) : null
    if (only !== null) return c.redirect(only, 303)
    return c.html(<SearchPage view={viewOf(c)} text={text} found={found} />)
  })
}

type Found = Readonly<{
  purchase: Purchase | null
  pages: readonly Page[]
  items: readonly ItemSummary[]
  itemsTotal: number
  keys: readonly StoredKey[]
}>

const countOf = ({ purchase, pages, itemsTotal, keys }: Found) =>
  (purchase === null ? 0 : 1) + pages.length + itemsTotal + keys.length

function pathOfOnly(found: Found): string | null {
  const { purchase, pages, items, keys } = found
  const [[page], [item], [key]] = [pages, items, keys]
  if (purchase !== null) return pathOfSale(purchase)
  if (page !== undefined) return page.path
  if (item !== undefined) return pathOfItem(item.id)
  return key === undefined ? null : pathOfKey(key.id)
}

type Props = Readonly<{ view: View; text: string; found: Found | null; problem?: string }>

const SearchPage = ({ view, text, found, problem }: Props) => {
  const { columns, search, items, keys } = view.texts
  return (
    <WorkspacePage view={view} title={search.title} problem={problem}>
      <p>{search.intro}</p>
      <PostForm view={view} action={searchPath} class="filter">
        <Field
          name="q"
          label={search.label}
          type="search"
          value={text}
          autocomplete="off"
          error={problem}
          isFocused
        />
        <button type="submit">{search.title}</button>
      </PostForm>
      {found !== null && countOf(found) === 0 && <p class="empty">{search.none}</p>}
      {found !== null && found.purchase !== null && (
        <Panel id="code-title" title={columns.code}>
          <a class="mono" href={pathOfSale(found.purchase)}>
            {found.purchase.code}
          </a>
        </Panel>
      )}
      {found !== null && found.pages.length > 0 && (
        <Panel id="pages-title" title={search.pages}>
          <Links rows={found.pages.map((page) => [page.path, page.text])} />
        </Panel>
      )}
      {found !== null && found.items.length > 0 && (
        <Panel id="items-title" title={items.title}>
          <Links
            rows={found.items.map(({ id, name }) => [
              pathOfItem(id),
              displayName(name, id),
              String(id),
            ])}
          />
        </Panel>
      )}
      {found !== null && found.keys.length > 0 && (
        <Panel id="keys-title" title={keys.title}>
          <Links
            rows={found.keys
              .slice(0, foundMax)
              .map(({ id, name, kind }) => [
                pathOfKey(id),
                displayName(name, id),
                keys.kinds[kind],
              ])}
          />
        </Panel>
      )}
      {found !== null && (found.itemsTotal > foundMax || found.keys.length > foundMax) && (
        <p class="hint">{search.more(foundMax)}</p>
      )}
    </WorkspacePage>
  )
}
