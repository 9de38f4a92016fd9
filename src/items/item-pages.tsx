import type { Child } from "hono/jsx"
import type { Recording } from "../access/audit-event.ts"
import { may } from "../access/page-view.ts"
import { routes } from "../access/paths.ts"
import { renderApiResponse } from "../api/endpoint.ts"
import { renderErrorBody } from "../contract/response.ts"
import type { ApiKeyStore } from "../keys/key.ts"
import { currentView, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
import {
  Day,
  displayName,
  Fact,
  formatMoney,
  ItemState,
  itemStateTexts,
  JsonBlock,
  Panel,
} from "../platform/pages/elements.tsx"
import { PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { addList } from "../platform/pages/list.tsx"
import { Page } from "../platform/pages/page.tsx"
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

export const addItemsRoutes = (
  app: PageApp,
  { itemSearch }: Readonly<{ itemSearch: ItemSearch }>,
): void =>
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
        page: (list) => <Page title={t("Items")}>{list}</Page>,
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

export const itemRoute = `${routes.items}/:id{[0-9]+}`
type ItemPageServices = Omit<Recording, "actor"> &
  Readonly<{ items: ItemStore; keys: ApiKeyStore; usage: UsageStore; now: () => Date }>

/** A part of the page of an item that a room above adds. */
export type ItemPanel = (c: PageContext, item: Item) => Child | Promise<Child>
export type ShowItem = (c: PageContext, item: Item) => Promise<Response>

/** Null also for items of other authors. */
export async function findShownItem(
  c: PageContext,
  { items }: Pick<ItemPageServices, "items">,
): Promise<Item | null> {
  const id = Number(c.req.param("id"))
  return Number.isSafeInteger(id) ? items.find(c.var.account.id, id) : null
}

export const createItemPage =
  (services: ItemPageServices, panels: readonly ItemPanel[]): ShowItem =>
  async (c, item) => {
    const { locale } = currentView()
    const { name } = itemBodyOf(item)
    const json = item.isHidden
      ? renderErrorBody("read_item", "unknown_item", locale)
      : await renderApiResponse(readItemEndpoint, item, locale)
    const keys = await listKeysOfMovedItem(services, item.id)
    const added: Child[] = []
    for (const panel of panels) added.push(await panel(c, item))
    return c.html(
      <Page
        title={displayName(name, item.id)}
        heading={<bdi>{trimWhitespace(name) || item.id}</bdi>}
      >
        <Facts item={item} />
        {keys.length > 0 && <MovedKeysPanel {...{ item, keys }} />}
        {added}
        <JsonBlock title={t("API response for this item")} json={json} />
      </Page>,
    )
  }

export function addItemRoutes(app: PageApp, services: ItemPageServices, showItem: ShowItem): void {
  app.get(itemRoute, async (c) => {
    const item = await findShownItem(c, services)
    return item === null ? c.notFound() : showItem(c, item)
  })

  // Without `confirmed`, the response asks for it.
  app.post(`${itemRoute}/keys/:key`, async (c) => {
    const item = await findShownItem(c, services)
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
    <Page title={title}>
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
    </Page>
  )
}

const licenseTexts = { regular: "Regular license", extended: "Extended license" } as const
