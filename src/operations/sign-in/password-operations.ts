import type { Account, AccountStore } from "../../domain/catalog/account.ts"
import type { Operator, OperatorStore } from "../../domain/sign-in/operator.ts"
import {
  listPasswordProblems,
  namesOfAccount,
  type PasswordHasher,
  type PasswordProblem,
  type PasswordStore,
  passwordCharactersMax,
  passwordCharactersMin,
} from "../../domain/sign-in/password.ts"
import type { SignInThrottle } from "../../domain/sign-in/sign-in-failures.ts"
import { DomainError, UserError } from "../../domain/values/error.ts"
import { type Reporting, reportRejectedSignIn } from "./report-rejected-sign-in.ts"
import { type SessionStart, type SignedIn, startSession, type Visit } from "./session-operations.ts"

/** Authors or operators. */
export type Owners<Owner extends { id: number }> = Readonly<{
  /** Returns null if the owner was deleted. Throws `account_suspended`. */
  find(id: number): Promise<Owner | null>
  /** Names that the owner's password must not be. */
  namesOf(owner: Owner): readonly string[]
}>

export const authorsIn = (accounts: Pick<AccountStore, "find">): Owners<Account> => ({
  async find(id) {
    const account = await accounts.find(id)
    if (account?.isSuspended) throw new DomainError("account_suspended")
    return account
  },
  namesOf: namesOfAccount,
})

export const operatorsIn = ({ find }: Pick<OperatorStore, "find">): Owners<Operator> => ({
  find,
  namesOf: ({ name }) => [name],
})

export type PasswordSetting = Readonly<{ passwords: PasswordStore; hasher: PasswordHasher }>

/** Ends every session of the account. */
export async function setPassword(
  { passwords, hasher }: PasswordSetting,
  account: Account,
  password: string,
): Promise<void> {
  await passwords.put(account.id, await hashNewPassword(hasher, namesOfAccount(account), password))
}

/** Throws UserError for an unacceptable password. */
export async function hashNewPassword(
  hasher: PasswordHasher,
  ownNames: readonly string[],
  password: string,
): Promise<string> {
  const problems = listPasswordProblems(password, ownNames)
  if (problems.length === 0) return hasher.hash(password)
  throw new UserError(problems.map((problem) => rejections[problem]).join("; "))
}

const lengths = `the password must have ${passwordCharactersMin} to ${passwordCharactersMax} characters`
const rejections: Readonly<Record<PasswordProblem, string>> = {
  "too short": lengths,
  "too long": lengths,
  common: "the password is too common; use a few unrelated words",
  "own name": "the password must not be the username or email address; use a few unrelated words",
}

/** Returns null if another change was faster. `knownHash` is null for an owner without a password. */
export async function changePassword<Owner extends { id: number }>(
  services: PasswordSetting & SessionStart,
  { namesOf }: Pick<Owners<Owner>, "namesOf">,
  owner: Owner,
  change: Readonly<{ knownHash: string | null; password: string }>,
  from: Visit,
): Promise<SignedIn<Owner> | null> {
  const hash = await hashNewPassword(services.hasher, namesOf(owner), change.password)
  const isChanged = await services.passwords.replace(owner.id, change.knownHash, hash)
  // The change ended every session, including this one.
  return isChanged ? startSession(services, owner, hash, from) : null
}

export type PasswordConfirmation = Reporting &
  Readonly<{
    passwords: Pick<PasswordStore, "find">
    hasher: PasswordHasher
    throttle: SignInThrottle
  }>

/** Returns the hash of the verified password. Throws SignInRejected. */
export async function confirmPassword(
  services: PasswordConfirmation,
  { id, name }: Readonly<{ id: number; name: string }>,
  ipRange: string,
  password: string,
): Promise<string> {
  const { passwords, hasher, throttle } = services
  return reportRejectedSignIn(services, { name, ipRange }, () =>
    throttle.attempt({ name, ipRange }, async () => {
      const hash = await passwords.find(id)
      return (await hasher.verify(password, hash)) ? hash : null
    }),
  )
}
