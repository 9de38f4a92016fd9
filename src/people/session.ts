import type { MemberRole, OperatorRole } from "../access/actor.ts"
import type { NewEmail } from "../mail/email.ts"
import { daySeconds, secondsAfter, secondsBefore, type Timestamp } from "../platform/time.ts"
import type { NewEvent } from "../webhooks/webhook.ts"
import type { Identity } from "./identity.ts"

/** A signed-in browser. Only the browser has the token; the store has its digest. */
export type Session = Readonly<{
  id: string
  personId: number
  createdAt: Timestamp
  lastSeenAt: Timestamp
  /** When the password was last entered, or a passkey or sign-in link used. Key changes and the console require a recent one. */
  confirmedAt: Timestamp
  ipRange: string
  device: string
  isByPasskey: boolean
}>

export interface SessionStore {
  /**
   * Returns false unless `passwordHash` is still the person's: it may change during the slow hashing. Null: the person
   * used a link or a passkey. Ends the oldest sessions beyond 50; concurrent calls may leave a few more.
   */
  insert(tokenDigest: Uint8Array, session: Session, passwordHash: string | null): Promise<boolean>
  /** Returns null for an unknown token and for a signed-out session. Of `hideExpired`: also for an expired one. */
  findByToken(tokenDigest: Uint8Array): Promise<Session | null>
  /** Most recently used first. */
  list(personId: number): Promise<readonly Session[]>
  touch(id: string, lastSeenAt: Timestamp): Promise<void>
  confirm(id: string, confirmedAt: Timestamp): Promise<void>
  /** Never ends a session of another person. */
  end(personId: number, id: string | "all"): Promise<void>
  deleteExpired(idleSince: Timestamp, createdBefore: Timestamp, rowsMax: number): Promise<number>
}

export const sessionIdleSeconds = 12 * 3600
export const sessionLifeSeconds = 30 * daySeconds
export const confirmationSeconds = 5 * 60

/** Expired sessions stay in the store until they are deleted, but are not found. */
export function hideExpired(sessions: SessionStore, now: () => Date): SessionStore {
  const isOpen = ({ lastSeenAt, createdAt }: Session) =>
    lastSeenAt >= secondsBefore(now(), sessionIdleSeconds) &&
    createdAt >= secondsBefore(now(), sessionLifeSeconds)
  return {
    ...sessions,
    async findByToken(tokenDigest) {
      const session = await sessions.findByToken(tokenDigest)
      if (session === null || isOpen(session)) return session
      await sessions.end(session.personId, session.id)
      return null
    },
    list: async (personId) => (await sessions.list(personId)).filter(isOpen),
  }
}

export function isConfirmed({ confirmedAt }: Session, now: Date): boolean {
  return (
    confirmedAt >= secondsBefore(now, confirmationSeconds) &&
    // A timestamp far in the future: the clock was set back since, and the confirmation may be older than it seems.
    confirmedAt <= secondsAfter(now, confirmationSeconds)
  )
}

/**
 * A link to choose a password: for a person, or for a new one, who gets a role in the team of an account or as an
 * operator. Somebody who is signed in can take the role instead.
 */
export type Invitation = Readonly<{
  id: string
  tokenDigest: Uint8Array
  personId: number | null
  accountId: number | null
  role: MemberRole | null
  operatorRole: OperatorRole | null
  name: string
  /** That of the new person. Without one, the link for an owner is for whoever owns the account when it is used. */
  email: string | null
  expiresAt: Timestamp
}>

export interface InvitationStore {
  /** In one transaction with the events and e-mails. Omits those of people and accounts that were deleted concurrently. */
  insertAll(
    invitations: readonly Invitation[],
    events: readonly NewEvent[],
    emails: readonly NewEmail[],
  ): Promise<void>
  /** Returns null if the invitation is unknown, used or expired. */
  find(tokenDigest: Uint8Array, at: Timestamp): Promise<Invitation | null>
  /** Those with a role, of an account or of operators, newest first. */
  list(
    of: Readonly<{ accountId: number }> | "operators",
    at: Timestamp,
  ): Promise<readonly Invitation[]>
  /**
   * Sets the password of the invited person or connects the identity, and uses up the invitation. The person is created
   * with this name if necessary. Throws if somebody is connected to the identity.
   * Returns the person; "taken" or null and changes nothing if the name exists, or as for `find`.
   */
  accept(
    tokenDigest: Uint8Array,
    at: Timestamp,
    chosen: Readonly<{ name: string; hash: string } | { name: string; identity: Identity }>,
  ): Promise<number | "taken" | null>
  /** Gives the role to the person and uses up the invitation. Returns false and changes nothing as for `find`. */
  join(tokenDigest: Uint8Array, at: Timestamp, personId: number): Promise<boolean>
  remove(id: string): Promise<void>
  deleteExpired(at: Timestamp, rowsMax: number): Promise<number>
}

/** Links that sign the owner of an account in, once. The marketplace's own site requests them. */
export interface SignInLinkStore {
  insert(tokenDigest: Uint8Array, accountId: number, expiresAt: Timestamp): Promise<void>
  /** Returns the account; null if the link is unknown, used or expired. */
  find(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** Like `find`, and uses up the link: one of two concurrent calls gets the account. */
  use(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  deleteExpired(at: Timestamp, rowsMax: number): Promise<number>
}
