/** The sites of a purchase, which its author and operators can release. */
import type { Child } from "hono/jsx"
import { findSiteLimit, type SiteLimits } from "../items/site-limit.ts"
import { withQuery } from "../platform/http/query.ts"
import { may, type PageApp, type PageContext, type View } from "../platform/pages/context.ts"
import { type Column, DataTable } from "../platform/pages/data-table.tsx"
import {
  Copyable,
  Day,
  displayName,
  Fact,
  formatMoney,
  isolateDirection,
  licenseLabel,
  NamedLink,
  Panel,
} from "../platform/pages/elements.tsx"
import { Field, PostForm } from "../platform/pages/form-fields.tsx"
import { trimWhitespace } from "../platform/text.ts"
import type { PageServices } from "../workspace/services.ts"
import { type Purchase, purchaseBodyOf } from "./purchase.ts"
import { countSlots, isSlotHeld, isTestSite, type PurchaseSite } from "./site.ts"
import {
  readUsedSites,
  releaseAllSites,
  releaseSiteOf,
  restoreSiteOf,
  setPurchaseSiteLimit,
  type UsedSites,
} from "./site-operations.ts"

const shownSitesMax = 200

/** No confirmation: a site in use is activated again by its next validation, and a release can be undone. */
export function addSiteRoutes(
  app: PageApp,
  services: PageServices,
  path: string,
  find: (c: PageContext) => Promise<(Purchase & Readonly<{ username: string }>) | null>,
): void {
  for (const change of ["release", "restore", "limit"] as const) {
    app.post(`${path}/${change}`, async (c) => {
      const purchase = await find(c)
      if (purchase === null) return c.notFound()
      const { actor, form } = c.var
      const recording = { ...services, actor }
      const [site, isAll] = [form.text("site"), form.text("all") !== ""]
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
      if (isAll) {
        await releaseAllSites(recording, purchase)
        return shown("release-all")
      }
      await releaseSiteOf(recording, purchase, site)
      return shown("release", { site })
    })
  }
}

export type ShownSites = UsedSites & Readonly<{ released: string | null }>

/** `released` is the site that `?done=release` names. */
export async function readSites(
  c: PageContext,
  services: PageServices,
  purchase: Purchase,
): Promise<ShownSites> {
  const used = await readUsedSites(services, purchase)
  const { done, site = "" } = c.req.query()
  const isActive = used.sites.some((each) => each.site === site)
  return { ...used, released: done === "release" && !isActive ? site.slice(0, 255) : null }
}

type Props = ShownSites & Readonly<{ view: View; path: string; children?: Child }>

export const PurchaseSites = (props: Props) => {
  const { view, path, sites, limit, ownLimit, at, released, children } = props
  const mayRelease = may(view, "release_sites")
  const { sites: texts, words } = view.texts
  const used = countSlots(sites, at)
  const stateOf = ({ isTest, lastDay }: PurchaseSite) =>
    texts.states[isTest ? "test" : isSlotHeld(lastDay, at) ? "active" : "unused"]
  const releaseButton = ({ site }: PurchaseSite) => (
    <button type="submit" form={releaseForm} name="site" value={site} class="quiet">
      {texts.release} <span class="visually-hidden">{site}</span>
    </button>
  )
  return (
    <Panel id="sites" title={texts.title}>
      {released !== null && mayRelease && (
        <PostForm view={view} action={`${path}/restore`} class="notice good" role="status">
          {texts.released(isolateDirection(released))}{" "}
          {!isTestSite(released) && (
            <button type="submit" class="link" name="site" value={released}>
              {words.undo}
            </button>
          )}
        </PostForm>
      )}
      <p>
        {limit === null ? texts.used(used) : texts.usedOf(used, limit)} {children}
      </p>
      {may(view, "manage") && (
        <PostForm view={view} action={`${path}/limit`} class="filter">
          <Field
            name="site_limit"
            label={texts.ownLimit}
            hint={texts.ownLimitHint}
            value={String(ownLimit ?? "")}
            autocomplete="off"
          />
          <button type="submit" class="quiet">
            {words.save}
          </button>
        </PostForm>
      )}
      {sites.length === 0 ? (
        <p class="hint">{texts.none}</p>
      ) : (
        <>
          <DataTable
            view={view}
            rows={sites.slice(0, shownSitesMax)}
            columns={siteColumns<PurchaseSite>(view, ({ site }) => site, stateOf)}
            {...(mayRelease && { menuOf: releaseButton })}
          />
          {mayRelease && (
            <PostForm view={view} action={`${path}/release`} id={releaseForm}>
              <p class="hint">{texts.releaseHint}</p>
              <button type="submit" name="all" value="yes" class="quiet">
                {texts.releaseAll}
              </button>
            </PostForm>
          )}
        </>
      )}
    </Panel>
  )
}

export const siteColumns = <Row extends Pick<PurchaseSite, "firstDay" | "lastDay">>(
  view: View,
  nameOf: (row: Row) => string,
  stateOf: (row: Row) => string,
): readonly Column<Row>[] => [
  { head: view.texts.sites.site, isWide: true, value: nameOf },
  { head: view.texts.sites.first, kind: "day", value: ({ firstDay }) => firstDay },
  { head: view.texts.columns.lastSeen, kind: "day", value: ({ lastDay }) => lastDay },
  { head: view.texts.columns.state, value: stateOf },
]

/** One form for all buttons: 200 forms would make the page large. */
const releaseForm = "release"

export const SiteLimitsText = ({ view, limits }: { view: View; limits: SiteLimits }) => {
  const texts = view.texts.sites.limit
  const licenseLimits = Object.entries(limits.byLicense).map(([name, sites]) =>
    texts.perLicense(isolateDirection(licenseLabel(view, name)), sites),
  )
  return <>{[texts.perPurchase(limits.sites), ...licenseLimits].join(" ")}</>
}

type FactsProps = Readonly<{
  view: View
  purchase: Purchase
  itemPath: string
  children?: Child
}>

/** The buyer is shown to the author and to operators, never by the API. */
export const PurchaseFacts = ({ view, purchase, itemPath, children }: FactsProps) => {
  const { check, columns, words } = view.texts
  const { item, ...body } = purchaseBodyOf(purchase)
  return (
    <dl class="facts">
      {children}
      <Fact name={columns.code} value={<Copyable view={view} text={purchase.code} />} />
      <Fact name={columns.item}>
        <NamedLink href={itemPath} name={displayName(item.name, item.id)} />
      </Fact>
      <Fact name={columns.buyer} value={<bdi>{displayName(purchase.buyer ?? "", "–")}</bdi>} />
      <Fact name={columns.license} value={licenseLabel(view, body.license_type)} />
      <Fact name={columns.price} class="amount">
        {formatMoney(body.price, body.currency, view.locale)}
      </Fact>
      <TermFacts view={view} purchase={purchase} />
      <Fact name={check.downloaded} value={body.downloaded ? words.yes : words.no} />
    </dl>
  )
}

export const TermFacts = ({ view, purchase }: Pick<FactsProps, "view" | "purchase">) => {
  const { check } = view.texts
  const body = purchaseBodyOf(purchase)
  return (
    <>
      <Fact name={check.bought} value={<Day view={view} at={body.date} />} />
      <Fact name={check.support}>
        {body.supported_until === undefined ? (
          check.noSupport
        ) : (
          <Day view={view} at={body.supported_until} />
        )}
      </Fact>
      {purchase.validUntil !== null && (
        <Fact name={check.validUntil} value={<Day view={view} at={purchase.validUntil} />} />
      )}
    </>
  )
}
