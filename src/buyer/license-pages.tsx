/**
 * The page where a buyer sees a purchase and releases its sites. The code is only in forms, never in a URL, and sites
 * are sent masked.
 */
import { licensePath } from "../access/paths.ts"
import { RateLimited } from "../keys/rate-limits.ts"
import { asset } from "../platform/pages/assets.ts"
import type { PageApp, PageContext, View } from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import {
  displayName,
  Fact,
  formatDay,
  isolateDirection,
  licenseLabel,
  Panel,
} from "../platform/pages/elements.tsx"
import { Field, PostForm, QuietButton } from "../platform/pages/form-fields.tsx"
import { Notice, PublicPage, SupportLink, Warning } from "../platform/pages/layout.tsx"
import { trimWhitespace } from "../platform/text.ts"
import { formatTimestamp, secondsAfter } from "../platform/time.ts"
import { type Purchase, purchaseBodyOf } from "../purchases/purchase.ts"
import { siteColumns, TermFacts } from "../purchases/purchase-sites.tsx"
import {
  type BoughtSite,
  type BoughtSites,
  type BoughtState,
  type BuyerServices,
  boughtStateOf,
  changeBoughtSite,
  findBoughtPurchase,
  readBoughtSites,
  type SiteChange,
  siteChanges,
} from "./buyer-operations.ts"
import { maskSite } from "./masked-site.ts"

export function addLicenseRoutes(app: PageApp, services: BuyerServices): void {
  app.get(licensePath, (c) => c.html(<LicensePage view={c.var.view} code="" />))

  app.post(licensePath, async (c) => {
    const code = c.var.form.text("purchase_code").toWellFormed()
    const texts = c.var.view.texts.license
    const reject = (problem: string, status: 404 | 422 | 429) =>
      c.html(<LicensePage view={c.var.view} code={code} problem={problem} />, status)
    if (trimWhitespace(code) === "") return reject(texts.problems.empty, 422)
    try {
      return (await showPurchase(c, code)) ?? (await reject(texts.problems.unknown, 404))
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error
      c.header("Retry-After", String(error.retryAfterSeconds))
      return reject(c.var.view.texts.signIn.slow(error.retryAfterSeconds), 429)
    }
  })

  /** Returns null for an unknown code. */
  async function showPurchase(c: PageContext, code: string): Promise<Response | null> {
    const caller = { address: () => c.env.address }
    const purchase = await findBoughtPurchase(services, caller, code)
    if (purchase === null) return null
    const state = boughtStateOf(purchase, formatTimestamp(services.now()))
    const readSites = async () =>
      state === "valid" ? await readBoughtSites(services, purchase, caller) : null
    const show = async (status: 200 | 409 | 429, warning?: string, notice?: string) => {
      const view = { ...c.var.view, ...(notice && { notice }) }
      const bought = { purchase, state, sites: await readSites() }
      return c.html(
        <LicensePage view={view} code={code} bought={bought} warning={warning} />,
        status,
      )
    }

    const form = c.var.form
    const change = siteChanges.find(
      (each) => form.text(each) !== "" || form.text("confirmed") === each,
    )
    if (change === undefined) return show(200)
    const isConfirmed = form.text("confirmed") === change
    const id = form.text(isConfirmed ? "site" : change)
    const { license: texts } = c.var.view.texts
    const site = (await readSites())?.sites.find((each) => each.id === id)
    if (!site?.changes.includes(change)) return show(409, texts.absent)
    if (!isConfirmed)
      return c.html(<ConfirmPage view={c.var.view} code={code} site={site} change={change} />)
    const result = await changeBoughtSite(services, caller, purchase, site, change)
    if (result.kind === "too_many") {
      const freeAt = secondsAfter(services.now(), result.retryAfterSeconds)
      c.header("Retry-After", String(Math.ceil(result.retryAfterSeconds)))
      return show(429, texts.tooMany(formatDay(freeAt, c.var.view.locale)))
    }
    return result.kind === "absent"
      ? show(409, texts.absent)
      : show(200, undefined, texts.done[change](nameOf(site)))
  }
}

const nameOf = ({ site }: Pick<BoughtSite, "site">) => isolateDirection(maskSite(site))

type Props = Readonly<{
  view: View
  /** As the buyer entered it. */
  code: string
  problem?: string
  warning?: string | undefined
  bought?: Readonly<{ purchase: Purchase; state: BoughtState; sites: BoughtSites | null }>
}>

