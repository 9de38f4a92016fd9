import type { SignInOutcome } from "../access/sign-in-outcome.ts"
import { DomainError, StoreUnavailable } from "../platform/error.ts"
import { formatTimestamp, secondsAfter, secondsBefore } from "../platform/time.ts"
import type { Operator } from "./operator.ts"
import type { Membership, Person } from "./person.ts"
import type { PeopleServices } from "./services.ts"
import { isOpen, type Session } from "./session.ts"
import { SignInRejected } from "./sign-in-throttle.ts"

export type SessionStart = Pick<PeopleServices, "sessions" | "tokens" | "now">
export type Visit = Readonly<{ ipRange: string; device: string; isByPasskey?: boolean }>

/** The token is returned only here; the browser stores it. */
export type SignedIn = Readonly<{ person: Person; session: Session; token: string }>

const deviceUnitsMax = 200

/** The caller verified the password of this hash, or a link or passkey (null). Null if it was changed or the person deleted. */
export async function startSession(
  { sessions, tokens, now }: SessionStart,
  person: Person,
  passwordHash: string | null,
  { ipRange, device, isByPasskey = false }: Visit,
): Promise<SignedIn | null> {
  const token = tokens.create()
  const at = formatTimestamp(now())
  const session = {
    id: `session_${tokens.create().slice(0, 16)}`,
    personId: person.id,
    createdAt: at,
    lastSeenAt: at,
    confirmedAt: at,
    ipRange,
    device: device.slice(0, deviceUnitsMax),
    isByPasskey,
  }
  const isStored = await sessions.insert(tokens.digest(token), session, passwordHash)
  return isStored ? { person, session, token } : null
}

/** `lastSeenAt` is written once a minute, and if the clock was set back. */
const touchEverySeconds = 60

export type Finding = SessionStart & Pick<PeopleServices, "people" | "operators">

/** Somebody with an open session, and what they may open. */
export type FoundSession = Readonly<{
  session: Session
  person: Person
  operator: Operator | null
  memberships: readonly Membership[]
}>

/** Returns null for an unknown token, an expired session, a deleted person, and while all their accounts are suspended. */
export async function findSession(services: Finding, token: string): Promise<FoundSession | null> {
  const { sessions, people, operators, tokens, now } = services
  const session = await sessions.findByToken(tokens.digest(token))
  if (session === null) return null
  if (!isOpen(session, now())) {
    await sessions.end(session.personId, session.id)
    return null
  }
  const person = await people.find(session.personId)
  if (person === null) return null
  const memberships = await people.listMemberships(person.id)
  const operator = await operators.find(person.id)
  if (operator === null && areSuspended(memberships)) {
    await sessions.end(person.id, session.id)
    return null
  }
  const isInFuture = session.lastSeenAt > secondsAfter(now(), touchEverySeconds)
  if (session.lastSeenAt < secondsBefore(now(), touchEverySeconds) || isInFuture) {
    await sessions.touch(session.id, formatTimestamp(now())).catch((error) => {
      // Pages stay readable on a full disk.
      if (!(error instanceof StoreUnavailable)) throw error
    })
  }
  return { session, person, operator, memberships }
}

/** Whether suspended accounts are all that there is. */
export const areSuspended = (memberships: readonly Membership[]): boolean =>
  memberships.length > 0 && memberships.every(({ isSuspended }) => isSuspended)

/**
 * Reports the rejection that `check` throws and rethrows it. All password and code checks use this function, so that
 * guesses are visible wherever they happen. `name` is null for an unknown name.
 */
export async function reportRejectedSignIn<T>(
  { onSignIn }: Pick<PeopleServices, "onSignIn">,
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
