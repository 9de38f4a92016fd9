import { type AccountBody, accountBodyOf } from "../../domain/catalog/account.ts"
import { maskOf } from "../../domain/keys/api-key.ts"
import type { AuditEventOf } from "../../domain/sign-in/audit-event.ts"
import { locales } from "../../domain/values/locale.ts"
import { recordAccountEvent } from "../../operations/record-event.ts"
import { authorsIn } from "../../operations/sign-in/password-operations.ts"
import { findLocale } from "../api/response/locale.ts"
import { safeRedirectPath } from "../pages/app/page-app.ts"
import * as shared from "../pages/app/security-page.tsx"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  viewOf,
  viewWithNotice,
  visitorOf,
} from "../pages/author-context.ts"
import { Choices, PostForm } from "../pages/components/form-fields.tsx"
import { Day, Fact, formatMoney, RelativeTime } from "../pages/components/formatted-values.tsx"
import { Table } from "../pages/components/panels-and-tables.tsx"
import { WorkspacePage } from "../pages/components/workspace-layout.tsx"
import { createCookies } from "../pages/cookies.ts"
import { pathOfKey, settingsPath, webhooksPath } from "../pages/paths.ts"
import { dictionaries } from "../pages/translations/texts.ts"
import type { View } from "../pages/view.ts"
import { addWebhookRoutes } from "../pages/webhooks/webhook-routes.tsx"
import type { WorkspaceServices } from "../pages/workspace-services.ts"
import { workspacePath } from "./sign-in-page.tsx"

const eventsShown = 100

export function addSettingsRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { audit, keys, preferences, keyCipher, publicUrl } = services
  const cookies = createCookies(publicUrl, "workspace")

  app.get(`${settingsPath}/profile`, (c) => c.redirect(settingsPath, 301))

  app.get(settingsPath, (c) =>
    c.html(<ProfilePage view={viewOf(c)} account={accountBodyOf(visitorOf(c).account)} />),
  )

  app.get(`${settingsPath}/language`, (c) => {
    const { saved } = viewOf(c).texts.settings.language
    return c.html(<LanguagePage view={viewWithNotice(c, { language: saved })} />)
  })

  app.post(`${settingsPath}/language`, async (c) => {
    const locale = findLocale(c.get("form").text("locale"))
    if (locale !== null) {
      await preferences.putLocale(visitorOf(c).account.id, locale)
      cookies.writeLanguage(c, locale)
    }
    const next = c.get("form").text("next")
    const own = `${settingsPath}/language?done=language`
    if (next === "") return c.redirect(own, 303)
    const home = next.startsWith("/docs") ? "/docs" : workspacePath
    return c.redirect(next === "/" ? next : safeRedirectPath(next, home), 303)
  })

  app.get(`${settingsPath}/activity`, async (c) => {
    const accountId = visitorOf(c).account.id
    const [events, all] = await Promise.all([
      audit.list({ accountId, kind: "key" }, null, eventsShown),
      keys.list(accountId),
    ])
    const named = new Set(events.map(({ subjectId }) => subjectId))
    const masks = new Map(
      all.filter(({ id }) => named.has(id)).map((key) => [key.id, maskOf(keyCipher, key)]),
    )
    return c.html(<ActivityPage view={viewOf(c)} events={events} masks={masks} />)
  })
}

