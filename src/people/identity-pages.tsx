/** Signing in at the OpenID Connect provider of the marketplace. */
import { identityPath } from "../access/paths.ts"
import { withQuery } from "../platform/http/parameters.ts"
import { queryOf } from "../platform/http/request-head.ts"
import type { PageApp, PageContext } from "../platform/pages/context.ts"
import type { AwayVisit, ProvenIdentity } from "./identity.ts"
import {
  leaveForProvider,
  returnPath,
  returnUrlOf,
  showFailure,
  showProblem,
  takeAwayVisit,
} from "./identity-provider-pages.tsx"
import { acceptByIdentity, findInvited } from "./invitation-operations.ts"
import { showGone } from "./invitation-pages.tsx"
import type { Person } from "./person.ts"
import { recordPersonEvent } from "./person-email-operations.ts"
import {
  ipRangeOfRequest,
  type PeoplePageServices,
  safeRedirectPath,
  visitOf,
} from "./session-pages.ts"
import { findIdentified, verifyIdentity } from "./sign-in-operations.ts"
import { enterIdentified } from "./sign-in-pages.tsx"

export function addIdentityRoutes(app: PageApp, services: PeoplePageServices): void {
  const { identityProvider } = services
  if (identityProvider === null) return

  app.post(identityPath, (c) => {
    const { form } = c.var
    // Bounded, because it is kept in a cookie.
    const next = safeRedirectPath(form.raw("next"), [""])
    const invitation = form.text("invitation")
    return leaveForProvider(c, services, { next, invitation, sessionId: "" })
  })

  app.get(returnPath, async (c) => {
    const query = new URLSearchParams(queryOf(c.req.url))
    const visit = takeAwayVisit(c, services, query)
    if (visit === null) return showProblem(c, "expired", 400)
    const returned = { query, secrets: visit.secrets, redirectUrl: returnUrlOf(services) }
    const ipRange = ipRangeOfRequest(c)
    try {
      const identity = await c.env.whilePaused(
        verifyIdentity(services, identityProvider, returned, ipRange),
      )
      if (visit.sessionId !== "") return await connect(c, services, identity, visit)
      if (visit.invitation !== "") return await accept(c, services, identity, visit)
      const person = await findIdentified(services, identity, ipRange)
      return person === null
        ? showProblem(c, "unknown", 403)
        : await enterAs(c, services, person, visit.next)
    } catch (error) {
      return showFailure(c, error, visit)
    }
  })
}

async function enterAs(
  c: PageContext,
  services: PeoplePageServices,
  person: Person,
  next: string,
): Promise<Response> {
  const passwordHash = await services.passwords.find(person.id)
  return enterIdentified(c, services, { person, passwordHash }, next)
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
    return isOther
      ? showProblem(c, "taken", 409)
      : enterAs(c, services, known, `/invite/${invitation}`)
  }
  const person = await acceptByIdentity(services, invitation, identity, visitOf(c))
  return person === null ? showGone(c) : enterAs(c, services, person, "")
}

async function connect(
  c: PageContext,
  services: PeoplePageServices,
  identity: ProvenIdentity,
  { sessionId, next }: AwayVisit,
): Promise<Response> {
  if (!c.var.isSignedIn || c.var.session.id !== sessionId) return showProblem(c, "expired", 400)
  const { person, actor } = c.var
  if (!(await services.identities.connect(identity, person.id))) return showProblem(c, "taken", 409)
  await recordPersonEvent({ ...services, actor }, person, "identity_connected")
  return c.redirect(withQuery(next, { done: "identity_connected" }), 303)
}
