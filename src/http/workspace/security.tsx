import { isConfirmed, isOpen, type Session } from "../../domain/sign-in/session.ts"
import { recordAccountEvent } from "../../operations/record-event.ts"
import { authorsIn, changePassword, confirmPassword } from "../../operations/sign-in/passwords.ts"
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
import { ChangePassword, type PasswordProblem } from "../pages/parts/passwords.tsx"
import { SessionTable } from "../pages/parts/session-table.tsx"
import { SettingsPage } from "../pages/parts/workspace-layout.tsx"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "./frame/services.ts"
import { SiteSignIn } from "./frame/site-sign-in.tsx"

const securityPath = "/workspace/settings/security"

/** The password of an author, and the browsers that are signed in with it. */
export function addSecurityRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { passwords, sessions, accounts, now } = services
  const cookies = createCookies(services.publicUrl, "workspace")
  const authors = authorsIn(accounts)

  async function showSecurity(c: AuthorContext, problem: PasswordProblem | null) {
    const { account, session } = visitorOf(c)
    const isDone = c.req.query("done") === "password"
    const notice = isDone ? viewOf(c).words.security.changed : null
    const hash = await passwords.find(account.id)
    const all = await sessions.list(account.id)
    const page = (
      <SecurityPage
        view={viewOf(c, notice)}
        passwordForm={formFor(c, hash)}
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
}

/**
 * An author without a password may set one shortly after a sign-in link was used: a browser that was left
 * open must not be enough.
 */
type PasswordForm = "change" | "set" | "none"

type Props = Readonly<{
  view: View
  passwordForm: PasswordForm
  sessions: readonly Session[]
  currentId: string
  problem: PasswordProblem | null
}>

const SecurityPage = ({ view, passwordForm, sessions, currentId, problem }: Props) => {
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
            problem={problem}
          />
        )}
      </section>
      <SessionTable
        view={view}
        path="/workspace/settings/security/sessions"
        sessions={sessions}
        currentId={currentId}
      />
    </SettingsPage>
  )
}
