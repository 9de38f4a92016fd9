import type { Hono } from "hono"
import { SignInRefused } from "../../../domain/session.ts"
import {
  acceptInvitation,
  findInvited,
  findPasswordProblem,
} from "../../../operations/set-password.ts"
import { type SignedIn, signIn } from "../../../operations/sign-in.ts"
import { createCookies } from "../cookies.ts"
import { InvitationGonePage, InvitationPage } from "../pages/invitation-page.tsx"
import { SignInPage } from "../pages/sign-in-page.tsx"
import { explainPassword } from "../password-words.ts"
import type { WorkspaceServices } from "../services.ts"
import {
  networkOfVisit,
  viewOf,
  type WorkspaceContext,
  type WorkspaceEnv,
} from "../workspace-context.ts"

const home = "/workspace"

/** No page of ours has a longer address. */
const nextUnitsMax = 2_000

/**
 * Only ever into the workspace: an address from outside is no place to send an author to. Visible
 * ASCII without the backslash: a browser reads that as a slash, and a header cannot hold the rest.
 */
export function safeNext(next: string): string {
  const isOurs = next.length <= nextUnitsMax && /^\/workspace(?:[/?][!-[\]-~]*)?$/.test(next)
  return isOurs ? next : home
}

export function addSignInRoutes(app: Hono<WorkspaceEnv>, services: WorkspaceServices): void {
  const cookies = createCookies(services.publicUrl)
  const deviceOf = (c: WorkspaceContext) => c.req.header("user-agent") ?? ""

  async function enter(c: WorkspaceContext, { token }: SignedIn, next: string) {
    // End the session this browser had before: a browser has one session.
    const before = c.get("visitor")
    if (before !== null) await services.store.sessions.end(before.account.id, before.session.id)
    cookies.writeSession(c, token)
    return c.redirect(safeNext(next), 303)
  }

  app.get("/login", (c) => {
    const next = c.req.query("next") ?? home
    if (c.get("visitor") !== null) return c.redirect(safeNext(next), 303)
    return c.html(<SignInPage view={viewOf(c)} name="" next={next} problem={null} />)
  })

  app.post("/login", async (c) => {
    const form = c.get("form")
    const [name, next] = [form.text("name").trim(), form.exact("next")]
    const attempt = {
      name,
      password: form.exact("password"),
      network: networkOfVisit(c),
      device: deviceOf(c),
    }
    try {
      const signedIn = await signIn({ ...services.store, ...services }, attempt)
      return await enter(c, signedIn, next)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      const { words } = viewOf(c)
      const isThrottled = error.secondsToWait > 0
      const problem = isThrottled
        ? words.signIn.slow(Math.ceil(error.secondsToWait / 60))
        : words.signIn.wrong
      if (isThrottled) c.header("Retry-After", String(error.secondsToWait))
      const page = <SignInPage view={viewOf(c)} name={name} next={next} problem={problem} />
      return c.html(page, isThrottled ? 429 : 401)
    }
  })

  app.post("/logout", async (c) => {
    const visitor = c.get("visitor")
    if (visitor !== null) await services.store.sessions.end(visitor.account.id, visitor.session.id)
    cookies.clearSession(c)
    return c.redirect("/login", 303)
  })

  app.get("/invite/:token", async (c) => {
    const token = c.req.param("token")
    const invited = await findInvited(
      { ...services.store, ...services },
      services.store.accounts,
      token,
    )
    if (invited === null) return c.html(<InvitationGonePage view={viewOf(c)} />, 404)
    const { username, body } = invited
    const name = JSON.parse(body).name.full_name || username
    return c.html(
      <InvitationPage
        view={viewOf(c)}
        token={token}
        name={name}
        username={username}
        problem={null}
      />,
    )
  })

  app.post("/invite/:token", async (c) => {
    const token = c.req.param("token")
    const invited = await findInvited(
      { ...services.store, ...services },
      services.store.accounts,
      token,
    )
    if (invited === null) return c.html(<InvitationGonePage view={viewOf(c)} />, 404)
    const [password, repeat] = [c.get("form").exact("password"), c.get("form").exact("repeat")]
    const problem = explainPassword(
      viewOf(c).words,
      findPasswordProblem(password, invited),
      password === repeat,
    )
    if (problem !== null) {
      const name = JSON.parse(invited.body).name.full_name || invited.username
      return c.html(
        <InvitationPage
          view={viewOf(c)}
          token={token}
          name={name}
          username={invited.username}
          problem={problem}
        />,
        422,
      )
    }
    const joined = { ...services.store, ...services }
    const from = { network: networkOfVisit(c), device: deviceOf(c) }
    const signedIn = await acceptInvitation(joined, services.store.accounts, token, password, from)
    if (signedIn === null) return c.html(<InvitationGonePage view={viewOf(c)} />, 404)
    return enter(c, signedIn, home)
  })
}
