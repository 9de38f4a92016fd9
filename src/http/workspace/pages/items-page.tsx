import { type ItemSummary, itemSorts } from "../../../domain/catalogue/item-search.ts"
import { Field } from "../../pages/parts/fields.tsx"
import { shownName } from "../../pages/parts/name.ts"
import { Pager } from "../../pages/parts/pager.tsx"
import { Day, formatMoney } from "../../pages/parts/values.tsx"
import { WorkspacePage } from "../../pages/parts/workspace-layout.tsx"
import type { View } from "../../pages/view.ts"
import { type ListPlace, pathOfItem, pathOfItems } from "../frame/item-paths.ts"
import { ItemState } from "../parts/item-state.tsx"
import { Thumbnail } from "../parts/thumbnail.tsx"

type Props = ListPlace &
  Readonly<{ view: View; pages: number; total: number; items: readonly ItemSummary[] }>

export const ItemsPage = (props: Props) => {
  const { view, text, sort, total, items } = props
  const words = view.words.items
  return (
    <WorkspacePage view={view} title={words.title}>
      <h1>{words.title}</h1>
      {(total > 0 || text !== "") && <SearchForm view={view} text={text} sort={sort} />}
      <div id="results" aria-live="polite">
        {total === 0 ? <NoItems view={view} text={text} /> : <ItemTable {...props} items={items} />}
      </div>
    </WorkspacePage>
  )
}

const SearchForm = ({ view, text, sort }: Pick<Props, "view" | "text" | "sort">) => {
  const words = view.words.items
  return (
    <form method="get" action="/workspace/items" class="filter" role="search" data-live>
      <Field name="q" label={words.search} type="search" value={text} maxlength={200} />
      <div class="field sort">
        <label for="sort">{words.sort}</label>
        <select id="sort" name="sort">
          {itemSorts.map((each) => (
            <option value={each} selected={each === sort}>
              {words.sorts[each]}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="quiet">
        {words.find}
      </button>
    </form>
  )
}

const NoItems = ({ view, text }: { view: View; text: string }) =>
  text === "" ? (
    <p class="empty">{view.words.items.none}</p>
  ) : (
    <p class="empty">
      {view.words.items.noMatch(text)} <a href="/workspace/items">{view.words.items.showAll}</a>
    </p>
  )

const ItemTable = ({ view, text, sort, page, pages, total, items }: Props) => {
  const words = view.words.items
  return (
    <>
      <p class="hint">
        {text === "" ? (
          words.total(total)
        ) : (
          <>
            {words.matches(total, text)} <a href="/workspace/items">{words.showAll}</a>
          </>
        )}
      </p>
      <table class="stack items">
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.category}</th>
            <th scope="col">{words.published}</th>
            <th scope="col" class="amount">
              {words.price}
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr>
              <td>
                <div class="item-cell">
                  <Thumbnail name={item.name} url={item.thumbnail} />
                  <div>
                    <a class="clamp" href={pathOfItem(item.id, { text, sort, page })}>
                      <bdi>{shownName(item.name, item.id)}</bdi>
                    </a>
                    <span class="hint mono">{item.id}</span>{" "}
                    <ItemState view={view} isHidden={item.isHidden} />
                  </div>
                </div>
              </td>
              <td>
                <span class="clamp">
                  <bdi>{item.category}</bdi>
                </span>
              </td>
              <td>
                <Day view={view} at={item.publishedAt} />
              </td>
              <td class="amount">{formatMoney(item.price, item.currency, view.locale)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {pages > 1 && (
        <Pager
          view={view}
          label={words.title}
          total={words.total(total)}
          page={page}
          pages={pages}
          linkTo={(target) => pathOfItems({ text, sort, page: target })}
        />
      )}
    </>
  )
}
