import { routes } from "../access/paths.ts"
import { renderErrorBody } from "../contract/messages.ts"
import { withQuery } from "../platform/http/query.ts"
import {
  type Form,
  may,
  type PageApp,
  type PageContext,
  type View,
} from "../platform/pages/context.ts"
import { type Column, DataTable } from "../platform/pages/data-table.tsx"
import {
  CsvLink,
  Day,
  displayName,
  Fact,
  formatMoney,
  ItemState,
  JsonBlock,
  licenseLabel,
  Panel,
  renderApiResponse,
} from "../platform/pages/elements.tsx"
import { Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { WorkspacePage } from "../platform/pages/layout.tsx"
import { addList } from "../platform/pages/list.tsx"
import { trimWhitespace } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import { SiteLimitsText } from "../purchases/purchase-sites.tsx"
import { saleIdOf } from "../purchases/sale.ts"
import { saleColumns } from "../purchases/sale-list.tsx"
import { findSales } from "../purchases/sale-operations.ts"
import type { WidelyUsedCode } from "../purchases/site.ts"
import { previewLimits, setSiteLimits } from "../purchases/site-operations.ts"
import type { WorkspaceServices } from "../workspace/services.ts"
import { type Item, type ItemSummary, itemBodyOf, itemSorts } from "./item.ts"
import { readItemEndpoint } from "./item-endpoints.ts"
import { listKeysOfMovedItem, revokeKeyForItem } from "./item-operations.ts"
import { findSiteLimit, hasLimit, parseSiteLimit, type SiteLimits } from "./site-limit.ts"

export const addItemsRoutes = (app: PageApp, { itemSearch }: WorkspaceServices): void =>
  addList(app, {
    path: routes.items,
    file: "items",
    open(c, request) {
      const { text } = request
      const { view } = c.var
      const texts = view.texts.items
      const sort = itemSorts.find((each) => each === request.sort) ?? "-published"
      return {
        columns: columnsOf(view),
        search: texts.search,
        async read(after, rowsMax) {
          const { id } = c.var.account
          const { items, next } = await itemSearch.search(id, { text, sort, after, rowsMax })
          return { rows: items, next, ...(text === "" && { total: await itemSearch.count(id) }) }
        },
        linkOf: ({ id }: ItemSummary) => `${view.paths.items}/${id}`,
        empty: text === "" ? texts.none : view.texts.lists.none,
        page: (list) => (
          <WorkspacePage view={view} title={texts.title}>
            {list}
          </WorkspacePage>
        ),
      }
    },
  })

const columnsOf = (view: View): readonly Column<ItemSummary>[] => {
  const { columns, items: texts } = view.texts
  return [
    {
      head: columns.item,
      sort: "name",
      isWide: true,
      value: ({ name }) => name,
      cell: ({ id, name }) => <bdi>{displayName(name, id)}</bdi>,
    },
    { head: texts.id, kind: "code", priority: 2, value: ({ id }) => String(id) },
    { head: texts.category, priority: 3, value: ({ category }) => category },
    {
      head: columns.price,
      kind: "number",
      sort: "price",
      value: ({ price }) => price,
      cell: ({ price, currency }) => formatMoney(price, currency, view.locale),
    },
    { head: view.texts.sales.currency, on: "csv", value: ({ currency }) => currency },
    {
      head: texts.published,
      kind: "time",
      sort: "published",
      value: ({ publishedAt }) => publishedAt,
    },
    {
      head: columns.state,
      value: ({ isHidden }) => texts.states[isHidden ? "hidden" : "visible"],
      cell: (item) => <ItemState view={view} {...item} />,
    },
  ]
}

const itemPath = `${routes.items}/:id{[0-9]+}`
const codesMax = 10
const salesMax = 5

export function addItemRoutes(app: PageApp, services: WorkspaceServices): void {
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
    const { account, actor, form, view } = c.var
    const values = readSiteLimitsForm(form)
    const limits = parseSiteLimitsForm(values)
    if (limits === null) {
      c.status(422)
      return showItem(c, item, values)
    }
    if (form.text("confirmed") === "") {
      const preview = await previewLimits(services, item.id, limits)
      return c.html(
        <ConfirmLimitsPage {...{ view, itemId: item.id, values, limits, ...preview }} />,
      )
    }
    const owned = { id: item.id, accountId: account.id, username: account.username }
    const isUpdated = await setSiteLimits({ ...services, actor }, owned, limits)
    return isUpdated ? c.redirect(`${view.paths.items}/${item.id}?done=sites`, 303) : c.notFound()
  })

  // Without `confirmed`, the response asks for it.
  app.post(`${itemPath}/keys/:key`, async (c) => {
    const item = await find(c)
    const keys = item === null ? [] : await listKeysOfMovedItem(services, item.id)
    const key = keys.find(({ id }) => id === c.req.param("key"))
    if (item === null || key === undefined) return c.notFound()
    const { account, actor, form, view } = c.var
    if (form.text("confirmed") === "")
      return c.html(<ConfirmRevocationPage view={view} item={item} movedKey={key} />)
    const owned = { id: item.id, accountId: account.id, username: account.username }
    await revokeKeyForItem({ ...services, actor }, key, owned)
    return c.redirect(`${view.paths.items}/${item.id}?done=item_key`, 303)
  })

  async function find(c: PageContext): Promise<Item | null> {
    const id = Number(c.req.param("id"))
    return Number.isSafeInteger(id) ? items.find(c.var.account.id, id) : null
  }

  async function showItem(
    c: PageContext,
    item: Item,
    values: SiteLimitsFormValues,
  ): Promise<Response> {
    const { account, view } = c.var
    const texts = view.texts.sales
    const { name } = itemBodyOf(item)
    const query = { item: item.id }
    const ofItem = { itemIds: [item.id], state: null, range: null }
    const { sales } = await findSales(services, account, ofItem, "", null, salesMax)
    const json = item.isHidden
      ? renderErrorBody("read_item", "unknown_item", view.locale)
      : await renderApiResponse(readItemEndpoint, item, view.locale)
    const at = formatTimestamp(services.now())
    const codes = await services.sites.listWidelyUsed({ itemId: item.id }, 1, at, codesMax)
    const columns = saleColumns(view, at)
    const keys = await listKeysOfMovedItem(services, item.id)
    return c.html(
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
            columns={columns.filter(({ isWide }) => !isWide)}
            linkOf={(sale) => `${view.paths.check}/${saleIdOf(sale)}`}
            empty={texts.noneOfItem}
          />
          {sales.length > 0 && (
            <p class="actions">
              <a href={withQuery(view.paths.sales, query)}>{texts.allOfItem}</a>
              <CsvLink view={view} path={withQuery(`${view.paths.sales}.csv`, query)} />
            </p>
          )}
        </Panel>
        {keys.length > 0 && <MovedKeysPanel {...{ view, item, keys }} />}
        <SiteLimitsPanel {...{ view, itemId: item.id, values, codes }} />
        <JsonBlock view={view} title={view.texts.items.asJson} json={json} />
      </WorkspacePage>,
    )
  }
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
        {(["regular", "extended"] as const).map((license) => (
          <Fact name={texts[license]} class="amount">
            {formatMoney(price[license], currency, view.locale)}
          </Fact>
        ))}
        <Fact name={texts.category} value={`${body.category} / ${body.sub_category}`} />
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

