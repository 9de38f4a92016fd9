import { routes } from "../access/paths.ts"
import { renderErrorBody } from "../contract/messages.ts"
import { withQuery } from "../platform/http/query.ts"
import {
  currentView,
  type Form,
  may,
  type PageApp,
  type PageContext,
} from "../platform/pages/context.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
import {
  CsvLink,
  Day,
  displayName,
  Fact,
  formatMoney,
  ItemState,
  itemStateTexts,
  JsonBlock,
  licenseLabel,
  Panel,
  renderApiResponse,
} from "../platform/pages/elements.tsx"
import { Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { WorkspacePage } from "../platform/pages/layout.tsx"
import { addList } from "../platform/pages/list.tsx"
import { t } from "../platform/t.ts"
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
      const sort = itemSorts.find((each) => each === request.sort) ?? "-published"
      return {
        columns: columnsOf(),
        search: t("Search by name or ID"),
        async read(after, rowsMax) {
          const { id } = c.var.account
          const { items, next } = await itemSearch.search(id, { text, sort, after, rowsMax })
          return { rows: items, next, ...(text === "" && { total: await itemSearch.count(id) }) }
        },
        linkOf: ({ id }: ItemSummary) => `${currentView().paths.items}/${id}`,
        empty:
          text === ""
            ? t("No items yet. Items appear here when your marketplace imports them.")
            : t("No results match this filter."),
        page: (list) => <WorkspacePage title={t("Items")}>{list}</WorkspacePage>,
      }
    },
  })

const columnsOf = (): readonly Column<ItemSummary>[] => [
  column(t("Item"), ({ name }) => name, {
    sort: "name",
    isWide: true,
    cell: ({ id, name }) => <bdi>{displayName(name, id)}</bdi>,
  }),
  column(t("ID"), ({ id }) => String(id), { kind: "code", priority: 2 }),
  column(t("Category"), ({ category }) => category, { priority: 3 }),
  column(t("Price"), ({ price }) => price, {
    kind: "number",
    sort: "price",
    cell: ({ price, currency }) => formatMoney(price, currency),
  }),
  column(t("Currency"), ({ currency }) => currency, { on: "csv" }),
  column(t("Published"), ({ publishedAt }) => publishedAt, { kind: "time", sort: "published" }),
  column(t("Status"), ({ isHidden }) => t(itemStateTexts[isHidden ? "hidden" : "visible"]), {
    cell: (item) => <ItemState {...item} />,
  }),
]

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
    const { account, actor, form } = c.var
    const values = readSiteLimitsForm(form)
    const limits = parseSiteLimitsForm(values)
    if (limits === null) {
      c.status(422)
      return showItem(c, item, values)
    }
    if (form.text("confirmed") === "") {
      const preview = await previewLimits(services, item.id, limits)
      return c.html(<ConfirmLimitsPage {...{ itemId: item.id, values, limits, ...preview }} />)
    }
    const owned = { id: item.id, accountId: account.id, username: account.username }
    const isUpdated = await setSiteLimits({ ...services, actor }, owned, limits)
    return isUpdated
      ? c.redirect(`${currentView().paths.items}/${item.id}?done=sites`, 303)
      : c.notFound()
  })

  // Without `confirmed`, the response asks for it.
  app.post(`${itemPath}/keys/:key`, async (c) => {
    const item = await find(c)
    const keys = item === null ? [] : await listKeysOfMovedItem(services, item.id)
    const key = keys.find(({ id }) => id === c.req.param("key"))
    if (item === null || key === undefined) return c.notFound()
    const { account, actor, form } = c.var
    if (form.text("confirmed") === "")
      return c.html(<ConfirmRevocationPage item={item} movedKey={key} />)
    const owned = { id: item.id, accountId: account.id, username: account.username }
    await revokeKeyForItem({ ...services, actor }, key, owned)
    return c.redirect(`${currentView().paths.items}/${item.id}?done=item_key`, 303)
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
    const { account } = c.var
    const view = currentView()
    const { name } = itemBodyOf(item)
    const query = { item: item.id }
    const ofItem = { itemIds: [item.id], state: null, range: null }
    const { sales } = await findSales(services, account, ofItem, "", null, salesMax)
    const json = item.isHidden
      ? renderErrorBody("read_item", "unknown_item", view.locale)
      : await renderApiResponse(readItemEndpoint, item, view.locale)
    const at = formatTimestamp(services.now())
    const codes = await services.sites.listWidelyUsed({ itemId: item.id }, 1, at, codesMax)
    const columns = saleColumns(at)
    const keys = await listKeysOfMovedItem(services, item.id)
    return c.html(
      <WorkspacePage
        title={displayName(name, item.id)}
        heading={<bdi>{trimWhitespace(name) || item.id}</bdi>}
      >
        <Facts item={item} />
        <Panel id="sales" title={t("Latest sales")}>
          <DataTable
            rows={sales}
            columns={columns.filter(({ isWide }) => !isWide)}
            linkOf={(sale) => `${view.paths.check}/${saleIdOf(sale)}`}
            empty={t("No sales of this item yet.")}
          />
          {sales.length > 0 && (
            <p class="actions">
              <a href={withQuery(view.paths.sales, query)}>{t("All sales")}</a>
              <CsvLink path={withQuery(`${view.paths.sales}.csv`, query)} />
            </p>
          )}
        </Panel>
        {keys.length > 0 && <MovedKeysPanel {...{ item, keys }} />}
        <SiteLimitsPanel {...{ itemId: item.id, values, codes }} />
        <JsonBlock title={t("API response for this item")} json={json} />
      </WorkspacePage>,
    )
  }
}

