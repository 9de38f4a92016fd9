/** Signing in with a password or an invitation, for authors and operators. */
import type { FC } from "hono/jsx"
import {
  findInvited,
  type ResetRequesting,
  requestReset,
  setInvitedPassword,
  startInvitedSession,
} from "../../../operations/sign-in/invitation-operations.ts"
import type { SignedIn } from "../../../operations/sign-in/session-operations.ts"
import type { Owners, SignInAttempt } from "../../../operations/sign-in/sign-in.ts"
import { isolateDirection, QuietLink } from "../components/elements.tsx"
import { Field, PostForm } from "../components/form-fields.tsx"
import { Notice, Warning } from "../components/layout.tsx"
import {
  findNewPasswordProblems,
  NewPasswordFields,
  type NewPasswordProblems,
  PasswordField,
  rejectSignIn,
  UsernameField,
} from "../components/passwords.tsx"
import {
  type PageApp,
  type PageContext,
  type PageProps,
  type View,
  visitOf,
} from "../page-context.ts"
import type { PageServices } from "../page-services.ts"
import { safeRedirectPath } from "./page-app.ts"
import { CodeField } from "./security-page.tsx"

export type SignInArea<Owner extends { id: number }> = Readonly<{
  Layout: FC<PageProps & Readonly<{ next?: string }>>
  Intro: FC<{ view: View }>
  Help: FC<{ view: View }>
  home: string
  loginPath: string
  logoutPath: string
  invitationPath: string
  resetPath: string
  nameLabel(view: View): string
  /** Whether another way to sign in is the main one. */
  isQuiet(view: View): boolean
  isTwoFactorRequired(): Promise<boolean>
  owners: Owners<Owner>
  namesOf(owner: Owner): Readonly<{ name: string; greeting: string }>
  signIn(attempt: SignInAttempt): Promise<SignedIn<Owner>>
  recordPassword(owner: Owner, ipRange: string): Promise<unknown>
  showGone(c: PageContext): Response | Promise<Response>
}>

type Problems = Readonly<{ name?: string; password?: string }>

export function addSignInRoutes<Owner extends { id: number }>(
  app: PageApp,
  services: PageServices,
  area: SignInArea<Owner>,
): void {
  const { home, loginPath, logoutPath, invitationPath, owners, Layout } = area
  const { resets } = services
  type C = PageContext

  /** One form for name, password and code: responses do not reveal whether the password is correct. */
  async function show(c: C, name: string, next: string, problems: Problems) {
    const view = c.var.view
    const { signIn, twoFactor } = view.texts
    const isOpen = problems.password !== undefined || (await area.isTwoFactorRequired())
    return (
      <Layout
        view={view}
        title={signIn.title}
        problem={problems.name ?? problems.password}
        next={next}
      >
        <Notice view={view} />
        {c.req.query("done") === "session_ended" && <Warning text={signIn.sessionEnded} />}
        <area.Intro view={view} />
        <PostForm view={view} action={loginPath}>
          <input type="hidden" name="next" value={next} />
          <Field
            name="name"
            label={area.nameLabel(view)}
            value={name}
            autocomplete="username"
            error={problems.name}
            isRequired
          />
          <PasswordField view={view} error={problems.password} />
          <details open={isOpen ? true : undefined}>
            <summary>{twoFactor.useCode}</summary>
            <CodeField view={view} hint={twoFactor.codeOrRecovery} />
          </details>
          <button type="submit" class={area.isQuiet(view) ? "quiet" : undefined}>
            {signIn.title}
          </button>
        </PostForm>
        {resets === null ? (
          <area.Help view={view} />
        ) : (
          <p>
            <a href={area.resetPath}>{signIn.reset.title}</a>
          </p>
        )}
      </Layout>
    )
  }

  app.get(loginPath, async (c) => {
    const next = c.req.query("next") ?? home
    if (c.var.isSignedIn) return c.redirect(safeRedirectPath(next, home), 303)
    return c.html(await show(c, "", next, {}))
  })

  app.post(loginPath, async (c) => {
    const form = c.var.form
    const [name, next] = [form.text("name").trim(), form.raw("next")]
    const [password, code] = [form.raw("password"), form.text("code")]
    const { texts } = c.var.view
    const missing = {
      ...(name === "" && { name: texts.signIn.noName }),
      ...(password === "" && { password: texts.signIn.noPassword }),
    }
    if (Object.keys(missing).length > 0) return c.html(await show(c, name, next, missing), 422)
    try {
      const signedIn = await area.signIn({ name, password, code, ...visitOf(c) })
      return await enter(c, services, area, signedIn, next)
    } catch (error) {
      const { text, status } = rejectSignIn(c, error, texts.signIn.wrong)
      return c.html(await show(c, name, next, { password: text }), status)
    }
  })

  app.post(logoutPath, async (c) => {
    await endSession(c, services)
    c.var.cookies.clearSession(c)
    return c.redirect(loginPath, 303)
  })

  if (resets !== null) addResetRoutes(app, resets, area)

  const showInvitation = (c: C, owner: Owner, problems: NewPasswordProblems | null) => {
    const view = c.var.view
    const { title, hello, submit } = view.texts.signIn.invitation
    const { name, greeting } = area.namesOf(owner)
    return (
      <Layout view={view} title={title} problem={problems?.password ?? problems?.repeat}>
        <p>{hello(isolateDirection(greeting))}</p>
        <PostForm view={view} action={view.path}>
          <UsernameField name={name} />
          <NewPasswordFields view={view} problems={problems} />
          <button type="submit">{submit}</button>
        </PostForm>
      </Layout>
    )
  }

  app.get(invitationPath, async (c) => {
    const invited = await findInvited(services, owners, c.req.param("token") ?? "")
    return invited === null ? area.showGone(c) : c.html(showInvitation(c, invited, null))
  })

  app.post(invitationPath, async (c) => {
    const token = c.req.param("token") ?? ""
    const invited = await findInvited(services, owners, token)
    if (invited === null) return area.showGone(c)
    const problems = findNewPasswordProblems(c, owners.namesOf(invited))
    if (problems !== null) return c.html(showInvitation(c, invited, problems), 422)
    const visit = visitOf(c)
    const { name } = area.namesOf(invited)
    const set = await services.throttle.enqueue({ name, ipRange: visit.ipRange }, () =>
      setInvitedPassword(services, owners, token, c.var.form.raw("password")),
    )
    if (set === null) return area.showGone(c)
    await area.recordPassword(set.owner, visit.ipRange)
    const signedIn = await startInvitedSession(services, set.owner, set.hash, visit)
    // With 2FA, the password alone does not sign in.
    if (signedIn === null) return c.redirect(`${loginPath}?done=first_password`, 303)
    return enter(c, services, area, signedIn, `${home}?done=welcome`)
  })
}

