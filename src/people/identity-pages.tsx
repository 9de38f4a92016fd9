/** Signing in at the OpenID Connect provider of the marketplace, and the identities on the security page. */
import type { Child } from "hono/jsx"
import { securityPath } from "../access/page-view.ts"
import { identityPath } from "../access/paths.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { queryOf } from "../platform/http/request-head.ts"
import { requirePassword } from "../platform/pages/confirm.tsx"
import { currentView, Page, type PageApp, type PageContext } from "../platform/pages/context.ts"
import { DataTable } from "../platform/pages/data-table.tsx"
import { ButtonLink, Panel, PostForm, QuietButton, QuietLink } from "../platform/pages/elements.tsx"
import { SupportLink } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp, secondsAfter } from "../platform/time.ts"
import {
  type AwayVisit,
  awaySeconds,
  type IdentityProvider,
  type ProvenIdentity,
  ProviderFailed,
} from "./identity.ts"
import { acceptByIdentity, findInvited } from "./invitation-operations.ts"
import { showGone } from "./invitation-pages.tsx"
import { type PeoplePageServices, readVisit, safeRedirectPath } from "./page-app.tsx"
import { ConfirmPage, rejectSignIn } from "./password-pages.tsx"
import type { Person } from "./person.ts"
import { recordPersonEvent } from "./person-email-operations.ts"
import { findIdentified, verifyIdentity } from "./sign-in-operations.ts"
import { enterIdentified, SignInLayout } from "./sign-in-pages.tsx"

const returnPath = `${identityPath}/callback`

export function addIdentityRoutes(app: PageApp, services: PeoplePageServices): void {
  const { identityProvider } = services
  if (identityProvider === null) return
  app.post(identityPath, (c) => {
    // Bounded, because it is kept in a cookie.
    const next = safeRedirectPath(c.var.form.raw("next"), [""])
    const invitation = c.var.form.text("invitation")
    return leaveForProvider(c, services, { next, invitation, sessionId: "" })
  })
  app.get(returnPath, (c) => returnFromProvider(c, services, identityProvider))
}

/**
 * A page that leads on at once, also without script: browsers apply `form-action` to redirects of a form, and the
 * provider may redirect to yet another site.
 */
async function leaveForProvider(
  c: PageContext,
  services: PeoplePageServices,
  purpose: Pick<AwayVisit, "next" | "invitation" | "sessionId">,
): Promise<Response> {
  const { identityProvider, awayVisits, publicUrl, throttle, now } = services
  if (identityProvider === null) return c.notFound()
  const { isSignedIn } = c.var
  const returnUrl = `${publicUrl}${returnPath}`
  const source = { name: returnUrl, ipRange: readVisit(c).ipRange }
  const beginning = throttle.enqueue(source, () => identityProvider.begin(returnUrl, isSignedIn))
  const begun = await c.env.whilePaused(beginning).catch((error) => showFailure(c, error, purpose))
  if (begun instanceof Response) return begun
  const { url, secrets } = begun
  const visit = { ...purpose, secrets, expiresAt: secondsAfter(now(), awaySeconds) }
  c.var.cookies.write("away", awayVisits.createToken(visit, null))
  c.header("Refresh", `0; url=${url}`)
  const title = t("Continue with {host}", { host: currentView().site.identityHost ?? "" })
  return c.html(
    <SignInLayout title={title}>
      <p>
        <ButtonLink href={url}>{t("Continue")}</ButtonLink>
      </p>
    </SignInLayout>,
  )
}