/** The picture is loaded from the host of the marketplace. */
const Facts = ({ item }: Readonly<{ item: Item }>) => {
  const { price, currency, media, ...body } = itemBodyOf(item)
  return (
    <section class="panel item-facts">
      <img src={media.thumbnail} alt="" referrerpolicy="no-referrer" />
      <dl class="facts">
        <Fact name={t("Status")}>
          <ItemState isHidden={item.isHidden} />{" "}
          {item.isHidden &&
            t("The API does not return hidden items. Purchase codes of hidden items stay valid.")}
        </Fact>
        <Fact name={t("ID")} class="mono" value={item.id} />
        {(["regular", "extended"] as const).map((license) => (
          <Fact name={t(licenseTexts[license])} class="amount">
            {formatMoney(price[license], currency)}
          </Fact>
        ))}
        <Fact name={t("Category")} value={`${body.category} / ${body.sub_category}`} />
        <Fact name={t("Version")}>
          {body.version}{" "}
          <a href={body.demo_link} rel="noopener noreferrer">
            {t("Open the demo")}
          </a>
        </Fact>
        <Fact name={t("Published")} value={<Day at={body.published_at} />} />
      </dl>
    </section>
  )
}

type MovedKey = Awaited<ReturnType<typeof listKeysOfMovedItem>>[number]
type MovedKeysProps = Readonly<{ item: Item; keys: readonly MovedKey[] }>

const pathOfMovedKey = ({ item, key }: Readonly<{ item: Item; key: MovedKey }>) =>
  `${currentView().paths.items}/${item.id}/keys/${key.id}`

const MovedKeysPanel = ({ item, keys }: MovedKeysProps) => (
  <Panel id="previous-keys" title={t("Keys of a previous author in use")}>
    <p>
      {t(
        "These validation keys were created for this item. Sold products contain them, so they stay valid for it.",
      )}
    </p>
    <DataTable
      rows={keys}
      columns={[
        {
          head: t("Name"),
          isWide: true,
          value: ({ name, id }) => displayName(name, id),
          cell: ({ name, id }) => <bdi>{displayName(name, id)}</bdi>,
        },
        {
          head: t("Author"),
          value: ({ username }) => username,
          cell: ({ username }) => <bdi>{username}</bdi>,
        },
        { head: t("Last used"), kind: "time", value: ({ lastUsedAt }) => lastUsedAt },
      ]}
      {...(may("manage") && {
        menuOf: (key: MovedKey) => (
          <PostForm action={pathOfMovedKey({ item, key })}>
            <QuietButton>
              {t("Revoke for this item")}
              <span class="visually-hidden"> {displayName(key.name, key.id)}</span>
            </QuietButton>
          </PostForm>
        ),
      })}
    />
  </Panel>
)

type RevocationProps = Readonly<{ item: Item; movedKey: MovedKey }>

