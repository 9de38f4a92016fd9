import { SignInRefused } from "../../../domain/sign-in/sign-in-failures.ts"
import { signInOperator } from "../../../operations/sign-in/operators/sign-in-operator.ts"
import { safeNext } from "../../pages/app/page-app.ts"
import { createCookies } from "../../pages/cookies.ts"
import { visitOf } from "../../pages/page-context.ts"
import { type ConsoleApp, viewAfter, viewOf } from "../frame/console-context.ts"
import { consolePath, loginPath, logoutPath } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { ConsoleSignInPage } from "../pages/sign-in-page.tsx"

export function addSignInRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { store, onSignIn } = services
  const { sessions } = store.operatorSignIn
  const cookies = createCookies(services.publicUrl, "console")
  const signingIn = { ...store, ...store.operatorSignIn, ...services }

  app.get(loginPath, (c) => {
    const next = c.req.query("next") ?? consolePath
    if (c.get("visitor") !== null) return c.redirect(safeNext(next, consolePath), 303)
    return c.html(<ConsoleSignInPage view={viewAfter(c)} name="" next={next} problem={null} />)
  })

  app.post(loginPath, async (c) => {
    const form = c.get("form")
    const [name, next] = [form.text("name").trim(), form.exact("next")]
    const [password, code] = [form.exact("password"), form.text("code")]
    try {
      const { owner, session, token } = await signInOperator(signingIn, {
        ...{ name, password, code },
        ...visitOf(c),
      })
      // A browser has one session: the one it had before ends.
      const before = c.get("visitor")
      if (before !== null) await sessions.end(before.operator.id, before.session.id)
      cookies.writeSession(c, token)
      onSignIn("ok", owner.name, session.network)
      return c.redirect(safeNext(next, consolePath), 303)
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error
      const { texts, words } = viewOf(c)
      const isThrottled = error.secondsToWait > 0
      const problem = isThrottled
        ? words.signIn.slow(Math.ceil(error.secondsToWait / 60))
        : texts.signIn.wrong
      if (isThrottled) c.header("Retry-After", String(error.secondsToWait))
      const page = <ConsoleSignInPage view={viewOf(c)} name={name} next={next} problem={problem} />
      return c.html(page, isThrottled ? 429 : 401)
    }
  })

  app.post(logoutPath, async (c) => {
    const visitor = c.get("visitor")
    if (visitor !== null) await sessions.end(visitor.operator.id, visitor.session.id)
    cookies.clearSession(c)
    return c.redirect(loginPath, 303)
  })
}
