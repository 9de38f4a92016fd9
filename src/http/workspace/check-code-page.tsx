import { type Purchase, type PurchaseBody, purchaseBodyOf } from "../../domain/catalog/purchase.ts"
import { listNormalizations, type Normalization } from "../../domain/catalog/purchase-code.ts"
import { parseSaleId } from "../../domain/catalog/sale.ts"
import { formatTimestamp, type Timestamp } from "../../domain/values/time/timestamp.ts"
import { saleIdOfPurchase } from "../../operations/catalog/list-sales.ts"
import { checkPurchase } from "../../operations/catalog/purchase-operations.ts"
import { readUsedSites, type UsedSites } from "../../operations/catalog/site-operations.ts"
import { renderErrorBody } from "../api/response/messages.ts"
import { validatePurchaseEndpoint } from "../api/validate-purchase-endpoint.ts"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  viewOf,
  viewWithNotice,
  visitorOf,
} from "../pages/author-context.ts"
import { Copyable, CopyableList } from "../pages/components/copy-button.tsx"
import { Field, PostForm, pastedUnitsMax } from "../pages/components/form-fields.tsx"
import {
  Day,
  displayName,
  Fact,
  formatDay,
  formatMoney,
  licenseLabel,
  NamedLink,
} from "../pages/components/formatted-values.tsx"
import { JsonBlock, renderApiResponse } from "../pages/components/json-block.tsx"
import { PurchaseSites, releaseRequestedSites } from "../pages/components/purchase-sites.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

const checkPath = "/workspace/check"

const supportEndOf = ({ supported_until: until }: PurchaseBody, now: Date) =>
  until !== undefined && until < formatTimestamp(now) ? until : null

export function addCheckRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { purchases, sales, now } = services

  app.get(checkPath, (c) => c.html(<CheckPage view={viewOf(c)} shown={null} />))

  app.post(checkPath, async (c) => {
    const pasted = c.get("form").text("purchase_code").slice(0, pastedUnitsMax).toWellFormed()
    return show(c, await check(c, pasted), true)
  })

  // The URL of a sale does not contain its code.
  app.get(`${checkPath}/:id`, async (c) => {
    const shown = await findSale(c)
    return shown === null ? c.notFound() : show(c, shown, false)
  })

  app.post(`${checkPath}/:id/release`, async (c) => {
    const result = (await findSale(c))?.result
    if (result === undefined || !("found" in result)) return c.notFound()
    const { id: accountId, username: author } = visitorOf(c).account
    const purchase = { code: result.found.code, accountId, author }
    const done = await releaseRequestedSites(
      { ...services, actor: actorOf(c) },
      purchase,
      c.get("form"),
    )
    return c.redirect(`${checkPath}/${c.req.param("id")}?done=${done}`, 303)
  })

  async function show(c: AuthorContext, shown: CheckFacts, isTyped: boolean): Promise<Response> {
    const { result } = shown
    const { released, releasedAll } = viewOf(c).texts.sites
    return c.html(
      <CheckPage
        view={viewWithNotice(c, { release: released, "release-all": releasedAll })}
        shown={shown}
        isTyped={isTyped}
        used={"found" in result ? await readUsedSites(services, result.found) : null}
      />,
    )
  }

  /** Null for unknown sales and sales of other authors. */
  async function findSale(c: AuthorContext): Promise<CheckFacts | null> {
    const id = c.req.param("id") ?? ""
    if (parseSaleId(id) === null) return null
    const code = await sales.findCode(visitorOf(c).account.id, id)
    return code === null ? null : check(c, code)
  }

  async function check(c: AuthorContext, pasted: string): Promise<CheckFacts> {
    const { locale } = viewOf(c)
    const accountId = visitorOf(c).account.id
    const checked = await checkPurchase(purchases, accountId, pasted)
    const errorJson = (reason: "unknown_code" | "revoked_code") =>
      renderErrorBody("validate_purchase", reason, locale)
    if (checked.kind !== "sold") {
      const { kind } = checked
      const isCode = kind !== "invalid" && kind !== "empty"
      const result: CheckResult = isCode ? { kind, json: errorJson("unknown_code") } : { kind }
      return { pasted, normalizations: isCode ? listNormalizations(pasted, null) : [], result }
    }
    const { purchase: found, isInText, others } = checked
    const purchase = purchaseBodyOf(found)
    const normalizations = isInText ? [] : listNormalizations(pasted, purchase.purchase_code)
    const sold = { found, purchase, isInText, others }
    const result: CheckResult = found.isRevoked
      ? { kind: "refunded", ...sold, json: errorJson("revoked_code") }
      : {
          kind: "valid",
          ...sold,
          supportEndedAt: supportEndOf(purchase, now()),
          json: await renderApiResponse(validatePurchaseEndpoint, found, locale),
        }
    return { pasted, normalizations, result }
  }
}

type Sold = Readonly<{
  /** The buyer is shown to the author only, never by the API. Null if the marketplace did not send it. */
  found: Purchase
  purchase: PurchaseBody
  isInText: boolean
  /** Other codes of the author in the same text. */
  others: readonly string[]
}>

/** `json` is the API response for a live key. */
type Finding = Readonly<{ json: string }> &
  (
    | (Sold & Readonly<{ kind: "valid"; supportEndedAt: Timestamp | null }>)
    | (Sold & Readonly<{ kind: "refunded" }>)
    | Readonly<{ kind: "test" | "unknown" }>
  )

