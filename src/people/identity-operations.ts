import { DomainError } from "../platform/error.ts"
import {
  type IdentityProvider,
  type ProvenIdentity,
  ProviderFailed,
  type SignInSecrets,
} from "./identity.ts"
import type { Person } from "./person.ts"
import type { PeopleServices } from "./services.ts"
import { reportRejectedSignIn } from "./session-operations.ts"
import { findOrCreateOwner } from "./sign-in-operations.ts"

/**
 * Who the visitor is, by what the provider sent along. Throws SignInRejected if that is wrong; ProviderFailed does not
 * count as a failed sign-in.
 */
export const verifyIdentity = (
  services: Pick<PeopleServices, "throttle" | "onSignIn">,
  provider: IdentityProvider,
  { query, secrets, redirectUrl }: Returned,
  ipRange: string,
): Promise<ProvenIdentity> =>
  reportRejectedSignIn(services, { name: null, ipRange }, () =>
    services.throttle.attempt({ name: redirectUrl, ipRange }, () =>
      provider.complete(query, secrets, redirectUrl).catch((error) => {
        if (error instanceof ProviderFailed && error.kind === "rejected") return null
        throw error
      }),
    ),
  )

type Returned = Readonly<{ query: URLSearchParams; secrets: SignInSecrets; redirectUrl: string }>

/**
 * The person who is connected to the identity, else the owner of the account that the provider names, who is created if
 * necessary. Null if there is neither: nobody is found by an e-mail address. Throws `account_suspended`.
 */
export async function findIdentified(
  services: Pick<PeopleServices, "identities" | "people" | "accounts" | "now" | "onSignIn">,
  identity: ProvenIdentity,
  ipRange: string,
): Promise<Person | null> {
  const { identities, people, accounts, onSignIn } = services
  const personId = await identities.find(identity)
  if (personId !== null) return people.find(personId)
  const { username } = identity
  const account = username === null ? null : await accounts.findByUsername(username)
  if (account === null) {
    await onSignIn("wrong", null, ipRange)
    return null
  }
  return reportRejectedSignIn(services, { name: account.username, ipRange }, async () => {
    if (account.isSuspended) throw new DomainError("account_suspended")
    return findOrCreateOwner(services, account)
  })
}
