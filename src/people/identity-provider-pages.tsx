/** The way to the identity provider, and what the visitor had begun when they come back. */

import { identityPath } from "../access/paths.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { currentView, type PageContext } from "../platform/pages/context.ts"
import { ButtonLink, QuietLink } from "../platform/pages/elements.tsx"
import { PublicPage, SupportLink } from "../platform/pages/layout.tsx"
import { t } from "../platform/t.ts"
import { formatTimestamp, secondsAfter } from "../platform/time.ts"
import { type AwayVisit, awaySeconds, ProviderFailed } from "./identity.ts"
import { rejectSignIn } from "./password-pages.tsx"
import { ipRangeOfRequest, type PeoplePageServices } from "./session-pages.ts"

export const returnPath = `${identityPath}/callback`

export const returnUrlOf = ({ publicUrl }: Pick<PeoplePageServices, "publicUrl">) =>
  `${publicUrl}${returnPath}`

/**
 * A page that leads on at once, also without script: browsers apply `form-action` to redirects of a form, and the
 * provider may redirect to yet another site.
 */
export async function leaveForProvider(
  c: PageContext,
  services: PeoplePageServices,
  purpose: Pick<AwayVisit, "next" | "invitation" | "sessionId">,
): Promise<Response> {
  const { identityProvider, awayVisits, throttle, now } = services
  if (identityProvider === null) return c.notFound()
  const { isSignedIn } = c.var
  const returnUrl = returnUrlOf(services)
  const source = { name: returnUrl, ipRange: ipRangeOfRequest(c) }
  const beginning = throttle.enqueue(source, () => identityProvider.begin(returnUrl, isSignedIn))
  const begun = await c.env.whilePaused(beginning).catch((error) => showFailure(c, error, purpose))
  if (begun instanceof Response) return begun
  const { url, secrets } = begun
  const visit = { ...purpose, secrets, expiresAt: secondsAfter(now(), awaySeconds) }
  c.var.cookies.writeAway(c, awayVisits.createToken(visit, null))
  c.header("Refresh", `0; url=${url}`)
  const title = t("Continue with {host}", { host: currentView().site.identityHost ?? "" })
  return c.html(
    <PublicPage title={title}>
      <h1>{title}</h1>
      <p>
        <ButtonLink href={url}>{t("Continue")}</ButtonLink>
      </p>
    </PublicPage>,
  )
}

/** Null if this browser has begun nothing, something else in another tab, or too long ago. It works once. */
export function takeAwayVisit(
  c: PageContext,
  { awayVisits, now }: Pick<PeoplePageServices, "awayVisits" | "now">,
  query: URLSearchParams,
): AwayVisit | null {
  const visit = awayVisits.parseToken(c.var.cookies.readAway(c) ?? "", null)
  if (visit === null || query.get("state") !== visit.secrets.state) return null
  c.var.cookies.clearAway(c)
  return visit.expiresAt > formatTimestamp(now()) ? visit : null
}

/** The password remains, whatever the provider does. Throws other errors. */
export function showFailure(
  c: PageContext,
  error: unknown,
  { next }: Pick<AwayVisit, "next">,
): Response | Promise<Response> {
  if (error instanceof ProviderFailed) {
    return error.kind === "unavailable"
      ? showProblem(c, "unavailable", 503)
      : c.redirect(withQuery("/login", { next }), 303)
  }
  const { text, status } = rejectSignIn(
    c,
    error,
    t("The response of the provider was wrong or was already used. Try again."),
  )
  return showText(c, t("The sign-in failed"), text, status)
}

type Problem = "expired" | "taken" | "unknown" | "unavailable"

export function showProblem(c: PageContext, problem: Problem, status: 400 | 403 | 409 | 503) {
  const { site } = currentView()
  const { title, text } = identityProblemTexts[problem]
  const host = site.identityHost ?? ""
  return showText(c, t(title), t(text, { host, site: site.name }), status)
}

type Status = 400 | 401 | 403 | 409 | 429 | 503

function showText(c: PageContext, title: string, text: string, status: Status) {
  const page = (
    <PublicPage title={title}>
      <h1>{title}</h1>
      <p>{text}</p>
      <p class="actions">
        <QuietLink href="/login">{t("Sign in")}</QuietLink>
        <SupportLink />
      </p>
    </PublicPage>
  )
  return c.html(page, status)
}

const identityProblemTexts = {
  expired: {
    title: "Sign in again",
    text: "This browser began to sign in at {host} in another tab, more than ten minutes ago, or not at all. {site} changed nothing.",
  },
  unavailable: {
    title: "Sign-in elsewhere does not work now",
    text: "{host} does not respond, or rejects {site}. Try again later, or sign in with your password.",
  },
  unknown: {
    title: "Not connected yet",
    text: "You are signed in at {host}, but {site} does not know who you are. Open your invitation and continue with {host} there, or sign in with your password and connect {host} under Security.",
  },
  taken: {
    title: "Connected to somebody else",
    text: "Somebody else at {site} is connected to this account at {host}. Sign in at {host} with another account.",
  },
} as const
