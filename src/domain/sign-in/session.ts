/** Sessions: browsers that are signed in. */
import {
  daySeconds,
  secondsAfter,
  secondsBefore,
  type Timestamp,
} from "../values/time/timestamp.ts"

/** A browser that is signed in. Only the browser has the token; the store has its digest. */
export type Session = Readonly<{
  id: string
  /** The author, or the operator. */
  ownerId: number
  createdAt: Timestamp
  lastSeenAt: Timestamp
  /** When the password was last given, or a sign-in link used: changing keys, or anything in the console, asks for it. */
  confirmedAt: Timestamp
  /** Where from and with what, for its owner to recognise it by. */
  ipRange: string
  device: string
}>

export interface SessionStore {
  /**
   * False, and nothing is kept, unless `passwordHash` is still the owner's: hashing is slow, and the
   * password may have been changed meanwhile. Null: the owner came by a link; false if the owner is
   * gone. Ends the oldest sessions of the owner beyond `sessionsMax`; concurrent calls may leave a few more
   * until the next one.
   */
  insert(tokenDigest: Uint8Array, session: Session, passwordHash: string | null): Promise<boolean>
  /** Null for an unknown token and for an ended session. The caller checks the age. */
  findByToken(tokenDigest: Uint8Array): Promise<Session | null>
  /** Newest use first. */
  list(ownerId: number): Promise<readonly Session[]>
  touch(id: string, lastSeenAt: Timestamp): Promise<void>
  confirm(id: string, confirmedAt: Timestamp): Promise<void>
  /** Ends one session of the owner, or all of them. Never ends one of another owner. */
  end(ownerId: number, id: string | "all"): Promise<void>
  /** Removes sessions last seen, or begun, before these moments, at most `rowsMax`; says how many. */
  deleteExpired(
    lastSeenBefore: Timestamp,
    createdBefore: Timestamp,
    rowsMax: number,
  ): Promise<number>
}

/** More than anybody has browsers for; few enough for the page that lists them. */
export const sessionsMax = 50
export const sessionIdleSeconds = 12 * 3600
export const sessionLifeSeconds = 30 * daySeconds
export const confirmationSeconds = 5 * 60

/** Not idle or open for too long. Expired rows stay in the store until they are removed. */
export function isOpen({ lastSeenAt, createdAt }: Session, now: Date): boolean {
  return (
    lastSeenAt >= secondsBefore(now, sessionIdleSeconds) &&
    createdAt >= secondsBefore(now, sessionLifeSeconds)
  )
}

/** Whether the password was given, or a link used, recently enough to change keys, or anything in the console. */
export function isConfirmed({ confirmedAt }: Session, now: Date): boolean {
  return (
    confirmedAt >= secondsBefore(now, confirmationSeconds) &&
    // A time far in the future: the clock was set back since, and the password may be older than it seems.
    confirmedAt <= secondsAfter(now, confirmationSeconds)
  )
}

/** Random tokens that a browser or a link carries. The store keeps their digests. */
export interface TokenMaker {
  create(): string
  digest(token: string): Uint8Array
}