async function returnFromProvider(
  c: PageContext,
  services: PeoplePageServices,
  identityProvider: IdentityProvider,
): Promise<Response> {
  const query = new URLSearchParams(queryOf(c.req.url))
  const visit = takeAwayVisit(c, services, query)
  if (visit === null) return showProblem(c, "expired")
  const redirectUrl = `${services.publicUrl}${returnPath}`
  const { ipRange } = readVisit(c)
  try {
    const returned = { query, secrets: visit.secrets, redirectUrl }
    const verifying = verifyIdentity(services, identityProvider, returned, ipRange)
    const identity = await c.env.whilePaused(verifying)
    if (visit.sessionId !== "") return await connect(c, services, identity, visit)
    if (visit.invitation !== "") return await accept(c, services, identity, visit)
    const person = await findIdentified(services, identity, ipRange)
    return person === null
      ? showProblem(c, "unknown")
      : await enterAs(c, services, person, visit.next)
  } catch (error) {
    return showFailure(c, error, visit)
  }
}

/** Null if this browser has begun nothing, something else in another tab, or too long ago. It works once. */
function takeAwayVisit(
  c: PageContext,
  { awayVisits, now }: PeoplePageServices,
  query: URLSearchParams,
): AwayVisit | null {
  const visit = awayVisits.parseToken(c.var.cookies.read("away") ?? "", null)
  if (visit === null || query.get("state") !== visit.secrets.state) return null
  c.var.cookies.clear("away")
  return visit.expiresAt > formatTimestamp(now()) ? visit : null
}

async function enterAs(
  c: PageContext,
  services: PeoplePageServices,
  person: Person,
  next: string,
): Promise<Response> {
  const passwordHash = await services.passwords.find(person.id)
  return enterIdentified(c, services, { person, passwordHash }, { next })
}

/** Somebody who is connected to the identity joins as themselves, after signing in. */
async function accept(
  c: PageContext,
  services: PeoplePageServices,
  identity: ProvenIdentity,
  { invitation }: AwayVisit,
): Promise<Response> {
  const invited = await findInvited(services, invitation)
  if (invited === null) return showGone(c)
  const knownId = await services.identities.find(identity)
  const known = knownId === null ? null : await services.people.find(knownId)
  if (known !== null) {
    const isOther = invited.person !== null && invited.person.id !== known.id
    return isOther ? showProblem(c, "taken") : enterAs(c, services, known, `/invite/${invitation}`)
  }
  const person = await acceptByIdentity(services, invitation, identity, readVisit(c))
  return person === null ? showGone(c) : enterAs(c, services, person, "")
}

async function connect(
  c: PageContext,
  services: PeoplePageServices,
  identity: ProvenIdentity,
  { sessionId, next }: AwayVisit,
): Promise<Response> {
  if (!c.var.isSignedIn || c.var.session.id !== sessionId) return showProblem(c, "expired")
  const { person, actor } = c.var
  if (!(await services.identities.connect(identity, person.id))) return showProblem(c, "taken")
  await recordPersonEvent({ ...services, actor }, person, "identity_connected")
  return c.redirect(withQuery(next, { done: "identity_connected" }), 303)
}

/** The password remains, whatever the provider does. Throws other errors. */
function showFailure(c: PageContext, error: unknown, { next }: Pick<AwayVisit, "next">) {
  if (error instanceof ProviderFailed) {
    return error.kind === "unavailable"
      ? showProblem(c, "unavailable")
      : c.redirect(withQuery("/login", { next }), 303)
  }
  const { text, status } = rejectSignIn(
    c,
    error,
    t("The response of the provider was wrong or was already used. Try again."),
  )
  return c.html(<ProblemPage title={t("The sign-in failed")} text={text} />, status)
}

function showProblem(c: PageContext, problem: keyof typeof identityProblems) {
  const { site } = currentView()
  const { title, text, status } = identityProblems[problem]
  const shown = t(text, { host: site.identityHost ?? "", site: site.name })
  return c.html(<ProblemPage title={t(title)} text={shown} />, status)
}

const ProblemPage = ({ title, text }: Readonly<{ title: string; text: string }>) => (
  <SignInLayout title={title}>
    <p>{text}</p>
    <p class="actions">
      <QuietLink href="/login">{t("Sign in")}</QuietLink>
      <SupportLink />
    </p>
  </SignInLayout>
)

