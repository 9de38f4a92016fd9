import { secondsAfter } from "../domain/date-arithmetic.ts"
import { type Invitation, type InvitationStore, invitationSeconds } from "../domain/invitation.ts"
import type { Timestamp } from "../domain/timestamp.ts"
import type { TokenMaker } from "../domain/token.ts"

export type Inviting = Readonly<{
  invitations: InvitationStore
  tokens: TokenMaker
  now: () => Date
}>

/** The token of a link by which its holder chooses a password, once, within a week. */
export type Invited = Readonly<{ token: string; expiresAt: Timestamp }>

export async function inviteAccount(services: Inviting, accountId: number): Promise<Invited> {
  const { token, invitation } = createInvitation(services, accountId)
  const { tokenDigest, expiresAt } = invitation
  await services.invitations.insert(tokenDigest, accountId, expiresAt)
  return { token, expiresAt }
}

/** The invitation does not hold the token: it is in the link alone. */
export function createInvitation(
  { tokens, now }: Pick<Inviting, "tokens" | "now">,
  accountId: number,
): Readonly<{ token: string; invitation: Invitation }> {
  const token = tokens.create()
  const expiresAt = secondsAfter(now(), invitationSeconds)
  return { token, invitation: { tokenDigest: tokens.digest(token), accountId, expiresAt } }
}
