import { isOpen, type Session } from "../../domain/sign-in/session.ts"
import { recordOperatorEvent } from "../../operations/record-event.ts"
import { changePassword, confirmPassword, operatorsIn } from "../../operations/sign-in/passwords.ts"
import { addFactorRoutes, type CodeProblem, FactorPanel } from "../pages/app/second-factor.tsx"
import { explainNewPassword, explainRefusal } from "../pages/ask-password.ts"
import { createCookies } from "../pages/cookies.ts"
import { networkOfVisit, visitOf } from "../pages/page-context.ts"
import { Languages } from "../pages/parts/layout.tsx"
import { ChangePassword, type PasswordProblem } from "../pages/parts/passwords.tsx"
import { SessionTable } from "../pages/parts/session-table.tsx"
import {
  actorOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewAfter,
  viewOf,
  visitorOf,
} from "./frame/console-context.ts"
import { ConsolePage } from "./frame/console-layout.tsx"
import { paths } from "./frame/console-paths.ts"
import type { ConsoleServices } from "./frame/services.ts"

/** The operator's own password, second factor and browsers. */
export function addSecurityRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const cookies = createCookies(services.publicUrl, "console")
  const operators = operatorsIn(services.operators)

  app.get(paths.security, (c) => showSecurity(c, services, null))

  app.post(`${paths.security}/password`, async (c) => {
    const { operator } = visitorOf(c)
    const form = c.get("form")
    const { words } = viewOf(c)
    let knownHash: string
    try {
      const current = form.exact("current")
      knownHash = await confirmPassword(services, operator, networkOfVisit(c), current)
    } catch (error) {
      return showSecurity(c, services, { field: "current", text: explainRefusal(words, error) })
    }
    const password = form.exact("password")
    const problem = explainNewPassword(c, operators.namesOf(operator))
    if (problem !== null) return showSecurity(c, services, problem)
    const change = { knownHash, password }
    const signedIn = await changePassword(services, operators, operator, change, visitOf(c))
    // Another change came first and ended all sessions.
    if (signedIn === null) return c.redirect(paths.login, 303)
    await recordOperatorEvent({ ...services, actor: actorOf(c) }, operator.name, "password")
    cookies.writeSession(c, signedIn.token)
    return c.redirect(`${paths.security}?done=password`, 303)
  })

  app.post(`${paths.security}/sessions/:id`, async (c) => {
    await services.sessions.end(visitorOf(c).operator.id, c.req.param("id"))
    if (c.req.param("id") !== "all") return c.redirect(paths.security, 303)
    cookies.clearSession(c)
    return c.redirect(`${paths.login}?done=signed_out`, 303)
  })

  addFactorRoutes(app, services, {
    paths: paths.factor,
    Frame: ConsolePage,
    viewOf: viewAfter,
    visitOf(c) {
      const { operator, session } = visitorOf(c)
      return { owner: operator, session }
    },
    isRequired: services.secondFactorRule.isRequired,
    record: (c, action) =>
      recordOperatorEvent({ ...services, actor: actorOf(c) }, visitorOf(c).operator.name, action),
    showProblem: (c, problem) => showSecurity(c, services, problem),
  })
}

async function showSecurity(
  c: ConsoleContext,
  { sessions, secondFactors, now }: ConsoleServices,
  problem: SecurityProblem | null,
): Promise<Response> {
  const { operator, session } = visitorOf(c)
  const all = await sessions.list(operator.id)
  const hasFactor = (await secondFactors.find(operator.id)) !== null
  const page = (
    <ConsoleSecurityPage
      view={viewAfter(c)}
      recoveryCodes={hasFactor ? await secondFactors.countRecoveryCodes(operator.id) : null}
      sessions={all.filter((each) => isOpen(each, now()))}
      currentId={session.id}
      problem={problem}
    />
  )
  return c.html(page, problem === null ? 200 : 422)
}

type SecurityProblem = CodeProblem | PasswordProblem

type Props = Readonly<{
  view: ConsoleView
  /** How many are left; null without a second factor. */
  recoveryCodes: number | null
  sessions: readonly Session[]
  currentId: string
  problem: SecurityProblem | null
}>

const ConsoleSecurityPage = (props: Props) => {
  const { view, recoveryCodes, sessions, currentId, problem } = props
  const words = view.words.security
  return (
    <ConsolePage view={view} title={words.title} problem={problem?.text}>
      <FactorPanel
        view={view}
        paths={paths.factor}
        recoveryCodes={recoveryCodes}
        problem={problem?.field === "code" ? problem : null}
      />
      <section class="panel" aria-labelledby="password-title">
        <h2 id="password-title">{words.password}</h2>
        <ChangePassword
          view={view}
          path={`${paths.security}/password`}
          name={view.operator?.name}
          isFirst={false}
          problem={problem?.field === "code" ? null : problem}
        />
      </section>
      <SessionTable
        view={view}
        path={`${paths.security}/sessions`}
        sessions={sessions}
        currentId={currentId}
      />
      <section class="panel" aria-labelledby="language-title">
        <h2 id="language-title">{view.words.languagePage.title}</h2>
        <Languages view={view} />
      </section>
    </ConsolePage>
  )
}
