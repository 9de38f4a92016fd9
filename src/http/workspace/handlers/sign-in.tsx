import { SignInRefused } from "../../../domain/sign-in/sign-in-failures.ts"
import { signIn } from "../../../operations/sign-in/sign-in.ts"
import { safeNext } from "../../pages/app/page-app.ts"
import { type AuthorApp, viewOf } from "../../pages/author-context.ts"
import { createCookies } from "../../pages/cookies.ts"
import { visitOf } from "../../pages/page-context.ts"
import type { WorkspaceServices } from "../frame/services.ts"
import { SignInPage, type SignInProblems } from "../pages/sign-in/sign-in-page.tsx"
import { enterWorkspace, workspacePath } from "./enter.ts"

export function addSignInRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const cookies = createCookies(services.publicUrl, "workspace")

  app.get("/login", (c) => {
    const next = c.req.query("next") ?? workspacePath
    if (c.get("visitor") !== null) return c.redirect(safeNext(next, workspacePath), 303)
    const isDone = c.req.query("done") === "signed_out"
    const view = viewOf(c, isDone ? viewOf(c).words.security.signedOutAll : null)
    return c.html(<SignInPage view={view} name="" next={next} problems={{}} />)
  })

  app.post("/login", async (c) => {
    const form = c.get("form")
    const [name, next] = [form.text("name").trim(), form.exact("next")]
    const password = form.exact("password")
    const attempt = { name, password, ...visitOf(c) }
    const show = (problems: SignInProblems, status: 401 | 422 | 429) =>
      c.html(<SignInPage view={viewOf(c)} name={name} next={next} problems={problems} />, status)
    const { words } = viewOf(c)
    const blank = {
      ...(name === "" && { name: words.signIn.noName }),
      ...(password === "" && { password: words.signIn.noPassword }),
    }
    if (Object.keys(blank).length > 0) return show(blank, 422)
    try {
      const signedIn = await signIn({ ...services.store, ...services }, attempt)
      return await enterWorkspace(c, services, signedIn, next)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      const isThrottled = error.secondsToWait > 0
      if (!isThrottled) return show({ password: words.signIn.wrong }, 401)
      c.header("Retry-After", String(error.secondsToWait))
      return show({ password: words.signIn.slow(Math.ceil(error.secondsToWait / 60)) }, 429)
    }
  })

  app.post("/logout", async (c) => {
    const visitor = c.get("visitor")
    if (visitor !== null) await services.store.sessions.end(visitor.account.id, visitor.session.id)
    cookies.clearSession(c)
    return c.redirect("/login", 303)
  })
}
