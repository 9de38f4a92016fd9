import { type Item, itemBodyOf } from "../../domain/catalog/item.ts"
import { type Sale, saleIdOf } from "../../domain/catalog/sale.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
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
  visitorOf,
} from "../pages/author-context.ts"
import { DataTable } from "../pages/components/data-table.tsx"
import {
  Day,
  displayName,
  Fact,
  formatMoney,
  ItemState,
} from "../pages/components/formatted-values.tsx"
import { JsonBlock, renderApiResponse } from "../pages/components/json-block.tsx"
import { CsvLink, Panel } from "../pages/components/panels-and-tables.tsx"
import { saleColumns } from "../pages/components/sales-list.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { checkPath, itemsPath, salesPath, withQuery } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"
import {
  ConfirmLimitsPage,
  parseSiteLimitsForm,
  readSiteLimitsForm,
  type SiteLimitsFormValues,
  SiteLimitsPanel,
  type SiteLimitsPanelProps,
  siteLimitsFormValuesOf,
} from "./site-limits-panel.tsx"

const itemPath = `${itemsPath}/:id{[0-9]+}`
const codesMax = 10
const salesMax = 5

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
      const shown = { view: viewOf(c), itemId: item.id, values, limits, ...preview }
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
    const view = viewOf(c)
    const json = item.isHidden
      ? renderErrorBody("read_item", "unknown_item", view.locale)
      : await renderApiResponse(readItemEndpoint, item, view.locale)
    const codes = await listWidelyUsedCodes(services, item.id, codesMax)
    const at = formatTimestamp(services.now())
    return c.html(<ItemPage view={view} {...{ item, json, sales, values, codes, at }} />)
  }
}

type ItemPageProps = Omit<SiteLimitsPanelProps, "itemId"> &
  Readonly<{ item: Item; json: string; sales: readonly Sale[]; at: Timestamp }>

const ItemPage = ({ view, item, json, sales, values, codes, at }: ItemPageProps) => {
  const texts = view.texts.sales
  const { name } = itemBodyOf(item)
  const query = { item: item.id }
  return (
    <WorkspacePage
      view={view}
      title={displayName(name, item.id)}
      heading={<bdi>{trimWhitespace(name) || item.id}</bdi>}
    >
      <Facts view={view} item={item} />
      <Panel id="sales" title={texts.ofItem}>
        <DataTable
          view={view}
          rows={sales}
          columns={saleColumns(view, at).filter(({ isWide }) => !isWide)}
          linkOf={(sale) => `${checkPath}/${saleIdOf(sale)}`}
          empty={texts.noneOfItem}
        />
        {sales.length > 0 && (
          <p class="actions">
            <a href={withQuery(salesPath, query)}>{texts.allOfItem}</a>
            <CsvLink view={view} path={withQuery(`${salesPath}.csv`, query)} />
          </p>
        )}
      </Panel>
      <SiteLimitsPanel view={view} itemId={item.id} values={values} codes={codes} />
      <JsonBlock view={view} title={view.texts.items.asJson} json={json} />
    </WorkspacePage>
  )
}

/** The picture is loaded from the host of the marketplace. */
const Facts = ({ view, item }: Readonly<{ view: View; item: Item }>) => {
  const texts = view.texts.items
  const { price, currency, media, ...body } = itemBodyOf(item)
  return (
    <section class="panel item-facts">
      <img src={media.thumbnail} alt="" referrerpolicy="no-referrer" />
      <dl class="facts">
        <Fact name={view.texts.columns.state}>
          <ItemState view={view} isHidden={item.isHidden} /> {item.isHidden && texts.hiddenNote}
        </Fact>
        <Fact name={texts.id} class="mono" value={item.id} />
        <Fact name={texts.regular} class="amount">
          {formatMoney(price.regular, currency, view.locale)}
        </Fact>
        <Fact name={texts.extended} class="amount">
          {formatMoney(price.extended, currency, view.locale)}
        </Fact>
        <Fact name={texts.category}>
          {body.category} / {body.sub_category}
        </Fact>
        <Fact name={view.texts.columns.version}>
          {body.version}{" "}
          <a href={body.demo_link} rel="noopener noreferrer">
            {texts.demo}
          </a>
        </Fact>
        <Fact name={texts.published} value={<Day view={view} at={body.published_at} />} />
      </dl>
    </section>
  )
}
