import type { Account, AccountStore } from "../domain/account.ts"
import { DomainError } from "../domain/error.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import type { Inviting } from "./invite-account.ts"
import { hashNewPassword, type PasswordSetting } from "./set-password.ts"
import { type SessionStart, type SignedIn, startSession, type Visit } from "./start-session.ts"

/**
 * Null when the link is unknown, used or expired. Choosing a password uses it up. Throws
 * `account_suspended`; the link works again when the account is resumed in time.
 */
export async function findInvited(
  { invitations, tokens, now }: Inviting,
  accounts: Pick<AccountStore, "find">,
  token: string,
): Promise<Account | null> {
  const accountId = await invitations.find(tokens.digest(token), formatTimestamp(now()))
  const account = accountId === null ? null : await accounts.find(accountId)
  if (account?.isSuspended) throw new DomainError("account_suspended")
  return account
}

/**
 * Sets the password of the invited account, which uses the link up, and signs the author in. Null as for
 * `findInvited`. Hashing is slow, so the link is checked again after it: of two uses at once one succeeds.
 */
export async function acceptInvitation(
  services: Inviting & Pick<PasswordSetting, "hasher"> & SessionStart,
  accounts: Pick<AccountStore, "find">,
  token: string,
  password: string,
  from: Visit,
): Promise<SignedIn | null> {
  const { hasher, invitations, tokens, now } = services
  const invited = await findInvited(services, accounts, token)
  if (invited === null) return null
  const hash = await hashNewPassword(hasher, invited, password)
  const accountId = await invitations.accept(tokens.digest(token), formatTimestamp(now()), hash)
  const account = accountId === null ? null : await accounts.find(accountId)
  return account && startSession(services, account, hash, from)
}
