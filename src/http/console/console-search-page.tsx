/** Search for codes, keys, authors, items, operators and pages. The query is never in a URL. */
import type { AuthorFacts } from "../../domain/catalog/author-search.ts"
import { containsKey, extractSecret, publicTestSecret } from "../../domain/keys/api-key.ts"
import type { Operator } from "../../domain/sign-in/operator.ts"
import type { ListedItem } from "../../domain/usage/operator-lists.ts"
import type { FoundPurchase } from "../../domain/usage/operator-reads.ts"
import { foldLetters, trimWhitespace } from "../../domain/values/text.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import { saleIdOfPurchase } from "../../operations/catalog/list-sales.ts"
import { checkPurchaseOfAny } from "../../operations/catalog/purchase-operations.ts"
import { findPastedKeyOfAny } from "../../operations/keys/find-key.ts"
import { DataTable } from "../pages/components/data-table.tsx"
import { Field, PostForm, pastedUnitsMax } from "../pages/components/form-fields.tsx"
import { displayName } from "../pages/components/formatted-values.tsx"
import { listPagesNamed, type Page } from "../pages/components/layout.tsx"
import { Links, Panel } from "../pages/components/panels-and-tables.tsx"
import { itemColumns } from "./console-items-page.tsx"
import { ConsoleKeyTable, listMasked, type MaskedKey } from "./console-keys-page.tsx"
import { type ConsoleApp, type ConsoleView, viewOf } from "./layout/console-context.ts"
import { ConsolePage, sectionsOf } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

/** Longer texts are not searched as names. */
const nameUnitsMax = 200
/** Results per kind. */
const foundMax = 10

export function addSearchRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { authorSearch, operatorLists, operatorReads, operators, now } = services

  async function search(view: ConsoleView, text: string): Promise<Found> {
    const at = formatTimestamp(now())
    const isName = text.length <= nameUnitsMax
    const [checked, byName, items, keyIds] = await Promise.all([
      checkPurchaseOfAny(operatorReads, text),
      isName
        ? authorSearch.search({ text, sort: "name", at, offset: 0, rowsMax: foundMax })
        : { authors: [], total: 0 },
      isName
        ? operatorLists.listItems({ accountId: null, isHidden: null, text }, null, foundMax + 1)
        : [],
      isName ? operatorLists.listKeys({ ...anyKey, at, text }, null, foundMax + 1) : [],
    ])
    const wanted = foldLetters(text)
    return {
      pages: listPagesNamed(sectionsOf(view), text),
      operators: (await operators.list()).filter(({ name }) => foldLetters(name).includes(wanted)),
      purchase: checked.kind === "sold" ? checked.purchase : null,
      authors: byName.authors,
      authorsTotal: byName.total,
      items: items.slice(0, foundMax),
      keys: await listMasked(services, keyIds.slice(0, foundMax)),
      hasMore: byName.total > foundMax || items.length > foundMax || keyIds.length > foundMax,
    }
  }

  app.get(paths.search, (c) => c.html(<SearchPage view={viewOf(c)} text="" found={null} />))

  app.post(paths.search, async (c) => {
    const text = trimWhitespace(c.get("form").text("q").slice(0, pastedUnitsMax).toWellFormed())
    if (text === "") return c.redirect(paths.search, 303)
    const { texts } = viewOf(c)
    const showProblem = (problem: string) =>
      c.html(<SearchPage view={viewOf(c)} text="" found={null} problem={problem} />, 422)
    if (extractSecret(text) === publicTestSecret) return showProblem(texts.keyPages.find.publicTest)
    const key = await findPastedKeyOfAny(services, text)
    if (key !== null) return c.redirect(paths.key(key.id), 303)
    // An unknown key may be valid on another server, so the page does not repeat it.
    if (containsKey(text)) return showProblem(texts.consoleKeys.none)
    const found = await search(viewOf(c), text)
    const only = countOf(found) === 1 ? pathOfOnly(found) : null
    if (only !== null) return c.redirect(only, 303)
    return c.html(<SearchPage view={viewOf(c)} text={text} found={found} />)
  })
}

const anyKey = { accountId: null, kind: null, isLive: null }

type Found = Readonly<{
  pages: readonly Page[]
  operators: readonly Pick<Operator, "name">[]
  purchase: FoundPurchase | null
  authors: readonly AuthorFacts[]
  authorsTotal: number
  items: readonly ListedItem[]
  keys: readonly MaskedKey[]
  hasMore: boolean
}>

const countOf = ({ pages, operators, purchase, authorsTotal, items, keys }: Found) =>
  pages.length +
  operators.length +
  (purchase === null ? 0 : 1) +
  authorsTotal +
  items.length +
  keys.length

function pathOfOnly({ purchase, pages, operators, authors, items, keys }: Found): string | null {
  if (purchase !== null) return paths.check(saleIdOfPurchase(purchase))
  const [[page], [author], [item], [key]] = [pages, authors, items, keys]
  if (page !== undefined) return page.path
  if (operators.length > 0) return paths.operators
  if (author !== undefined) return paths.author(author.id)
  if (item !== undefined) return paths.item(item.id)
  return key === undefined ? null : paths.key(key.key.id)
}

type Props = Readonly<{
  view: ConsoleView
  text: string
  found: Found | null
  problem?: string
}>

const SearchPage = ({ view, text, found, problem }: Props) => {
  const { authors, consoleKeys: keys, search } = view.texts
  return (
    <ConsolePage view={view} title={search.title} problem={problem}>
      <p>{search.console.intro}</p>
      <PostForm view={view} action={paths.search} class="filter">
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
        <Panel id="code-title" title={view.texts.purchases.purchase}>
          <a class="mono wraps" href={paths.check(saleIdOfPurchase(found.purchase))}>
            {found.purchase.code}
          </a>
        </Panel>
      )}
      {found !== null && found.pages.length > 0 && (
        <Panel id="pages-title" title={search.pages}>
          <Links rows={found.pages.map((page) => [page.path, page.text])} />
        </Panel>
      )}
      {found !== null && found.operators.length > 0 && (
        <Panel id="operators-title" title={view.texts.operators.title}>
          <Links rows={found.operators.map(({ name }) => [paths.operators, name])} />
        </Panel>
      )}
      {found !== null && found.authors.length > 0 && (
        <Panel id="authors-title" title={authors.title}>
          <Links
            rows={found.authors.map(({ id, fullName, username }) => [
              paths.author(id),
              displayName(fullName, username),
              displayName(username, id),
            ])}
          />
        </Panel>
      )}
      {found !== null && found.items.length > 0 && (
        <Panel id="items-title" title={view.texts.items.title}>
          <DataTable
            view={view}
            columns={itemColumns(view)}
            rows={found.items}
            linkOf={({ id }) => paths.item(id)}
          />
        </Panel>
      )}
      {found !== null && found.keys.length > 0 && (
        <Panel id="keys-title" title={keys.title}>
          <ConsoleKeyTable view={view} keys={found.keys} />
        </Panel>
      )}
      {found?.hasMore && <p class="hint">{search.more(foundMax)}</p>}
    </ConsolePage>
  )
}
