import { recordOperatorEvent } from "../../operations/record-event.ts"
import {
  findInvited,
  setInvitedPassword,
  startInvitedSession,
} from "../../operations/sign-in/invitation-operations.ts"
import { operatorsIn } from "../../operations/sign-in/password-operations.ts"
import { signInOperator } from "../../operations/sign-in/sign-in.ts"
import { safeRedirectPath } from "../pages/app/page-app.ts"
import { CodeField } from "../pages/app/two-factor-page.tsx"
import { Field, PostForm } from "../pages/components/form-fields.tsx"
import { Notice, Warning } from "../pages/components/layout.tsx"
import {
  NewPasswordFields,
  PasswordField,
  UsernameField,
} from "../pages/components/password-fields.tsx"
import {
  findNewPasswordProblems,
  type NewPasswordProblems,
  rejectSignIn,
} from "../pages/confirm-password.ts"
import { createCookies } from "../pages/cookies.ts"
import { ipRangeOfRequest, visitOf } from "../pages/page-context.ts"
import {
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleView,
  viewOf,
  viewWithNotice,
} from "./layout/console-context.ts"
import { ConsolePublicPage } from "./layout/console-layout.tsx"
import { paths } from "./layout/console-paths.ts"
import type { ConsoleServices } from "./layout/console-services.ts"

export function addSignInRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const { sessions, onSignIn } = services
  const cookies = createCookies(services.publicUrl, "console")

  app.get(paths.login, (c) => {
    const next = c.req.query("next") ?? paths.home
    if (c.get("visitor") !== null) return c.redirect(safeRedirectPath(next, paths.home), 303)
    const isSessionEnded = c.req.query("done") === "session_ended"
    const shown = { view: viewWithNotice(c), name: "", next, problem: null, isSessionEnded }
    return c.html(<ConsoleSignInPage {...shown} />)
  })

  app.post(paths.login, async (c) => {
    const form = c.get("form")
    const [name, next] = [form.text("name").trim(), form.raw("next")]
    const [password, code] = [form.raw("password"), form.text("code")]
    try {
      const attempt = { name, password, code, ...visitOf(c) }
      const { owner, session, token } = await signInOperator(services, attempt)
      // A browser has one session: signing in ends the previous one.
      const before = c.get("visitor")
      if (before !== null) await sessions.end(before.operator.id, before.session.id)
      cookies.writeSession(c, token)
      await onSignIn("ok", owner.name, session.ipRange)
      return c.redirect(safeRedirectPath(next, paths.home), 303)
    } catch (error) {
      const view = viewOf(c)
      const { text, status } = rejectSignIn(c, error, view.texts.operators.signIn.wrong)
      const page = <ConsoleSignInPage view={view} name={name} next={next} problem={text} />
      return c.html(page, status)
    }
  })

  app.post(paths.logout, async (c) => {
    const visitor = c.get("visitor")
    if (visitor !== null) await sessions.end(visitor.operator.id, visitor.session.id)
    cookies.clearSession(c)
    return c.redirect(paths.login, 303)
  })
}

type Props = Readonly<{
  view: ConsoleView
  name: string
  next: string
  problem: string | null
  /** Whether the visitor was redirected from a form whose session had ended. */
  isSessionEnded?: boolean
}>

/** One form for name, password and code: responses do not reveal whether the password is correct. */
const ConsoleSignInPage = ({ view, name, next, problem, isSessionEnded = false }: Props) => {
  const { operators, signIn } = view.texts
  return (
    <ConsolePublicPage view={view} title={signIn.title} problem={problem} next={next}>
      <Notice view={view} />
      {isSessionEnded && <Warning text={signIn.sessionEnded} />}
      <p>{operators.signIn.intro(view.site.name)}</p>
      <PostForm view={view} action={paths.login}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="name"
          label={view.texts.columns.name}
          value={name}
          autocomplete="username"
          isRequired
        />
        <PasswordField view={view} error={problem} />
        <CodeField view={view} hint={operators.signIn.codeHint} />
        <p>
          <button type="submit">{signIn.title}</button>
        </p>
      </PostForm>
    </ConsolePublicPage>
  )
}

const invitationPath = "/console/invite/:token"

/** Setting a password signs the operator in, unless 2FA is enabled. */
export function addInvitationRoutes(app: ConsoleApp, services: ConsoleServices): void {
  const cookies = createCookies(services.publicUrl, "console")
  const operators = operatorsIn(services.operators)

  const showGone = (c: ConsoleContext) =>
    c.html(<ConsoleInvitationGonePage view={viewOf(c)} />, 404)

  app.get(invitationPath, async (c) => {
    const invited = await findInvited(services, operators, c.req.param("token"))
    if (invited === null) return showGone(c)
    return c.html(<ConsoleInvitationPage view={viewOf(c)} name={invited.name} problems={null} />)
  })

  app.post(invitationPath, async (c) => {
    const token = c.req.param("token")
    const invited = await findInvited(services, operators, token)
    if (invited === null) return showGone(c)
    const problems = findNewPasswordProblems(c, operators.namesOf(invited))
    if (problems !== null) {
      const page = (
        <ConsoleInvitationPage view={viewOf(c)} name={invited.name} problems={problems} />
      )
      return c.html(page, 422)
    }
    const ipRange = ipRangeOfRequest(c)
    const set = await services.throttle.enqueue({ name: invited.name, ipRange }, () =>
      setInvitedPassword(services, operators, token, c.get("form").raw("password")),
    )
    if (set === null) return showGone(c)
    const { name } = set.owner
    const actor = { kind: "operator", name, ipRange } as const
    await recordOperatorEvent({ ...services, actor }, name, "password")
    const signedIn = await startInvitedSession(services, set.owner, set.hash, visitOf(c))
    if (signedIn === null) return c.redirect(`${paths.login}?done=first_password`, 303)
    cookies.writeSession(c, signedIn.token)
    await services.onSignIn("ok", name, ipRange)
    return c.redirect(`${paths.home}?done=welcome`, 303)
  })
}

type InvitationProps = Readonly<{
  view: ConsoleView
  name: string
  problems: NewPasswordProblems | null
}>

/** The form is submitted to the URL of the page. */
const ConsoleInvitationPage = ({ view, name, problems }: InvitationProps) => (
  <ConsolePublicPage
    view={view}
    title={view.texts.signIn.invitation.title}
    problem={problems?.password ?? problems?.repeat}
  >
    <p>{view.texts.signIn.invitation.hello(name)}</p>
    <PostForm view={view} action={view.path}>
      <UsernameField name={name} />
      <NewPasswordFields view={view} problems={problems} />
      <button type="submit">{view.texts.words.save}</button>
    </PostForm>
  </ConsolePublicPage>
)

const ConsoleInvitationGonePage = ({ view }: { view: ConsoleView }) => (
  <ConsolePublicPage view={view} title={view.texts.signIn.invitation.title}>
    <p class="notice warning">{view.texts.operators.invitationGone}</p>
  </ConsolePublicPage>
)
