import type { Account, AccountStore } from "../domain/account.ts"
import {
  type Session,
  type SessionStore,
  sessionIdleSeconds,
  sessionLifeSeconds,
  type TokenMaker,
} from "../domain/session.ts"
import { formatTimestamp } from "../domain/timestamp.ts"

export type SessionSearch = Readonly<{
  accounts: Pick<AccountStore, "find">
  sessions: Pick<SessionStore, "findByToken" | "touch" | "forget">
  tokens: Pick<TokenMaker, "digest">
  now: () => Date
}>

/** Being seen is written down once a minute, not with every page. */
const touchEverySeconds = 60

/** Null for a token nobody has, and for a session that was idle or open for too long. */
export async function findSession(
  { accounts, sessions, tokens, now }: SessionSearch,
  token: string,
): Promise<Readonly<{ session: Session; account: Account }> | null> {
  const session = await sessions.findByToken(tokens.digest(token))
  if (session === null) return null
  const ago = (seconds: number) => formatTimestamp(new Date(now().getTime() - seconds * 1000))
  const [idleSince, bornBefore] = [ago(sessionIdleSeconds), ago(sessionLifeSeconds)]
  if (session.lastSeenAt < idleSince || session.createdAt < bornBefore) {
    await sessions.forget(idleSince, bornBefore)
    return null
  }
  const account = await accounts.find(session.accountId)
  if (account === null) return null
  if (session.lastSeenAt < ago(touchEverySeconds)) {
    await sessions.touch(session.id, formatTimestamp(now()))
  }
  return { session, account }
}
