import type { Account } from "../domain/account.ts"
import { secondsAfter } from "../domain/date-arithmetic.ts"
import { DomainError } from "../domain/error.ts"
import { type SignInLinkStore, signInLinkSeconds } from "../domain/sign-in-link.ts"
import type { Timestamp } from "../domain/timestamp.ts"
import type { TokenMaker } from "../domain/token.ts"

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
