import { type Account, accountBodyOf } from "../../domain/catalog/account.ts"
import { recordAccountEvent } from "../../operations/record-event.ts"
import {
  findInvited,
  setInvitedPassword,
  startInvitedSession,
} from "../../operations/sign-in/invitation-operations.ts"
import { authorsIn } from "../../operations/sign-in/password-operations.ts"
import type { SignedIn } from "../../operations/sign-in/session-operations.ts"
import { findLinked, signIn, signInByLink } from "../../operations/sign-in/sign-in.ts"
import { safeRedirectPath } from "../pages/app/page-app.ts"
import { CodeField } from "../pages/app/two-factor-page.tsx"
import {
  type AuthorApp,
  type AuthorContext,
  viewOf,
  viewWithNotice,
} from "../pages/author-context.ts"
import { Field, PostForm } from "../pages/components/form-fields.tsx"
import { displayName, isolateDirection } from "../pages/components/formatted-values.tsx"
import {
  Notice,
  PublicPage,
  SiteSignIn,
  SupportLink,
  Warning,
} from "../pages/components/layout.tsx"
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
import { visitOf } from "../pages/page-context.ts"
import { linkPath } from "../pages/paths.ts"
import type { View } from "../pages/view.ts"
import type { WorkspaceServices } from "../pages/workspace-services.ts"

export function addSignInRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const cookies = createCookies(services.publicUrl, "workspace")

  app.get("/login", (c) => {
    const next = c.req.query("next") ?? workspacePath
    if (c.get("visitor") !== null) return c.redirect(safeRedirectPath(next, workspacePath), 303)
    const { settings, twoFactor } = viewOf(c).texts
    const view = viewWithNotice(c, {
      signed_out: settings.security.signedOutAll,
      first_password: twoFactor.passwordSet,
    })
    const isSessionEnded = c.req.query("done") === "session_ended"
    return c.html(
      <SignInPage view={view} name="" next={next} problems={{}} isSessionEnded={isSessionEnded} />,
    )
  })

  app.post("/login", async (c) => {
    const form = c.get("form")
    const [name, next] = [form.text("name").trim(), form.raw("next")]
    const [password, code] = [form.raw("password"), form.text("code")]
    const attempt = { name, password, code, ...visitOf(c) }
    const show = (problems: SignInProblems, status: 401 | 422 | 429) =>
      c.html(<SignInPage view={viewOf(c)} name={name} next={next} problems={problems} />, status)
    const { texts } = viewOf(c)
    const missing = {
      ...(name === "" && { name: texts.signIn.noName }),
      ...(password === "" && { password: texts.signIn.noPassword }),
    }
    if (Object.keys(missing).length > 0) return show(missing, 422)
    try {
      const signedIn = await signIn(services, attempt)
      return await enterWorkspace(c, services, signedIn, next)
    } catch (error) {
      const wrong = code === "" ? texts.signIn.wrong : texts.twoFactor.wrongAny
      const { text, status } = rejectSignIn(c, error, wrong)
      return show({ password: text }, status)
    }
  })

  app.post("/logout", async (c) => {
    const visitor = c.get("visitor")
    if (visitor !== null) await services.sessions.end(visitor.account.id, visitor.session.id)
    cookies.clearSession(c)
    return c.redirect("/login", 303)
  })
}

export const workspacePath = "/workspace"

/** A browser has one session: signing in ends the previous one. */
async function enterWorkspace(
  c: AuthorContext,
  { sessions, publicUrl, onSignIn }: WorkspaceServices,
  { owner, session, token }: SignedIn<Account>,
  next: string,
): Promise<Response> {
  const before = c.get("visitor")
  if (before !== null) await sessions.end(before.account.id, before.session.id)
  createCookies(publicUrl, "workspace").writeSession(c, token)
  await onSignIn("ok", owner.username, session.ipRange)
  return c.redirect(safeRedirectPath(next, workspacePath), 303)
}

type SignInProblems = Readonly<{ name?: string; password?: string }>

type Props = Readonly<{
  view: View
  name: string
  next: string
  problems: SignInProblems
  /** Whether the visitor was redirected from a form whose session had ended. */
  isSessionEnded?: boolean
}>

const SignInPage = ({ view, name, next, problems, isSessionEnded = false }: Props) => {
  const { signIn } = view.texts
  const isThroughSite = view.site.signInUrl !== null
  return (
    <PublicPage
      view={view}
      title={signIn.title}
      problem={problems.name ?? problems.password}
      next={next}
    >
      <h1>{signIn.title}</h1>
      <Notice view={view} />
      {isSessionEnded && <Warning text={signIn.sessionEnded} />}
      <SiteSignIn view={view} />
      {isThroughSite && <p>{signIn.or}</p>}
      <PostForm view={view} action="/login">
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
          <summary>{view.texts.twoFactor.useCode}</summary>
          <CodeField view={view} hint={view.texts.twoFactor.codeOrRecovery} />
        </details>
        <button type="submit" class={isThroughSite ? "quiet" : undefined}>
          {signIn.title}
        </button>
      </PostForm>
      <p class="hint">
        {isThroughSite ? signIn.helpThrough(view.site.name) : signIn.help}{" "}
        <SupportLink view={view} />
      </p>
    </PublicPage>
  )
}

const showGone = (c: AuthorContext) => c.html(<GonePage view={viewOf(c)} />, 404)

const invitationPath = "/invite/:token"

