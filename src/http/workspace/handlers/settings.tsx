import type { Hono } from "hono"
import { confirmPassword } from "../../../operations/confirm-password.ts"
import { isOpen } from "../../../operations/find-session.ts"
import { changePassword, findPasswordProblem } from "../../../operations/set-password.ts"
import { findLocale } from "../../api/locale.ts"
import { createCookies } from "../cookies.ts"
import { ActivityPage } from "../pages/activity-page.tsx"
import { LanguagePage } from "../pages/language-page.tsx"
import { ProfilePage } from "../pages/profile-page.tsx"
import { type PasswordProblem, SecurityPage } from "../pages/security-page.tsx"
import { explainPassword, explainRefusal } from "../password-words.ts"
import type { WorkspaceServices } from "../services.ts"
import {
  networkOfVisit,
  viewOf,
  visitorOf,
  type WorkspaceContext,
  type WorkspaceEnv,
} from "../workspace-context.ts"

const settingsPath = "/workspace/settings"
const eventsShown = 100

export function addSettingsRoutes(app: Hono<WorkspaceEnv>, services: WorkspaceServices): void {
  const { store, hasher, throttle, now } = services
  const cookies = createCookies(services.publicUrl)

  app.get(settingsPath, (c) => c.redirect(`${settingsPath}/keys`, 303))

  app.get(`${settingsPath}/profile`, (c) =>
    c.html(<ProfilePage view={viewOf(c)} account={JSON.parse(visitorOf(c).account.body)} />),
  )

  async function showSecurity(c: WorkspaceContext, problem: PasswordProblem | null) {
    const { account, session } = visitorOf(c)
    const isDone = c.req.query("done") === "password"
    const notice = isDone ? viewOf(c).words.security.changed : null
    const sessions = (await store.sessions.list(account.id)).filter((each) => isOpen(each, now))
    const page = (
      <SecurityPage
        view={viewOf(c, notice)}
        sessions={sessions}
        currentId={session.id}
        problem={problem}
      />
    )
    return c.html(page, problem === null ? 200 : 422)
  }

  app.get(`${settingsPath}/security`, (c) => showSecurity(c, null))

  app.post(`${settingsPath}/security/password`, async (c) => {
    const { account } = visitorOf(c)
    const form = c.get("form")
    const { words } = viewOf(c)
    const confirmation = { passwords: store.passwords, hasher, throttle }
    let knownHash: string
    try {
      knownHash = await confirmPassword(
        confirmation,
        account,
        networkOfVisit(c),
        form.exact("current"),
      )
    } catch (error) {
      return showSecurity(c, { field: "current", text: explainRefusal(words, error) })
    }
    const password = form.exact("password")
    const problem = explainPassword(
      words,
      findPasswordProblem(password, account),
      password === form.exact("repeat"),
    )
    if (problem !== null) return showSecurity(c, problem)
    const from = { network: networkOfVisit(c), device: c.req.header("user-agent") ?? "" }
    const change = { knownHash, password }
    const signedIn = await changePassword({ ...store, ...services }, account, change, from)
    // Somebody else changed it meanwhile, which ended this session with all the others.
    if (signedIn === null) return c.redirect("/login", 303)
    cookies.writeSession(c, signedIn.token)
    return c.redirect(`${settingsPath}/security?done=password`, 303)
  })

  app.post(`${settingsPath}/security/sessions/:id`, async (c) => {
    const { account } = visitorOf(c)
    await store.sessions.end(account.id, c.req.param("id"))
    if (c.req.param("id") === "all") {
      cookies.clearSession(c)
      return c.redirect("/login", 303)
    }
    return c.redirect(`${settingsPath}/security`, 303)
  })

  app.get(`${settingsPath}/language`, (c) => {
    const isDone = c.req.query("done") === "language"
    const notice = isDone ? viewOf(c).words.languagePage.saved : null
    return c.html(<LanguagePage view={viewOf(c, notice)} />)
  })

  app.post(`${settingsPath}/language`, async (c) => {
    const locale = findLocale(c.get("form").text("locale"))
    if (locale !== null) {
      await store.preferences.putLocale(visitorOf(c).account.id, locale)
      cookies.writeLanguage(c, locale)
    }
    return c.redirect(`${settingsPath}/language?done=language`, 303)
  })

  app.get(`${settingsPath}/activity`, async (c) => {
    const events = await store.keyEvents.list(visitorOf(c).account.id, eventsShown)
    return c.html(<ActivityPage view={viewOf(c)} events={events} />)
  })
}