/** The same page for known and unknown addresses. */
function addResetRoutes<Owner extends { id: number }>(
  app: PageApp,
  resets: ResetRequesting,
  { Layout, resetPath, loginPath }: SignInArea<Owner>,
): void {
  function show(c: PageContext, address: string, problem: string | null) {
    const { view } = c.var
    const { reset, email } = view.texts.signIn
    return (
      <Layout view={view} title={reset.title} problem={problem}>
        <p>{reset.text}</p>
        <PostForm view={view} action={resetPath}>
          <Field
            name="email"
            label={email}
            value={address}
            autocomplete="email"
            error={problem}
            isRequired
          />
          <button type="submit">{reset.submit}</button>
        </PostForm>
      </Layout>
    )
  }

  app.get(resetPath, (c) => c.html(show(c, "", null)))

  app.post(resetPath, async (c) => {
    const address = c.var.form.text("email")
    const { view } = c.var
    const { reset, title, noEmail } = view.texts.signIn
    try {
      const request = { address, locale: view.locale, ipRange: visitOf(c).ipRange }
      if (!(await requestReset(resets, request))) return c.html(show(c, address, noEmail), 422)
    } catch (error) {
      const { text, status } = rejectSignIn(c, error, noEmail)
      return c.html(show(c, address, text), status)
    }
    const done = (
      <Layout view={view} title={reset.sentTitle}>
        <p>{reset.sent}</p>
        <p class="actions">
          <QuietLink href={loginPath}>{title}</QuietLink>
        </p>
      </Layout>
    )
    return c.html(done)
  })
}

/** A browser has one session: signing in ends the previous one. */
export async function enter<Owner extends { id: number }>(
  c: PageContext,
  services: Pick<PageServices, "sessions" | "onSignIn">,
  { home, namesOf }: Pick<SignInArea<Owner>, "home" | "namesOf">,
  { owner, session, token }: SignedIn<Owner>,
  next: string,
): Promise<Response> {
  await endSession(c, services)
  c.var.cookies.writeSession(c, token)
  await services.onSignIn("ok", namesOf(owner).name, session.ipRange)
  return c.redirect(safeRedirectPath(next, home), 303)
}

async function endSession(
  c: PageContext,
  { sessions }: Pick<PageServices, "sessions">,
): Promise<void> {
  if (c.var.isSignedIn) await sessions.end(c.var.person.id, c.var.session.id)
}
