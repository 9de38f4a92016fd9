import { may } from "../access/page-view.ts"
import {
  findSiteLimit,
  hasLimit,
  type Item,
  parseSiteLimit,
  type SiteLimits,
} from "../items/item.ts"
import { findShownItem, type ItemPanel, type ShowItem } from "../items/item-pages.tsx"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView, type Form, Page, type PageContext } from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import {
  CsvLink,
  Field,
  isolateDirection,
  licenseLabel,
  Panel,
  PostForm,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { trimWhitespace } from "../platform/text.ts"
import { formatTimestamp } from "../platform/time.ts"
import { findSales, type Seller } from "./purchase-operations.ts"
import { saleIdOf } from "./sale.ts"
import { type PurchasePageServices, pathOfSale, saleColumns } from "./sale-pages.tsx"
import { previewLimits, setSiteLimits } from "./site-operations.ts"

const codesMax = 10
const salesMax = 5

/** What the page of an item shows of its purchases. */
export const createItemPanels = (services: PurchasePageServices): readonly ItemPanel[] => [
  (c, item) => renderLatestSales(services, c.var.account, item),
  (c, item) => renderSiteLimits(c, services, item),
]

async function renderLatestSales(services: PurchasePageServices, account: Seller, { id }: Item) {
  const { paths } = currentView()
  const query = { item: id }
  const ofItem = { itemIds: [id], state: null, range: null }
  const { sales } = await findSales(services, account, ofItem, {
    text: "",
    after: null,
    rowsMax: salesMax,
  })
  return (
    <Panel id="sales" title={t("Latest sales")}>
      <DataTable
        rows={sales}
        columns={saleColumns(formatTimestamp(services.now())).filter(({ isWide }) => !isWide)}
        linkOf={pathOfSale}
        empty={t("No sales of this item yet.")}
      />
      {sales.length > 0 && (
        <p class="actions">
          <a href={withQuery(paths.sales, query)}>{t("All sales")}</a>
          <CsvLink path={withQuery(`${paths.sales}.csv`, query)} />
        </p>
      )}
    </Panel>
  )
}

async function renderSiteLimits(
  c: PageContext,
  { sites, now }: PurchasePageServices,
  { id: itemId }: Item,
) {
  // A form with a problem is shown again.
  const values =
    c.req.method === "POST" ? readForm(c.var.form) : toFormValues(await sites.findLimits(itemId))
  const limits = parseForm(values)
  const codes = await sites.listWidelyUsed({ itemId }, 1, formatTimestamp(now()), codesMax)
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

const SiteLimitsForm = ({ itemId, values }: Pick<ConfirmProps, "itemId" | "values">) => {
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

/** Without `confirmed`, the response is a preview. */
export async function saveSiteLimits(
  c: PageContext,
  services: PurchasePageServices,
  showItem: ShowItem,
): Promise<Response> {
  const item = await findShownItem(c, services)
  if (item === null) return c.notFound()
  const { account, actor, form } = c.var
  const values = readForm(form)
  const limits = parseForm(values)
  if (limits === null) {
    c.status(422)
    return showItem(c, item)
  }
  if (form.text("confirmed") === "") {
    const preview = await previewLimits(services, item.id, limits)
    return c.html(<ConfirmPage {...{ itemId: item.id, values, limits, ...preview }} />)
  }
  const owned = { id: item.id, accountId: account.id, username: account.username }
  const isUpdated = await setSiteLimits({ ...services, actor }, owned, limits)
  return isUpdated
    ? c.redirect(`${currentView().paths.items}/${item.id}?done=sites`, 303)
    : c.notFound()
}

type FormValues = Readonly<{
  sites: string
  licenses: readonly Readonly<{ name: string; sites: string }>[]
}>

/** The license types with a price. Others are added by name. */
const defaultLicenses = ["Regular", "Extended"]
const licensesMax = 100

function toFormValues({ sites, byLicense }: SiteLimits): FormValues {
  const names = [...new Set([...defaultLicenses, ...Object.keys(byLicense)])]
  const licenses = names.map((name) => ({ name, sites: String(byLicense[name] ?? "") }))
  return { sites: String(sites ?? ""), licenses }
}

function readForm(form: Form): FormValues {
  const read = (name: string) => trimWhitespace(form.text(name).toWellFormed())
  const licenses = Array.from({ length: licensesMax }, (_, index) => ({
    name: read(`licence_${index}`),
    sites: read(`limit_${index}`),
  })).filter(({ name, sites }) => name !== "" || sites !== "")
  return { sites: read("limit"), licenses }
}

/** Null if a field is invalid. */
function parseForm({ sites, licenses }: FormValues): SiteLimits | null {
  const set = licenses.filter((each) => each.sites !== "")
  const isValid = isLimit(sites) && set.every((each) => each.name !== "" && isLimit(each.sites))
  if (!isValid) return null
  return {
    sites: findSiteLimit(sites),
    byLicense: Object.fromEntries(set.map((each) => [each.name, parseSiteLimit(each.sites)])),
  }
}

const isLimit = (text: string) => text === "" || findSiteLimit(text) !== null

type ConfirmProps = Readonly<{
  itemId: number
  values: FormValues
  limits: SiteLimits
  over: number
  purchases: number
}>

const ConfirmPage = ({ itemId, values, limits, over, purchases }: ConfirmProps) => {
  const isSameForAll = Object.keys(limits.byLicense).length === 0
  const path = `${currentView().paths.items}/${itemId}`
  return (
    <Page title={hasLimit(limits) ? t("Save this site limit?") : t("Remove the site limit?")}>
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
    </Page>
  )
}

const SiteLimitsText = ({ limits }: { limits: SiteLimits }) => {
  const limit =
    limits.sites === null
      ? t("A purchase can activate any number of sites.")
      : t("A purchase can activate {n site|sites}.", { n: limits.sites })
  const licenseLimits = Object.entries(limits.byLicense).map(([name, sites]) =>
    t("With the license “{license}”: {n site|sites}.", {
      license: isolateDirection(licenseLabel(name)),
      n: sites,
    }),
  )
  return <>{[limit, ...licenseLimits].join(" ")}</>
}

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
