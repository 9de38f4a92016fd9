import { may } from "../access/page-view.ts"
import { routes, workspacePath } from "../access/paths.ts"
import { type Account, accountBodyOf } from "../accounts/account.ts"
import { maskOf } from "../keys/key.ts"
import type { KeyPageServices } from "../keys/key-facts.tsx"
import { type PeoplePageServices, safeRedirectPath } from "../people/page-app.tsx"

import { findLocale } from "../platform/http/locale.ts"
import { currentView, Page, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import {
  ButtonLink,
  Day,
  Fact,
  formatMoney,
  Panel,
  Pill,
  QuietLink,
} from "../platform/pages/elements.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { WebhookPageServices } from "../webhooks/endpoint-pages.tsx"

type SettingsServices = PeoplePageServices & KeyPageServices & WebhookPageServices

const eventsShown = 10

export function addSettingsPages(app: PageApp, services: SettingsServices): void {
  app.get(routes.settings, (c) => showSettings(c, services))

  app.post(`${routes.settings}/language`, async (c) => {
    const locale = findLocale(c.var.form.text("locale"))
    if (locale !== null) {
      await services.people.putLocale(c.var.person.id, locale)
      c.var.cookies.write("language", locale)
    }
    const next = c.var.form.text("next")
    if (next === "") return c.redirect(currentView().paths.settings, 303)
    const home = next.startsWith("/docs") ? "/docs" : workspacePath
    return c.redirect(next === "/" ? next : safeRedirectPath(next, [home]), 303)
  })
}

async function showSettings(c: PageContext, services: SettingsServices): Promise<Response> {
  const { endpoints, keySearch, sessions, twoFactor, now } = services
  const { account, person } = c.var
  const { isVisiting, paths } = currentView()
  const maySetUp = may("read_setup")
  const keys = await keySearch.search({
    ...{ accountId: account.id, kind: null, isLive: true, text: "", matchingIds: [] },
    ...{ at: formatTimestamp(now()), sort: "created", isDescending: true, offset: 0, rowsMax: 0 },
  })
  const open = await sessions.list(person.id)
  const hasTwoFactor = (await twoFactor.find(person.id)) !== null
  return c.html(
    <Page title={t("Settings")}>
      <ProfilePanel account={account} />
      {maySetUp && (
        <Panel id="keys-title" title={t("API Access")}>
          <p>{t("{n valid key|valid keys}.", { n: keys.total })}</p>
          <p class="actions">
            {may("secrets") && (
              <ButtonLink href={paths.newKey}>{t("Create a key # another")}</ButtonLink>
            )}
            <QuietLink href={paths.keys}>{t("Manage keys")}</QuietLink>
          </p>
        </Panel>
      )}
      {maySetUp && (
        <Panel id="webhooks-title" title={t("Webhooks")}>
          <p>{t("{n webhook|webhooks}.", { n: (await endpoints.list(account.id)).length })}</p>
          <p class="actions">
            <QuietLink href={paths.webhooks}>{t("Manage webhooks")}</QuietLink>
          </p>
        </Panel>
      )}
      {!isVisiting && (
        <Panel id="security-title" title={t("Security")}>
          <p>
            {t("Two-factor authentication (2FA)")}:{" "}
            <Pill tone={hasTwoFactor ? "good" : "warning"}>
              {hasTwoFactor ? t("Enabled") : t("Disabled")}
            </Pill>{" "}
            {t("{n open session|open sessions}.", { n: open.length })}
          </p>
          <p class="actions">
            <QuietLink href={paths.security}>{t("Password, 2FA, passkeys and sessions")}</QuietLink>
          </p>
        </Panel>
      )}
      {maySetUp && (await renderActivity(services, account.id))}
    </Page>,
  )
}

const ProfilePanel = ({ account }: { account: Account }) => {
  const { name, username, email, balance, currency, registered_at } = accountBodyOf(account)
  return (
    <Panel id="profile-title" title={t("Profile")}>
      <dl class="facts">
        <Fact name={t("Name")} value={<bdi>{name.full_name}</bdi>} />
        <Fact name={t("Username")} value={<bdi>{username}</bdi>} />
        <Fact name={t("E-mail")} value={email} />
        <Fact name={t("Balance")} value={formatMoney(balance, currency)} />
        <Fact name={t("Member since")} value={<Day at={registered_at} />} />
      </dl>
      <p class="hint">
        {t("The API returns this data about you. You can change it in your marketplace.")}
      </p>
    </Panel>
  )
}

async function renderActivity(services: SettingsServices, accountId: number) {
  const { audit, keys, keyCipher } = services
  const { paths } = currentView()
  const events = await audit.list({ accountId, kind: "key" }, null, eventsShown)
  const named = await keys.listByIds(events.map(({ subjectId }) => subjectId))
  const masks = new Map(named.map((key) => [key.id, maskOf(keyCipher, key)]))
  return (
    <Panel id="activity-title" title={t("Activity")}>
      <DataTable
        rows={events}
        empty={t("No changes yet. Creating a key is the first.")}
        linkOf={({ subjectId }) => paths.key(subjectId)}
        columns={[
          { head: t("Name"), isWide: true, value: ({ subjectName }) => subjectName },
          {
            ...{ head: t("Key"), kind: "code", priority: 2 },
            value: ({ subjectId }) => masks.get(subjectId) ?? null,
          },
          { head: t("Action"), value: ({ action }) => t(activityTexts[action]) },
          {
            ...{ head: t("From # origin"), kind: "code" },
            value: ({ actor }) => (actor.kind === "author" ? actor.ipRange : t("your marketplace")),
          },
          { head: t("When"), kind: "time", value: ({ at }) => at },
        ]}
      />
    </Panel>
  )
}

const activityTexts = {
  created: "Created",
  revealed: "Revealed",
  renamed: "Renamed",
  replaced: "Rotated",
  revoked: "Revoked",
} as const
