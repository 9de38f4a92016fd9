import type { Cleaning } from "../../../domain/catalogue/purchase-code.ts"
import { trimBlank } from "../../../domain/values/blank.ts"
import { Field, TokenField } from "../../pages/parts/fields.tsx"
import { shownName } from "../../pages/parts/name.ts"
import { Pill } from "../../pages/parts/pill.tsx"
import { Day, formatDay, formatMoney, licenceOf, Moment } from "../../pages/parts/values.tsx"
import { WorkspacePage } from "../../pages/parts/workspace-layout.tsx"
import type { View } from "../../pages/view.ts"
import { type CheckFacts, type Finding, isFinding } from "../frame/check-facts.ts"
import { JsonBlock } from "../parts/json-block.tsx"

type Props = Readonly<{
  view: View
  /** The check whose result is on the page; null on the empty form. */
  shown: CheckFacts | null
  /** The checks of this session, newest first. */
  recent: readonly CheckFacts[]
}>

export const CheckPage = ({ view, shown, recent }: Props) => {
  const { check } = view.words
  const result = shown?.result ?? null
  const finding = result !== null && isFinding(result) ? result : null
  const problem = result === null || isFinding(result) ? null : check.problems[result.kind]
  const headline = finding && headlineOf(view, finding)
  return (
    <WorkspacePage view={view} title={headline ?? problem ?? check.title}>
      <h1>{check.title}</h1>
      <p>{check.intro}</p>
      <form method="post" action="/workspace/check" class="filter">
        <TokenField view={view} />
        <Field
          name="purchase_code"
          label={check.label}
          value={shown?.pasted ?? ""}
          autocomplete="off"
          error={problem}
          {...(shown === null && { hint: check.example })}
          isFocused
          describedBy={finding === null ? undefined : "verdict"}
        />
        <button type="submit">{check.submit}</button>
      </form>
      {shown !== null && finding !== null && (
        <VerdictPanel view={view} finding={finding} cleanings={shown.cleanings} />
      )}
      <RecentChecks view={view} checks={recent} shownId={shown?.id} />
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
  const word = view.words.check.verdicts[finding.kind]
  if (!("purchase" in finding)) return word
  const { item } = finding.purchase
  const name = shownName(item.name, item.id)
  return [word, name, licenceOf(view, finding.purchase)].join(" · ")
}

type PanelProps = Readonly<{ view: View; finding: Finding; cleanings: readonly Cleaning[] }>

const VerdictPanel = ({ view, finding, cleanings }: PanelProps) => {
  const { check } = view.words
  return (
    <section class="panel">
      <div class={`notice ${tones[finding.kind]}`} id="verdict">
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
              {check.others} <span class="mono">{finding.others.join(", ")}</span>
            </p>
          )}
          <Facts view={view} finding={finding} />
        </>
      )}
      {cleanings.length > 0 && (
        <p class="hint">{check.cleaned(cleanings.map((each) => check.cleanings[each]))}</p>
      )}
      <JsonBlock view={view} title={view.words.overview.asJson} json={finding.json} />
    </section>
  )
}

type SoldFinding = Extract<Finding, { kind: "valid" | "refunded" }>

const Facts = ({ view, finding }: { view: View; finding: SoldFinding }) => {
  const { check } = view.words
  const { purchase, buyer, kind } = finding
  const { item, supported_until } = purchase
  return (
    <dl class="facts">
      <dt>{check.code}</dt>
      <dd class="mono">{purchase.purchase_code}</dd>
      {buyer !== null && (
        <>
          <dt>{check.buyer}</dt>
          <dd>
            <bdi>{shownName(buyer, "–")}</bdi>
          </dd>
        </>
      )}
      <dt>{check.item}</dt>
      <dd>
        <a href={`/workspace/items/${item.id}`}>
          <bdi>{shownName(item.name, item.id)}</bdi>
        </a>
      </dd>
      <dt>{check.licence}</dt>
      <dd>{licenceOf(view, purchase)}</dd>
      <dt>{check.bought}</dt>
      <dd>
        <Day view={view} at={purchase.date} />
      </dd>
      {kind === "valid" && (
        <>
          <dt>{check.support}</dt>
          <dd>
            {supported_until === undefined ? (
              check.noSupport
            ) : (
              <Day view={view} at={supported_until} />
            )}
          </dd>
        </>
      )}
      <dt>{check.price}</dt>
      <dd class="amount">{formatMoney(purchase.price, purchase.currency, view.locale)}</dd>
      <dt>{check.downloaded}</dt>
      <dd>{purchase.downloaded ? view.words.yes : view.words.no}</dd>
    </dl>
  )
}

type RecentProps = Readonly<{
  view: View
  checks: readonly CheckFacts[]
  /** This one is above already. */
  shownId: string | undefined
}>

const RecentChecks = ({ view, checks, shownId }: RecentProps) => {
  const { check } = view.words
  const rows = checks.flatMap(({ id, at, pasted, result }) =>
    isFinding(result) && id !== shownId ? [{ id, at, pasted, finding: result }] : [],
  )
  if (rows.length === 0) return null
  return (
    <section>
      <h2>{check.recent}</h2>
      <table class="stack">
        <thead>
          <tr>
            <th scope="col">{check.code}</th>
            <th scope="col">{check.result}</th>
            <th scope="col">{check.item}</th>
            <th scope="col">{check.checked}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ id, at, pasted, finding }) => (
            <tr>
              <td>
                <a class="mono clamp" href={`/workspace/check/${id}`}>
                  {"purchase" in finding ? finding.purchase.purchase_code : shownStart(pasted)}
                </a>
              </td>
              <td>
                <Pill tone={tones[finding.kind]}>{check.verdicts[finding.kind]}</Pill>
              </td>
              <td>
                {"purchase" in finding && (
                  <a href={`/workspace/items/${finding.purchase.item.id}`}>
                    <bdi>{shownName(finding.purchase.item.name, finding.purchase.item.id)}</bdi>
                  </a>
                )}
              </td>
              <td data-label={check.checked}>
                <Moment view={view} at={at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const startCharactersMax = 60

/** The beginning of a pasted text, on one line. */
function shownStart(pasted: string): string {
  const characters = [...trimBlank(pasted)]
  if (characters.length <= startCharactersMax) return characters.join("")
  return `${characters.slice(0, startCharactersMax).join("")}…`
}
