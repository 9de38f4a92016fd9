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
import { isolateDirection, QuietLink } from "../platform/pages/elements.tsx"
import { Field, PostForm } from "../platform/pages/form-fields.tsx"
import { homeLink, Notice, PublicPage, SupportLink, Warning } from "../platform/pages/layout.tsx"
import { currentLocale, t } from "../platform/t.ts"
import { requestReset } from "./invitation-operations.ts"
import { PasskeyForm, passkeyToGet } from "./passkey-pages.tsx"
import { hasSiteSignIn, rejectSignIn, SiteSignIn } from "./password-pages.tsx"
import { requireTwoFactorCode } from "./security-operations.ts"
import { CodeField } from "./security-pages.tsx"
import { type PeoplePageServices, safeRedirectPath, visitOf } from "./session-pages.ts"
import {
  createPendingSignIn,
  findPendingSignIn,
  type Identified,
  identifyByPasskey,
  identifyByPassword,
  type SignedIn,
  startVerifiedSession,
  type VerifiedFactor,
} from "./sign-in-operations.ts"

const loginPath = "/login"
const codePath = `${loginPath}/code`
const passkeyPath = `${loginPath}/passkey`
const resetPath = `${loginPath}/reset`

/** Where a sign-in may lead. */
const homes = [workspacePath, "/console", "/invite"] as const

export const SignInLayout = ({ children, ...props }: PageProps & Readonly<{ next?: string }>) => (
  <PublicPage {...props}>
    <h1>{props.title}</h1>
    {children}
  </PublicPage>
)

type Problems = Readonly<{ name?: string; password?: string; passkey?: string }>

export function addSignInRoutes(app: PageApp, services: PeoplePageServices): void {
  const { resets } = services
  type C = PageContext

  function show(c: C, name: string, next: string, problems: Problems) {
    const { site } = currentView()
    const done = c.req.query("done")
    return (
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
        <PasskeyForm
          action={passkeyPath}
          request={passkeyToGet(services)}
          fields={["id", "clientDataJSON", "authenticatorData", "signature", "userHandle"]}
          submit={t("Sign in with a passkey")}
          isQuiet
          failure={t("No passkey was used. Try again, or sign in with your password.")}
          problem={problems.passkey}
        >
          <input type="hidden" name="next" value={next} />
        </PasskeyForm>
        {resets === null ? (
          <p class="hint">
            {site.signInUrl === null
              ? t(
                  "No password yet, or forgot it? Your marketplace can send you an invitation link.",
                )
              : t("No password yet, or forgot it? Sign in through {site}.", {
                  site: site.name,
                })}{" "}
            <SupportLink />
          </p>
        ) : (
          <p>
            <a href={resetPath}>{t("Forgot your password?")}</a>
          </p>
        )}
      </SignInLayout>
    )
  }

  app.get(loginPath, async (c) => {
    const next = c.req.query("next") ?? ""
    const [home] = homeLink() ?? []
    if (home !== undefined) return c.redirect(safeRedirectPath(next, [home, ...homes]), 303)
    return c.html(show(c, "", next, {}))
  })

  app.post(loginPath, async (c) => {
    const { form } = c.var
    const [name, next] = [form.text("name").trim(), form.raw("next")]
    const password = form.raw("password")
    const missing = {
      ...(name === "" && { name: t("Enter your username or e-mail.") }),
      ...(password === "" && { password: t("Enter your password.") }),
    }
    if (Object.keys(missing).length > 0) return c.html(show(c, name, next, missing), 422)
    try {
      const { ipRange } = visitOf(c)
      const identified = await identifyByPassword(services, { name, password, ipRange })
      return await enterIdentified(c, services, identified, next)
    } catch (error) {
      const { text, status } = rejectSignIn(c, error, t("Wrong username or password."))
      return c.html(show(c, name, next, { password: text }), status)
    }
  })

  app.post(passkeyPath, async (c) => {
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
      const identified = await identifyByPasskey(services, assertion, visitOf(c).ipRange)
      return await startAndEnter(c, services, identified, "passkey", next)
    } catch (error) {
      const { text, status } = rejectSignIn(
        c,
        error,
        t(
          "The passkey was rejected: it was removed, or this page was open for too long. Try again.",
        ),
      )
      return c.html(show(c, "", next, { passkey: text }), status)
    }
  })

  app.post("/logout", async (c) => {
    await endSession(c, services)
    c.var.cookies.clearSession(c)
    return c.redirect(loginPath, 303)
  })

  addCodeRoutes(app, services)
  if (resets !== null) addResetRoutes(app, resets)
}

