import { type AccountBody, accountBodyOf } from "../../domain/catalogue/account.ts"
import { maskOf } from "../../domain/keys/api-key.ts"
import type { AuditEventOf } from "../../domain/sign-in/audit-event.ts"
import { isConfirmed, isOpen, type Session } from "../../domain/sign-in/session.ts"
import { recordAccountEvent } from "../../operations/record-event.ts"
import { authorsIn, changePassword, confirmPassword } from "../../operations/sign-in/passwords.ts"
import { findLocale } from "../api/answer/locale.ts"
import { locales } from "../api/answer/messages.ts"
import { safeNext } from "../pages/app/page-app.ts"
import { addFactorRoutes, type CodeProblem, FactorPanel } from "../pages/app/second-factor.tsx"
import { explainNewPassword, explainRefusal } from "../pages/ask-password.ts"
import {
  type AuthorApp,
  type AuthorContext,
  actorOf,
  viewOf,
  visitorOf,
} from "../pages/author-context.ts"
import { createCookies } from "../pages/cookies.ts"
import { networkOfVisit, visitOf } from "../pages/page-context.ts"
import { Table } from "../pages/parts/blocks.tsx"
import { Choices, PostForm } from "../pages/parts/fields.tsx"
import { SiteSignIn } from "../pages/parts/layout.tsx"
import { ChangePassword, type PasswordProblem } from "../pages/parts/passwords.tsx"
import { SessionTable } from "../pages/parts/session-table.tsx"
import { Day, Fact, formatMoney, Moment } from "../pages/parts/values.tsx"
import { SettingsPage } from "../pages/parts/workspace-layout.tsx"
import { factorPathsOf, pathOfKey, webhooksPath } from "../pages/paths.ts"
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
    const isDone = c.req.query("done") === "language"
    const notice = isDone ? viewOf(c).words.languagePage.saved : null
    return c.html(<LanguagePage view={viewOf(c, notice)} />)
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
          <Fact name={words.name} value={<bdi>{account.name.full_name}</bdi>} />
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
              head: words.key,
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

const securityPath = "/workspace/settings/security"
const factorPaths = factorPathsOf(securityPath)

type SecurityProblem = CodeProblem | PasswordProblem

