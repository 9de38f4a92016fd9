/** Signing in and out, and "Forgot your password?". */
import { requestReset } from "../../operations/sign-in/invitation-operations.ts"
import type { SignedIn } from "../../operations/sign-in/session-operations.ts"
import { signIn } from "../../operations/sign-in/sign-in.ts"
import { safeRedirectPath } from "../pages/app/page-app.ts"
import { CodeField } from "../pages/app/security-page.tsx"
import { QuietLink } from "../pages/components/elements.tsx"
import { Field, PostForm } from "../pages/components/form-fields.tsx"
import {
  homeLink,
  Notice,
  PublicPage,
  SiteSignIn,
  SupportLink,
  Warning,
} from "../pages/components/layout.tsx"
import { PasswordField, rejectSignIn } from "../pages/components/passwords.tsx"
import { type PageApp, type PageContext, type PageProps, visitOf } from "../pages/page-context.ts"
import type { PageServices, WorkspaceServices } from "../pages/page-services.ts"

export const workspacePath = "/workspace"
const loginPath = "/login"
const resetPath = `${loginPath}/reset`

/** Where a sign-in may lead. */
const homes = [workspacePath, "/console", "/invite"] as const

export const SignInLayout = ({ children, ...props }: PageProps & Readonly<{ next?: string }>) => (
  <PublicPage {...props}>
    <h1>{props.title}</h1>
    {children}
  </PublicPage>
)

type Problems = Readonly<{ name?: string; password?: string }>

export function addSignInRoutes(app: PageApp, services: WorkspaceServices): void {
  const { resets } = services
  type C = PageContext

  /** One form for name, password and code: responses do not reveal whether the password is correct. */
  function show(c: C, name: string, next: string, problems: Problems) {
    const { view } = c.var
    const { site, texts } = view
    const { signIn, twoFactor } = texts
    return (
      <SignInLayout
        {...{ view, title: signIn.title, next }}
        problem={problems.name ?? problems.password}
      >
        <Notice view={view} />
        {c.req.query("done") === "session_ended" && <Warning text={signIn.sessionEnded} />}
        <SiteSignIn view={view} />
        {site.signInUrl !== null && <p>{signIn.or}</p>}
        <PostForm view={view} action={loginPath}>
          <input type="hidden" name="next" value={next} />
          <Field
            name="name"
            label={signIn.name}
            value={name}
            autocomplete="username"
            error={problems.name}
            isRequired
          />
          <PasswordField view={view} error={problems.password} />
          <details open={problems.password === undefined ? undefined : true}>
            <summary>{twoFactor.useCode}</summary>
            <CodeField view={view} hint={twoFactor.codeOrRecovery} />
          </details>
          <button type="submit" class={site.signInUrl === null ? undefined : "quiet"}>
            {signIn.title}
          </button>
        </PostForm>
        {resets === null ? (
          <p class="hint">
            {site.signInUrl === null ? signIn.help : signIn.helpThrough(site.name)}{" "}
            <SupportLink view={view} />
          </p>
        ) : (
          <p>
            <a href={resetPath}>{signIn.reset.title}</a>
          </p>
        )}
      </SignInLayout>
    )
  }

  app.get(loginPath, async (c) => {
    const next = c.req.query("next") ?? ""
    const [home] = homeLink(c.var.view) ?? []
    if (home !== undefined) return c.redirect(safeRedirectPath(next, [home, ...homes]), 303)
    return c.html(show(c, "", next, {}))
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
    if (Object.keys(missing).length > 0) return c.html(show(c, name, next, missing), 422)
    try {
      const signedIn = await signIn(services, { name, password, code, ...visitOf(c) })
      return await enter(c, services, signedIn, next)
    } catch (error) {
      const { text, status } = rejectSignIn(c, error, texts.signIn.wrong)
      return c.html(show(c, name, next, { password: text }), status)
    }
  })

  app.post("/logout", async (c) => {
    await endSession(c, services)
    c.var.cookies.clearSession(c)
    return c.redirect(loginPath, 303)
  })

  if (resets !== null) addResetRoutes(app, resets)
}

/** The same page for known and unknown addresses. */
function addResetRoutes(app: PageApp, resets: NonNullable<PageServices["resets"]>): void {
  function show(c: PageContext, address: string, problem: string | null) {
    const { view } = c.var
    const { reset, email } = view.texts.signIn
    return (
      <SignInLayout view={view} title={reset.title} problem={problem}>
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
      </SignInLayout>
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
    return c.html(
      <SignInLayout view={view} title={reset.sentTitle}>
        <p>{reset.sent}</p>
        <p class="actions">
          <QuietLink href={loginPath}>{title}</QuietLink>
        </p>
      </SignInLayout>,
    )
  })
}

/** A browser has one session: signing in ends the previous one. Without a page to return to, a person's own is shown. */
export async function enter(
  c: PageContext,
  services: Pick<PageServices, "sessions" | "people" | "onSignIn">,
  { person, session, token }: SignedIn,
  next = "",
  done: "" | "?done=welcome" = "",
): Promise<Response> {
  await endSession(c, services)
  c.var.cookies.writeSession(c, token)
  await services.onSignIn("ok", person.name, session.ipRange)
  const isMember = (await services.people.listMemberships(person.id)).length > 0
  const home = `${isMember ? workspacePath : "/console"}${done}`
  return c.redirect(safeRedirectPath(next, [home, ...homes]), 303)
}

async function endSession(
  c: PageContext,
  { sessions }: Pick<PageServices, "sessions">,
): Promise<void> {
  if (c.var.isSignedIn) await sessions.end(c.var.person.id, c.var.session.id)
}
