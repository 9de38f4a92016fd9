import type { Child } from "hono/jsx"
import {
  countSlots,
  isSlotHeld,
  type PurchaseSite,
  type SiteLimits,
} from "../../../domain/catalog/site-limits.ts"
import {
  releaseAllSites,
  releaseSiteOf,
  type UsedSites,
} from "../../../operations/catalog/site-operations.ts"
import type { Form } from "../page-context.ts"
import type { View } from "../view.ts"
import { PostForm } from "./form-fields.tsx"
import { displayName, isolateDirection, licenseLabel, Pill, UtcDay } from "./formatted-values.tsx"
import { Panel, Table } from "./panels-and-tables.tsx"

type Props = UsedSites &
  Readonly<{
    view: View
    action: string
    children?: Child
  }>

export const PurchaseSites = ({ view, action, sites, limit, at, children }: Props) => {
  const texts = view.texts.sites
  const used = countSlots(sites, at)
  const { real = [], test = [] } = Object.groupBy(sites, ({ isTest }) => (isTest ? "test" : "real"))
  const isCounted = ({ isTest, lastDay }: PurchaseSite) => isTest || isSlotHeld(lastDay, at)
  return (
    <>
      <Panel id="sites" title={texts.title}>
        <p>
          {limit === null ? texts.used(used) : texts.usedOf(used, limit)} {children}
        </p>
        {sites.length === 0 && <p class="hint">{texts.none}</p>}
        {sites.length > 0 && <p>{texts.releaseHint}</p>}
        {real.length > 0 && <SiteTable view={view} sites={real} isCounted={isCounted} />}
        {sites.length > 0 && (
          <PostForm view={view} action={action} id={releaseForm}>
            {!real.every(isCounted) && <p>{texts.notCountedHint}</p>}
            <p>{texts.releaseAllHint}</p>
            <button type="submit" name="all" value="yes" class="quiet">
              {texts.releaseAll}
            </button>
          </PostForm>
        )}
      </Panel>
      {test.length > 0 && (
        <Panel id="test-sites" title={texts.test}>
          <p>{texts.testHint}</p>
          <SiteTable view={view} sites={test} isCounted={isCounted} />
        </Panel>
      )}
    </>
  )
}

/** One form for all buttons: 200 forms would make the page large. */
const releaseForm = "release"

/** Releases what a form of `PurchaseSites` requests. Returns the name for `?done=`. */
export async function releaseRequestedSites(
  services: Parameters<typeof releaseAllSites>[0],
  purchase: Parameters<typeof releaseAllSites>[1],
  form: Form,
): Promise<"release" | "release-all"> {
  if (form.text("all") === "") {
    await releaseSiteOf(services, purchase, form.text("site"))
    return "release"
  }
  await releaseAllSites(services, purchase)
  return "release-all"
}

type TableProps = Pick<Props, "view" | "sites"> &
  Readonly<{ isCounted(site: PurchaseSite): boolean }>

const SiteTable = ({ view, sites, isCounted }: TableProps) => {
  const texts = view.texts.sites
  return (
    <Table
      rows={sites}
      columns={[
        {
          head: texts.site,
          cell: (each) => (
            <>
              <bdi>{displayName(each.site, "–")}</bdi>{" "}
              {!isCounted(each) && <Pill tone="plain">{texts.notCounted}</Pill>}
            </>
          ),
        },
        { head: texts.first, cell: ({ firstDay }) => <UtcDay view={view} day={firstDay} /> },
        {
          head: view.texts.columns.lastSeen,
          cell: ({ lastDay }) => <UtcDay view={view} day={lastDay} />,
        },
        {
          head: <span class="visually-hidden">{texts.release}</span>,
          cell: ({ site }) => (
            <button type="submit" form={releaseForm} name="site" value={site} class="quiet">
              {texts.release} <span class="visually-hidden">{site}</span>
            </button>
          ),
        },
      ]}
    />
  )
}

export const SiteLimitsText = ({ view, limits }: { view: View; limits: SiteLimits }) => {
  const texts = view.texts.sites.limit
  const licenseLimits = Object.entries(limits.byLicense).map(([name, sites]) =>
    texts.perLicense(isolateDirection(licenseLabel(view, { license_type: name })), sites),
  )
  return <>{[texts.perPurchase(limits.sites), ...licenseLimits].join(" ")}</>
}
