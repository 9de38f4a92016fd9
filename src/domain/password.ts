/** Passwords: which ones will do, and the ports that keep, hash and move them. */
import { type Account, accountBodyOf } from "./account.ts"
import { isCommonPassword, isMadeOfNames } from "./common-password.ts"

export interface PasswordStore {
  /** The stored hash; null when the account has no password yet. */
  find(accountId: number): Promise<string | null>
  /** The ids of the accounts that have a password, of those named after the first name up to the last. */
  listOwners(afterUsername: string, lastUsername: string): Promise<readonly number[]>
  /** Keeps the hash and ends every session, invitation and link of the account, all or nothing. */
  put(accountId: number, hash: string): Promise<void>
  /**
   * The same if the stored hash is still `known`; else false, and nothing changes. Null: the account has no
   * password.
   */
  replace(accountId: number, known: string | null, hash: string): Promise<boolean>
}

/** Hashing is slow on purpose. Both methods are queued, so that sign-ins cannot use up the machine. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** False for a null hash, after the same time as for a wrong password. */
  verify(password: string, hash: string | null): Promise<boolean>
}

/** Seals hashes that move to another store. */
export interface PasswordVault {
  /** The same hash of the same account gives the same bytes, so that exports are repeatable. */
  seal(hash: string, username: string): Uint8Array
  /** Throws SealBroken when it was sealed for another account or under another master key. */
  unseal(sealed: Uint8Array, username: string): string
}

export const passwordCharactersMin = 10
/** Hashing a longer one costs more. */
export const passwordCharactersMax = 256

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
function namesOf(owner: Owner): readonly string[] {
  const { email } = accountBodyOf(owner)
  return [owner.username, email, ...email.split("@")]
}
