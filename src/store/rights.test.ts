import { expect, test } from "bun:test"
import { memberRoles, operatorRoles } from "../access/actor.ts"
import { setSuspended } from "../accounts/account-operations.ts"
import { revokeKeyForItem } from "../items/item-operations.ts"
import { revokeKey } from "../keys/key-operations.ts"
import { inviteAuthor } from "../people/invitation-operations.ts"
import * as operators from "../people/person-operations.ts"
import { removeTwoFactor } from "../people/security-operations.ts"
import { createSignInLink } from "../people/sign-in-operations.ts"
import { setRefunded } from "../purchases/purchase-operations.ts"
import {
  releaseSiteOf,
  restoreSiteOf,
  setPurchaseSiteLimit,
  setSiteLimits,
} from "../purchases/site-operations.ts"
import { removeCompromisedKey, rotateSigningKey } from "../signing/signing-key-operations.ts"
import * as endpoints from "../webhooks/endpoint-operations.ts"

/** An operation that is not rejected reads a service that does not exist. */
type Services = never
type Operation = (services: Services) => Promise<unknown>
// `as never`: a rejected operation uses nothing but the actor and the owner of its subject.
const subject = { accountId: 1 } as never
const ofOperators = { accountId: null } as never

const all = "admin support"
const team = "owner developer"

/** The roles of operators who may do it, and of members. */
const operations: Readonly<Record<string, readonly [Operation, string, string?]>> = {
  invite: [(services) => inviteAuthor(services, subject), all],
  release: [(services) => releaseSiteOf(services, subject, ""), all, `${team} support`],
  restore: [(services) => restoreSiteOf(services, subject, ""), all, `${team} support`],
  redeliver: [(services) => endpoints.redeliverMessage(services, subject, ""), all, team],
  siteLimit: [(services) => setPurchaseSiteLimit(services, subject, null), "admin", team],
  siteLimits: [(services) => setSiteLimits(services, subject, subject), "admin", team],
  suspend: [(services) => setSuspended(services, subject, true), "admin"],
  refund: [(services) => setRefunded(services, subject, true, ""), "admin"],
  revokeKey: [(services) => revokeKey(services, subject), "admin", team],
  revokeKeyForItem: [(services) => revokeKeyForItem(services, subject, subject), "admin", team],
  rotateSigningKey: [(services) => rotateSigningKey(services), "admin"],
  removeSigningKey: [(services) => removeCompromisedKey(services, ""), "admin"],
  signInLink: [(services) => createSignInLink(services, subject), "admin"],
  removeFactor: [(services) => removeTwoFactor(services, subject), "admin"],
  createOwnEndpoint: [
    (services) => endpoints.createEndpointOnce(services, null, subject, ""),
    "admin",
  ],
  changeOwnEndpoint: [
    (services) => endpoints.changeEndpoint(services, ofOperators, subject),
    "admin",
  ],
  revealOwnSecret: [(services) => endpoints.revealEndpointSecret(services, ofOperators), "admin"],
  rotateOwnSecret: [(services) => endpoints.rotateEndpointSecret(services, ofOperators), "admin"],
  createEndpoint: [
    (services) => endpoints.createEndpointOnce(services, { id: 1 } as never, subject, ""),
    "",
    team,
  ],
  changeEndpoint: [(services) => endpoints.changeEndpoint(services, subject, subject), "", team],
  revealSecret: [(services) => endpoints.revealEndpointSecret(services, subject), "", team],
  rotateSecret: [(services) => endpoints.rotateEndpointSecret(services, subject), "", team],
  disable: [(services) => endpoints.disableEndpoint(services, subject), "admin", team],
  enable: [(services) => endpoints.enableEndpoint(services, subject), "admin", team],
  removeEndpoint: [(services) => endpoints.removeEndpoint(services, subject), "admin", team],
  testEvent: [(services) => endpoints.sendTestEvent(services, subject), "admin", team],
  createOperator: [(services) => operators.createOperator(services, subject, null), "admin"],
  resetPassword: [(services) => operators.resetPassword(services, subject, null), "admin"],
  resetTwoFactor: [
    (services) => operators.resetPasswordAndTwoFactor(services, subject, null),
    "admin",
  ],
  operatorEmail: [(services) => operators.putEmail(services, subject, null), "admin"],
  changeRole: [(services) => operators.changeOperatorRole(services, subject, "admin"), "admin"],
  removeOperator: [(services) => operators.removeOperator(services, subject), "admin"],
  twoFactorPolicy: [(services) => operators.setTwoFactorPolicy(services, true), "admin"],
}

const refusal = /^(?:operator|author) deniz \(\w+\) lacks the right \w+$/

test.each(Object.entries(operations))("%s is refused without the right", async (_, each) => {
  const [operation, ofOperators, ofMembers = ""] = each
  const isRefused = async (kind: "operator" | "author", role: string) => {
    // `as never`: see above.
    const error = await operation({
      actor: { kind, name: "deniz", ipRange: "", role },
      now: () => new Date(),
      endpointCipher: { deriveEndpointId: String },
    } as never).then(
      () => null,
      (reason: Error) => reason.message,
    )
    return refusal.test(error ?? "")
  }
  const refused = (kind: "operator" | "author", roles: readonly string[]) =>
    Promise.all(roles.map(async (role) => [role, await isRefused(kind, role)] as const))
  const expected = (roles: readonly string[], allowed: string) =>
    roles.map((role) => [role, !allowed.split(" ").includes(role)] as const)
  expect(await refused("operator", operatorRoles)).toEqual(expected(operatorRoles, ofOperators))
  expect(await refused("author", memberRoles)).toEqual(expected(memberRoles, ofMembers))
})
