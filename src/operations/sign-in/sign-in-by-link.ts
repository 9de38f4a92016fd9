import type { Account, AccountStore } from "../../domain/catalogue/account.ts"
import { DomainError } from "../../domain/values/error.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { Linking } from "./create-sign-in-link.ts"
import { type SessionStart, type SignedIn, startSession, type Visit } from "./start-session.ts"

type Accounts = Pick<AccountStore, "find">

/** Null when the link is unknown, used or expired. Throws `account_suspended`. Uses nothing up. */
export async function findLinked(
  { signInLinks, tokens, now }: Linking,
  accounts: Accounts,
  token: string,
): Promise<Account | null> {
  const accountId = await signInLinks.find(tokens.digest(token), formatTimestamp(now()))
  const account = accountId === null ? null : await accounts.find(accountId)
  if (account?.isSuspended) throw new DomainError("account_suspended")
  return account
}

/** Uses the link up and signs its author in, with or without a password. Null as for `findLinked`. */
export async function signInByLink(
  services: Linking & SessionStart,
  accounts: Accounts,
  token: string,
  from: Visit,
): Promise<SignedIn<Account> | null> {
  const { signInLinks, tokens, now } = services
  const account = await findLinked(services, accounts, token)
  if (account === null) return null
  const accountId = await signInLinks.use(tokens.digest(token), formatTimestamp(now()))
  return accountId === null ? null : startSession(services, account, null, from)
}
