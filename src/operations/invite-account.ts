import { secondsAfter } from "../domain/date-arithmetic.ts"
import { type InvitationStore, invitationSeconds } from "../domain/invitation.ts"
import type { TokenMaker } from "../domain/token.ts"

export type Inviting = Readonly<{
  invitations: InvitationStore
  tokens: TokenMaker
  now: () => Date
}>

/** The token of a link by which its holder chooses a password, once, within a week. */
export async function inviteAccount(
  { invitations, tokens, now }: Inviting,
  accountId: number,
): Promise<string> {
  const token = tokens.create()
  const expiresAt = secondsAfter(now(), invitationSeconds)
  await invitations.insert(tokens.digest(token), accountId, expiresAt)
  return token
}