export function addInvitationRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const authors = authorsIn(services.accounts)

  app.get(invitationPath, async (c) => {
    const invited = await findInvited(services, authors, c.req.param("token"))
    if (invited === null) return showGone(c)
    return c.html(<InvitationPage view={viewOf(c)} account={invited} problems={null} />)
  })

  app.post(invitationPath, async (c) => {
    const token = c.req.param("token")
    const invited = await findInvited(services, authors, token)
    if (invited === null) return showGone(c)
    const problems = findNewPasswordProblems(c, authors.namesOf(invited))
    if (problems !== null) {
      const page = <InvitationPage view={viewOf(c)} account={invited} problems={problems} />
      return c.html(page, 422)
    }
    const visit = visitOf(c)
    const set = await services.throttle.enqueue({ name: invited.username, ...visit }, () =>
      setInvitedPassword(services, authors, token, c.get("form").raw("password")),
    )
    if (set === null) return showGone(c)
    const { owner, hash } = set
    const actor = { kind: "author", name: owner.username, ipRange: visit.ipRange } as const
    await recordAccountEvent({ ...services, actor }, owner, "password")
    const signedIn = await startInvitedSession(services, owner, hash, visit)
    if (signedIn === null) return c.redirect("/login?done=first_password", 303)
    return enterWorkspace(c, services, signedIn, workspacePath)
  })
}

export function addLinkRoutes(app: AuthorApp, services: WorkspaceServices): void {
  const { accounts, twoFactor } = services

  async function showLink(
    c: AuthorContext,
    token: string,
    problem: string | null,
    status: 200 | 401 | 429,
  ): Promise<Response> {
    const account = await findLinked(services, accounts, token)
    if (account === null) return showGone(c)
    const visitor = c.get("visitor")
    return c.html(
      <LinkPage
        view={viewOf(c)}
        token={token}
        name={displayName(accountBodyOf(account).name.full_name, account.username)}
        isOther={visitor !== null && visitor.account.id !== account.id}
        hasFactor={(await twoFactor.find(account.id)) !== null}
        problem={problem}
      />,
      status,
    )
  }

  app.get("/login/link/:token", (c) => showLink(c, c.req.param("token"), null, 200))

  app.post("/login/link", async (c) => {
    const form = c.get("form")
    const [token, code] = [form.text("token"), form.text("code")]
    try {
      const signedIn = await signInByLink(services, accounts, { token, code }, visitOf(c))
      if (signedIn === null) return showGone(c)
      return await enterWorkspace(c, services, signedIn, workspacePath)
    } catch (error) {
      const { text, status } = rejectSignIn(c, error, viewOf(c).texts.twoFactor.wrong)
      return showLink(c, token, text, status)
    }
  })
}

type InvitationProps = Readonly<{
  view: View
  account: Account
  problems: NewPasswordProblems | null
}>

/** The form is submitted to the URL of the page. */
const InvitationPage = ({ view, account, problems }: InvitationProps) => {
  const { invitation } = view.texts.signIn
  const { username } = account
  const name = accountBodyOf(account).name.full_name || username
  return (
    <PublicPage
      view={view}
      title={invitation.title}
      problem={problems?.password ?? problems?.repeat}
    >
      <h1>{invitation.title}</h1>
      <p>{invitation.hello(isolateDirection(name))}</p>
      <PostForm view={view} action={view.path}>
        <UsernameField name={username} />
        <NewPasswordFields view={view} problems={problems} />
        <button type="submit">{invitation.submit}</button>
      </PostForm>
    </PublicPage>
  )
}

type LinkPageProps = Readonly<{
  view: View
  token: string
  name: string
  /** Whether the browser is signed in as another author. */
  isOther: boolean
  /** Whether a 2FA code is required. */
  hasFactor: boolean
  problem: string | null
}>

/**
 * The script submits the form immediately. Opening the link alone does not use it up, because previews and mail
 * scanners open links. If another author is signed in or a 2FA code is required, the visitor submits the form.
 */
const LinkPage = ({ view, token, name, isOther, hasFactor, problem }: LinkPageProps) => {
  const { signIn } = view.texts
  return (
    <PublicPage view={view} title={signIn.title} problem={problem}>
      <h1>{signIn.title}</h1>
      <p>{signIn.link.hello(isolateDirection(name), view.site.name)}</p>
      {isOther && view.author !== null && (
        <p class="notice warning">
          {signIn.link.replaces(
            isolateDirection(displayName(view.author.name, view.author.username)),
          )}
        </p>
      )}
      <PostForm view={view} action={linkPath} data-submits={isOther || hasFactor ? undefined : ""}>
        <input type="hidden" name="token" value={token} />
        {hasFactor && (
          <CodeField
            view={view}
            hint={view.texts.twoFactor.codeOrRecovery}
            error={problem}
            isRequired
            isFocused
          />
        )}
        <button type="submit">{signIn.link.submit}</button>
      </PostForm>
    </PublicPage>
  )
}

/** Also shown when a visitor opens a link again after using it. */
const GonePage = ({ view }: { view: View }) => {
  const { texts, site, author } = view
  const [path, text] =
    author === null ? ["/login", texts.signIn.title] : ["/workspace", texts.errors.overview]
  return (
    <PublicPage view={view} title={texts.signIn.invitation.goneTitle}>
      <h1>{texts.signIn.invitation.goneTitle}</h1>
      <p>{texts.signIn.invitation.gone}</p>
      <SiteSignIn view={view} />
      <p class="actions">
        <a class={site.signInUrl === null ? "button" : "button quiet"} href={path}>
          {text}
        </a>
        <SupportLink view={view} />
      </p>
    </PublicPage>
  )
}
