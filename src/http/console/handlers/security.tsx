import { findPasswordProblem } from "../../../domain/sign-in/password.ts"
import { isOpen } from "../../../domain/sign-in/session.ts"
import { recordOperatorEvent } from "../../../operations/record-event.ts"
import { changePassword } from "../../../operations/sign-in/change-password.ts"
import { confirmPassword } from "../../../operations/sign-in/confirm-password.ts"
import { operatorsIn } from "../../../operations/sign-in/owners.ts"
import { createCookies } from "../../pages/cookies.ts"
import { networkOfVisit, visitOf } from "../../pages/page-context.ts"
import { explainPassword, explainRefusal } from "../../pages/password-words.ts"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  viewAfter,
  viewOf,
  visitorOf,
} from "../frame/console-context.ts"
import { loginPath, securityPath } from "../frame/console-paths.ts"
import type { ConsoleServices } from "../frame/services.ts"
import { ConsoleSecurityPage, type SecurityProblem } from "../pages/security-page.tsx"

/** The operator's own password, second factor and browsers. */
export function addSecurityRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { store, hasher, throttle, now } = services
  const { passwords, sessions } = store.operatorSignIn
  const cookies = createCookies(services.publicUrl, "console")
  const operators = operatorsIn(store.operators)

  app.get(securityPath, (c) => showSecurity(c, services, null))

  app.post(`${securityPath}/password`, async (c) => {
    const { operator } = visitorOf(c)
    const form = c.get("form")
    const { words } = viewOf(c)
    let knownHash: string
    try {
      const current = form.exact("current")
      const confirmation = { passwords, sessions, hasher, throttle }
      knownHash = await confirmPassword(confirmation, operator, networkOfVisit(c), current)
    } catch (error) {
      return showSecurity(c, services, { field: "current", text: explainRefusal(words, error) })
    }
    const password = form.exact("password")
    const problem = explainPassword(
      words,
      findPasswordProblem(password, operators.namesOf(operator)),
      password === form.exact("repeat"),
    )
    if (problem !== null) return showSecurity(c, services, problem)
    const signedIn = await changePassword(
      { ...services, passwords, sessions },
      operators,
      operator,
      { knownHash, password },
      visitOf(c),
    )
    // Another change came first and ended all sessions.
    if (signedIn === null) return c.redirect(loginPath, 303)
    const trace = { audit: store.audit, now, actor: actorOf(c) }
    await recordOperatorEvent(trace, operator.name, "password")
    cookies.writeSession(c, signedIn.token)
    return c.redirect(`${securityPath}?done=password`, 303)
  })

  app.post(`${securityPath}/sessions/:id`, async (c) => {
    await sessions.end(visitorOf(c).operator.id, c.req.param("id"))
    if (c.req.param("id") !== "all") return c.redirect(securityPath, 303)
    cookies.clearSession(c)
    return c.redirect(`${loginPath}?done=signed_out`, 303)
  })
}

export async function showSecurity(
  c: ConsoleContext,
  { store, now }: ConsoleServices,
  problem: SecurityProblem | null,
): Promise<Response> {
  const { operator, session } = visitorOf(c)
  const all = await store.operatorSignIn.sessions.list(operator.id)
  const hasFactor = (await store.secondFactors.find(operator.id)) !== null
  const page = (
    <ConsoleSecurityPage
      view={viewAfter(c)}
      recoveryCodes={hasFactor ? await store.secondFactors.countRecoveryCodes(operator.id) : null}
      sessions={all.filter((each) => isOpen(each, now()))}
      currentId={session.id}
      problem={problem}
    />
  )
  return c.html(page, problem === null ? 200 : 422)
}
