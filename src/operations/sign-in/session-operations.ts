import { isOpen, type Session } from "../../domain/sign-in/session.ts"
import { type SignInOutcome, SignInRejected } from "../../domain/sign-in/sign-in-failures.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { DomainError } from "../../domain/values/error.ts"
import { formatTimestamp, secondsAfter, secondsBefore } from "../../domain/values/time/timestamp.ts"
import type { Needs } from "../operation.ts"

export type SessionStart = Needs<"sessions" | "tokens" | "now">
export type Visit = Readonly<{ ipRange: string; device: string }>

/** The token is returned only here; the browser stores it. */
export type SignedIn<Owner> = Readonly<{ owner: Owner; session: Session; token: string }>

const deviceUnitsMax = 200

/** The caller verified the password of this hash, or a link (null). Null if it was changed or the owner deleted. */
export async function startSession<Owner extends { id: number }>(
  { sessions, tokens, now }: SessionStart,
  owner: Owner,
  passwordHash: string | null,
  { ipRange, device }: Visit,
): Promise<SignedIn<Owner> | null> {
  const token = tokens.create()
  const at = formatTimestamp(now())
  const session = {
    id: `session_${tokens.create().slice(0, 16)}`,
    ownerId: owner.id,
    createdAt: at,
    lastSeenAt: at,
    confirmedAt: at,
    ipRange,
    device: device.slice(0, deviceUnitsMax),
  }
  const isStored = await sessions.insert(tokens.digest(token), session, passwordHash)
  return isStored ? { owner, session, token } : null
}

/** `lastSeenAt` is written once a minute, and if the clock was set back. */
const touchEverySeconds = 60

/** Also null while the account is suspended. */
export const findAuthorSession = (search: SessionStart & Needs<"accounts">, token: string) =>
  findSession(search, token, async (id) => {
    const account = await search.accounts.find(id)
    return account?.isSuspended ? null : account
  })

export const findOperatorSession = (search: SessionStart & Needs<"operators">, token: string) =>
  findSession(search, token, search.operators.find)

/** Returns null for an unknown token, an expired session and a deleted owner. */
async function findSession<Owner>(
  { sessions, tokens, now }: SessionStart,
  token: string,
  findOwner: (id: number) => Promise<Owner | null>,
): Promise<Readonly<{ session: Session; owner: Owner }> | null> {
  const session = await sessions.findByToken(tokens.digest(token))
  if (session === null) return null
  if (!isOpen(session, now())) {
    await sessions.end(session.ownerId, session.id)
    return null
  }
  const owner = await findOwner(session.ownerId)
  if (owner === null) return null
  const isInFuture = session.lastSeenAt > secondsAfter(now(), touchEverySeconds)
  if (session.lastSeenAt < secondsBefore(now(), touchEverySeconds) || isInFuture) {
    await sessions.touch(session.id, formatTimestamp(now())).catch((error) => {
      // Pages stay readable on a full disk.
      if (!(error instanceof StoreUnavailable)) throw error
    })
  }
  return { session, owner }
}

/**
 * Reports the rejection that `check` throws and rethrows it. All password and code checks use this function, so that
 * guesses are visible wherever they happen. `name` is null for an unknown name.
 */
export async function reportRejectedSignIn<T>(
  { onSignIn }: Needs<"onSignIn">,
  { name, ipRange }: Readonly<{ name: string | null; ipRange: string }>,
  check: () => Promise<T>,
): Promise<T> {
  try {
    return await check()
  } catch (error) {
    const outcome = rejectionOutcome(error)
    if (outcome !== null) await onSignIn(outcome, name, ipRange)
    throw error
  }
}

/** Null for other errors, which say nothing about the credentials. */
function rejectionOutcome(error: unknown): SignInOutcome | null {
  if (error instanceof DomainError) return error.reason === "account_suspended" ? "suspended" : null
  if (!(error instanceof SignInRejected)) return null
  return error.retryAfterSeconds > 0 ? "throttled" : "wrong"
}
