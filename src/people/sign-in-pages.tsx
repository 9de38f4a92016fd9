/** Signing in by passkey, or by password and two-factor code, signing out, and "Forgot your password?". */
import { workspacePath } from "../access/paths.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { PasswordField } from "../platform/pages/confirm.tsx"
import {
  currentView,
  type PageApp,
  type PageContext,
  type PageProps,
} from "../platform/pages/context.ts"
import { Field, isolateDirection, PostForm, QuietLink } from "../platform/pages/elements.tsx"
import { homeLink, Notice, PublicPage, SupportLink, Warning } from "../platform/pages/layout.tsx"
import { currentLocale, t } from "../platform/t.ts"
import { requestReset } from "./invitation-operations.ts"
import { type PeoplePageServices, readVisit, safeRedirectPath } from "./page-app.tsx"
import { PasskeySignIn } from "./passkey-pages.tsx"
import { CodeField, hasSiteSignIn, rejectSignIn, SiteSignIn, wrongCode } from "./password-pages.tsx"
import { requireTwoFactorCode } from "./security-operations.ts"
import type { ResetRequesting } from "./services.ts"
import {
  createPendingSignIn,
  findPendingSignIn,
  type Identified,
  identifyByPasskey,
  identifyByPassword,
  startVerifiedSession,
  type VerifiedFactor,
} from "./sign-in-operations.ts"

const loginPath = "/login"
const codePath = `${loginPath}/code`
const passkeyPath = `${loginPath}/passkey`
const resetPath = `${loginPath}/reset`

/** Where a sign-in may lead. */
const homes = [workspacePath, "/console", "/invite"] as const

export function addSignInRoutes(app: PageApp, services: PeoplePageServices): void {
  const { resets } = services
  app.get(loginPath, (c) => {
    const next = c.req.query("next") ?? ""
    const [home] = homeLink() ?? []
    if (home !== undefined) return c.redirect(safeRedirectPath(next, [home, ...homes]), 303)
    return showSignIn(c, services, { next })
  })
  app.post(loginPath, (c) => signInByPassword(c, services))
  app.post(passkeyPath, (c) => signInByPasskey(c, services))
  app.post("/logout", async (c) => {
    await endSession(c, services)
    c.var.cookies.clear("session")
    return c.redirect(loginPath, 303)
  })
  app.get(codePath, async (c) => {
    const next = c.req.query("next") ?? ""
    const pending = await findPending(c, services)
    return pending === null
      ? signInAgain(c, next)
      : c.html(<CodePage person={pending.person} next={next} problem={null} />)
  })
  app.post(codePath, (c) => completeByCode(c, services))
  if (resets === null) return
  app.get(resetPath, (c) => c.html(<ResetPage address="" problem={null} />))
  app.post(resetPath, (c) => sendReset(c, resets))
}

export const SignInLayout = ({ children, ...props }: PageProps & Readonly<{ next?: string }>) => (
  <PublicPage {...props}>
    <h1>{props.title}</h1>
    {children}
  </PublicPage>
)

type SignInForm = Readonly<{
  name?: string
  next: string
  problems?: Readonly<{ name?: string; password?: string; passkey?: string }>
}>

