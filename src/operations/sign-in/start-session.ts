import type { Session, SessionStore } from "../../domain/sign-in/session.ts"
import { formatTimestamp } from "../../domain/values/time/timestamp.ts"
import type { TokenMaker } from "../../domain/values/token.ts"

export type SessionStart = Readonly<{
  sessions: Pick<SessionStore, "insert">
  tokens: TokenMaker
  now: () => Date
}>

/** Where the owner signs in from, and with which browser. */
export type Visit = Readonly<{ network: string; device: string }>

/** A session and, this once, the token that the browser keeps. */
export type SignedIn<Owner> = Readonly<{ owner: Owner; session: Session; token: string }>

const deviceUnitsMax = 200

/**
 * The caller has verified the owner's password, whose hash this is, or a sign-in link (null). Null when
 * the password was changed or the owner deleted meanwhile. Every session has a new token.
 */
export async function startSession<Owner extends { id: number }>(
  { sessions, tokens, now }: SessionStart,
  owner: Owner,
  passwordHash: string | null,
  { network, device }: Visit,
): Promise<SignedIn<Owner> | null> {
  const token = tokens.create()
  const at = formatTimestamp(now())
  const session = {
    id: `session_${tokens.create().slice(0, 16)}`,
    ownerId: owner.id,
    createdAt: at,
    lastSeenAt: at,
    confirmedAt: at,
    network,
    device: device.slice(0, deviceUnitsMax),
  }
  const isKept = await sessions.insert(tokens.digest(token), session, passwordHash)
  return isKept ? { owner, session, token } : null
}
