import { type Item, type ItemBody, itemBodyOf } from "../../domain/catalog/item.ts"
import type { Sale } from "../../domain/catalog/sale.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { findSales } from "../../operations/catalog/list-sales.ts"
import {
  listWidelyUsedCodes,
  previewLimits,
  setSiteLimits,
} from "../../operations/catalog/site-operations.ts"
import { readItemEndpoint } from "../api/read-item-endpoint.ts"
import { renderErrorBody } from "../api/response/messages.ts"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  viewOf,
  viewWithNotice,
  visitorOf,
} from "../pages/author-context.ts"
import {
  Day,
  displayName,
  Fact,
  formatMoney,
  Pill,
  truncate,
} from "../pages/components/formatted-values.tsx"
import { JsonBlock, renderApiResponse } from "../pages/components/json-block.tsx"
import { Panel } from "../pages/components/panels-and-tables.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { pathOfSales } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"
import {
  type ItemListQuery,
  ItemState,
  itemsPath,
  parseItemListQuery,
  pathOfItems,
  Thumbnail,
} from "./items-page.tsx"
import { SalesTable } from "./sales-page.tsx"
import {
  ConfirmLimitsPage,
  parseSiteLimitsForm,
  readSiteLimitsForm,
  type SiteLimitsFormValues,
  SiteLimitsPanel,
  type SiteLimitsPanelProps,
  siteLimitsFormValuesOf,
} from "./site-limits-panel.tsx"

export function addItemRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { items } = services

  app.get(itemPath, async (c) => {
    const item = await find(c)
    if (item === null) return c.notFound()
    return showItem(c, item, siteLimitsFormValuesOf(await services.sites.findLimits(item.id)))
  })

  // Without `confirmed`, the response is a preview.
  app.post(`${itemPath}/sites`, async (c) => {
    const item = await find(c)
    if (item === null) return c.notFound()
    const values = readSiteLimitsForm(c.get("form"))
    const limits = parseSiteLimitsForm(values)
    if (limits === null) {
      c.status(422)
      return showItem(c, item, values)
    }
    if (c.get("form").text("confirmed") === "") {
      const preview = await previewLimits(services, item.id, limits)
      const shown = { view: viewOf(c), item: itemFactsOf(item), values, limits, ...preview }
      return c.html(<ConfirmLimitsPage {...shown} />)
    }
    const { id: accountId, username: author } = visitorOf(c).account
    const recording = { ...services, actor: actorOf(c) }
    const isUpdated = await setSiteLimits(recording, { id: item.id, accountId, author }, limits)
    return isUpdated ? c.redirect(`${itemsPath}/${item.id}?done=sites`, 303) : c.notFound()
  })

  async function find(c: AuthorContext): Promise<Item | null> {
    const id = Number(c.req.param("id"))
    return Number.isSafeInteger(id) ? items.find(visitorOf(c).account.id, id) : null
  }

  async function showItem(
    c: AuthorContext,
    item: Item,
    values: SiteLimitsFormValues,
  ): Promise<Response> {
    const ofItem = { itemIds: [item.id], state: null, range: null }
    const accountId = visitorOf(c).account.id
    const { sales } = await findSales(services, accountId, ofItem, "", null, salesMax)
    const view = viewWithNotice(c, { sites: viewOf(c).texts.sites.limit.saved })
    return c.html(
      <ItemPage
        view={view}
        item={itemFactsOf(item)}
        json={
          item.isHidden
            ? renderErrorBody("read_item", "unknown_item", view.locale)
            : await renderApiResponse(readItemEndpoint, item, view.locale)
        }
        listQuery={parseItemListQuery(c)}
        sales={sales}
        values={values}
        codes={await listWidelyUsedCodes(services, item.id, codesMax)}
      />,
    )
  }
}

const itemPath = "/workspace/items/:id{[0-9]+}"
const codesMax = 10
const salesMax = 5

type ItemFacts = ItemBody & Pick<Item, "isHidden">

const itemFactsOf = (item: Item): ItemFacts => ({
  ...itemBodyOf(item),
  isHidden: item.isHidden,
})

type ItemPageProps = Readonly<{
  view: View
  item: ItemFacts
  json: string
  listQuery: ItemListQuery
  sales: readonly Sale[]
}> &
  Omit<SiteLimitsPanelProps, "itemId">

