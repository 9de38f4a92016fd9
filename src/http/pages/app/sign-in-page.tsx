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
  /** The beginning of the paths `/login`, `/logout` and `/invite`. */
  base: "" | "/console"
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
  const { home, base, owners, Layout } = area
  const loginPath = `${base}/login`
  const invitationPath = `${base}/invite/:token`
  const { resets } = services
  type C = PageContext

  /** One form for name, password and code: responses do not reveal whether the password is correct. */
  async function show(c: C, name: string, next: string, problems: Problems) {
    const { view } = c.var
    const { signIn, twoFactor } = view.texts
    const isOpen = problems.password !== undefined || (await area.isTwoFactorRequired())
    return (
      <Layout {...{ view, title: signIn.title, next }} problem={problems.name ?? problems.password}>
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
            <a href={`${loginPath}/reset`}>{signIn.reset.title}</a>
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
    const { form, view } = c.var
    const { texts } = view
    const [name, next] = [form.text("name").trim(), form.raw("next")]
    const [password, code] = [form.raw("password"), form.text("code")]
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

  app.post(`${base}/logout`, async (c) => {
    await endSession(c, services)
    c.var.cookies.clearSession(c)
    return c.redirect(loginPath, 303)
  })

  if (resets !== null) addResetRoutes(app, resets, area)

  app.on(["GET", "POST"], invitationPath, async (c) => {
    const { form, view } = c.var
    const token = c.req.param("token") ?? ""
    const invited = await findInvited(services, owners, token)
    if (invited === null) return area.showGone(c)
    const isSent = c.req.method === "POST"
    const problems = isSent ? findNewPasswordProblems(c, owners.namesOf(invited)) : null
    const { name, greeting } = area.namesOf(invited)
    if (!isSent || problems !== null) {
      const { title, hello, submit } = view.texts.signIn.invitation
      const page = (
        <Layout view={view} title={title} problem={problems?.password ?? problems?.repeat}>
          <p>{hello(isolateDirection(greeting))}</p>
          <PostForm view={view} action={view.path}>
            <UsernameField name={name} />
            <NewPasswordFields view={view} problems={problems} />
            <button type="submit">{submit}</button>
          </PostForm>
        </Layout>
      )
      return c.html(page, problems === null ? 200 : 422)
    }
    const visit = visitOf(c)
    const set = await services.throttle.enqueue({ name, ipRange: visit.ipRange }, () =>
      setInvitedPassword(services, owners, token, form.raw("password")),
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
  { Layout, base }: SignInArea<Owner>,
): void {
  const loginPath = `${base}/login`
  const resetPath = `${loginPath}/reset`

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
    const { form, view } = c.var
    const address = form.text("email")
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
