import { trimBlank } from "../../../domain/values/blank.ts"
import { shownName } from "../../pages/parts/name.ts"
import { Pill } from "../../pages/parts/pill.tsx"
import { Day, formatMoney } from "../../pages/parts/values.tsx"
import { WorkspacePage } from "../../pages/parts/workspace-layout.tsx"
import type { View } from "../../pages/view.ts"
import type { ItemFacts } from "../frame/item-facts.ts"
import { type ListPlace, pathOfItems } from "../frame/item-paths.ts"
import { ItemPreview } from "../parts/item-preview.tsx"
import { ItemState } from "../parts/item-state.tsx"
import { JsonBlock } from "../parts/json-block.tsx"
import { Thumbnail } from "../parts/thumbnail.tsx"

type Props = Readonly<{ view: View; item: ItemFacts; json: string; place: ListPlace }>

export const ItemPage = ({ view, item, json, place }: Props) => {
  const words = view.words.items
  return (
    <WorkspacePage view={view} title={shownName(item.name, item.id)}>
      <p class="crumb">
        ‹{" "}
        <a href={pathOfItems(place)}>
          {place.text === "" ? words.back : words.backToSearch(place.text)}
        </a>
      </p>
      <div class="item-cell">
        <Thumbnail name={item.name} url={item.media.thumbnail} isLarge />
        <div>
          <h1>
            <bdi>{trimBlank(item.name) || item.id}</bdi>
          </h1>
          <ItemState view={view} isHidden={item.isHidden} />
        </div>
      </div>
      {item.isHidden && <p class="hint">{words.hiddenNote}</p>}
      <section class="panel item-body">
        <div>
          <ItemPreview view={view} item={item} />
          <p class="long-text">{shortened(item.description)}</p>
          {item.tags.length > 0 && (
            <ul class="tags" aria-label={words.tags}>
              {item.tags.slice(0, tagsMax).map((tag) => (
                <li>
                  <Pill tone="plain">{shownName(tag, "–")}</Pill>
                </li>
              ))}
            </ul>
          )}
          <p>
            <a href={item.demo_link} rel="noopener noreferrer">
              {words.demo}
            </a>
          </p>
        </div>
        <Facts view={view} item={item} />
      </section>
      <section class="panel">
        <JsonBlock view={view} title={words.asJson} json={json} />
      </section>
    </WorkspacePage>
  )
}

const Facts = ({ view, item }: { view: View; item: ItemFacts }) => {
  const words = view.words.items
  return (
    <dl class="facts">
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
  )
}

/** The JSON on the page has the whole text and every tag. */
const descriptionCharactersMax = 2_000
const tagsMax = 30

function shortened(description: string): string {
  const characters = [...trimBlank(description)]
  if (characters.length <= descriptionCharactersMax) return characters.join("")
  return `${characters.slice(0, descriptionCharactersMax).join("")}…`
}