type MovedKey = Awaited<ReturnType<typeof listKeysOfMovedItem>>[number]
type MovedKeysProps = Readonly<{ view: View; item: Item; keys: readonly MovedKey[] }>

const pathOfMovedKey = ({ view, item, key }: Readonly<{ view: View; item: Item; key: MovedKey }>) =>
  `${view.paths.items}/${item.id}/keys/${key.id}`

const MovedKeysPanel = ({ view, item, keys }: MovedKeysProps) => {
  const texts = view.texts.items.movedKeys
  return (
    <Panel id="previous-keys" title={texts.title}>
      <p>{texts.intro}</p>
      <DataTable
        view={view}
        rows={keys}
        columns={[
          {
            head: view.texts.columns.name,
            isWide: true,
            value: ({ name, id }) => displayName(name, id),
            cell: ({ name, id }) => <bdi>{displayName(name, id)}</bdi>,
          },
          {
            head: view.texts.authors.author,
            value: ({ username }) => username,
            cell: ({ username }) => <bdi>{username}</bdi>,
          },
          {
            head: view.texts.keys.lastUsed,
            kind: "time",
            value: ({ lastUsedAt }) => lastUsedAt,
          },
        ]}
        {...(may(view, "manage") && {
          menuOf: (key: MovedKey) => (
            <PostForm view={view} action={pathOfMovedKey({ view, item, key })}>
              <QuietButton>
                {texts.revoke}
                <span class="visually-hidden"> {displayName(key.name, key.id)}</span>
              </QuietButton>
            </PostForm>
          ),
        })}
      />
    </Panel>
  )
}

