import {
  daySeconds,
  secondsAfter,
  secondsBefore,
  type Timestamp,
} from "../values/time/timestamp.ts"

/** A signed-in browser. Only the browser has the token; the store has its digest. */
export type Session = Readonly<{
  id: string
  ownerId: number
  createdAt: Timestamp
  lastSeenAt: Timestamp
  /** When the password was last entered or a sign-in link used. Key changes and the console require a recent one. */
  confirmedAt: Timestamp
  /** IP range and device, by which the owner recognizes the session. */
  ipRange: string
  device: string
}>

export interface SessionStore {
  /**
   * Returns false unless `passwordHash` is still the owner's: it may change during the slow hashing. Null: the owner
   * used a link. Ends the oldest sessions beyond `sessionsMax`; concurrent calls may leave a few more.
   */
  insert(tokenDigest: Uint8Array, session: Session, passwordHash: string | null): Promise<boolean>
  /** Returns null for an unknown token and for a signed-out session. The caller checks the age. */
  findByToken(tokenDigest: Uint8Array): Promise<Session | null>
  /** Most recently used first. */
  list(ownerId: number): Promise<readonly Session[]>
  touch(id: string, lastSeenAt: Timestamp): Promise<void>
  confirm(id: string, confirmedAt: Timestamp): Promise<void>
  /** Never ends a session of another owner. */
  end(ownerId: number, id: string | "all"): Promise<void>
  deleteExpired(
    lastSeenBefore: Timestamp,
    createdBefore: Timestamp,
    rowsMax: number,
  ): Promise<number>
}

/** More browsers than anybody has, and few enough for the page that lists them. */
export const sessionsMax = 50
export const sessionIdleSeconds = 12 * 3600
export const sessionLifeSeconds = 30 * daySeconds
export const confirmationSeconds = 5 * 60

/** Expired sessions stay in the store until they are deleted. */
export function isOpen({ lastSeenAt, createdAt }: Session, now: Date): boolean {
  return (
    lastSeenAt >= secondsBefore(now, sessionIdleSeconds) &&
    createdAt >= secondsBefore(now, sessionLifeSeconds)
  )
}

export function isConfirmed({ confirmedAt }: Session, now: Date): boolean {
  return (
    confirmedAt >= secondsBefore(now, confirmationSeconds) &&
    // A timestamp far in the future: the clock was set back since, and the confirmation may be older than it seems.
    confirmedAt <= secondsAfter(now, confirmationSeconds)
  )
}

/** Random tokens for cookies and links. The store has only their digests. */
export interface TokenMaker {
  create(): string
  digest(token: string): Uint8Array
}
