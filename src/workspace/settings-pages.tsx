import { may } from "../access/page-view.ts"
import { routes, workspacePath } from "../access/paths.ts"
import { accountBodyOf } from "../accounts/account.ts"
import { maskOf } from "../keys/key.ts"
import { isOpen } from "../people/session.ts"
import { safeRedirectPath } from "../people/session-pages.ts"
import { findLocale } from "../platform/http/locale.ts"
import { currentView, type PageApp } from "../platform/pages/context.ts"
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
import { Page } from "../platform/pages/page.tsx"

import { t } from "../platform/t.ts"
import { formatTimestamp } from "../platform/time.ts"
import type { WorkspaceServices } from "./services.ts"

const eventsShown = 10

export function addSettingsRoutes(app: PageApp, services: WorkspaceServices): void {
  const { audit, endpoints, keySearch, people, sessions, twoFactor, now } = services

  app.get(routes.settings, async (c) => {
    const { account, person } = c.var
    const view = currentView()
    const { id } = account
    const maySetUp = may("read_setup")
    const body = accountBodyOf(account)
    const keys = await keySearch.search({
      ...{ accountId: id, kind: null, isLive: true, text: "", matchingIds: [] },
      ...{ at: formatTimestamp(now()), sort: "created", isDescending: true, offset: 0, rowsMax: 0 },
    })
    const events = await audit.list({ accountId: id, kind: "key" }, null, eventsShown)
    const named = await services.keys.listByIds(events.map(({ subjectId }) => subjectId))
    const masks = new Map(named.map((key) => [key.id, maskOf(services.keyCipher, key)]))
    const open = (await sessions.list(person.id)).filter((each) => isOpen(each, now()))
    const hasTwoFactor = (await twoFactor.find(person.id)) !== null
    return c.html(
      <Page title={t("Settings")}>
        <Panel id="profile-title" title={t("Profile")}>
          <dl class="facts">
            <Fact name={t("Name")} value={<bdi>{body.name.full_name}</bdi>} />
            <Fact name={t("Username")} value={<bdi>{body.username}</bdi>} />
            <Fact name={t("E-mail")} value={body.email} />
            <Fact name={t("Balance")} value={formatMoney(body.balance, body.currency)} />
            <Fact name={t("Member since")} value={<Day at={body.registered_at} />} />
          </dl>
          <p class="hint">
            {t("The API returns this data about you. You can change it in your marketplace.")}
          </p>
        </Panel>
        {maySetUp && (
          <Panel id="keys-title" title={t("API Access")}>
            <p>{t("{n valid key|valid keys}.", { n: keys.total })}</p>
            <p class="actions">
              {may("secrets") && (
                <ButtonLink href={view.paths.newKey}>{t("Create a key # another")}</ButtonLink>
              )}
              <QuietLink href={view.paths.keys}>{t("Manage keys")}</QuietLink>
            </p>
          </Panel>
        )}
        {maySetUp && (
          <Panel id="webhooks-title" title={t("Webhooks")}>
            <p>{t("{n webhook|webhooks}.", { n: (await endpoints.list(id)).length })}</p>
            <p class="actions">
              <QuietLink href={view.paths.webhooks}>{t("Manage webhooks")}</QuietLink>
            </p>
          </Panel>
        )}
        {!view.isVisiting && (
          <Panel id="security-title" title={t("Security")}>
            <p>
              {t("Two-factor authentication (2FA)")}:{" "}
              <Pill tone={hasTwoFactor ? "good" : "warning"}>
                {hasTwoFactor ? t("Enabled") : t("Disabled")}
              </Pill>{" "}
              {t("{n open session|open sessions}.", { n: open.length })}
            </p>
            <p class="actions">
              <QuietLink href={view.paths.security}>
                {t("Password, 2FA, passkeys and sessions")}
              </QuietLink>
            </p>
          </Panel>
        )}
        {maySetUp && (
          <Panel id="activity-title" title={t("Activity")}>
            <DataTable
              rows={events}
              empty={t("No changes yet. Creating a key is the first.")}
              linkOf={({ subjectId }) => view.paths.key(subjectId)}
              columns={[
                { head: t("Name"), isWide: true, value: ({ subjectName }) => subjectName },
                {
                  head: t("Key"),
                  kind: "code",
                  priority: 2,
                  value: ({ subjectId }) => masks.get(subjectId) ?? null,
                },
                { head: t("Action"), value: ({ action }) => t(activityTexts[action]) },
                {
                  head: t("From # origin"),
                  kind: "code",
                  value: ({ actor }) =>
                    actor.kind === "author" ? actor.ipRange : t("your marketplace"),
                },
                { head: t("When"), kind: "time", value: ({ at }) => at },
              ]}
            />
          </Panel>
        )}
      </Page>,
    )
  })

  app.post(`${routes.settings}/language`, async (c) => {
    const locale = findLocale(c.var.form.text("locale"))
    if (locale !== null) {
      await people.putLocale(c.var.person.id, locale)
      c.var.cookies.write("language", locale)
    }
    const next = c.var.form.text("next")
    if (next === "") return c.redirect(currentView().paths.settings, 303)
    const home = next.startsWith("/docs") ? "/docs" : workspacePath
    return c.redirect(next === "/" ? next : safeRedirectPath(next, [home]), 303)
  })
}

const activityTexts = {
  created: "Created",
  revealed: "Revealed",
  renamed: "Renamed",
  replaced: "Rotated",
  revoked: "Revoked",
} as const
