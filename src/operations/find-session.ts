import type { Account, AccountStore } from "../domain/account.ts"
import { secondsAfter, secondsBefore } from "../domain/date-arithmetic.ts"
import { isOpen, type Session, type SessionStore } from "../domain/session.ts"
import { formatTimestamp } from "../domain/timestamp.ts"
import type { TokenMaker } from "../domain/token.ts"

export type SessionSearch = Readonly<{
  accounts: Pick<AccountStore, "find">
  sessions: Pick<SessionStore, "findByToken" | "touch" | "end">
  tokens: Pick<TokenMaker, "digest">
  now: () => Date
}>

/** `lastSeenAt` is written once a minute, not with every page; also when the clock was set back since. */
const touchEverySeconds = 60

/**
 * Null for an unknown token, for a session that was idle or open for too long, and while the account is
 * suspended.
 */
export async function findSession(
  { accounts, sessions, tokens, now }: SessionSearch,
  token: string,
): Promise<Readonly<{ session: Session; account: Account }> | null> {
  const session = await sessions.findByToken(tokens.digest(token))
  if (session === null) return null
  if (!isOpen(session, now())) {
    await sessions.end(session.accountId, session.id)
    return null
  }
  const account = await accounts.find(session.accountId)
  if (account === null || account.isSuspended) return null
  const isOfFuture = session.lastSeenAt > secondsAfter(now(), touchEverySeconds)
  if (session.lastSeenAt < secondsBefore(now(), touchEverySeconds) || isOfFuture) {
    await sessions.touch(session.id, formatTimestamp(now()))
  }
  return { session, account }
}
