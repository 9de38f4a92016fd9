import { type AccountBody, accountBodyOf } from "../../domain/catalogue/account.ts"
import { maskOf } from "../../domain/keys/api-key.ts"
import type { AuditEventOf } from "../../domain/sign-in/audit-event.ts"
import { recordAccountEvent } from "../../operations/record-event.ts"
import { authorsIn } from "../../operations/sign-in/passwords.ts"
import { findLocale } from "../api/answer/locale.ts"
import { locales } from "../api/answer/messages.ts"
import { safeNext } from "../pages/app/page-app.ts"
import * as shared from "../pages/app/security.tsx"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  viewAfter,
  viewOf,
  visitorOf,
} from "../pages/author-context.ts"
import { createCookies } from "../pages/cookies.ts"
import { Table } from "../pages/parts/blocks.tsx"
import { Choices, PostForm } from "../pages/parts/fields.tsx"
import { Day, Fact, formatMoney, Moment } from "../pages/parts/values.tsx"
import { SettingsPage } from "../pages/parts/workspace-layout.tsx"
import { pathOfKey, webhooksPath } from "../pages/paths.ts"
import { catalogues, type View } from "../pages/view.ts"
import { addWebhookRoutes } from "../pages/webhooks/webhook-routes.tsx"
import type { WorkspaceServices } from "./frame/services.ts"

const settingsPath = "/workspace/settings"
const eventsShown = 100

export function addSettingsRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { audit, keys, preferences, vault, publicUrl } = services
  const cookies = createCookies(publicUrl, "workspace")

  app.get(settingsPath, (c) => c.redirect(`${settingsPath}/profile`, 303))

  app.get(`${settingsPath}/profile`, (c) =>
    c.html(<ProfilePage view={viewOf(c)} account={accountBodyOf(visitorOf(c).account)} />),
  )

  app.get(`${settingsPath}/language`, (c) => {
    const { saved } = viewOf(c).words.languagePage
    return c.html(<LanguagePage view={viewAfter(c, { language: saved })} />)
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
    return c.redirect(next === "/" ? next : safeNext(next, "/docs"), 303)
  })

  app.get(`${settingsPath}/activity`, async (c) => {
    const accountId = visitorOf(c).account.id
    const [events, all] = await Promise.all([
      audit.list({ accountId, kind: "key" }, null, eventsShown),
      keys.list(accountId),
    ])
    const named = new Set(events.map(({ subjectId }) => subjectId))
    const masks = new Map(
      all.filter(({ id }) => named.has(id)).map((key) => [key.id, maskOf(vault, key)]),
    )
    return c.html(<ActivityPage view={viewOf(c)} events={events} masks={masks} />)
  })
}

const ProfilePage = ({ view, account }: { view: View; account: AccountBody }) => {
  const words = view.words.profile
  const links = Object.entries(account.profile.social_links)
  return (
    <SettingsPage view={view} title={words.title}>
      <p>{words.intro}</p>
      <section class="panel">
        <dl class="facts">
          <Fact name={view.words.columns.name} value={<bdi>{account.name.full_name}</bdi>} />
          <Fact name={words.username} value={<bdi>{account.username}</bdi>} />
          <Fact name={words.email} value={account.email} />
          <Fact name={view.words.overview.balance} class="amount">
            {formatMoney(account.balance, account.currency, view.locale)}
          </Fact>
          <Fact name={words.heading} value={account.profile.heading} />
          <Fact name={words.description} value={account.profile.description} />
          <Fact name={words.contact} value={account.profile.contact.email} />
          <Fact name={words.links}>
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
          </Fact>
          <Fact
            name={view.words.overview.registered}
            value={<Day view={view} at={account.registered_at} />}
          />
        </dl>
      </section>
    </SettingsPage>
  )
}

const LanguagePage = ({ view }: { view: View }) => {
  const words = view.words.languagePage
  return (
    <SettingsPage view={view} title={words.title}>
      <PostForm view={view} action="/workspace/settings/language">
        <Choices
          name="locale"
          legend={words.label}
          hint={words.note}
          chosen={view.locale}
          choices={locales.map((value) => ({ value, label: catalogues[value].language }))}
        />
        <button type="submit">{view.words.save}</button>
      </PostForm>
    </SettingsPage>
  )
}

type ActivityProps = Readonly<{
  view: View
  events: readonly AuditEventOf<"key">[]
  /** Of the keys in `events`, by id. */
  masks: ReadonlyMap<string, string>
}>

const ActivityPage = ({ view, events, masks }: ActivityProps) => {
  const words = view.words.activity
  return (
    <SettingsPage view={view} title={words.title}>
      <p>{words.intro}</p>
      {events.length === 0 ? (
        <p class="empty">{words.none}</p>
      ) : (
        <Table
          rows={events}
          columns={[
            { head: words.what, cell: ({ action }) => words.actions[action] },
            {
              head: view.words.columns.key,
              cell: ({ subjectId, subjectName }) => (
                <a href={pathOfKey(subjectId)}>
                  {subjectName} <span class="mono">{masks.get(subjectId)}</span>
                </a>
              ),
            },
            {
              head: words.from,
              cell: ({ actor: { kind, network } }) =>
                kind === "author" ? <span class="mono">{network}</span> : words.operator,
            },
            { head: words.when, isClear: true, cell: ({ at }) => <Moment view={view} at={at} /> },
          ]}
        />
      )}
    </SettingsPage>
  )
}

/** For the routes that the console has too. */
const place = {
  Frame: SettingsPage,
  viewOf,
  visitOf(c: AuthorContext) {
    const { account, session } = visitorOf(c)
    return { person: { id: account.id, name: account.username }, session, actor: actorOf(c) }
  },
}

export const addSecurityRoutes = (app: AuthorApp, services: WorkspaceServices): void =>
  shared.addSecurityRoutes(app, services, {
    ...place,
    path: `${settingsPath}/security`,
    loginPath: "/login",
    cookies: createCookies(services.publicUrl, "workspace"),
    owners: authorsIn(services.accounts),
    ownerOf: (c) => visitorOf(c).account,
    viewAfter(c) {
      const { security, secondFactor } = viewOf(c).words
      return viewAfter(c, {
        password: security.changed,
        second_factor_on: secondFactor.turnedOn,
        second_factor_off: secondFactor.turnedOff,
      })
    },
    isFactorRequired: async () => false,
    record: (c, action) =>
      recordAccountEvent({ ...services, actor: actorOf(c) }, visitorOf(c).account, action),
    layOut: ({ password, factor, sessions }) => (
      <>
        {password}
        {factor}
        {sessions}
      </>
    ),
  })

export const addWorkspaceWebhookRoutes = (app: AuthorApp, services: WorkspaceServices): void =>
  addWebhookRoutes(app, services, {
    ...place,
    path: webhooksPath,
    ownerOf: (c) => visitorOf(c).account,
  })
