import type { AccountBody } from "../../../domain/account.ts"
import type { UsageDay } from "../../../domain/usage.ts"
import { keysPath } from "../key-paths.ts"
import { UsageChart } from "../parts/chart.tsx"
import { JsonBlock } from "../parts/json-block.tsx"
import { WorkspacePage } from "../parts/layout.tsx"
import { shownName } from "../parts/name.ts"
import { Day, formatMoney } from "../parts/values.tsx"
import type { View } from "../view.ts"

/** A problem, and the link that solves it. */
export type Attention = Readonly<{ text: string; action: string; path: string }>

export type OverviewProps = Readonly<{
  view: View
  account: AccountBody
  accountJson: string
  items: Readonly<{ visible: number; hidden: number }>
  activeKeys: number
  days: readonly UsageDay[]
  attention: readonly Attention[]
}>

export const OverviewPage = (props: OverviewProps) => {
  const { view, account, accountJson, items, activeKeys, days, attention } = props
  const { overview } = view.words
  return (
    <WorkspacePage view={view} title={overview.title}>
      <h1>{overview.title}</h1>
      <section class="panel" aria-labelledby="attention">
        <h2 id="attention">{overview.attention}</h2>
        {attention.length === 0 && <p class="hint">{overview.nothing}</p>}
        <ul class="plain-list">
          {attention.map(({ text, action, path }) => (
            <li class="notice warning">
              {text} <a href={path}>{action}</a>
            </li>
          ))}
        </ul>
      </section>
      <section class="panel" aria-labelledby="calls">
        <h2 id="calls">{overview.calls}</h2>
        <UsageChart view={view} days={days} />
        <p class="hint">{overview.noTestKeys}</p>
      </section>
      <section class="panel" aria-labelledby="account">
        <h2 id="account">{overview.account}</h2>
        <p>
          <strong>{shownName(account.name.full_name, account.username)}</strong>
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
            <dt>{overview.keys}</dt>
            <dd>
              <a href={keysPath}>{overview.keyCount(activeKeys)}</a>
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