function showSignIn(
  c: PageContext,
  services: PeoplePageServices,
  { name = "", next, problems = {} }: SignInForm,
  status: 200 | 401 | 422 | 429 = 200,
) {
  const { site } = currentView()
  const done = c.req.query("done")
  const page = (
    <SignInLayout {...{ title: t("Sign in"), next }} problem={Object.values(problems)[0]}>
      <Notice />
      {done === "session_ended" && (
        <Warning
          text={t(
            "Your session has ended, so nothing was changed. Sign in and submit the form again.",
          )}
        />
      )}
      {done === "sign_in_expired" && (
        <Warning text={t("This sign-in has expired. Enter your password again.")} />
      )}
      <SiteSignIn next={next} />
      {hasSiteSignIn() && <p>{t("Or sign in with your password:")}</p>}
      <PostForm action={loginPath}>
        <input type="hidden" name="next" value={next} />
        <Field
          name="name"
          label={t("Username or e-mail")}
          value={name}
          autocomplete="username"
          error={problems.name}
          isRequired
        />
        <PasswordField error={problems.password} />
        <button type="submit" class={hasSiteSignIn() ? "quiet" : undefined}>
          {t("Sign in")}
        </button>
      </PostForm>
      <PasskeySignIn {...{ services, action: passkeyPath, next, problem: problems.passkey }} />
      {services.resets === null ? (
        <p class="hint">
          {site.signInUrl === null
            ? t("No password yet, or forgot it? Your marketplace can send you an invitation link.")
            : t("No password yet, or forgot it? Sign in through {site}.", { site: site.name })}{" "}
          <SupportLink />
        </p>
      ) : (
        <p>
          <a href={resetPath}>{t("Forgot your password?")}</a>
        </p>
      )}
    </SignInLayout>
  )
  return c.html(page, status)
}

async function signInByPassword(c: PageContext, services: PeoplePageServices) {
  const { form } = c.var
  const [name, next] = [form.text("name").trim(), form.raw("next")]
  const password = form.raw("password")
  const missing = {
    ...(name === "" && { name: t("Enter your username or e-mail.") }),
    ...(password === "" && { password: t("Enter your password.") }),
  }
  if (Object.keys(missing).length > 0)
    return showSignIn(c, services, { name, next, problems: missing }, 422)
  try {
    const { ipRange } = readVisit(c)
    const identified = await identifyByPassword(services, { name, password, ipRange })
    return await enterIdentified(c, services, identified, { next })
  } catch (error) {
    const { text, status } = rejectSignIn(c, error, t("Wrong username or password."))
    return showSignIn(c, services, { name, next, problems: { password: text } }, status)
  }
}

async function signInByPasskey(c: PageContext, services: PeoplePageServices) {
  const { form } = c.var
  const next = form.raw("next")
  const assertion = {
    id: form.text("id"),
    clientDataJSON: form.raw("clientDataJSON"),
    authenticatorData: form.raw("authenticatorData"),
    signature: form.raw("signature"),
    userHandle: form.raw("userHandle"),
    formToken: form.text("form_token"),
  }
  try {
    const identified = await identifyByPasskey(services, assertion, readVisit(c).ipRange)
    return await enter(c, services, { ...identified, factor: "passkey", next })
  } catch (error) {
    const { text, status } = rejectSignIn(
      c,
      error,
      t("The passkey was rejected: it was removed, or this page was open for too long. Try again."),
    )
    return showSignIn(c, services, { next, problems: { passkey: text } }, status)
  }
}

type CodePageProps = Pick<Identified, "person"> & Readonly<{ next: string; problem: string | null }>

const CodePage = ({ person, next, problem }: CodePageProps) => (
  <SignInLayout title={t("Two-factor authentication (2FA)")} problem={problem}>
    <Notice />
    <p>
      {t("You are signing in to {site} as {name}.", {
        name: isolateDirection(person.name),
        site: currentView().site.name,
      })}
    </p>
    <PostForm action={codePath}>
      <input type="hidden" name="next" value={next} />
      <CodeField
        hint={t(
          "From your authenticator app, or a recovery code. If you lost both, ask your marketplace to remove 2FA.",
        )}
        error={problem}
        isFocused
      />
      <p class="actions">
        <button type="submit">{t("Sign in")}</button>
        <a href={withQuery(loginPath, { next })}>{t("Cancel")}</a>
      </p>
    </PostForm>
  </SignInLayout>
)

async function completeByCode(c: PageContext, services: PeoplePageServices): Promise<Response> {
  const { form } = c.var
  const next = form.raw("next")
  const pending = await findPending(c, services)
  if (pending === null) return signInAgain(c, next)
  const { person } = pending
  try {
    const { ipRange } = readVisit(c)
    const factor = await requireTwoFactorCode(services, person, ipRange, form.text("code"))
    c.var.cookies.clear("pending")
    return await enter(c, services, { ...pending, factor, next })
  } catch (error) {
    const { text, status } = rejectSignIn(c, error, t(wrongCode))
    return c.html(<CodePage {...{ person, next, problem: text }} />, status)
  }
}

