import { trimBlank } from "../../../domain/blank.ts"
import type { ItemFacts } from "../item-facts.ts"
import { ItemState } from "../parts/item-state.tsx"
import { JsonBlock } from "../parts/json-block.tsx"
import { WorkspacePage } from "../parts/layout.tsx"
import { shownName } from "../parts/name.ts"
import { Thumbnail } from "../parts/thumbnail.tsx"
import { Day, formatMoney } from "../parts/values.tsx"
import type { View } from "../view.ts"

export const ItemPage = ({ view, item, json }: { view: View; item: ItemFacts; json: string }) => {
  const words = view.words.items
  return (
    <WorkspacePage view={view} title={shownName(item.name, item.id)}>
      <p>
        <a href="/workspace/items">{words.title}</a>
      </p>
      <div class="item-cell">
        <Thumbnail name={item.name} url={item.media.thumbnail} isLarge />
        <h1>{trimBlank(item.name) || item.id}</h1>
      </div>
      <section class="panel">
        <dl class="facts">
          <dt>{words.state}</dt>
          <dd>
            <ItemState view={view} isHidden={item.isHidden} />
            {item.isHidden && <p class="hint">{words.hiddenNote}</p>}
          </dd>
          <dt>{words.id}</dt>
          <dd class="mono">{item.id}</dd>
          <dt>{words.regular}</dt>
          <dd class="amount">{formatMoney(item.price.regular, item.currency, view.locale)}</dd>
          <dt>{words.extended}</dt>
          <dd class="amount">{formatMoney(item.price.extended, item.currency, view.locale)}</dd>
          <dt>{words.category}</dt>
          <dd>
            {item.category} / {item.sub_category}
          </dd>
          <dt>{words.version}</dt>
          <dd>{item.version}</dd>
          <dt>{words.published}</dt>
          <dd>
            <Day view={view} at={item.published_at} />
          </dd>
        </dl>
        <p>
          <a href={item.demo_link} rel="noopener noreferrer">
            {words.demo}
          </a>
        </p>
        <JsonBlock view={view} title={words.asJson} json={json} />
      </section>
    </WorkspacePage>
  )
}
