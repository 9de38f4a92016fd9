import type { Child } from "hono/jsx"
import type { Recording } from "../access/audit-event.ts"
import { may } from "../access/page-view.ts"
import { routes } from "../access/paths.ts"
import { renderApiResponse } from "../api/endpoint.ts"
import { renderErrorBody } from "../contract/response.ts"
import type { ApiKeyStore } from "../keys/key.ts"
import { currentView, Page, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { column, DataTable } from "../platform/pages/data-table.tsx"
import {
  Day,
  displayName,
  Fact,
  formatMoney,
  JsonBlock,
  Panel,
  Pill,
  PostForm,
  QuietButton,
} from "../platform/pages/elements.tsx"
import { addList } from "../platform/pages/list.tsx"
import { t } from "../platform/t.ts"
import { trimWhitespace } from "../platform/text.ts"
import type { UsageStore } from "../usage/usage.ts"
import {
  type Item,
  type ItemSearch,
  type ItemStore,
  type ItemSummary,
  itemBodyOf,
  itemSorts,
} from "./item.ts"
import { readItemEndpoint } from "./item-endpoints.ts"
import { listKeysOfMovedItem, revokeKeyForItem } from "./item-operations.ts"

export const itemRoute = `${routes.items}/:id{[0-9]+}`

type ItemPageServices = Omit<Recording, "actor"> &
  Readonly<{
    items: ItemStore
    itemSearch: ItemSearch
    keys: ApiKeyStore
    usage: UsageStore
    now: () => Date
  }>

/** A part of the page of an item that a room above adds. */
export type ItemPanel = (c: PageContext, item: Item) => Child | Promise<Child>
export type ShowItem = (c: PageContext, item: Item) => Promise<Response>

/** Returns what shows the page of an item, for forms of its panels that have a problem. */
export function addItemPages(
  app: PageApp,
  services: ItemPageServices,
  panels: readonly ItemPanel[],
): ShowItem {
  const show: ShowItem = (c, item) => showItem(c, services, panels, item)
  addItemList(app, services)
  app.get(itemRoute, async (c) => {
    const item = await findShownItem(c, services)
    return item === null ? c.notFound() : show(c, item)
  })
  app.post(`${itemRoute}/keys/:key`, (c) => revokeMovedKey(c, services))
  return show
}

const addItemList = (app: PageApp, { itemSearch }: ItemPageServices): void =>
  addList<ItemSummary>(app, {
    path: routes.items,
    file: "items",
    open(c, request) {
      const { text } = request
      const sort = itemSorts.find((each) => each === request.sort) ?? "-published"
      return {
        columns: [
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
          column(t("Published"), ({ publishedAt }) => publishedAt, {
            kind: "time",
            sort: "published",
          }),
          column(t("Status"), ({ isHidden }) => (isHidden ? t("Hidden") : t("Visible")), {
            cell: (item) => <ItemState {...item} />,
          }),
        ],
        search: t("Search by name or ID"),
        async read(after, rowsMax) {
          const { id } = c.var.account
          const { items, next } = await itemSearch.search(id, { text, sort, after, rowsMax })
          return { rows: items, next, ...(text === "" && { total: await itemSearch.count(id) }) }
        },
        linkOf: ({ id }) => `${currentView().paths.items}/${id}`,
        empty:
          text === ""
            ? t("No items yet. Items appear here when your marketplace imports them.")
            : t("No results match this filter."),
        page: (list) => <Page title={t("Items")}>{list}</Page>,
      }
    },
  })

/** Null also for items of other authors. */
export async function findShownItem(
  c: PageContext,
  { items }: Pick<ItemPageServices, "items">,
): Promise<Item | null> {
  const id = Number(c.req.param("id"))
  return Number.isSafeInteger(id) ? items.find(c.var.account.id, id) : null
}

async function showItem(
  c: PageContext,
  services: ItemPageServices,
  panels: readonly ItemPanel[],
  item: Item,
): Promise<Response> {
  const { locale } = currentView()
  const { name } = itemBodyOf(item)
  const json = item.isHidden
    ? renderErrorBody("read_item", "unknown_item", locale)
    : await renderApiResponse(readItemEndpoint, item, locale)
  const keys = await listKeysOfMovedItem(services, item.id)
  const added: Child[] = []
  for (const panel of panels) added.push(await panel(c, item))
  return c.html(
    <Page title={displayName(name, item.id)} heading={<bdi>{trimWhitespace(name) || item.id}</bdi>}>
      <Facts item={item} />
      {keys.length > 0 && <MovedKeysPanel {...{ item, keys }} />}
      {added}
      <JsonBlock title={t("API response for this item")} json={json} />
    </Page>,
  )
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
        <Fact name={t("Regular license")} class="amount">
          {formatMoney(price.regular, currency)}
        </Fact>
        <Fact name={t("Extended license")} class="amount">
          {formatMoney(price.extended, currency)}
        </Fact>
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

const renderPath = (item: Item, key: MovedKey) =>
  `${currentView().paths.items}/${item.id}/keys/${key.id}`

const MovedKeysPanel = ({ item, keys }: Readonly<{ item: Item; keys: readonly MovedKey[] }>) => (
  <Panel id="previous-keys" title={t("Keys of a previous author in use")}>
    <p>
      {t(
        "These validation keys were created for this item. Sold products contain them, so they stay valid for it.",
      )}
    </p>
    <DataTable
      rows={keys}
      columns={[
        column(t("Name"), ({ name, id }) => displayName(name, id), { isWide: true }),
        column(t("Author"), ({ username }) => username),
        column(t("Last used"), ({ lastUsedAt }) => lastUsedAt, { kind: "time" }),
      ]}
      {...(may("manage") && {
        menuOf: (key: MovedKey) => (
          <PostForm action={renderPath(item, key)}>
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

/** Without `confirmed`, the response asks for it. */
async function revokeMovedKey(c: PageContext, services: ItemPageServices): Promise<Response> {
  const item = await findShownItem(c, services)
  const keys = item === null ? [] : await listKeysOfMovedItem(services, item.id)
  const key = keys.find(({ id }) => id === c.req.param("key"))
  if (item === null || key === undefined) return c.notFound()
  const { account, actor, form } = c.var
  const itemPath = `${currentView().paths.items}/${item.id}`
  if (form.text("confirmed") !== "") {
    const owned = { id: item.id, accountId: account.id, username: account.username }
    await revokeKeyForItem({ ...services, actor }, key, owned)
    return c.redirect(`${itemPath}?done=item_key`, 303)
  }
  return c.html(
    <Page title={t("Revoke “{name}”?", { name: displayName(key.name, key.id) })}>
      <p class="notice warning">
        {t(
          "Products with this key can no longer validate this item until they are updated. The key’s other items are not affected. You cannot undo this.",
        )}
      </p>
      <PostForm action={renderPath(item, key)}>
        <p class="actions">
          <button type="submit" class="danger" name="confirmed" value="yes">
            {t("Revoke for this item")}
          </button>
          <a href={itemPath}>{t("Cancel")}</a>
        </p>
      </PostForm>
    </Page>,
  )
}

const ItemState = ({ isHidden }: Readonly<{ isHidden: boolean }>) => (
  <Pill tone={isHidden ? "plain" : "good"}>{isHidden ? t("Hidden") : t("Visible")}</Pill>
)
