import type { Account, AccountStore } from "../../domain/catalogue/account.ts"
import type { Operator, OperatorStore } from "../../domain/sign-in/operator.ts"
import { isOpen, type Session, type SessionStore } from "../../domain/sign-in/session.ts"
import type { Awaitable } from "../../domain/values/awaitable.ts"
import { secondsAfter, secondsBefore } from "../../domain/values/time/date-arithmetic.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { TokenMaker } from "../../domain/values/token.ts"

export type SessionSearch = Readonly<{
  sessions: Pick<SessionStore, "findByToken" | "touch" | "end">
  tokens: Pick<TokenMaker, "digest">
  now: () => Date
}>

export type FoundSession<Owner> = Readonly<{ session: Session; owner: Owner }>

/** `lastSeenAt` is written once a minute, not with every page; also when the clock was set back since. */
const touchEverySeconds = 60

/** Null also while the account is suspended. */
export const findAuthorSession = (
  search: SessionSearch & Readonly<{ accounts: Pick<AccountStore, "find"> }>,
  token: string,
): Promise<FoundSession<Account> | null> =>
  findSession(search, token, async (id) => {
    const account = await search.accounts.find(id)
    return account?.isSuspended ? null : account
  })

export const findOperatorSession = (
  search: SessionSearch & Readonly<{ operators: Pick<OperatorStore, "find"> }>,
  token: string,
): Promise<FoundSession<Operator> | null> => findSession(search, token, search.operators.find)

/** Null for an unknown token, for a session that was idle or open for too long, and for an owner who is gone. */
async function findSession<Owner>(
  { sessions, tokens, now }: SessionSearch,
  token: string,
  findOwner: (id: number) => Awaitable<Owner | null>,
): Promise<FoundSession<Owner> | null> {
  const session = await sessions.findByToken(tokens.digest(token))
  if (session === null) return null
  if (!isOpen(session, now())) {
    await sessions.end(session.ownerId, session.id)
    return null
  }
  const owner = await findOwner(session.ownerId)
  if (owner === null) return null
  const isOfFuture = session.lastSeenAt > secondsAfter(now(), touchEverySeconds)
  if (session.lastSeenAt < secondsBefore(now(), touchEverySeconds) || isOfFuture) {
    await sessions.touch(session.id, formatTimestamp(now()))
  }
  return { session, owner }
}
