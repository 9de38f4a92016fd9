import { itemBodyOf } from "../../../domain/catalogue/item.ts"
import type { FoundItem, ItemCallsOfAll } from "../../../domain/usage/operator-reads.ts"
import { shownName } from "../../pages/parts/name.ts"
import type { ConsoleView } from "../frame/console-context.ts"
import { ConsolePage } from "../parts/console-layout.tsx"
import { AskedFor, ItemAuthor } from "../parts/item-facts.tsx"

type Props = Readonly<{ view: ConsoleView; item: FoundItem; calls: ItemCallsOfAll }>

export const ConsoleItemPage = ({ view, item, calls }: Props) => {
  const { purchases } = view.texts
  return (
    <ConsolePage view={view} title={purchases.itemTitle(item.id)}>
      <section class="panel">
        <dl class="facts">
          <dt>{view.words.check.item}</dt>
          <dd>
            <bdi>{shownName(itemBodyOf(item).name, item.id)}</bdi>
          </dd>
          <ItemAuthor view={view} found={item} />
          <dt>{purchases.state}</dt>
          <dd>{item.isHidden ? purchases.hidden : purchases.visible}</dd>
          <dt>{purchases.sold}</dt>
          <dd>{item.purchases.toLocaleString(view.locale)}</dd>
          <AskedFor view={view} calls={calls} />
        </dl>
      </section>
    </ConsolePage>
  )
}
