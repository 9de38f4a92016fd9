import type { Account, AccountStore } from "../../domain/catalog/account.ts"
import { type SignInLinkStore, signInLinkSeconds } from "../../domain/sign-in/invitation.ts"
import type { Operator, OperatorStore } from "../../domain/sign-in/operator.ts"
import type { TokenMaker } from "../../domain/sign-in/session.ts"
import { SignInRejected } from "../../domain/sign-in/sign-in-failures.ts"
import { DomainError } from "../../domain/values/error.ts"
import {
  formatTimestamp,
  secondsAfter,
  type Timestamp,
} from "../../domain/values/time/timestamp.ts"
import { authorsIn, type PasswordConfirmation } from "./password-operations.ts"
import { type Reporting, reportRejectedSignIn } from "./report-rejected-sign-in.ts"
import { type SessionStart, type SignedIn, startSession, type Visit } from "./session-operations.ts"
import {
  noOwnerId,
  pretendTwoFactor,
  requireTwoFactorCode,
  type TwoFactorServices,
  verifyTwoFactorCode,
} from "./two-factor-operations.ts"

type SigningIn = SessionStart & TwoFactorServices & PasswordConfirmation

/** `code` is empty for an owner who typed none. */
export type SignInAttempt = Visit & Readonly<{ name: string; password: string; code: string }>

/**
 * By username in any case, or by e-mail address. An unknown name, an account without a password and a wrong password
 * or code are the same refusal and take the same time. Throws `account_suspended` only after the right password and
 * code, so that suspensions cannot be probed.
 */
export async function signIn(
  services: SigningIn & Accounts,
  attempt: SignInAttempt,
): Promise<SignedIn<Account>> {
  const account = await findByName(services, attempt.name)
  const named = account && {
    owner: account,
    name: account.username,
    isSuspended: account.isSuspended,
  }
  return signInAs(services, attempt, named)
}

export async function signInOperator(
  services: SigningIn & Readonly<{ operators: Pick<OperatorStore, "findByName"> }>,
  attempt: SignInAttempt,
): Promise<SignedIn<Operator>> {
  const operator = await services.operators.findByName(attempt.name)
  const named = operator && { owner: operator, name: operator.name, isSuspended: false }
  return signInAs(services, attempt, named)
}

/**
 * `named` is the owner of the typed name, and the name that is reported; null if there is none. A wrong name,
 * password or code is the same refusal, so that a right password cannot be told from a wrong one. So is a code when
 * no try at codes is left: only someone with the right password uses them up.
 */
async function signInAs<Owner extends { id: number }>(
  services: SigningIn,
  attempt: SignInAttempt,
  named: Readonly<{ owner: Owner; name: string; isSuspended: boolean }> | null,
): Promise<SignedIn<Owner>> {
  const { passwords, hasher, throttle } = services
  const { name, password, code, ipRange } = attempt
  const ownerId = named?.owner.id ?? noOwnerId
  return reportRejectedSignIn(services, { name: named?.name ?? null, ipRange }, async () => {
    const entered = await throttle.attempt({ name, ipRange }, async () => {
      const hash = await passwords.find(ownerId)
      const isRight = await hasher.verify(password, hash)
      if (named === null || hash === null || !isRight) {
        await pretendTwoFactor(services, { id: ownerId }, code)
        return null
      }
      const isAdmitted = await verifyTwoFactorCode(services, named.owner, code).catch((error) => {
        if (error instanceof SignInRejected) return false
        throw error
      })
      if (!isAdmitted) return null
      // Not thrown here: the password was right, and counts as such.
      return named.isSuspended ? "suspended" : startSession(services, named.owner, hash, attempt)
    })
    if (entered === "suspended") throw new DomainError("account_suspended")
    return entered
  })
}

type Accounts = Readonly<{
  accounts: Pick<AccountStore, "findByUsername" | "listByUsername" | "listByEmail">
}>

/**
 * The exact username counts first. Then the case of ASCII letters is ignored, as in e-mail addresses and
 * purchase codes; never that of others, because languages disagree on it (the Turkish dotless i). A name
 * that fits two accounts finds neither of them.
 */
async function findByName({ accounts }: Accounts, name: string): Promise<Account | null> {
  const exact = await accounts.findByUsername(name)
  const alike = await accounts.listByUsername(name, 2)
  const byEmail = name.includes("@") ? await accounts.listByEmail(name, 2) : []
  return exact ?? findOnly(alike) ?? findOnly(byEmail)
}

function findOnly([first, second]: readonly Account[]): Account | null {
  return second === undefined ? (first ?? null) : null
}

export type Linking = Readonly<{
  signInLinks: SignInLinkStore
  tokens: TokenMaker
  now: () => Date
}>

/** The token of a link that signs this author in, once, within two minutes. Throws `account_suspended`. */
export async function createSignInLink(
  { signInLinks, tokens, now }: Linking,
  account: Account,
): Promise<Readonly<{ token: string; expiresAt: Timestamp }>> {
  if (account.isSuspended) throw new DomainError("account_suspended")
  const token = tokens.create()
  const expiresAt = secondsAfter(now(), signInLinkSeconds)
  await signInLinks.insert(tokens.digest(token), account.id, expiresAt)
  return { token, expiresAt }
}

/** Null when the link is unknown, used or expired. Throws `account_suspended`. Uses nothing up. */
export async function findLinked(
  { signInLinks, tokens, now }: Linking,
  accounts: Pick<AccountStore, "find">,
  token: string,
): Promise<Account | null> {
  const accountId = await signInLinks.find(tokens.digest(token), formatTimestamp(now()))
  return accountId === null ? null : authorsIn(accounts).find(accountId)
}

/**
 * Uses the link up and signs its author in, with or without a password. Null as for `findLinked`. Throws SignInRefused
 * if the author has a second factor and this is no code of it: the link can then be tried again.
 */
export async function signInByLink(
  services: Linking & SessionStart & TwoFactorServices & Reporting,
  accounts: Pick<AccountStore, "find">,
  { token, code }: Readonly<{ token: string; code: string }>,
  from: Visit,
): Promise<SignedIn<Account> | null> {
  const { signInLinks, tokens, now } = services
  const account = await findLinked(services, accounts, token)
  if (account === null) return null
  await requireTwoFactorCode(
    services,
    { id: account.id, name: account.username },
    from.ipRange,
    code,
  )
  const accountId = await signInLinks.use(tokens.digest(token), formatTimestamp(now()))
  return accountId === null ? null : startSession(services, account, null, from)
}
