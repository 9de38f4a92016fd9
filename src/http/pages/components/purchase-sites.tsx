/** The sites of a purchase, for its author and for operators. */
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
    /** The forms are sent to it. */
    action: string
    /** Stands behind the sentence about the limit. */
    children?: Child
  }>

export const PurchaseSites = ({ view, action, sites, limit, at, children }: Props) => {
  const words = view.texts.sites
  const used = countSlots(sites, at)
  const { real = [], test = [] } = Object.groupBy(sites, ({ isTest }) => (isTest ? "test" : "real"))
  const isCounted = ({ isTest, lastDay }: PurchaseSite) => isTest || isSlotHeld(lastDay, at)
  return (
    <>
      <Panel id="sites" title={words.title}>
        <p>
          {limit === null ? words.used(used) : words.usedOf(used, limit)} {children}
        </p>
        {sites.length === 0 && <p class="hint">{words.none}</p>}
        {sites.length > 0 && <p>{words.releaseHint}</p>}
        {real.length > 0 && <SiteTable view={view} sites={real} isCounted={isCounted} />}
        {sites.length > 0 && (
          <PostForm view={view} action={action} id={releaseForm}>
            {!real.every(isCounted) && <p>{words.notCountedHint}</p>}
            <p>{words.releaseAllHint}</p>
            <button type="submit" name="all" value="yes" class="quiet">
              {words.releaseAll}
            </button>
          </PostForm>
        )}
      </Panel>
      {test.length > 0 && (
        <Panel id="test-sites" title={words.test}>
          <p>{words.testHint}</p>
          <SiteTable view={view} sites={test} isCounted={isCounted} />
        </Panel>
      )}
    </>
  )
}

/** One form for all buttons: a page with 200 forms would be large. */
const releaseForm = "release"

/** What a form of `PurchaseSites` asks for. The name of the change is for `?done=`. */
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
  const words = view.texts.sites
  return (
    <Table
      rows={sites}
      columns={[
        {
          head: words.site,
          cell: (each) => (
            <>
              <bdi>{displayName(each.site, "–")}</bdi>{" "}
              {!isCounted(each) && <Pill tone="plain">{words.notCounted}</Pill>}
            </>
          ),
        },
        { head: words.first, cell: ({ firstDay }) => <UtcDay view={view} day={firstDay} /> },
        {
          head: view.texts.columns.lastSeen,
          cell: ({ lastDay }) => <UtcDay view={view} day={lastDay} />,
        },
        {
          head: <span class="visually-hidden">{words.release}</span>,
          cell: ({ site }) => (
            <button type="submit" form={releaseForm} name="site" value={site} class="quiet">
              {words.release} <span class="visually-hidden">{site}</span>
            </button>
          ),
        },
      ]}
    />
  )
}

/** On how many sites each purchase of an item may be used. */
export const SiteLimitsText = ({ view, limits }: { view: View; limits: SiteLimits }) => {
  const words = view.texts.sites.limit
  const ofLicences = Object.entries(limits.byLicense).map(([name, sites]) =>
    words.perLicense(isolateDirection(licenseLabel(view, { license_type: name })), sites),
  )
  return <>{[words.perPurchase(limits.sites), ...ofLicences].join(" ")}</>
}
