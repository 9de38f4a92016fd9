/** "Forgot your password?" Nothing is looked up before the response, so it does not reveal who has an account. */

import type { Account, AccountStore } from "../../domain/catalog/account.ts"
import { lowerAscii } from "../../domain/catalog/purchase-code.ts"
import { type EmailStore, findEmailAddress, type ResetRequest } from "../../domain/mail/email.ts"
import { resetSeconds } from "../../domain/sign-in/invitation.ts"
import type { OperatorStore } from "../../domain/sign-in/operator.ts"
import type { ResetThrottle } from "../../domain/sign-in/sign-in-failures.ts"
import type { Locale } from "../../domain/values/locale.ts"
import { secondsAfter } from "../../domain/values/time/timestamp.ts"
import { type Invited, type Inviting, inviteAccount } from "./invitation-operations.ts"
import { createLinkEmails, type Encrypting, encryptEmail, type LinkMailing } from "./link-emails.ts"

export type ResetRequesting = Encrypting &
  Readonly<{
    emails: Pick<EmailStore, "insert">
    resetThrottle: ResetThrottle
    owners: ResetRequest["owners"]
  }>

type TypedRequest = Readonly<{ address: string; locale: Locale; ipRange: string }>

/** Returns false if the text is not an e-mail address. Throws SignInRejected. */
export async function requestReset(
  services: ResetRequesting,
  { address, locale, ipRange }: TypedRequest,
): Promise<boolean> {
  const { emails, resetThrottle, owners, now } = services
  const to = findEmailAddress(address)
  if (to === null) return false
  await resetThrottle.count({ name: to, ipRange })
  const expiresAt = secondsAfter(now(), resetSeconds)
  await emails.insert([
    encryptEmail(services, { kind: "reset_request", owners, to, locale }, expiresAt),
  ])
  return true
}

/** More accounts with one address would be an import error. */
const ownersMax = 5

export const listAuthorsByEmail = async (
  accounts: Pick<AccountStore, "listByEmail">,
  email: string,
): Promise<readonly Account[]> =>
  (await accounts.listByEmail(email, ownersMax)).filter(({ isSuspended }) => !isSuspended)

export const listOperatorsByEmail = async (operators: Pick<OperatorStore, "list">, email: string) =>
  (await operators.list()).filter((each) => lowerAscii(each.email ?? "") === lowerAscii(email))

/** Puts one e-mail per owner into the outbox. The mail goes to the stored address, not to the typed one. */
export async function answerReset<Owner extends { id: number }>(
  services: Inviting,
  mailing: LinkMailing<Owner>,
  owners: readonly Owner[],
): Promise<void> {
  for (const owner of owners) {
    const emailsOf = (invited: Invited) =>
      createLinkEmails(mailing, owner, { kind: "password_reset", ...invited })
    await inviteAccount(services, owner.id, emailsOf, resetSeconds)
  }
}
