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
  sessions: Pick<SessionStore, "findByToken" | "touch" | "end">
  tokens: Pick<TokenMaker, "digest">
  now: () => Date
}>

/** Being seen is written down once a minute, not with every page. */
const touchEverySeconds = 60

/** Null for an unknown token, and for a session that was idle or open for too long. */
export async function findSession(
  { accounts, sessions, tokens, now }: SessionSearch,
  token: string,
): Promise<Readonly<{ session: Session; account: Account }> | null> {
  const session = await sessions.findByToken(tokens.digest(token))
  if (session === null) return null
  if (!isOpen(session, now)) {
    await sessions.end(session.accountId, session.id)
    return null
  }
  const account = await accounts.find(session.accountId)
  if (account === null) return null
  if (session.lastSeenAt < ago(touchEverySeconds, now)) {
    await sessions.touch(session.id, formatTimestamp(now()))
  }
  return { session, account }
}

/** Rows outlive their sessions until they are forgotten. */
export function isOpen({ lastSeenAt, createdAt }: Session, now: () => Date): boolean {
  return lastSeenAt >= ago(sessionIdleSeconds, now) && createdAt >= ago(sessionLifeSeconds, now)
}

export const ago = (seconds: number, now: () => Date) =>
  formatTimestamp(new Date(now().getTime() - seconds * 1000))