type RevocationProps = Readonly<{ view: View; item: Item; movedKey: MovedKey }>

const ConfirmRevocationPage = ({ view, item, movedKey }: RevocationProps) => {
  const { revoke, why } = view.texts.items.movedKeys
  const title = view.texts.keys.revoke.title(displayName(movedKey.name, movedKey.id))
  return (
    <WorkspacePage view={view} title={title}>
      <p class="notice warning">{why}</p>
      <PostForm view={view} action={pathOfMovedKey({ view, item, key: movedKey })}>
        <p class="actions">
          <button type="submit" class="danger" name="confirmed" value="yes">
            {revoke}
          </button>
          <a href={`${view.paths.items}/${item.id}`}>{view.texts.words.cancel}</a>
        </p>
      </PostForm>
    </WorkspacePage>
  )
}

export type SiteLimitsFormValues = Readonly<{
  sites: string
  licenses: readonly Readonly<{ name: string; sites: string }>[]
}>

/** The license types with a price. Others are added by name. */
const defaultLicenses = ["Regular", "Extended"]
const licensesMax = 100

export function siteLimitsFormValuesOf({ sites, byLicense }: SiteLimits): SiteLimitsFormValues {
  const names = [...new Set([...defaultLicenses, ...Object.keys(byLicense)])]
  const licenses = names.map((name) => ({ name, sites: String(byLicense[name] ?? "") }))
  return { sites: String(sites ?? ""), licenses }
}

export function readSiteLimitsForm(form: Form): SiteLimitsFormValues {
  const read = (name: string) => trimWhitespace(form.text(name).toWellFormed())
  const licenses = Array.from({ length: licensesMax }, (_, index) => ({
    name: read(`licence_${index}`),
    sites: read(`limit_${index}`),
  })).filter(({ name, sites }) => name !== "" || sites !== "")
  return { sites: read("limit"), licenses }
}

export function parseSiteLimitsForm({ sites, licenses }: SiteLimitsFormValues): SiteLimits | null {
  const set = licenses.filter((each) => each.sites !== "")
  const isValid = isLimit(sites) && set.every((each) => each.name !== "" && isLimit(each.sites))
  if (!isValid) return null
  return {
    sites: findSiteLimit(sites),
    byLicense: Object.fromEntries(set.map((each) => [each.name, parseSiteLimit(each.sites)])),
  }
}

const isLimit = (text: string) => text === "" || findSiteLimit(text) !== null

export type SiteLimitsPanelProps = Readonly<{
  view: View
  itemId: number
  values: SiteLimitsFormValues
  codes: readonly WidelyUsedCode[]
}>

