import type { Account, AccountStore } from "../domain/account.ts"
import { isCommonPassword, isMadeOfNames } from "../domain/common-password.ts"
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
import { openSession, type SessionOpening, type SignedIn, type Visit } from "./sign-in.ts"

export type PasswordSetting = Readonly<{ passwords: PasswordStore; hasher: PasswordHasher }>

export type PasswordProblem = "too short" | "too long" | "common" | "own name"

/** The account that a password is for: its own names make no password. */
export type Owner = Pick<Account, "username" | "body">

/** Why a password will not do; null when it will. */
export function findPasswordProblem(password: string, owner: Owner): PasswordProblem | null {
  const { length } = [...password]
  if (length < passwordCharactersMin) return "too short"
  if (length > passwordCharactersMax) return "too long"
  if (isMadeOfNames(password, namesOf(owner))) return "own name"
  return isCommonPassword(password) ? "common" : null
}

/** The username, the address, and both parts of the address. */
function namesOf({ username, body }: Owner): readonly string[] {
  const email: string = JSON.parse(body).email ?? ""
  return [username, email, ...email.split("@")]
}

/** Sets a new password and opens a session; null when another change came first. */
export async function changePassword(
  services: PasswordSetting & SessionOpening,
  account: Account,
  change: Readonly<{ knownHash: string; password: string }>,
  from: Visit,
): Promise<SignedIn | null> {
  const chosen = await hash(services.hasher, account, change.password)
  const isChanged = await services.passwords.replace(account.id, change.knownHash, chosen)
  // Every session ended, theirs too: they just proved who they are and get a new one.
  return isChanged ? openSession(services, account, chosen, from) : null
}

/** Ends every session of the account. */
export async function setPassword(
  { passwords, hasher }: PasswordSetting,
  account: Account,
  password: string,
): Promise<void> {
  await passwords.put(account.id, await hash(hasher, account, password))
}

async function hash(hasher: PasswordHasher, owner: Owner, password: string): Promise<string> {
  const problem = findPasswordProblem(password, owner)
  if (problem === null) return hasher.hash(password)
  throw new RefusedError(refusals[problem])
}

const lengths = `a password has ${passwordCharactersMin} to ${passwordCharactersMax} characters`
const refusals: Readonly<Record<PasswordProblem, string>> = {
  "too short": lengths,
  "too long": lengths,
  common: "this password is among the first that are guessed; use a few unrelated words",
  "own name": "a username or an e-mail address is no password; use a few unrelated words",
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
 * Sets the password of the account that was invited, which uses the link up, and signs them in. Null as
 * for `findInvited`: hashing takes its time, so the link is judged after it, and of two who use it at
 * once one is too late.
 */
export async function acceptInvitation(
  services: Inviting & Pick<PasswordSetting, "hasher"> & SessionOpening,
  accounts: Pick<AccountStore, "find">,
  token: string,
  password: string,
  from: Visit,
): Promise<SignedIn | null> {
  const { hasher, invitations, tokens, now } = services
  const invited = await findInvited(services, accounts, token)
  if (invited === null) return null
  const chosen = await hash(hasher, invited, password)
  const at = formatTimestamp(now())
  const accountId = await invitations.accept(tokens.digest(token), at, chosen)
  const account = accountId === null ? null : await accounts.find(accountId)
  return account && openSession(services, account, chosen, from)
}