/** The password of an author, the second factor, and the browsers that are signed in. */
export function addSecurityRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { passwords, sessions, secondFactors, accounts, now } = services
  const cookies = createCookies(services.publicUrl, "workspace")
  const authors = authorsIn(accounts)

  async function showSecurity(c: AuthorContext, problem: SecurityProblem | null) {
    const { account, session } = visitorOf(c)
    const { security, secondFactor } = viewOf(c).words
    const told = new Map([
      ["password", security.changed],
      ["second_factor_on", secondFactor.turnedOn],
      ["second_factor_off", secondFactor.turnedOff],
    ])
    const hash = await passwords.find(account.id)
    const all = await sessions.list(account.id)
    const hasFactor = (await secondFactors.find(account.id)) !== null
    const page = (
      <SecurityPage
        view={viewOf(c, told.get(c.req.query("done") ?? "") ?? null)}
        passwordForm={formFor(c, hash)}
        recoveryCodes={hasFactor ? await secondFactors.countRecoveryCodes(account.id) : null}
        sessions={all.filter((each) => isOpen(each, now()))}
        currentId={session.id}
        problem={problem}
      />
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  function formFor(c: AuthorContext, hash: string | null): PasswordForm {
    if (hash !== null) return "change"
    return isConfirmed(visitorOf(c).session, now()) ? "set" : "none"
  }

  /** Throws SignInRefused. */
  async function confirmCurrent(c: AuthorContext, hash: string | null): Promise<string | null> {
    if (hash === null) return null
    const current = c.get("form").exact("current")
    const { id, username: name } = visitorOf(c).account
    return confirmPassword(services, { id, name }, networkOfVisit(c), current)
  }

  app.get(`${securityPath}`, (c) => showSecurity(c, null))

  app.post(`${securityPath}/password`, async (c) => {
    const { account } = visitorOf(c)
    const form = c.get("form")
    const { words } = viewOf(c)
    const hash = await passwords.find(account.id)
    if (formFor(c, hash) === "none") return showSecurity(c, null)
    let knownHash: string | null
    try {
      knownHash = await confirmCurrent(c, hash)
    } catch (error) {
      return showSecurity(c, { field: "current", text: explainRefusal(words, error) })
    }
    const password = form.exact("password")
    const problem = explainNewPassword(c, authors.namesOf(account))
    if (problem !== null) return showSecurity(c, problem)
    const change = { knownHash, password }
    const signedIn = await changePassword(services, authors, account, change, visitOf(c))
    // Another change came first and ended all sessions.
    if (signedIn === null) return c.redirect("/login", 303)
    await recordAccountEvent({ ...services, actor: actorOf(c) }, account, "password")
    cookies.writeSession(c, signedIn.token)
    return c.redirect(`${securityPath}?done=password`, 303)
  })

  app.post(`${securityPath}/sessions/:id`, async (c) => {
    const { account } = visitorOf(c)
    await sessions.end(account.id, c.req.param("id"))
    if (c.req.param("id") === "all") {
      cookies.clearSession(c)
      return c.redirect("/login?done=signed_out", 303)
    }
    return c.redirect(`${securityPath}`, 303)
  })

  addFactorRoutes(app, services, {
    paths: factorPaths,
    Frame: SettingsPage,
    viewOf,
    visitOf(c) {
      const { account, session } = visitorOf(c)
      return { owner: { id: account.id, name: account.username }, session }
    },
    isRequired: async () => false,
    record: (c, action) =>
      recordAccountEvent({ ...services, actor: actorOf(c) }, visitorOf(c).account, action),
    showProblem: showSecurity,
  })
}

/** Where events are sent to. */
export const addWorkspaceWebhookRoutes = (app: AuthorApp, services: WorkspaceServices): void =>
  addWebhookRoutes(app, services, {
    path: webhooksPath,
    Frame: SettingsPage,
    viewOf,
    visitOf(c) {
      const { account, session } = visitorOf(c)
      const person = { id: account.id, name: account.username }
      return { person, session, owner: account, actor: actorOf(c) }
    },
  })

/**
 * An author without a password may set one shortly after a sign-in link was used: a browser that was left
 * open must not be enough.
 */
type PasswordForm = "change" | "set" | "none"

type SecurityProps = Readonly<{
  view: View
  passwordForm: PasswordForm
  /** How many are left; null without a second factor. */
  recoveryCodes: number | null
  sessions: readonly Session[]
  currentId: string
  problem: SecurityProblem | null
}>

const SecurityPage = (props: SecurityProps) => {
  const { view, passwordForm, recoveryCodes, sessions, currentId, problem } = props
  const words = view.words.security
  return (
    <SettingsPage view={view} title={words.title} problem={problem?.text}>
      <section class="panel" aria-labelledby="password-title">
        <h2 id="password-title">
          {passwordForm === "change" ? words.password : words.setPassword}
        </h2>
        {passwordForm === "none" ? (
          <>
            <p>{words.noPassword}</p>
            <SiteSignIn view={view} />
          </>
        ) : (
          <ChangePassword
            view={view}
            path="/workspace/settings/security/password"
            name={view.author?.username}
            isFirst={passwordForm === "set"}
            problem={problem?.field === "code" ? null : problem}
          />
        )}
      </section>
      <FactorPanel
        view={view}
        paths={factorPaths}
        recoveryCodes={recoveryCodes}
        problem={problem?.field === "code" ? problem : null}
      />
      <SessionTable
        view={view}
        path="/workspace/settings/security/sessions"
        sessions={sessions}
        currentId={currentId}
      />
    </SettingsPage>
  )
}
