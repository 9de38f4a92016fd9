import type { Account, AccountStore } from "../../domain/catalog/account.ts"
import { type SignInLinkStore, signInLinkSeconds } from "../../domain/sign-in/invitation.ts"
import type { Operator, OperatorStore } from "../../domain/sign-in/operator.ts"
import { requireRight } from "../../domain/sign-in/operator-role.ts"
import type { TokenMaker } from "../../domain/sign-in/session.ts"
import { SignInRejected } from "../../domain/sign-in/sign-in-failures.ts"
import { DomainError } from "../../domain/values/error.ts"
import {
  formatTimestamp,
  secondsAfter,
  type Timestamp,
} from "../../domain/values/time/timestamp.ts"
import { type Recording, recordAccountEvent } from "../record-event.ts"
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

/** `code` is empty if none was typed. */
export type SignInAttempt = Visit & Readonly<{ name: string; password: string; code: string }>

/**
 * By username or email address, ASCII case-insensitive. Unknown name, no password, wrong password and wrong code are
 * the same rejection and take the same time. Throws `account_suspended` only after correct credentials, so that
 * suspensions cannot be probed.
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
 * `named` is null for an unknown name. A correct password without a correct code is the same rejection as a wrong
 * one. So is a throttled code: only someone with the correct password uses up its attempts.
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
    const result = await throttle.attempt({ name, ipRange }, async () => {
      const hash = await passwords.find(ownerId)
      const isCorrect = await hasher.verify(password, hash)
      if (named === null || hash === null || !isCorrect) {
        await pretendTwoFactor(services, { id: ownerId }, code)
        return null
      }
      const isVerified = await verifyTwoFactorCode(services, named.owner, code).catch((error) => {
        if (error instanceof SignInRejected) return false
        throw error
      })
      if (!isVerified) return null
      // Not thrown here: correct credentials must not count as a failure.
      return named.isSuspended ? "suspended" : startSession(services, named.owner, hash, attempt)
    })
    if (result === "suspended") throw new DomainError("account_suspended")
    return result
  })
}

type Accounts = Readonly<{
  accounts: Pick<AccountStore, "findByUsername" | "listByUsername" | "listByEmail">
}>

/**
 * The exact username wins. Other matches ignore ASCII case only: languages disagree on other letters (the Turkish
 * dotless i). A name that matches two accounts finds neither.
 */
async function findByName({ accounts }: Accounts, name: string): Promise<Account | null> {
  const exact = await accounts.findByUsername(name)
  const sameUsername = await accounts.listByUsername(name, 2)
  const byEmail = name.includes("@") ? await accounts.listByEmail(name, 2) : []
  return exact ?? findOnly(sameUsername) ?? findOnly(byEmail)
}

function findOnly([first, second]: readonly Account[]): Account | null {
  return second === undefined ? (first ?? null) : null
}

export type Linking = Readonly<{
  signInLinks: SignInLinkStore
  tokens: TokenMaker
  now: () => Date
}>

/** The token signs the author in, once, within two minutes. Throws `account_suspended`. */
export async function createSignInLink(
  services: Linking & Recording,
  account: Account,
): Promise<Readonly<{ token: string; expiresAt: Timestamp }>> {
  const { actor, signInLinks, tokens, now } = services
  requireRight(actor, "manage")
  if (account.isSuspended) throw new DomainError("account_suspended")
  const token = tokens.create()
  const expiresAt = secondsAfter(now(), signInLinkSeconds)
  await signInLinks.insert(tokens.digest(token), account.id, expiresAt)
  await recordAccountEvent(services, account, "sign_in_link")
  return { token, expiresAt }
}

/** Returns null if the link is unknown, used or expired. Throws `account_suspended`. Does not use up the link. */
export async function findLinked(
  { signInLinks, tokens, now }: Linking,
  accounts: Pick<AccountStore, "find">,
  token: string,
): Promise<Account | null> {
  const accountId = await signInLinks.find(tokens.digest(token), formatTimestamp(now()))
  return accountId === null ? null : authorsIn(accounts).find(accountId)
}

/**
 * Uses up the link. Returns null as `findLinked` does. Throws SignInRejected for a missing or wrong two-factor code;
 * the link stays usable.
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