const ConfirmRevocationPage = ({ item, movedKey }: RevocationProps) => {
  const title = t("Revoke “{name}”?", { name: displayName(movedKey.name, movedKey.id) })
  return (
    <WorkspacePage title={title}>
      <p class="notice warning">
        {t(
          "Products with this key can no longer validate this item until they are updated. The key’s other items are not affected. You cannot undo this.",
        )}
      </p>
      <PostForm action={pathOfMovedKey({ item, key: movedKey })}>
        <p class="actions">
          <button type="submit" class="danger" name="confirmed" value="yes">
            {t("Revoke for this item")}
          </button>
          <a href={`${currentView().paths.items}/${item.id}`}>{t("Cancel")}</a>
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
  itemId: number
  values: SiteLimitsFormValues
  codes: readonly WidelyUsedCode[]
}>

export const SiteLimitsPanel = ({ itemId, values, codes }: SiteLimitsPanelProps) => {
  const limits = parseSiteLimitsForm(values)
  return (
    <>
      <Panel id="sites" title={t("Site limit")}>
        <p>
          {t(
            "A site is an installation of your product, such as shop.example.com. The site limit is the number of sites that each purchase can activate.",
          )}{" "}
          <a href="/docs/site-limits">{t("How the site limit works")}</a>
        </p>
        {may("manage") ? (
          <SiteLimitsForm {...{ itemId, values }} />
        ) : (
          limits !== null && (
            <p>
              <SiteLimitsText limits={limits} />
            </p>
          )
        )}
      </Panel>
      <Panel id="most-sites" title={t("Codes on the most sites")}>
        <DataTable
          rows={codes}
          empty={t("No code of this item is active on more than one site.")}
          linkOf={(code) => `${currentView().paths.check}/${saleIdOf(code)}`}
          columns={[
            { head: t("Code"), kind: "code", isWide: true, value: ({ code }) => code },
            { head: t("License"), value: ({ licenseType }) => licenseLabel(licenseType) },
            { head: t("Sites # column"), kind: "number", value: ({ sites }) => sites },
          ]}
        />
      </Panel>
    </>
  )
}

type ConfirmProps = Pick<SiteLimitsPanelProps, "itemId" | "values"> &
  Readonly<{ limits: SiteLimits; over: number; purchases: number }>

export const ConfirmLimitsPage = (props: ConfirmProps) => {
  const { itemId, values, limits, over, purchases } = props
  const isSameForAll = Object.keys(limits.byLicense).length === 0
  const path = `${currentView().paths.items}/${itemId}`
  return (
    <WorkspacePage
      title={hasLimit(limits) ? t("Save this site limit?") : t("Remove the site limit?")}
    >
      <p>
        <SiteLimitsText limits={limits} />
      </p>
      {hasLimit(limits) && (
        <p class={over === 0 ? "notice" : "notice warning"}>
          {describeOver(over, purchases, isSameForAll ? limits.sites : null)}{" "}
          {t(
            "Sites seen in the last 30 days stay active. Further sites are rejected until a slot is free.",
          )}
        </p>
      )}
      <PostForm action={`${path}/sites`}>
        <input type="hidden" name="limit" value={values.sites} />
        {values.licenses.map(({ name, sites }, index) => (
          <>
            <input type="hidden" name={`licence_${index}`} value={name} />
            <input type="hidden" name={`limit_${index}`} value={sites} />
          </>
        ))}
        <p class="actions">
          <button type="submit" name="confirmed" value="yes">
            {t("Save")}
          </button>
          <a href={path}>{t("Cancel")}</a>
        </p>
      </PostForm>
    </WorkspacePage>
  )
}

const SiteLimitsForm = ({ itemId, values }: Omit<SiteLimitsPanelProps, "codes">) => {
  const problemOf = (text: string) =>
    isLimit(text) ? null : t("Enter a number from 1 to 10,000, or leave the field empty.")
  const named = values.licenses.filter(({ name }) => name !== "")
  const unnamed = values.licenses.find(({ name }) => name === "")?.sites ?? ""
  return (
    <PostForm action={`${currentView().paths.items}/${itemId}/sites`}>
      <Field
        name="limit"
        label={t("Sites per purchase")}
        hint={t("Leave empty for no limit. Test sites never count.")}
        value={values.sites}
        error={problemOf(values.sites)}
      />
      <div class="field">
        <details open={values.licenses.some(({ sites }) => sites !== "")}>
          <summary>{t("Site limits by license type")}</summary>
          <p>{t("If a field is empty, the number above applies.")}</p>
          {named.map(({ name, sites }, index) => (
            <>
              <Field
                name={`limit_${index}`}
                label={licenseLabel(name)}
                value={sites}
                error={problemOf(sites)}
              />
              <input type="hidden" name={`licence_${index}`} value={name} />
            </>
          ))}
          <Field
            name={`licence_${named.length}`}
            label={t("Other license type, exactly as your marketplace names it")}
            error={unnamed === "" ? null : t("Enter the license type, too.")}
          />
          <Field
            name={`limit_${named.length}`}
            label={t("Sites per purchase for this type")}
            value={unnamed}
            error={problemOf(unnamed)}
          />
        </details>
      </div>
      <button type="submit">{t("Preview")}</button>
    </PostForm>
  )
}

const licenseTexts = { regular: "Regular license", extended: "Extended license" } as const

export const describeLimit = (n: number | null) =>
  n === null
    ? t("A purchase can activate any number of sites.")
    : t("A purchase can activate {n site|sites}.", { n })

/** How many purchases are on more sites than this limit today; null if it depends on the license. */
function describeOver(over: number, purchases: number, n: number | null): string {
  const of = { over, purchases }
  if (n === null)
    return over === 1
      ? t("{over} of {purchases purchase|purchases} is on more sites than that today.", of)
      : t("{over} of {purchases purchase|purchases} are on more sites than that today.", of)
  return over === 1
    ? t("{over} of {purchases purchase|purchases} is on more than {n site|sites} today.", {
        ...of,
        n,
      })
    : t("{over} of {purchases purchase|purchases} are on more than {n site|sites} today.", {
        ...of,
        n,
      })
}