function addCodeRoutes(app: PageApp, services: PeoplePageServices): void {
  function show({ person }: Identified, next: string, problem: string | null) {
    return (
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
            isRequired
            isFocused
          />
          <p class="actions">
            <button type="submit">{t("Sign in")}</button>
            <a href={withQuery(loginPath, { next })}>{t("Cancel")}</a>
          </p>
        </PostForm>
      </SignInLayout>
    )
  }

  app.get(codePath, async (c) => {
    const next = c.req.query("next") ?? ""
    const pending = await findPending(c, services)
    return pending === null ? signInAgain(c, next) : c.html(show(pending, next, null))
  })

  app.post(codePath, async (c) => {
    const { form } = c.var
    const next = form.raw("next")
    const pending = await findPending(c, services)
    if (pending === null) return signInAgain(c, next)
    try {
      const { ipRange } = visitOf(c)
      const code = form.text("code")
      const factor = await requireTwoFactorCode(services, pending.person, ipRange, code)
      c.var.cookies.clearPending(c)
      return await startAndEnter(c, services, pending, factor, next)
    } catch (error) {
      const { text, status } = rejectSignIn(
        c,
        error,
        t("This code is wrong or was already used. Wait for the next one."),
      )
      return c.html(show(pending, next, text), status)
    }
  })
}

const browserOf = (c: PageContext) => c.var.cookies.readVisitor(c) ?? ""

const findPending = (c: PageContext, services: PeoplePageServices) =>
  findPendingSignIn(services, c.var.cookies.readPending(c) ?? "", browserOf(c))

function signInAgain(c: PageContext, next: string): Response {
  c.var.cookies.clearPending(c)
  return c.redirect(withQuery(loginPath, { done: "sign_in_expired", next }), 303)
}

/** The same page for known and unknown addresses. */
function addResetRoutes(app: PageApp, resets: NonNullable<PeoplePageServices["resets"]>): void {
  function show(address: string, problem: string | null) {
    return (
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
  }

  app.get(resetPath, (c) => c.html(show("", null)))

  app.post(resetPath, async (c) => {
    const { form } = c.var
    const address = form.text("email")
    try {
      const request = { address, locale: currentLocale(), ipRange: visitOf(c).ipRange }
      if (!(await requestReset(resets, request)))
        return c.html(show(address, t("Enter an e-mail address.")), 422)
    } catch (error) {
      const { text, status } = rejectSignIn(c, error, t("Enter an e-mail address."))
      return c.html(show(address, text), status)
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
  })
}

type Done = "" | "?done=welcome"

/** Asks for a code if the person has two-factor authentication, else signs in. Throws `account_suspended`. */
export async function enterIdentified(
  c: PageContext,
  services: PeoplePageServices,
  identified: Identified,
  next = "",
  done: Done = "",
): Promise<Response> {
  const pending = await createPendingSignIn(services, identified, browserOf(c))
  if (pending === null) return startAndEnter(c, services, identified, "disabled", next, done)
  c.var.cookies.writePending(c, pending)
  return c.redirect(withQuery(codePath, { next, done: done && "first_password" }), 303)
}

async function startAndEnter(
  c: PageContext,
  services: PeoplePageServices,
  identified: Identified,
  factor: VerifiedFactor,
  next: string,
  done?: Done,
): Promise<Response> {
  const signedIn = await startVerifiedSession(services, identified, factor, visitOf(c))
  return signedIn === null ? signInAgain(c, next) : enter(c, services, signedIn, next, done)
}

/** A browser has one session: signing in ends the previous one. Without a page to return to, a person's own is shown. */
export async function enter(
  c: PageContext,
  services: Pick<PeoplePageServices, "sessions" | "people" | "onSignIn">,
  { person, session, token }: SignedIn,
  next = "",
  done: Done = "",
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
  { sessions }: Pick<PeoplePageServices, "sessions">,
): Promise<void> {
  if (c.var.isSignedIn) await sessions.end(c.var.person.id, c.var.session.id)
}