const tones: Readonly<Record<BoughtState, string>> = {
  valid: "good",
  refunded: "danger",
  expired: "warning",
  suspended: "warning",
}

const LicensePage = ({ view, code, problem, warning, bought }: Props) => {
  const { license: texts, check } = view.texts
  const head = <script type="module" src={asset.licenseScript.path} />
  return (
    <PublicPage view={view} title={texts.title} problem={problem} head={head}>
      <h1>{texts.title}</h1>
      <Notice view={view} />
      {warning !== undefined && <Warning text={warning} />}
      {bought === undefined && <p>{texts.intro}</p>}
      <PostForm view={view} action={licensePath} {...(bought && { class: "filter" })}>
        <Field
          name="purchase_code"
          label={check.purchaseCode}
          value={code}
          autocomplete="off"
          hint={bought === undefined && problem === undefined ? texts.hint : undefined}
          error={problem ?? null}
          isFocused={code === ""}
        />
        <button type="submit">{texts.submit}</button>
      </PostForm>
      {bought && (
        <section class="panel">
          <p class={`notice ${tones[bought.state]}`}>{texts.states[bought.state]}</p>
          <PurchaseSummary view={view} purchase={bought.purchase} />
        </section>
      )}
      {bought?.sites && <Sites view={view} code={code} {...bought.sites} />}
      {view.site.supportUrl !== null && (
        <p>
          <SupportLink view={view} />
        </p>
      )}
    </PublicPage>
  )
}

/** Without price and buyer, which somebody else who knows the code must not see. */
const PurchaseSummary = ({ view, purchase }: Readonly<{ view: View; purchase: Purchase }>) => {
  const { columns } = view.texts
  const { item, ...body } = purchaseBodyOf(purchase)
  return (
    <dl class="facts">
      <Fact name={columns.item}>
        <bdi>{displayName(item.name, item.id)}</bdi>
      </Fact>
      <Fact name={columns.license} value={licenseLabel(view, body.license_type)} />
      <TermFacts view={view} purchase={purchase} />
    </dl>
  )
}

type CodeFormProps = Readonly<{ view: View; code: string }>

const Sites = ({ view, code, ...read }: CodeFormProps & BoughtSites) => {
  const { sites: texts, license } = view.texts
  const { sites, count, used, limit, releasesLeft } = read
  const inUse = limit === null ? texts.used(used) : texts.usedOf(used, limit)
  return (
    <Panel id="sites" title={texts.title}>
      <p>{sites.length === 0 ? license.sites.none : inUse}</p>
      {sites.length > 0 && (
        <PostForm view={view} action={licensePath}>
          <input type="hidden" name="purchase_code" value={code} />
          <DataTable
            view={view}
            rows={sites}
            columns={siteColumns<BoughtSite>(
              view,
              ({ site }) => maskSite(site),
              ({ state }) => texts.states[state],
            )}
            menuOf={({ id, site, changes }) =>
              changes.map((change) => (
                <QuietButton name={change} value={id}>
                  {license.sites.change[change]}
                  <span class="visually-hidden"> {maskSite(site)}</span>
                </QuietButton>
              ))
            }
          />
          <p class="hint">
            {count > sites.length && `${license.sites.latest(sites.length)} `}
            {license.sites.masked} {license.sites.left(releasesLeft)}
          </p>
        </PostForm>
      )}
    </Panel>
  )
}

type ConfirmProps = CodeFormProps & Readonly<{ site: BoughtSite; change: SiteChange }>

const ConfirmPage = ({ view, code, site, change }: ConfirmProps) => {
  const { license: texts, words } = view.texts
  const { id, losing, state } = site
  const title = texts.confirm[change].title(nameOf(site))
  return (
    <PublicPage view={view} title={title}>
      <h1>{title}</h1>
      <p>
        {change === "reclaim"
          ? texts.confirm.reclaim.text(nameOf({ site: losing }))
          : texts.confirm.release[state === "active" ? "text" : "noSlot"]}
      </p>
      <PostForm view={view} action={licensePath} class="actions">
        <input type="hidden" name="purchase_code" value={code} />
        <input type="hidden" name="site" value={id} />
        <button type="submit" class="danger" name="confirmed" value={change}>
          {texts.sites.change[change]}
        </button>
        <QuietButton>{words.cancel}</QuietButton>
      </PostForm>
    </PublicPage>
  )
}
