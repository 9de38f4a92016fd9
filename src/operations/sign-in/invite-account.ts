import type { Account } from "../../domain/catalogue/account.ts"
import {
  type Invitation,
  type InvitationStore,
  invitationSeconds,
} from "../../domain/sign-in/invitation.ts"
import { RefusedError } from "../../domain/values/error.ts"
import { secondsAfter } from "../../domain/values/time/date-arithmetic.ts"
import type { Timestamp } from "../../domain/values/time/timestamp.ts"
import type { TokenMaker } from "../../domain/values/token.ts"
import { recordAccountEvent, type Trace } from "../record-event.ts"

export type Inviting = Readonly<{
  invitations: InvitationStore
  tokens: TokenMaker
  now: () => Date
}>

/** The token of a link by which its holder chooses a password, once, within a week. */
export type Invited = Readonly<{ token: string; expiresAt: Timestamp }>

/** Makes the link of one author and records it in the audit. Throws RefusedError for a suspended account. */
export async function inviteAuthor(services: Inviting & Trace, account: Account): Promise<Invited> {
  const { id, username, isSuspended } = account
  if (isSuspended) throw new RefusedError(`${username} is suspended: resume the account first`)
  const invited = await inviteAccount(services, id)
  await recordAccountEvent(services, account, "invited")
  return invited
}

export async function inviteAccount(services: Inviting, ownerId: number): Promise<Invited> {
  const { token, invitation } = createInvitation(services, ownerId)
  const { tokenDigest, expiresAt } = invitation
  await services.invitations.insert(tokenDigest, ownerId, expiresAt)
  return { token, expiresAt }
}

/** The invitation does not hold the token: it is in the link alone. */
export function createInvitation(
  { tokens, now }: Pick<Inviting, "tokens" | "now">,
  ownerId: number,
): Readonly<{ token: string; invitation: Invitation }> {
  const token = tokens.create()
  const expiresAt = secondsAfter(now(), invitationSeconds)
  return { token, invitation: { tokenDigest: tokens.digest(token), ownerId, expiresAt } }
}
