/** One purchase: check a code, its facts and sites, and for operators its refund and history. */
import { NoteField, noteIn } from "../access/audit-pages.tsx"
import { may } from "../access/page-view.ts"
import { routes } from "../access/paths.ts"
import { renderApiResponse } from "../api/endpoint.ts"
import { renderErrorBody } from "../contract/response.ts"
import { findSiteLimit } from "../items/item.ts"
import { itemRoute, type ShowItem } from "../items/item-pages.tsx"
import { withQuery } from "../platform/http/parameters.ts"
import { addConfirmedChange } from "../platform/pages/confirm.tsx"
import { currentView, Page, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
import {
  Copyable,
  CopyableList,
  Day,
  displayName,
  Fact,
  Field,
  formatDay,
  formatMoney,
  isolateDirection,
  JsonBlock,
  licenseLabel,
  NamedLink,
  Panel,
  PostForm,
  pastedUnitsMax,
  QuietLink,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { trimWhitespace } from "../platform/text.ts"
import { formatTimestamp, type Timestamp } from "../platform/time.ts"
import { saveSiteLimits } from "./item-panels.tsx"
import { type Purchase, purchaseBodyOf, stateOfPurchase } from "./purchase.ts"
import { validatePurchaseEndpoint } from "./purchase-endpoints.ts"
import {
  checkPurchase,
  checkPurchaseOfAny,
  saleIdOfPurchase,
  setRefunded,
} from "./purchase-operations.ts"
import { parseSaleId } from "./sale.ts"
import { addSalePages, type PurchasePageServices } from "./sale-pages.tsx"
import { countSlots, isSlotHeld, isTestSite, type PurchaseSite } from "./site.ts"
import {
  readUsedSites,
  releaseAllSites,
  releaseSiteOf,
  restoreSiteOf,
  setPurchaseSiteLimit,
  type UsedSites,
} from "./site-operations.ts"

const purchaseRoute = `${routes.check}/:id`
const shownSitesMax = 200
const historyMax = 20

/** `showItem` shows an item again whose site limits have a problem. */
export function addPurchasePages(
  app: PageApp,
  services: PurchasePageServices,
  showItem: ShowItem,
): void {
  addSalePages(app, services)
  app.post(`${itemRoute}/sites`, (c) => saveSiteLimits(c, services, showItem))
  app.get(routes.check, (c) => showCheck(c, services, null))
  app.post(routes.check, (c) => {
    const pasted = c.var.form.text("purchase_code").slice(0, pastedUnitsMax)
    return showCheck(c, services, pasted.toWellFormed())
  })
  // The URL of a sale does not contain its code.
  app.get(purchaseRoute, async (c) => {
    const sold = await findSold(c, services)
    return sold === null ? c.notFound() : showCheck(c, services, sold.code)
  })
  for (const change of ["release", "restore", "limit"] as const)
    app.post(`${purchaseRoute}/${change}`, (c) => changeSites(c, services, change))
  for (const change of ["refund", "take-back"] as const) addRefundPage(app, services, change)
}

/** Null for unknown sales and sales of other authors. */
async function findSold(c: PageContext, { purchases, sales }: PurchasePageServices) {
  const { id: accountId, username } = c.var.account
  const id = c.req.param("id") ?? ""
  const code = parseSaleId(id) && (await sales.findCode(accountId, id))
  const checked = code && (await checkPurchase(purchases, accountId, code))
  return checked && checked.kind === "sold" ? { ...checked.purchase, username } : null
}

/** `pasted` is null for the empty form. */
async function showCheck(
  c: PageContext,
  services: PurchasePageServices,
  pasted: string | null,
): Promise<Response> {
  const { paths, path, isVisiting } = currentView()
  const at = formatTimestamp(services.now())
  const checked =
    pasted === null ? null : await checkPurchase(services.purchases, c.var.account.id, pasted)
  const kind = checked?.kind
  const problem = kind === "empty" || kind === "invalid" ? t(checkProblemTexts[kind]) : null
  const sold = checked?.kind === "sold" ? checked : null
  const state = sold && stateOfPurchase(sold.purchase, at)
  const result = state ?? (kind === "test" || kind === "unknown" ? kind : null)
  const body = sold && purchaseBodyOf(sold.purchase)
  const names = body && [displayName(body.item.name, body.item.id), licenseLabel(body.license_type)]
  const headline = result && [t(checkResultTexts[result]), ...(names ?? [])].join(" · ")
  return c.html(
    <Page title={headline ?? problem ?? t("Check a code")} heading={t("Check a code")}>
      <PostForm action={paths.check} class="filter">
        <Field
          name="purchase_code"
          label={t("Purchase code, or a message that contains one")}
          value={pasted ?? ""}
          autocomplete="off"
          error={problem}
          isFocused={path === paths.check}
          describedBy={result === null ? undefined : "result"}
        />
        <button type="submit">{t("Check")}</button>
      </PostForm>
      {result !== null && (await renderResult(sold, result, headline, at))}
      {sold !== null && (await renderSites(c, services, sold.purchase))}
      {sold !== null && isVisiting && (await renderOverride(services, sold.purchase))}
    </Page>,
  )
}

const tones = {
  valid: "good",
  refunded: "danger",
  expired: "danger",
  test: "warning",
  unknown: "warning",
} as const

/** `sold` is null for a code without a purchase. */
async function renderResult(
  sold: Extract<Awaited<ReturnType<typeof checkPurchase>>, { kind: "sold" }> | null,
  result: keyof typeof tones,
  headline: string | null,
  at: Timestamp,
) {
  const { locale } = currentView()
  const valid = sold !== null && result === "valid" ? sold.purchase : null
  const supportEnd = valid === null ? undefined : purchaseBodyOf(valid).supported_until
  // All errors have the same body.
  const json =
    valid === null
      ? renderErrorBody("validate_purchase", "unknown_code", locale)
      : await renderApiResponse(validatePurchaseEndpoint, valid, locale)
  return (
    <section class="panel">
      <div class={`notice ${tones[result]}`} id="result">
        <h2>{headline}</h2>
        {result !== "valid" && <p>{t(checkExplanations[result])}</p>}
        {supportEnd !== undefined && supportEnd < at && (
          <p>{t("Support ended {day}", { day: formatDay(supportEnd) })}</p>
        )}
      </div>
      {sold !== null && (
        <>
          {sold.isInText && <p class="hint">{t("Found in the text that you pasted.")}</p>}
          {sold.others.length > 0 && (
            <p class="hint">
              {t("The text contains more of your codes:")} <CopyableList texts={sold.others} />
            </p>
          )}
          <PurchaseFacts purchase={sold.purchase} />
        </>
      )}
      <JsonBlock title={t("API response")} json={json} />
    </section>
  )
}

const renderPath = (purchase: Purchase) =>
  `${currentView().paths.check}/${saleIdOfPurchase(purchase)}`

/** The buyer is shown to the author and to operators, never by the API. */
const PurchaseFacts = ({ purchase }: Readonly<{ purchase: Purchase }>) => {
  const { item, ...body } = purchaseBodyOf(purchase)
  const itemPath = `${currentView().paths.items}/${purchase.itemId}`
  return (
    <dl class="facts">
      <Fact name={t("Code")} value={<Copyable text={purchase.code} />} />
      <Fact name={t("Item")}>
        <NamedLink href={itemPath} name={displayName(item.name, item.id)} />
      </Fact>
      <Fact name={t("Buyer")} value={<bdi>{displayName(purchase.buyer ?? "", "–")}</bdi>} />
      <Fact name={t("License")} value={licenseLabel(body.license_type)} />
      <Fact name={t("Price")} class="amount">
        {formatMoney(body.price, body.currency)}
      </Fact>
      <TermFacts purchase={purchase} />
      <Fact name={t("Downloaded")} value={body.downloaded ? t("Yes") : t("No")} />
    </dl>
  )
}

export const TermFacts = ({ purchase }: Readonly<{ purchase: Purchase }>) => {
  const body = purchaseBodyOf(purchase)
  return (
    <>
      <Fact name={t("Bought on")} value={<Day at={body.date} />} />
      <Fact name={t("Supported until")}>
        {body.supported_until === undefined ? t("No support") : <Day at={body.supported_until} />}
      </Fact>
      {purchase.validUntil !== null && (
        <Fact name={t("Valid until")} value={<Day at={purchase.validUntil} />} />
      )}
    </>
  )
}

/** The sites, which the author and operators can release. */
async function renderSites(c: PageContext, services: PurchasePageServices, purchase: Purchase) {
  const { sites, limit, ownLimit, at } = await readUsedSites(services, purchase)
  const { done, site = "" } = c.req.query()
  const isReleased = done === "release" && !sites.some((each) => each.site === site)
  const released = isReleased && may("release_sites") ? site.slice(0, 255) : null
  const path = renderPath(purchase)
  const n = countSlots(sites, at)
  return (
    <Panel id="sites" title={t("Sites")}>
      {released !== null && (
        <PostForm action={`${path}/restore`} class="notice good" role="status">
          {t("{site} was released.", { site: isolateDirection(released) })}{" "}
          {!isTestSite(released) && (
            <button type="submit" class="link" name="site" value={released}>
              {t("Undo")}
            </button>
          )}
        </PostForm>
      )}
      <p>
        {limit === null
          ? t("Active on {n site|sites}. No site limit.", { n })
          : t("Active on {n site|sites}. The site limit is {limit}.", { n, limit })}{" "}
        <a href={`${currentView().paths.items}/${purchase.itemId}#sites`}>
          {t("Change the site limit of the item")}
        </a>
      </p>
      {may("manage") && (
        <PostForm action={`${path}/limit`} class="filter">
          <Field
            name="site_limit"
            label={t("Site limit of this purchase")}
            hint={t("Leave empty to apply the site limit of the item.")}
            value={String(ownLimit ?? "")}
            autocomplete="off"
          />
          <button type="submit" class="quiet">
            {t("Save")}
          </button>
        </PostForm>
      )}
      {sites.length === 0 ? (
        <p class="hint">
          {t(
            "No sites yet. A site appears here when your product validates the code and sends the site.",
          )}
        </p>
      ) : (
        <SiteTable {...{ sites, at, path }} />
      )}
    </Panel>
  )
}

const SiteTable = ({ sites, at, path }: Pick<UsedSites, "sites" | "at"> & { path: string }) => {
  const columns = siteColumns<PurchaseSite>(
    ({ site }) => site,
    ({ isTest, lastDay }) => (isTest ? "test" : isSlotHeld(lastDay, at) ? "active" : "unused"),
  )
  const rows = sites.slice(0, shownSitesMax)
  if (!may("release_sites")) return <DataTable rows={rows} columns={columns} />
  // One form for all buttons: 200 forms would make the page large.
  const form = "release"
  return (
    <>
      <DataTable
        rows={rows}
        columns={columns}
        menuOf={({ site }) => (
          <button type="submit" form={form} name="site" value={site} class="quiet">
            {t("Release")} <span class="visually-hidden">{site}</span>
          </button>
        )}
      />
      <PostForm action={`${path}/release`} id={form}>
        <p class="hint">
          {t(
            "A released site is activated again by its next validation, while a slot is free. Test sites and unused ones, not seen for 30 days, take no slot.",
          )}
        </p>
        <button type="submit" name="all" value="yes" class="quiet">
          {t("Release all sites")}
        </button>
      </PostForm>
    </>
  )
}

export const siteColumns = <Row extends Pick<PurchaseSite, "firstDay" | "lastDay">>(
  nameOf: (row: Row) => string,
  stateOf: (row: Row) => keyof typeof siteStateTexts,
): readonly Column<Row>[] => [
  column(t("Site"), nameOf, { isWide: true }),
  column(t("First seen"), ({ firstDay }) => firstDay, { kind: "day" }),
  column(t("Last seen"), ({ lastDay }) => lastDay, { kind: "day" }),
  column(t("Status"), (row) => t(siteStateTexts[stateOf(row)])),
]

/** No confirmation: a site in use is activated again by its next validation, and a release can be undone. */
async function changeSites(
  c: PageContext,
  services: PurchasePageServices,
  change: "release" | "restore" | "limit",
): Promise<Response> {
  const purchase = await findSold(c, services)
  if (purchase === null) return c.notFound()
  const { actor, form } = c.var
  const recording = { ...services, actor }
  const site = form.text("site")
  const shown = (done: string, query = {}) =>
    c.redirect(withQuery(c.req.path.slice(0, -change.length - 1), { done, ...query }), 303)
  if (change === "limit") {
    const text = trimWhitespace(form.text("site_limit"))
    const limit = text === "" ? null : findSiteLimit(text)
    if (text !== "" && limit === null) return shown("no-limit")
    const isSet = await setPurchaseSiteLimit(recording, purchase, limit)
    return isSet ? shown("limit") : c.notFound()
  }
  if (change === "restore") {
    const isRestored = await restoreSiteOf(recording, purchase, site)
    return shown(isRestored ? "restore" : "no-slot")
  }
  if (form.text("all") !== "") {
    await releaseAllSites(recording, purchase)
    return shown("release-all")
  }
  await releaseSiteOf(recording, purchase, site)
  return shown("release", { site })
}

const addRefundPage = (
  app: PageApp,
  services: PurchasePageServices,
  change: keyof typeof refundTexts,
): void =>
  addConfirmedChange(app, {
    path: `${purchaseRoute}/${change}`,
    async find(c) {
      const sold = currentView().isVisiting ? await findSold(c, services) : null
      return sold === null ? null : findPurchase(services, sold.code)
    },
    confirm(purchase, c) {
      const { code, username, itemId } = purchase
      const { title, text, submit } = refundTexts[change]
      const item = isolateDirection(displayName(purchaseBodyOf(purchase).item.name, itemId))
      return {
        title: t(title),
        text: t(text, { code, item, author: isolateDirection(username) }),
        submit: t(submit),
        isDangerous: change === "refund",
        back: renderPath(purchase),
        fields: <NoteField c={c} />,
      }
    },
    async apply(c, purchase) {
      const recording = { ...services, actor: c.var.actor }
      const isDone = await setRefunded(recording, purchase, change === "refund", noteIn(c))
      return isDone ? c.redirect(`${renderPath(purchase)}?done=${change}`, 303) : c.notFound()
    },
  })

/** With the states that only operators see. */
async function findPurchase({ sales }: PurchasePageServices, code: string) {
  const checked = await checkPurchaseOfAny(sales, code)
  return checked.kind === "sold" ? checked.purchase : null
}

/** What only operators see: the state in the feed, their override, and its history. */
async function renderOverride(services: PurchasePageServices, { code }: Purchase) {
  const purchase = await findPurchase(services, code)
  if (purchase === null) return null
  const { accountId, isRevokedByFeed, isRevokedByOperator } = purchase
  const filter = { accountId, kind: "purchase", subjectId: code } as const
  const events = await services.audit.list(filter, null, historyMax)
  const change = isRevokedByOperator ? "take-back" : "refund"
  return (
    <Panel id="history-title" title={t("History")}>
      <dl class="facts">
        <Fact
          name={t("Imported state")}
          value={t(checkResultTexts[isRevokedByFeed ? "refunded" : "valid"])}
        />
        <Fact name={t("Operator override")}>
          {isRevokedByOperator ? t("Refunded # result") : "–"}
        </Fact>
      </dl>
      {may("operate") && (
        <p class="actions">
          <QuietLink href={`${renderPath(purchase)}/${change}`} data-dialog>
            {t(refundTexts[change].submit)}
          </QuietLink>
        </p>
      )}
      {events.length > 0 && services.renderHistory(events)}
    </Panel>
  )
}

const siteStateTexts = { active: "Active", unused: "Unused", test: "Test site" } as const

const checkResultTexts = {
  valid: "Valid",
  refunded: "Refunded # result",
  expired: "Expired # result",
  test: "Test code",
  unknown: "Unknown code",
} as const

const checkProblemTexts = {
  invalid: "This is too long to be a purchase code.",
  empty: "Paste a code first.",
} as const

const checkExplanations = {
  refunded: "This purchase was refunded or charged back. The code is invalid. # author",
  expired: "The subscription ended. The code is invalid until the buyer renews it.",
  test: "It works with test keys only. No buyer has this code.",
  unknown:
    "No purchase of your items has this code. If you pasted a message, paste only the code. Or ask the buyer to copy it again from the order e-mail.",
} as const

const refundTexts = {
  refund: {
    submit: "Mark as refunded",
    title: "Mark this purchase as refunded?",
    text: "The code {code} of “{item}” by {author} is invalid within a second, on every server. This override takes precedence over imports until an operator undoes it.",
  },
  "take-back": {
    submit: "Undo refund",
    title: "Undo this refund?",
    text: "The imported state of the code {code} of “{item}” by {author} applies again within a second, on every server.",
  },
} as const