const ProfilePage = ({ view, account }: { view: View; account: AccountBody }) => {
  const texts = view.texts.settings.profile
  const links = Object.entries(account.profile.social_links)
  return (
    <WorkspacePage view={view} title={texts.title}>
      <p>{texts.intro}</p>
      <section class="panel">
        <dl class="facts">
          <Fact name={view.texts.columns.name} value={<bdi>{account.name.full_name}</bdi>} />
          <Fact name={texts.username} value={<bdi>{account.username}</bdi>} />
          <Fact name={texts.email} value={account.email} />
          <Fact name={view.texts.overview.balance} class="amount">
            {formatMoney(account.balance, account.currency, view.locale)}
          </Fact>
          <Fact name={texts.heading} value={account.profile.heading} />
          <Fact name={texts.description} value={account.profile.description} />
          <Fact name={texts.contact} value={account.profile.contact.email} />
          <Fact name={texts.links}>
            {links.length === 0 && texts.noLinks}
            <ul class="plain-list">
              {links.map(([network, url]) => (
                <li>
                  <a href={url} rel="noopener noreferrer">
                    {network}: {url.replace(/^https?:\/\//, "")}
                  </a>
                </li>
              ))}
            </ul>
          </Fact>
          <Fact
            name={view.texts.overview.registered}
            value={<Day view={view} at={account.registered_at} />}
          />
        </dl>
      </section>
    </WorkspacePage>
  )
}

const LanguagePage = ({ view }: { view: View }) => {
  const texts = view.texts.settings.language
  return (
    <WorkspacePage view={view} title={texts.title}>
      <PostForm view={view} action="/workspace/settings/language">
        <Choices
          name="locale"
          legend={texts.label}
          hint={texts.note}
          chosen={view.locale}
          choices={locales.map((value) => ({
            value,
            label: dictionaries[value].navigation.language,
          }))}
        />
        <button type="submit">{view.texts.words.save}</button>
      </PostForm>
    </WorkspacePage>
  )
}

type ActivityProps = Readonly<{
  view: View
  events: readonly AuditEventOf<"key">[]
  /** Names of the keys in `events`, by key ID. */
  masks: ReadonlyMap<string, string>
}>

const ActivityPage = ({ view, events, masks }: ActivityProps) => {
  const texts = view.texts.settings.activity
  return (
    <WorkspacePage view={view} title={texts.title}>
      <p>{texts.intro}</p>
      {events.length === 0 ? (
        <p class="empty">{texts.none}</p>
      ) : (
        <Table
          rows={events}
          columns={[
            { head: texts.what, cell: ({ action }) => texts.actions[action] },
            {
              head: view.texts.columns.key,
              cell: ({ subjectId, subjectName }) => (
                <a href={pathOfKey(subjectId)}>
                  {subjectName} <span class="mono">{masks.get(subjectId)}</span>
                </a>
              ),
            },
            {
              head: texts.from,
              cell: ({ actor: { kind, ipRange } }) =>
                kind === "author" ? <span class="mono">{ipRange}</span> : texts.operator,
            },
            {
              head: view.texts.log.when,
              isClear: true,
              cell: ({ at }) => <RelativeTime view={view} at={at} />,
            },
          ]}
        />
      )}
    </WorkspacePage>
  )
}

/** For routes that the console also has. */
const workspaceArea = {
  Layout: WorkspacePage,
  viewOf,
  identityOf(c: AuthorContext) {
    const { account, session } = visitorOf(c)
    return { person: { id: account.id, name: account.username }, session, actor: actorOf(c) }
  },
}

export const addSecurityRoutes = (app: AuthorApp, services: WorkspaceServices): void =>
  shared.addSecurityRoutes(app, services, {
    ...workspaceArea,
    path: `${settingsPath}/security`,
    loginPath: "/login",
    cookies: createCookies(services.publicUrl, "workspace"),
    owners: authorsIn(services.accounts),
    ownerOf: (c) => visitorOf(c).account,
    viewWithNotice: (c) => viewOf(c),
    isTwoFactorRequired: async () => false,
    record: (c, action) =>
      recordAccountEvent({ ...services, actor: actorOf(c) }, visitorOf(c).account, action),
    renderPanels: ({ password, factor, sessions }) => (
      <>
        {password}
        {factor}
        {sessions}
      </>
    ),
  })

export const addWorkspaceWebhookRoutes = (app: AuthorApp, services: WorkspaceServices): void =>
  addWebhookRoutes(app, services, {
    ...workspaceArea,
    path: webhooksPath,
    accountIdOf: (c) => visitorOf(c).account.id,
    isOwner: true,
  })
