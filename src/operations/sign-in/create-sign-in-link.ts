import type { Account } from "../../domain/catalogue/account.ts"
import { type SignInLinkStore, signInLinkSeconds } from "../../domain/sign-in/sign-in-link.ts"
import { DomainError } from "../../domain/values/error.ts"
import { secondsAfter } from "../../domain/values/time/date-arithmetic.ts"
import type { Timestamp } from "../../domain/values/time/timestamp.ts"
import type { TokenMaker } from "../../domain/values/token.ts"

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
