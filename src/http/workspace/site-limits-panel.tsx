/** The site limit, on the page of an item. */
import { saleIdOf } from "../../domain/catalog/sale.ts"
import {
  findSiteLimit,
  hasLimit,
  parseSiteLimit,
  type SiteLimits,
  type WidelyUsedCode,
} from "../../domain/catalog/site-limits.ts"
import { trimWhitespace } from "../../domain/values/text.ts"
import { DataTable } from "../pages/components/data-table.tsx"
import { Field, PostForm } from "../pages/components/form-fields.tsx"
import { licenseLabel } from "../pages/components/formatted-values.tsx"
import { Panel } from "../pages/components/panels-and-tables.tsx"
import { SiteLimitsText } from "../pages/components/purchase-sites.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import type { Form } from "../pages/page-context.ts"
import { checkPath, itemsPath } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"

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
  const texts = view.texts.sites.limit
  const problemOf = (text: string) => (isLimit(text) ? null : texts.problem)
  const named = values.licenses.filter(({ name }) => name !== "")
  const unnamed = values.licenses.find(({ name }) => name === "")?.sites ?? ""
  return (
    <>
      <Panel id="sites" title={texts.title}>
        <p>
          {texts.intro} <a href="/docs/site-limits">{texts.guide}</a>
        </p>
        <PostForm view={view} action={`/workspace/items/${itemId}/sites`}>
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
      </Panel>
      <Panel id="most-sites" title={texts.most}>
        <DataTable
          view={view}
          rows={codes}
          empty={texts.noneWide}
          linkOf={(code) => `${checkPath}/${saleIdOf(code)}`}
          columns={[
            {
              head: view.texts.columns.code,
              kind: "code",
              isWide: true,
              value: ({ code }) => code,
            },
            {
              head: view.texts.columns.license,
              value: ({ licenseType }) => licenseLabel(view, licenseType),
            },
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
  const path = `${itemsPath}/${itemId}`
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
