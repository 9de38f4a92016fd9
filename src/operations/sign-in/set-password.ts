import type { Account } from "../../domain/catalogue/account.ts"
import {
  findPasswordProblem,
  namesOfAccount,
  type PasswordHasher,
  type PasswordProblem,
  type PasswordStore,
  passwordCharactersMax,
  passwordCharactersMin,
} from "../../domain/sign-in/password.ts"
import { RefusedError } from "../../domain/values/error.ts"

export type PasswordSetting = Readonly<{ passwords: PasswordStore; hasher: PasswordHasher }>

/** Ends every session of the account. */
export async function setPassword(
  { passwords, hasher }: PasswordSetting,
  account: Account,
  password: string,
): Promise<void> {
  await passwords.put(account.id, await hashNewPassword(hasher, namesOfAccount(account), password))
}

/** Throws RefusedError for a password that will not do. */
export async function hashNewPassword(
  hasher: PasswordHasher,
  ownNames: readonly string[],
  password: string,
): Promise<string> {
  const problem = findPasswordProblem(password, ownNames)
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
