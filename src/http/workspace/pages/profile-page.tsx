import type { AccountBody } from "../../../domain/catalogue/account.ts"
import { Day, formatMoney } from "../../pages/parts/values.tsx"
import { SettingsPage } from "../../pages/parts/workspace-layout.tsx"
import type { View } from "../../pages/view.ts"

export const ProfilePage = ({ view, account }: { view: View; account: AccountBody }) => {
  const words = view.words.profile
  const links = Object.entries(account.profile.social_links)
  return (
    <SettingsPage view={view} title={words.title}>
      <p>{words.intro}</p>
      <section class="panel">
        <dl class="facts">
          <dt>{words.name}</dt>
          <dd>
            <bdi>{account.name.full_name}</bdi>
          </dd>
          <dt>{words.username}</dt>
          <dd>
            <bdi>{account.username}</bdi>
          </dd>
          <dt>{words.email}</dt>
          <dd>{account.email}</dd>
          <dt>{words.balance}</dt>
          <dd class="amount">{formatMoney(account.balance, account.currency, view.locale)}</dd>
          <dt>{words.heading}</dt>
          <dd>{account.profile.heading}</dd>
          <dt>{words.description}</dt>
          <dd>{account.profile.description}</dd>
          <dt>{words.contact}</dt>
          <dd>{account.profile.contact.email}</dd>
          <dt>{words.links}</dt>
          <dd>
            {links.length === 0 && words.noLinks}
            <ul class="plain-list">
              {links.map(([network, url]) => (
                <li>
                  <a href={url} rel="noopener noreferrer">
                    {network}: {url.replace(/^https?:\/\//, "")}
                  </a>
                </li>
              ))}
            </ul>
          </dd>
          <dt>{words.registered}</dt>
          <dd>
            <Day view={view} at={account.registered_at} />
          </dd>
        </dl>
      </section>
    </SettingsPage>
  )
}