const identityProblems = {
  expired: {
    title: "Sign in again",
    text: "This browser began to sign in at {host} in another tab, more than ten minutes ago, or not at all. {site} changed nothing.",
    status: 400,
  },
  unavailable: {
    title: "Sign-in elsewhere does not work now",
    text: "{host} does not respond, or rejects {site}. Try again later, or sign in with your password.",
    status: 503,
  },
  unknown: {
    title: "Not connected yet",
    text: "You are signed in at {host}, but {site} does not know who you are. Open your invitation and continue with {host} there, or sign in with your password and connect {host} under Security.",
    status: 403,
  },
  taken: {
    title: "Connected to somebody else",
    text: "Somebody else at {site} is connected to this account at {host}. Sign in at {host} with another account.",
    status: 409,
  },
} as const

/** On the security page of the workspace and of the console. */
export async function renderIdentities(
  c: PageContext,
  { identities, identityProvider }: PeoplePageServices,
): Promise<Child> {
  const rows = await identities.list(c.var.person.id)
  if (rows.length === 0 && identityProvider === null) return null
  const host = currentView().site.identityHost ?? ""
  return (
    <Panel id="identity-title" title={t("Single sign-on")}>
      {rows.length === 0 ? (
        <p>{t("Sign in here with your account at {host}, without a password.", { host })}</p>
      ) : (
        <DataTable
          rows={rows}
          columns={[
            { head: t("Name"), isWide: true, value: ({ issuer }) => new URL(issuer).host },
            { head: t("ID there"), kind: "code", value: ({ subject }) => subject },
          ]}
          menuOf={({ issuer, subject }) => (
            <PostForm action={`${securityPath()}/identities/remove`}>
              <input type="hidden" name="issuer" value={issuer} />
              <input type="hidden" name="subject" value={subject} />
              <QuietButton>{t("Disconnect")}</QuietButton>
            </PostForm>
          )}
        />
      )}
      {identityProvider !== null && (
        <PostForm action={`${securityPath()}/identities`}>
          <QuietButton>{t("Connect {host}", { host })}</QuietButton>
        </PostForm>
      )}
    </Panel>
  )
}

/** Both changes require the password: a stolen cookie alone must not be enough. */
export function addOwnIdentityRoutes(
  app: PageApp,
  services: PeoplePageServices,
  route: string,
): void {
  app.post(`${route}/identities`, async (c) => {
    const submit = t("Connect {host}", { host: currentView().site.identityHost ?? "" })
    const unconfirmed = await requirePassword(c, (password) =>
      c.html(<ConfirmPage {...{ title: submit, password, submit, back: securityPath() }} />, 422),
    )
    const purpose = { next: securityPath(), invitation: "", sessionId: c.var.session.id }
    return unconfirmed ?? leaveForProvider(c, services, purpose)
  })
  app.post(`${route}/identities/remove`, (c) => disconnect(c, services))
}

async function disconnect(c: PageContext, services: PeoplePageServices): Promise<Response> {
  const { person, actor, account, form } = c.var
  const identity = { issuer: form.text("issuer"), subject: form.text("subject") }
  const title = t("Disconnect")
  const unconfirmed = await requirePassword(c, (password) =>
    c.html(
      <ConfirmPage {...{ title, password, submit: title, back: securityPath() }}>
        <input type="hidden" name="issuer" value={identity.issuer} />
        <input type="hidden" name="subject" value={identity.subject} />
      </ConfirmPage>,
      422,
    ),
  )
  if (unconfirmed !== null) return unconfirmed
  if (await services.identities.disconnect(identity, person.id)) {
    await recordPersonEvent({ ...services, actor }, person, "identity_removed", account)
    return c.redirect(`${securityPath()}?done=identity_removed`, 303)
  }
  return c.html(
    <Page title={title}>
      <p class="notice warning">{t("You have no other way to sign in. Set a password first.")}</p>
      <p class="actions">
        <QuietLink href={securityPath()}>{t("Security")}</QuietLink>
      </p>
    </Page>,
    422,
  )
}