const ItemPage = ({ view, item, json, listQuery, sales, values, codes }: ItemPageProps) => {
  const texts = view.texts.items
  return (
    <WorkspacePage view={view} title={displayName(item.name, item.id)} heading={null}>
      <p class="crumb">
        ‹{" "}
        <a href={pathOfItems(listQuery)}>
          {listQuery.text === "" ? texts.back : texts.backToSearch(listQuery.text)}
        </a>
      </p>
      <div class="item-cell">
        <Thumbnail name={item.name} url={item.media.thumbnail} isLarge />
        <div>
          <h1>
            <bdi>{trimWhitespace(item.name) || item.id}</bdi>
          </h1>
          <ItemState view={view} isHidden={item.isHidden} />
        </div>
      </div>
      {item.isHidden && <p class="hint">{texts.hiddenNote}</p>}
      <section class="panel item-body">
        <div>
          <ItemPreview view={view} item={item} />
          <p class="long-text">{truncate(item.description, descriptionCharactersMax)}</p>
          {item.tags.length > 0 && (
            <ul class="tags" aria-label={texts.tags}>
              {item.tags.slice(0, tagsMax).map((tag) => (
                <li>
                  <Pill tone="plain">{displayName(tag, "–")}</Pill>
                </li>
              ))}
            </ul>
          )}
          <p>
            <a href={item.demo_link} rel="noopener noreferrer">
              {texts.demo}
            </a>
          </p>
        </div>
        <Facts view={view} item={item} />
      </section>
      <Panel id="sales" title={view.texts.sales.latestOfItem}>
        {sales.length === 0 ? (
          <p class="hint">{view.texts.sales.noneOfItem}</p>
        ) : (
          <>
            <SalesTable view={view} sales={sales} isOfOne />
            <p>
              <a href={pathOfSales({ item: item.id, days: "all" })}>{view.texts.sales.allOfItem}</a>
            </p>
          </>
        )}
      </Panel>
      <SiteLimitsPanel view={view} itemId={item.id} values={values} codes={codes} />
      <section class="panel">
        <JsonBlock view={view} title={texts.asJson} json={json} />
      </section>
    </WorkspacePage>
  )
}

const Facts = ({ view, item }: { view: View; item: ItemFacts }) => {
  const texts = view.texts.items
  return (
    <dl class="facts">
      <Fact name={texts.id} class="mono" value={item.id} />
      <Fact name={texts.regular} class="amount">
        {formatMoney(item.price.regular, item.currency, view.locale)}
      </Fact>
      <Fact name={texts.extended} class="amount">
        {formatMoney(item.price.extended, item.currency, view.locale)}
      </Fact>
      <Fact name={texts.category}>
        {item.category} / {item.sub_category}
      </Fact>
      <Fact name={view.texts.columns.version} value={item.version} />
      <Fact name={texts.published} value={<Day view={view} at={item.published_at} />} />
    </dl>
  )
}

/** Long texts are cut: the JSON on the page of a visible item has them whole. */
const descriptionCharactersMax = 2_000
const tagsMax = 30

const screenshotsMax = 8

/** Media and screenshots are loaded from the host of the marketplace. */
const ItemPreview = ({ view, item }: { view: View; item: ItemFacts }) => {
  const texts = view.texts.items
  const screenshots = (item.media.screenshots ?? []).slice(0, screenshotsMax)
  return (
    <>
      <Medium label={texts.preview(displayName(item.name, item.id))} media={item.media} />
      {screenshots.length > 0 && (
        <div class="screenshots">
          {screenshots.map((url, index) => (
            <a href={url} rel="noopener noreferrer">
              <Picture url={url} label={texts.screenshot(index + 1)} />
            </a>
          ))}
        </div>
      )}
    </>
  )
}

const Medium = ({ label, media }: { label: string; media: ItemFacts["media"] }) => {
  if ("preview_audio" in media) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: imports contain no captions.
      <audio class="preview" controls preload="none" src={media.preview_audio} aria-label={label} />
    )
  }
  if (media.preview_video === undefined) return <Picture url={media.preview_image} label={label} />
  return (
    // biome-ignore lint/a11y/useMediaCaption: imports contain no captions.
    <video
      class="preview"
      controls
      preload="none"
      src={media.preview_video}
      poster={media.preview_image}
      aria-label={label}
    />
  )
}

const Picture = ({ url, label }: { url: string; label: string }) => (
  <img class="preview" src={url} alt={label} loading="lazy" referrerpolicy="no-referrer" />
)
