import { itemSorts } from "../../../domain/item-search.ts"
import type { ItemFacts } from "../item-facts.ts"
import { type ListPlace, pathOfItem, pathOfItems } from "../item-paths.ts"
import { Field } from "../parts/fields.tsx"
import { ItemState } from "../parts/item-state.tsx"
import { shownName } from "../parts/name.ts"
import { Pager } from "../parts/pager.tsx"
import { Thumbnail } from "../parts/thumbnail.tsx"
import { Day, formatMoney } from "../parts/values.tsx"
import { WorkspacePage } from "../parts/workspace-layout.tsx"
import type { View } from "../view.ts"

type Props = ListPlace &
  Readonly<{ view: View; pages: number; total: number; items: readonly ItemFacts[] }>

export const ItemsPage = (props: Props) => {
  const { view, text, sort, total, items } = props
  const words = view.words.items
  return (
    <WorkspacePage view={view} title={words.title}>
      <h1>{words.title}</h1>
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
      <div id="results" aria-live="polite">
        {total === 0 ? <NoItems view={view} text={text} /> : <ItemTable {...props} items={items} />}
      </div>
    </WorkspacePage>
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
      <table class="stack items">
        <thead>
          <tr>
            <th scope="col">{words.name}</th>
            <th scope="col">{words.price}</th>
            <th scope="col">{words.state}</th>
            <th scope="col">{words.published}</th>
          </tr>
        </thead>
        <tbody>
          {items.map((item) => (
            <tr>
              <td>
                <div class="item-cell">
                  <Thumbnail name={item.name} url={item.media.thumbnail} />
                  <div>
                    <a class="clamp" href={pathOfItem(item.id, { text, sort, page })}>
                      {shownName(item.name, item.id)}
                    </a>
                    <span class="hint mono">{item.id}</span>
                  </div>
                </div>
              </td>
              <td class="amount" data-label={words.price}>
                {formatMoney(item.price.regular, item.currency, view.locale)}
              </td>
              <td>
                <ItemState view={view} isHidden={item.isHidden} />
              </td>
              <td data-label={words.published}>
                <Day view={view} at={item.published_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <Pager
        view={view}
        label={words.title}
        total={words.total(total)}
        page={page}
        pages={pages}
        linkTo={(target) => pathOfItems({ text, sort, page: target })}
      />
    </>
  )
}