const findPending = (c: PageContext, services: PeoplePageServices) =>
  findPendingSignIn(services, c.var.cookies.read("pending") ?? "", readBrowser(c))

/** A sign-in is completed by the browser that began it. */
const readBrowser = (c: PageContext) => c.var.cookies.read("visitor") ?? ""

function signInAgain(c: PageContext, next: string): Response {
  c.var.cookies.clear("pending")
  return c.redirect(withQuery(loginPath, { done: "sign_in_expired", next }), 303)
}

type ResetPageProps = Readonly<{ address: string; problem: string | null }>

const ResetPage = ({ address, problem }: ResetPageProps) => (
  <SignInLayout title={t("Forgot your password?")} problem={problem}>
    <p>{t("Enter your e-mail address. You get a link to choose a new password.")}</p>
    <PostForm action={resetPath}>
      <Field
        name="email"
        label={t("E-mail address")}
        value={address}
        autocomplete="email"
        error={problem}
        isRequired
      />
      <button type="submit">{t("Send the link")}</button>
    </PostForm>
  </SignInLayout>
)

/** Returns the same page for known and unknown addresses. */
async function sendReset(c: PageContext, resets: ResetRequesting): Promise<Response> {
  const address = c.var.form.text("email")
  const invalid = t("Enter an e-mail address.")
  try {
    const request = { address, locale: currentLocale(), ipRange: readVisit(c).ipRange }
    if (!(await requestReset(resets, request)))
      return c.html(<ResetPage address={address} problem={invalid} />, 422)
  } catch (error) {
    const { text, status } = rejectSignIn(c, error, invalid)
    return c.html(<ResetPage address={address} problem={text} />, status)
  }
  return c.html(
    <SignInLayout title={t("Check your e-mail")}>
      <p>
        {t(
          "If somebody signs in here with this address, a link is on its way. It works once, within an hour. 2FA stays enabled.",
        )}
      </p>
      <p class="actions">
        <QuietLink href={loginPath}>{t("Sign in")}</QuietLink>
      </p>
    </SignInLayout>,
  )
}

/** `isNew` welcomes somebody who has just chosen a password. */
type Entry = Readonly<{ next?: string; isNew?: boolean }>

/** Asks for a code if the person has two-factor authentication, else signs in. Throws `account_suspended`. */
export async function enterIdentified(
  c: PageContext,
  services: PeoplePageServices,
  identified: Identified,
  { next = "", isNew = false }: Entry,
): Promise<Response> {
  const pending = await createPendingSignIn(services, identified, readBrowser(c))
  if (pending === null)
    return enter(c, services, { ...identified, factor: "disabled", next, isNew })
  c.var.cookies.write("pending", pending)
  return c.redirect(withQuery(codePath, { next, done: isNew ? "first_password" : "" }), 303)
}

/** A browser has one session: signing in ends the previous one. Without a page to return to, a person's own is shown. */
async function enter(
  c: PageContext,
  services: PeoplePageServices,
  entry: Identified & Entry & Readonly<{ factor: VerifiedFactor }>,
): Promise<Response> {
  const { factor, next = "", isNew = false, ...identified } = entry
  const { people, onSignIn } = services
  const signedIn = await startVerifiedSession(services, identified, factor, readVisit(c))
  if (signedIn === null) return signInAgain(c, next)
  const { person, session, token } = signedIn
  await endSession(c, services)
  c.var.cookies.write("session", token)
  await onSignIn("ok", person.name, session.ipRange)
  const isMember = (await people.listMemberships(person.id)).length > 0
  const home = `${isMember ? workspacePath : "/console"}${isNew ? "?done=welcome" : ""}`
  return c.redirect(safeRedirectPath(next, [home, ...homes]), 303)
}

async function endSession(c: PageContext, { sessions }: PeoplePageServices): Promise<void> {
  if (c.var.isSignedIn) await sessions.end(c.var.person.id, c.var.session.id)
}
