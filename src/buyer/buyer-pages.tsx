/**
 * The pages for buyers: a purchase and its sites, which they release, and the offline activation. The code is only in
 * forms, never in a URL, and sites are sent masked.
 */
import { activatePath, licensePath } from "../access/paths.ts"
import { RateLimited } from "../keys/rate-limits.ts"
import { describeWait } from "../people/password-pages.tsx"
import { asset } from "../platform/pages/assets.ts"
import { currentView, inView, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import {
  CopyButton,
  displayName,
  Fact,
  Field,
  formatDay,
  isolateDirection,
  licenseLabel,
  Panel,
  PostForm,
  QuietButton,
} from "../platform/pages/elements.tsx"
import { Notice, PublicPage, SupportLink, Warning } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
import { trimWhitespace } from "../platform/text.ts"
import { formatTimestamp, secondsAfter } from "../platform/time.ts"
import { type FoundPurchase, type Purchase, purchaseBodyOf } from "../purchases/purchase.ts"
import { siteColumns, TermFacts } from "../purchases/purchase-pages.tsx"
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

export function addBuyerPages(app: PageApp, services: BuyerServices): void {
  app.get(licensePath, (c) => c.html(<LicensePage code="" />))
  app.post(licensePath, (c) => showLicense(c, services))
  app.get(activatePath, (c) => c.html(<ActivatePage />))
}

async function showLicense(c: PageContext, services: BuyerServices): Promise<Response> {
  const code = c.var.form.text("purchase_code").toWellFormed()
  const reject = (problem: string, status: 404 | 422 | 429) =>
    c.html(<LicensePage code={code} problem={problem} />, status)
  if (trimWhitespace(code) === "") return reject(t("Enter your purchase code."), 422)
  try {
    const caller = { address: () => c.env.address }
    const purchase = await findBoughtPurchase(services, caller, code)
    if (purchase !== null) return await showPurchase(c, services, code, purchase)
    return await reject(
      t(
        "Unknown purchase code. Copy it again from the e-mail about your purchase. After a new purchase it can take a few minutes.",
      ),
      404,
    )
  } catch (error) {
    if (!(error instanceof RateLimited)) throw error
    c.header("Retry-After", String(error.retryAfterSeconds))
    return reject(describeWait(error.retryAfterSeconds), 429)
  }
}

/** Also changes a site: the first form shows a confirmation. */
async function showPurchase(
  c: PageContext,
  services: BuyerServices,
  code: string,
  purchase: FoundPurchase,
): Promise<Response> {
  const caller = { address: () => c.env.address }
  const { form } = c.var
  const state = boughtStateOf(purchase, formatTimestamp(services.now()))
  const readSites = async () =>
    state === "valid" ? await readBoughtSites(services, purchase, caller) : null
  const show = async (status: 200 | 409 | 429, warning?: string, notice?: string) => {
    const bought = { purchase, state, sites: await readSites() }
    return inView({ ...currentView(), ...(notice && { notice }) }, () =>
      c.html(<LicensePage code={code} bought={bought} warning={warning} />, status),
    )
  }

  const change = siteChanges.find(
    (each) => form.text(each) !== "" || form.text("confirmed") === each,
  )
  if (change === undefined) return show(200)
  const isConfirmed = form.text("confirmed") === change
  const id = form.text(isConfirmed ? "site" : change)
  const site = (await readSites())?.sites.find((each) => each.id === id)
  if (!site?.changes.includes(change))
    return show(409, t("This has changed in the meantime. Look at the sites below."))
  if (!isConfirmed) return c.html(<ConfirmPage code={code} site={site} change={change} />)
  const result = await changeBoughtSite(services, caller, purchase, { site, change })
  if (result.kind === "too_many") {
    const freeAt = secondsAfter(services.now(), result.retryAfterSeconds)
    c.header("Retry-After", String(Math.ceil(result.retryAfterSeconds)))
    return show(
      429,
      t("Five sites were released within 30 days. You can release the next one on {day}.", {
        day: formatDay(freeAt),
      }),
    )
  }
  return result.kind === "absent"
    ? show(409, t("This has changed in the meantime. Look at the sites below."))
    : show(200, undefined, t(doneTexts[change], { site: renderSite(site) }))
}

const renderSite = ({ site }: Pick<BoughtSite, "site">) => isolateDirection(maskSite(site))

type Props = Readonly<{
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

const LicensePage = ({ code, problem, warning, bought }: Props) => {
  const head = <script type="module" src={asset.licenseScript.path} />
  return (
    <PublicPage title={t("Your license")} problem={problem} head={head}>
      <h1>{t("Your license")}</h1>
      <Notice />
      {warning !== undefined && <Warning text={warning} />}
      {bought === undefined && (
        <p>{t("See whether your purchase code is valid and where it is used.")}</p>
      )}
      <PostForm action={licensePath} {...(bought && { class: "filter" })}>
        <Field
          name="purchase_code"
          label={t("Purchase code")}
          value={code}
          autocomplete="off"
          hint={
            bought === undefined && problem === undefined
              ? t("It is in the e-mail about your purchase.")
              : undefined
          }
          error={problem ?? null}
          isFocused={code === ""}
        />
        <button type="submit">{t("Show")}</button>
      </PostForm>
      {bought && (
        <section class="panel">
          <p class={`notice ${tones[bought.state]}`}>{t(licenseStateTexts[bought.state])}</p>
          <PurchaseSummary purchase={bought.purchase} />
        </section>
      )}
      {bought?.sites && <Sites code={code} bought={bought.sites} />}
      {currentView().site.supportUrl !== null && (
        <p>
          <SupportLink />
        </p>
      )}
    </PublicPage>
  )
}

/** Without price and buyer, which somebody else who knows the code must not see. */
const PurchaseSummary = ({ purchase }: Readonly<{ purchase: Purchase }>) => {
  const { item, ...body } = purchaseBodyOf(purchase)
  return (
    <dl class="facts">
      <Fact name={t("Item")}>
        <bdi>{displayName(item.name, item.id)}</bdi>
      </Fact>
      <Fact name={t("License")} value={licenseLabel(body.license_type)} />
      <TermFacts purchase={purchase} />
    </dl>
  )
}

const Sites = ({ code, bought }: Readonly<{ code: string; bought: BoughtSites }>) => {
  const { sites, count, used, limit, releasesLeft } = bought
  const inUse =
    limit === null
      ? t("Active on {n site|sites}. No site limit.", { n: used })
      : t("Active on {n site|sites}. The site limit is {limit}.", { n: used, limit })
  const left =
    releasesLeft === 0
      ? t("You cannot release more sites from here: five within 30 days are allowed.")
      : t("You can release {n more site|more sites} within 30 days.", { n: releasesLeft })
  return (
    <Panel id="sites" title={t("Sites")}>
      <p>{sites.length === 0 ? t("Not used on any site.") : inUse}</p>
      {sites.length > 0 && (
        <PostForm action={licensePath}>
          <input type="hidden" name="purchase_code" value={code} />
          <DataTable
            rows={sites}
            columns={siteColumns<BoughtSite>(
              ({ site }) => maskSite(site),
              ({ state }) => state,
            )}
            menuOf={({ id, site, changes }) =>
              changes.map((change) => (
                <QuietButton name={change} value={id}>
                  {t(changeTexts[change])}
                  <span class="visually-hidden"> {maskSite(site)}</span>
                </QuietButton>
              ))
            }
          />
          <p class="hint">
            {count > sites.length &&
              `${t("These are the {n} sites seen last.", { n: sites.length })} `}
            {t("Names are masked, because others may know this code.")} {left}
          </p>
        </PostForm>
      )}
    </Panel>
  )
}

type ConfirmProps = Readonly<{ code: string; site: BoughtSite; change: SiteChange }>

const ConfirmPage = ({ code, site, change }: ConfirmProps) => {
  const { id, losing, state } = site
  const title = t(confirmTexts[change], { site: renderSite(site) })
  return (
    <PublicPage title={title}>
      <h1>{title}</h1>
      <p>
        {change === "reclaim"
          ? t(
              "{losing} was activated later and loses its slot. Then validate the code again in the product’s settings.",
              { losing: renderSite({ site: losing }) },
            )
          : t(releaseTexts[state === "active" ? "active" : "other"])}
      </p>
      <PostForm action={licensePath} class="actions">
        <input type="hidden" name="purchase_code" value={code} />
        <input type="hidden" name="site" value={id} />
        <button type="submit" class="danger" name="confirmed" value={change}>
          {t(changeTexts[change])}
        </button>
        <QuietButton>{t("Cancel")}</QuietButton>
      </PostForm>
    </PublicPage>
  )
}

/**
 * A buyer gets a receipt for a product that cannot send requests. The page is the same for all: its script reads the
 * key and the nonce from the fragment, and sends the request to the API.
 */
const ActivatePage = () => {
  const head = <script type="module" src={asset.activateScript.path} />
  return (
    <PublicPage title={t("Offline activation")} head={head}>
      <h1>{t("Offline activation")}</h1>
      <p>
        {t(
          "For products that cannot connect to this server. Enter your purchase code, then paste the receipt into the product’s settings.",
        )}
      </p>
      <p data-site hidden>
        {t("The receipt is for this site only:")} <bdi />
      </p>
      <form method="post" data-activates hidden>
        <Field
          name="purchase_code"
          label={t("Purchase code")}
          autocomplete="off"
          maxlength={255}
          isRequired
        />
        <p>
          <button type="submit">{t("Get a receipt")}</button>
        </p>
      </form>
      <div role="status">
        {Object.entries(activationTexts).map(([name, text]) => (
          <p
            class={outcomeClasses.get(name) ?? "notice warning"}
            data-outcome={name}
            hidden={name !== "no_script"}
          >
            {t(text)}
          </p>
        ))}
      </div>
      <div data-receipt hidden>
        <div class="field">
          <label for="receipt">{t("Receipt")}</label>
          <input id="receipt" type="text" readonly aria-describedby="receipt-hint" />
          <p class="hint" id="receipt-hint">
            {t("Paste it soon. It is valid for a limited time.")}
          </p>
        </div>
        <CopyButton text="" isMain />
      </div>
      <p>
        <a href={licensePath}>{t("See your license and its sites")}</a>
      </p>
    </PublicPage>
  )
}

const outcomeClasses = new Map([
  ["ok", "notice good"],
  ["validating", "notice"],
])

const doneTexts = {
  release: "{site} was released.",
  reclaim: "The slot for {site} is free. Validate the code again in the product’s settings there.",
} as const

const licenseStateTexts = {
  valid: "This purchase code is valid.",
  refunded: "This purchase was refunded or charged back. The code is invalid.",
  expired: "Your subscription ended. The code is invalid until you renew it.",
  suspended: "This purchase code cannot be validated because its author is suspended.",
} as const

const changeTexts = { release: "Release", reclaim: "Use it here again" } as const

const confirmTexts = {
  release: "Release {site}?",
  reclaim: "Use the code on {site} again?",
} as const

const releaseTexts = {
  active:
    "Its slot becomes free immediately. The product there stops being active, unless a slot is free when it validates again.",
  other: "This site takes no slot, so releasing it frees none.",
} as const

/** The outcomes that the script of the offline activation shows. */
const activationTexts = {
  no_script: "This page requires JavaScript. Enable it and open the link again.",
  no_link: "This URL is incomplete. Open the link in the product’s settings again.",
  validating: "Checking the code…",
  ok: "The code is valid. Copy the receipt and paste it into your product.",
  unknown_code: "This purchase code is invalid. Check it.",
  revoked_code: "This purchase was refunded or charged back.",
  expired_code: "The subscription of this purchase has ended.",
  site_limit:
    "This purchase code has reached its site limit. See your license below to release another site. A site not seen for 30 days frees its slot.",
  key: "The product’s key is no longer valid. Update the product, or ask its author.",
  unknown:
    "The code cannot be validated right now. It may still be valid. Try again in a few minutes.",
} as const