export const SiteLimitsPanel = ({ view, itemId, values, codes }: SiteLimitsPanelProps) => {
  const { columns } = view.texts
  const texts = view.texts.sites.limit
  const limits = parseSiteLimitsForm(values)
  return (
    <>
      <Panel id="sites" title={texts.title}>
        <p>
          {texts.intro} <a href="/docs/site-limits">{texts.guide}</a>
        </p>
        {may(view, "manage") ? (
          <SiteLimitsForm {...{ view, itemId, values }} />
        ) : (
          limits !== null && (
            <p>
              <SiteLimitsText view={view} limits={limits} />
            </p>
          )
        )}
      </Panel>
      <Panel id="most-sites" title={texts.most}>
        <DataTable
          view={view}
          rows={codes}
          empty={texts.noneWide}
          linkOf={(code) => `${view.paths.check}/${saleIdOf(code)}`}
          columns={[
            { head: columns.code, kind: "code", isWide: true, value: ({ code }) => code },
            { head: columns.license, value: ({ licenseType }) => licenseLabel(view, licenseType) },
            { head: view.texts.sales.sites, kind: "number", value: ({ sites }) => sites },
          ]}
        />
      </Panel>
    </>
  )
}

type ConfirmProps = Pick<SiteLimitsPanelProps, "view" | "itemId" | "values"> &
  Readonly<{ limits: SiteLimits; over: number; purchases: number }>

export const ConfirmLimitsPage = (props: ConfirmProps) => {
  const { view, itemId, values, limits, over, purchases } = props
  const texts = view.texts.sites.limit
  const isSameForAll = Object.keys(limits.byLicense).length === 0
  const path = `${view.paths.items}/${itemId}`
  return (
    <WorkspacePage view={view} title={hasLimit(limits) ? texts.confirm : texts.confirmNone}>
      <p>
        <SiteLimitsText view={view} limits={limits} />
      </p>
      {hasLimit(limits) && (
        <p class={over === 0 ? "notice" : "notice warning"}>
          {texts.over(over, purchases, isSameForAll ? limits.sites : null)} {texts.effect}
        </p>
      )}
      <PostForm view={view} action={`${path}/sites`}>
        <input type="hidden" name="limit" value={values.sites} />
        {values.licenses.map(({ name, sites }, index) => (
          <>
            <input type="hidden" name={`licence_${index}`} value={name} />
            <input type="hidden" name={`limit_${index}`} value={sites} />
          </>
        ))}
        <p class="actions">
          <button type="submit" name="confirmed" value="yes">
            {view.texts.words.save}
          </button>
          <a href={path}>{view.texts.words.cancel}</a>
        </p>
      </PostForm>
    </WorkspacePage>
  )
}

const SiteLimitsForm = ({ view, itemId, values }: Omit<SiteLimitsPanelProps, "codes">) => {
  const texts = view.texts.sites.limit
  const problemOf = (text: string) => (isLimit(text) ? null : texts.problem)
  const named = values.licenses.filter(({ name }) => name !== "")
  const unnamed = values.licenses.find(({ name }) => name === "")?.sites ?? ""
  return (
    <PostForm view={view} action={`${view.paths.items}/${itemId}/sites`}>
      <Field
        name="limit"
        label={texts.sites}
        hint={texts.sitesHint}
        value={values.sites}
        error={problemOf(values.sites)}
      />
      <div class="field">
        <details open={values.licenses.some(({ sites }) => sites !== "")}>
          <summary>{texts.others}</summary>
          <p>{texts.othersHint}</p>
          {named.map(({ name, sites }, index) => (
            <>
              <Field
                name={`limit_${index}`}
                label={licenseLabel(view, name)}
                value={sites}
                error={problemOf(sites)}
              />
              <input type="hidden" name={`licence_${index}`} value={name} />
            </>
          ))}
          <Field
            name={`licence_${named.length}`}
            label={texts.other}
            error={unnamed === "" ? null : texts.noName}
          />
          <Field
            name={`limit_${named.length}`}
            label={texts.otherSites}
            value={unnamed}
            error={problemOf(unnamed)}
          />
        </details>
      </div>
      <button type="submit">{texts.preview}</button>
    </PostForm>
  )
}
