/** The sites of a purchase, which its author and operators can release. */
import type { Child } from "hono/jsx"
import { may } from "../access/page-view.ts"
import { findSiteLimit, type SiteLimits } from "../items/item.ts"
import { withQuery } from "../platform/http/parameters.ts"
import type { PageApp, PageContext } from "../platform/pages/context.ts"
import { type Column, column, DataTable } from "../platform/pages/data-table.tsx"
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
import { t } from "../platform/t.ts"
import { trimWhitespace } from "../platform/text.ts"
import { describeLimit } from "./item-panels.tsx"
import { type Purchase, purchaseBodyOf } from "./purchase.ts"
import type { PurchasePageServices } from "./sale-list.tsx"
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
  services: PurchasePageServices,
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
  services: PurchasePageServices,
  purchase: Purchase,
): Promise<ShownSites> {
  const used = await readUsedSites(services, purchase)
  const { done, site = "" } = c.req.query()
  const isActive = used.sites.some((each) => each.site === site)
  return { ...used, released: done === "release" && !isActive ? site.slice(0, 255) : null }
}

type Props = ShownSites & Readonly<{ path: string; children?: Child }>

export const PurchaseSites = (props: Props) => {
  const { path, sites, limit, ownLimit, at, released, children } = props
  const mayRelease = may("release_sites")
  const used = countSlots(sites, at)
  const stateOf = ({ isTest, lastDay }: PurchaseSite) =>
    t(siteStateTexts[isTest ? "test" : isSlotHeld(lastDay, at) ? "active" : "unused"])
  const releaseButton = ({ site }: PurchaseSite) => (
    <button type="submit" form={releaseForm} name="site" value={site} class="quiet">
      {t("Release")} <span class="visually-hidden">{site}</span>
    </button>
  )
  return (
    <Panel id="sites" title={t("Sites")}>
      {released !== null && mayRelease && (
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
          ? t("Active on {n site|sites}. No site limit.", { n: used })
          : t("Active on {n site|sites}. The site limit is {limit}.", { n: used, limit })}{" "}
        {children}
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
        <>
          <DataTable
            rows={sites.slice(0, shownSitesMax)}
            columns={siteColumns<PurchaseSite>(({ site }) => site, stateOf)}
            {...(mayRelease && { menuOf: releaseButton })}
          />
          {mayRelease && (
            <PostForm action={`${path}/release`} id={releaseForm}>
              <p class="hint">
                {t(
                  "A released site is activated again by its next validation, while a slot is free. Test sites and unused ones, not seen for 30 days, take no slot.",
                )}
              </p>
              <button type="submit" name="all" value="yes" class="quiet">
                {t("Release all sites")}
              </button>
            </PostForm>
          )}
        </>
      )}
    </Panel>
  )
}

export const siteColumns = <Row extends Pick<PurchaseSite, "firstDay" | "lastDay">>(
  nameOf: (row: Row) => string,
  stateOf: (row: Row) => string,
): readonly Column<Row>[] => [
  column(t("Site"), nameOf, { isWide: true }),
  column(t("First seen"), ({ firstDay }) => firstDay, { kind: "day" }),
  column(t("Last seen"), ({ lastDay }) => lastDay, { kind: "day" }),
  column(t("Status"), stateOf),
]

/** One form for all buttons: 200 forms would make the page large. */
const releaseForm = "release"

export const SiteLimitsText = ({ limits }: { limits: SiteLimits }) => {
  const licenseLimits = Object.entries(limits.byLicense).map(([name, sites]) =>
    t("With the license “{license}”: {n site|sites}.", {
      license: isolateDirection(licenseLabel(name)),
      n: sites,
    }),
  )
  return <>{[describeLimit(limits.sites), ...licenseLimits].join(" ")}</>
}

type FactsProps = Readonly<{
  purchase: Purchase
  itemPath: string
  children?: Child
}>

/** The buyer is shown to the author and to operators, never by the API. */
export const PurchaseFacts = ({ purchase, itemPath, children }: FactsProps) => {
  const { item, ...body } = purchaseBodyOf(purchase)
  return (
    <dl class="facts">
      {children}
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

export const TermFacts = ({ purchase }: Pick<FactsProps, "purchase">) => {
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

export const siteStateTexts = { active: "Active", unused: "Unused", test: "Test site" } as const
