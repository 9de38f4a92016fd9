import type { Account, AccountStore } from "../domain/account.ts"
import { RefusedError } from "../domain/error.ts"
import {
  type InvitationStore,
  invitationSeconds,
  type PasswordHasher,
  type PasswordStore,
  passwordCharactersMax,
  passwordCharactersMin,
  type TokenMaker,
} from "../domain/session.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type PasswordSetting = Readonly<{ passwords: PasswordStore; hasher: PasswordHasher }>

/** Why a password will not do; null when it will. */
export function passwordProblem(password: string): "too short" | "too long" | null {
  const { length } = [...password]
  if (length < passwordCharactersMin) return "too short"
  return length > passwordCharactersMax ? "too long" : null
}

/** Ends every session of the account: whoever knew the old password is out. */
export async function setPassword(
  { passwords, hasher }: PasswordSetting,
  accountId: number,
  password: string,
): Promise<void> {
  await passwords.put(accountId, await hash(hasher, password))
}

async function hash(hasher: PasswordHasher, password: string): Promise<string> {
  if (passwordProblem(password) === null) return hasher.hash(password)
  throw new RefusedError(
    `a password has ${passwordCharactersMin} to ${passwordCharactersMax} characters`,
  )
}

export type Inviting = Readonly<{
  invitations: InvitationStore
  tokens: TokenMaker
  now: () => Date
}>

/** The token of a link that lets its holder choose a password, once, within a week. */
export async function inviteAccount(
  { invitations, tokens, now }: Inviting,
  accountId: number,
): Promise<string> {
  const token = tokens.create()
  const expiresAt = formatTimestamp(new Date(now().getTime() + invitationSeconds * 1000))
  await invitations.insert(tokens.digest(token), accountId, expiresAt)
  return token
}

/** Null when the link is unknown, used or expired; choosing a password uses it up. */
export async function findInvited(
  { invitations, tokens, now }: Inviting,
  accounts: Pick<AccountStore, "find">,
  token: string,
): Promise<Account | null> {
  const accountId = await invitations.find(tokens.digest(token), formatTimestamp(now()))
  return accountId === null ? null : accounts.find(accountId)
}

/**
 * Sets the password of the account that was invited, which uses the link up. Null as for
 * `findInvited`: hashing takes its time, so the link is judged after it, and of two who use it at
 * once one is too late.
 */
export async function acceptInvitation(
  services: Inviting & Pick<PasswordSetting, "hasher">,
  accounts: Pick<AccountStore, "find">,
  token: string,
  password: string,
): Promise<Account | null> {
  const { hasher, invitations, tokens, now } = services
  const chosen = await hash(hasher, password)
  const at = formatTimestamp(now())
  const accountId = await invitations.accept(tokens.digest(token), at, chosen)
  return accountId === null ? null : accounts.find(accountId)
}
