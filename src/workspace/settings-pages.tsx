import { routes, workspacePath } from "../access/paths.ts"
import { accountBodyOf } from "../accounts/account.ts"
import { maskOf } from "../keys/key.ts"
import { safeRedirectPath } from "../people/page-app.ts"
import * as shared from "../people/security-pages.tsx"
import { isOpen } from "../people/session.ts"
import { findLocale } from "../platform/http/locale.ts"
import { may, type PageApp } from "../platform/pages/context.ts"
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
import { WorkspacePage } from "../platform/pages/layout.tsx"
import { formatTimestamp } from "../platform/time.ts"
import { addWebhookRoutes } from "../webhooks/endpoint-pages.tsx"
import type { WorkspaceServices } from "./services.ts"

const eventsShown = 10

export function addSettingsRoutes(app: PageApp, services: WorkspaceServices): void {
  const { audit, endpoints, keySearch, people, sessions, twoFactor, now } = services

  app.get(routes.settings, async (c) => {
    const { account, person, view } = c.var
    const { id } = account
    const { keys: keyTexts, navigation, settings, twoFactor: factorTexts, webhooks } = view.texts
    const { profile, counts, security, activity } = settings
    const maySetUp = may(view, "read_setup")
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
      <WorkspacePage view={view} title={navigation.settings}>
        <Panel id="profile-title" title={profile.title}>
          <dl class="facts">
            <Fact name={view.texts.columns.name} value={<bdi>{body.name.full_name}</bdi>} />
            <Fact name={profile.username} value={<bdi>{body.username}</bdi>} />
            <Fact name={profile.email} value={body.email} />
            <Fact
              name={profile.balance}
              value={formatMoney(body.balance, body.currency, view.locale)}
            />
            <Fact name={profile.registered} value={<Day view={view} at={body.registered_at} />} />
          </dl>
          <p class="hint">{profile.intro}</p>
        </Panel>
        {maySetUp && (
          <Panel id="keys-title" title={keyTexts.title}>
            <p>{counts.keys(keys.total)}</p>
            <p class="actions">
              {may(view, "secrets") && (
                <ButtonLink href={view.paths.newKey}>{keyTexts.create}</ButtonLink>
              )}
              <QuietLink href={view.paths.keys}>{counts.manageKeys}</QuietLink>
            </p>
          </Panel>
        )}
        {maySetUp && (
          <Panel id="webhooks-title" title={webhooks.title}>
            <p>{counts.webhooks((await endpoints.list(id)).length)}</p>
            <p class="actions">
              <QuietLink href={view.paths.webhooks}>{counts.manageWebhooks}</QuietLink>
            </p>
          </Panel>
        )}
        {!view.isVisiting && (
          <Panel id="security-title" title={security.title}>
            <p>
              {factorTexts.title}:{" "}
              <Pill tone={hasTwoFactor ? "good" : "warning"}>
                {hasTwoFactor ? factorTexts.enabled : factorTexts.disabled}
              </Pill>{" "}
              {counts.sessions(open.length)}
            </p>
            <p class="actions">
              <QuietLink href={view.paths.security}>{counts.manageSecurity}</QuietLink>
            </p>
          </Panel>
        )}
        {maySetUp && (
          <Panel id="activity-title" title={activity.title}>
            <DataTable
              view={view}
              rows={events}
              empty={activity.none}
              linkOf={({ subjectId }) => view.paths.key(subjectId)}
              columns={[
                {
                  head: view.texts.columns.name,
                  isWide: true,
                  value: ({ subjectName }) => subjectName,
                },
                {
                  head: view.texts.columns.key,
                  kind: "code",
                  priority: 2,
                  value: ({ subjectId }) => masks.get(subjectId) ?? null,
                },
                { head: activity.what, value: ({ action }) => activity.actions[action] },
                {
                  head: activity.from,
                  kind: "code",
                  value: ({ actor }) =>
                    actor.kind === "author" ? actor.ipRange : activity.operator,
                },
                { head: view.texts.columns.time, kind: "time", value: ({ at }) => at },
              ]}
            />
          </Panel>
        )}
      </WorkspacePage>,
    )
  })

  app.post(`${routes.settings}/language`, async (c) => {
    const locale = findLocale(c.var.form.text("locale"))
    if (locale !== null) {
      await people.putLocale(c.var.person.id, locale)
      c.var.cookies.writeLanguage(c, locale)
    }
    const next = c.var.form.text("next")
    if (next === "") return c.redirect(c.var.view.paths.settings, 303)
    const home = next.startsWith("/docs") ? "/docs" : workspacePath
    return c.redirect(next === "/" ? next : safeRedirectPath(next, [home]), 303)
  })
}

export const addSecurityRoutes = (app: PageApp, services: WorkspaceServices): void =>
  shared.addSecurityRoutes(app, services, {
    Layout: WorkspacePage,
    route: routes.security,
    pathOf: ({ paths }) => paths.security,
    accountOf: (c) => c.var.account,
    isTwoFactorRequired: async () => false,
  })

export const addWorkspaceWebhookRoutes = (app: PageApp, services: WorkspaceServices): void =>
  addWebhookRoutes(app, services, {
    Layout: WorkspacePage,
    listRoute: routes.webhooks,
    pathOf: ({ paths }) => paths.webhooks,
    accountOf: (c) => c.var.account,
  })
