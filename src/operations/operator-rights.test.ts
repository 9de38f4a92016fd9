import { expect, test } from "bun:test"
import { type OperatorRole, operatorRoles } from "../domain/sign-in/operator.ts"
import { setSuspended } from "./catalog/account-operations.ts"
import { setRefunded } from "./catalog/purchase-operations.ts"
import {
  releaseSiteOf,
  restoreSiteOf,
  setPurchaseSiteLimit,
  setSiteLimits,
} from "./catalog/site-operations.ts"
import * as endpoints from "./events/endpoint-operations.ts"
import { revokeKey } from "./keys/key-operations.ts"
import { removeCompromisedKey, rotateSigningKey } from "./keys/signing-key-operations.ts"
import { inviteAuthor } from "./sign-in/invitation-operations.ts"
import * as operators from "./sign-in/operator-operations.ts"
import { createSignInLink, removeTwoFactor } from "./sign-in/sign-in.ts"

/** An operation that is not rejected reads a service that does not exist. */
type Services = never
type Operation = (services: Services) => Promise<unknown>
// `as never`: a rejected operation uses nothing but the actor.
const subject = {} as never

const operations: Readonly<Record<string, readonly [Operation, readonly OperatorRole[]]>> = {
  invite: [(services) => inviteAuthor(services, subject), ["admin", "support"]],
  release: [(services) => releaseSiteOf(services, subject, ""), ["admin", "support"]],
  restore: [(services) => restoreSiteOf(services, subject, ""), ["admin", "support"]],
  redeliver: [
    (services) => endpoints.redeliverMessage(services, subject, ""),
    ["admin", "support"],
  ],
  siteLimit: [(services) => setPurchaseSiteLimit(services, subject, null), ["admin"]],
  siteLimits: [(services) => setSiteLimits(services, subject, subject), ["admin"]],
  suspend: [(services) => setSuspended(services, subject, true), ["admin"]],
  refund: [(services) => setRefunded(services, subject, true, ""), ["admin"]],
  revokeKey: [(services) => revokeKey(services, subject), ["admin"]],
  rotateSigningKey: [(services) => rotateSigningKey(services), ["admin"]],
  removeSigningKey: [(services) => removeCompromisedKey(services, ""), ["admin"]],
  signInLink: [(services) => createSignInLink(services, subject), ["admin"]],
  removeFactor: [(services) => removeTwoFactor(services, subject), ["admin"]],
  createEndpoint: [
    (services) => endpoints.createEndpointOnce(services, null, subject, ""),
    ["admin"],
  ],
  changeEndpoint: [(services) => endpoints.changeEndpoint(services, subject, subject), ["admin"]],
  revealSecret: [(services) => endpoints.revealEndpointSecret(services, subject), ["admin"]],
  rotateSecret: [(services) => endpoints.rotateEndpointSecret(services, subject), ["admin"]],
  disable: [(services) => endpoints.disableEndpoint(services, subject), ["admin"]],
  enable: [(services) => endpoints.enableEndpoint(services, subject), ["admin"]],
  removeEndpoint: [(services) => endpoints.removeEndpoint(services, subject), ["admin"]],
  testEvent: [(services) => endpoints.sendTestEvent(services, subject), ["admin"]],
  createOperator: [(services) => operators.createOperator(services, subject, null), ["admin"]],
  resetPassword: [(services) => operators.resetPassword(services, subject, null), ["admin"]],
  resetTwoFactor: [
    (services) => operators.resetPasswordAndTwoFactor(services, subject, null),
    ["admin"],
  ],
  operatorEmail: [(services) => operators.putEmail(services, subject, null), ["admin"]],
  changeRole: [(services) => operators.changeOperatorRole(services, subject, "admin"), ["admin"]],
  removeOperator: [(services) => operators.removeOperator(services, subject), ["admin"]],
  twoFactorPolicy: [(services) => operators.setTwoFactorPolicy(services, true), ["admin"]],
}

const refusal = /^operator deniz \(\w+\) lacks the right \w+$/

test.each(Object.entries(operations))("%s is refused without the right", async (_, each) => {
  const [operation, allowed] = each
  for (const role of operatorRoles) {
    const actor = { kind: "operator", name: "deniz", ipRange: "", role }
    // `as never`: see above.
    const error = await operation({
      actor,
      now: () => new Date(),
      endpointCipher: { deriveEndpointId: String },
    } as never).then(
      () => null,
      (reason: Error) => reason.message,
    )
    expect([role, refusal.test(error ?? "")]).toEqual([role, !allowed.includes(role)])
  }
})