type Problem = Readonly<{ kind: "invalid" | "empty" }>

type CheckResult = Finding | Problem

const isFinding = (result: CheckResult): result is Finding =>
  result.kind !== "invalid" && result.kind !== "empty"

type CheckFacts = Readonly<{
  pasted: string
  normalizations: readonly Normalization[]
  result: CheckResult
}>

type Props = Readonly<{
  view: View
  /** Null on the empty form. */
  shown: CheckFacts | null
  /** Whether the code was submitted with the form. */
  isTyped?: boolean
  used?: UsedSites | null
}>

const CheckPage = ({ view, shown, isTyped = true, used = null }: Props) => {
  const { check } = view.texts
  const result = shown?.result ?? null
  const finding = result !== null && isFinding(result) ? result : null
  const problem = result === null || isFinding(result) ? null : check.problems[result.kind]
  const headline = finding && headlineOf(view, finding)
  return (
    <WorkspacePage view={view} title={headline ?? problem ?? check.title} heading={check.title}>
      <p>{check.intro}</p>
      <PostForm view={view} action={checkPath} class="filter">
        <Field
          name="purchase_code"
          label={check.label}
          value={shown?.pasted ?? ""}
          autocomplete="off"
          error={problem}
          hint={shown === null ? check.example : undefined}
          isFocused={isTyped}
          describedBy={finding === null ? undefined : "result"}
        />
        <button type="submit">{check.submit}</button>
      </PostForm>
      {shown !== null && finding !== null && (
        <ResultPanel view={view} finding={finding} normalizations={shown.normalizations} />
      )}
      {shown !== null && finding !== null && "purchase" in finding && used !== null && (
        <PurchaseSites
          view={view}
          action={`${checkPath}/${saleIdOfPurchase(finding.found)}/release`}
          {...used}
        >
          <a href={`/workspace/items/${finding.purchase.item.id}#sites`}>
            {view.texts.sites.itemLimit}
          </a>
        </PurchaseSites>
      )}
    </WorkspacePage>
  )
}

const tones = {
  valid: "good",
  refunded: "danger",
  test: "warning",
  unknown: "warning",
} as const

function headlineOf(view: View, finding: Finding): string {
  const label = view.texts.check.results[finding.kind]
  if (!("purchase" in finding)) return label
  const { item } = finding.purchase
  const name = displayName(item.name, item.id)
  return [label, name, licenseLabel(view, finding.purchase)].join(" · ")
}

type PanelProps = Readonly<{
  view: View
  finding: Finding
  normalizations: readonly Normalization[]
}>

const ResultPanel = ({ view, finding, normalizations }: PanelProps) => {
  const { check } = view.texts
  return (
    <section class="panel">
      <div class={`notice ${tones[finding.kind]}`} id="result">
        <h2>{headlineOf(view, finding)}</h2>
        {finding.kind !== "valid" && <p>{check.explanations[finding.kind]}</p>}
      </div>
      {finding.kind === "valid" && finding.supportEndedAt !== null && (
        <p class="notice warning">
          {check.supportEnded(formatDay(finding.supportEndedAt, view.locale))}
        </p>
      )}
      {"purchase" in finding && (
        <>
          {finding.isInText && <p class="hint">{check.inText}</p>}
          {finding.others.length > 0 && (
            <p class="hint">
              {check.others} <CopyableList view={view} texts={finding.others} />
            </p>
          )}
          <Facts view={view} finding={finding} />
        </>
      )}
      {normalizations.length > 0 && (
        <p class="hint">
          {check.normalized(normalizations.map((each) => check.normalizations[each]))}
        </p>
      )}
      <JsonBlock view={view} title={view.texts.overview.asJson} json={finding.json} />
    </section>
  )
}

type SoldFinding = Extract<Finding, { kind: "valid" | "refunded" }>

const Facts = ({ view, finding }: { view: View; finding: SoldFinding }) => {
  const { check, columns } = view.texts
  const { purchase, kind } = finding
  const { buyer } = finding.found
  const { item, supported_until } = purchase
  return (
    <dl class="facts">
      <Fact name={columns.code} value={<Copyable view={view} text={purchase.purchase_code} />} />
      {buyer !== null && <Fact name={columns.buyer} value={<bdi>{displayName(buyer, "–")}</bdi>} />}
      <Fact name={columns.item} value={<ItemLink item={item} />} />
      <Fact name={columns.license} value={licenseLabel(view, purchase)} />
      <Fact name={check.bought} value={<Day view={view} at={purchase.date} />} />
      {kind === "valid" && (
        <Fact name={check.support}>
          {supported_until === undefined ? (
            check.noSupport
          ) : (
            <Day view={view} at={supported_until} />
          )}
        </Fact>
      )}
      <Fact name={columns.price} class="amount">
        {formatMoney(purchase.price, purchase.currency, view.locale)}
      </Fact>
      <Fact
        name={check.downloaded}
        value={purchase.downloaded ? view.texts.words.yes : view.texts.words.no}
      />
    </dl>
  )
}

const ItemLink = ({ item: { id, name } }: Pick<PurchaseBody, "item">) => (
  <NamedLink href={`/workspace/items/${id}`} name={displayName(name, id)} />
)
