import type { AccountBody } from "../../../domain/catalogue/account.ts"
import type { UsageDay } from "../../../domain/usage/usage.ts"
import { UsageChart } from "../../pages/parts/chart.tsx"
import { shownName } from "../../pages/parts/name.ts"
import { Day, formatMoney } from "../../pages/parts/values.tsx"
import { WorkspacePage } from "../../pages/parts/workspace-layout.tsx"
import type { View } from "../../pages/view.ts"
import type { Attention } from "../frame/attention.ts"
import { AttentionPanel } from "../parts/attention-panel.tsx"
import { Figures } from "../parts/figures.tsx"
import { type FirstSteps, FirstStepsPanel } from "../parts/first-steps.tsx"
import { JsonBlock } from "../parts/json-block.tsx"

type Props = Readonly<{
  view: View
  account: AccountBody
  accountJson: string
  items: Readonly<{ visible: number; hidden: number }>
  days: readonly UsageDay[]
  codesChecked: number
  workingKeys: number
  shippableKeys: number
  testKeys: number
  steps: FirstSteps
  attention: readonly Attention[]
}>

export const OverviewPage = (props: Props) => {
  const { view, account, accountJson, items, days, steps, attention } = props
  const { overview } = view.words
  return (
    <WorkspacePage view={view} title={overview.title}>
      <h1>{overview.title}</h1>
      {steps.call && <Figures {...props} />}
      <FirstStepsPanel view={view} steps={steps} />
      <AttentionPanel view={view} attention={attention} />
      {steps.call && (
        <section class="panel" aria-labelledby="calls">
          <h2 id="calls">{overview.calls}</h2>
          <UsageChart view={view} days={days} />
          <p class="hint">{overview.countedCalls}</p>
        </section>
      )}
      <section class="panel" aria-labelledby="account">
        <h2 id="account">{overview.account}</h2>
        <p>
          <strong>
            <bdi>{shownName(account.name.full_name, account.username)}</bdi>
          </strong>
          <br />
          <span class="hint clamp">{account.profile.heading}</span>
        </p>
        <dl class="stats">
          <div>
            <dt>{overview.balance}</dt>
            <dd>{formatMoney(account.balance, account.currency, view.locale)}</dd>
          </div>
          <div>
            <dt>{overview.items}</dt>
            <dd>
              <a href="/workspace/items">{overview.itemCount(items.visible, items.hidden)}</a>
            </dd>
          </div>
          <div>
            <dt>{overview.registered}</dt>
            <dd>
              <Day view={view} at={account.registered_at} />
            </dd>
          </div>
        </dl>
        <JsonBlock view={view} title={overview.asJson} json={accountJson} />
      </section>
    </WorkspacePage>
  )
}
