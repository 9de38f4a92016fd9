import type { PurchaseBody } from "../../../domain/purchase.ts"
import type { Cleaning } from "../../../domain/purchase-code.ts"
import { Field, TokenField } from "../parts/fields.tsx"
import { JsonBlock } from "../parts/json-block.tsx"
import { WorkspacePage } from "../parts/layout.tsx"
import { shownName } from "../parts/name.ts"
import { Day, formatMoney } from "../parts/values.tsx"
import type { View } from "../view.ts"

export type CheckResult =
  | Readonly<{ kind: "valid"; purchase: PurchaseBody; json: string; isSupportOver: boolean }>
  | Readonly<{ kind: "revoked" | "unknown" | "invalid" | "blank" }>

type Props = Readonly<{
  view: View
  pasted: string
  cleanings: readonly Cleaning[]
  result: CheckResult | null
}>

export const CheckPage = ({ view, pasted, cleanings, result }: Props) => {
  const { check } = view.words
  const isFieldAtFault = result?.kind === "blank" || result?.kind === "invalid"
  return (
    <WorkspacePage view={view} title={check.title}>
      <h1>{check.title}</h1>
      <p>{check.intro}</p>
      <form method="post" action="/workspace/check" class="filter">
        <TokenField view={view} />
        <Field
          name="purchase_code"
          label={check.label}
          value={pasted}
          autocomplete="off"
          error={isFieldAtFault ? check[result.kind] : null}
        />
        <button type="submit">{check.submit}</button>
      </form>
      {result !== null && !isFieldAtFault && (
        <section class="panel" aria-live="polite">
          <Verdict view={view} result={result} />
          {cleanings.length > 0 && (
            <p class="hint">
              {check.cleaned} {cleanings.map((each) => check.cleanings[each]).join(", ")}
            </p>
          )}
        </section>
      )}
    </WorkspacePage>
  )
}

const Verdict = ({ view, result }: { view: View; result: CheckResult }) => {
  const { check } = view.words
  if (result.kind !== "valid") {
    return (
      <p class={`notice ${result.kind === "revoked" ? "danger" : "warning"}`}>
        {check[result.kind]}
      </p>
    )
  }
  const { purchase, json, isSupportOver } = result
  return (
    <>
      <p class="notice good">{check.valid}</p>
      <dl class="facts">
        <dt>{check.code}</dt>
        <dd class="mono">{purchase.purchase_code}</dd>
        <dt>{check.item}</dt>
        <dd>
          <a href={`/workspace/items/${purchase.item.id}`}>
            {shownName(purchase.item.name, purchase.item.id)}
          </a>
        </dd>
        <dt>{check.licence}</dt>
        <dd>{purchase.license_type}</dd>
        <dt>{check.price}</dt>
        <dd class="amount">{formatMoney(purchase.price, purchase.currency, view.locale)}</dd>
        <dt>{check.support}</dt>
        <dd>
          {purchase.supported_until === undefined ? (
            check.noSupport
          ) : (
            <>
              <Day view={view} at={purchase.supported_until} />
              {isSupportOver && ` (${check.ended})`}
            </>
          )}
        </dd>
        <dt>{check.bought}</dt>
        <dd>
          <Day view={view} at={purchase.date} />
        </dd>
        <dt>{check.downloaded}</dt>
        <dd>{purchase.downloaded ? view.words.yes : view.words.no}</dd>
      </dl>
      <JsonBlock view={view} title={view.words.overview.asJson} json={json} />
    </>
  )
}
