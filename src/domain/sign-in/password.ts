/** Passwords: which ones will do, and the ports that keep, hash and move them. */
import { type Account, accountBodyOf } from "../catalog/account.ts"
import { foldLetters } from "../values/text.ts"
/** 10,000 common passwords of at least 12 characters, in lower case. docs/decisions/0009-passwords-and-sessions.md lists their sources. */
import commonPasswords from "./common-passwords.txt" with { type: "text" }

export interface PasswordStore {
  /** The stored hash; null when the owner has no password yet. */
  find(ownerId: number): Promise<string | null>
  /** Keeps the hash, null for none, and ends every session, invitation and link of the owner, all or nothing. */
  put(ownerId: number, hash: string | null): Promise<void>
  /**
   * The same if the stored hash is still `known`; else false, and nothing changes. Null: the owner has no
   * password.
   */
  replace(ownerId: number, known: string | null, hash: string): Promise<boolean>
}

/** Hashing is slow on purpose. Both methods are queued, so that sign-ins cannot use up the machine. */
export interface PasswordHasher {
  hash(password: string): Promise<string>
  /** False for a null hash, after the same time as for a wrong password. */
  verify(password: string, hash: string | null): Promise<boolean>
}

export const passwordCharactersMin = 12
/** Hashing a longer one costs more. */
export const passwordCharactersMax = 256

export type PasswordProblem = "too short" | "too long" | "common" | "own name"

/** Why a password is rejected; null for a good one. `ownNames` are the names of its owner. */
export function findPasswordProblem(
  password: string,
  ownNames: readonly string[],
): PasswordProblem | null {
  const { length } = [...password]
  if (length < passwordCharactersMin) return "too short"
  if (length > passwordCharactersMax) return "too long"
  const folded = foldLetters(password)
  if (ownNames.some((name) => foldLetters(name) === folded)) return "own name"
  return `\n${commonPasswords}`.includes(`\n${folded}\n`) ? "common" : null
}

/** The username, the address, and both parts of the address. */
export function namesOfAccount(account: Pick<Account, "username" | "body">): readonly string[] {
  const { email } = accountBodyOf(account)
  return [account.username, email, ...email.split("@")]
}
