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
  network: string
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
  forget(lastSeenBefore: Timestamp, createdBefore: Timestamp, rowsMax: number): Promise<number>
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

/**
 * A code that was checked, what was searched for, a secret that is on the page, a second factor that is being set up,
 * recovery codes that were just made. Of operators also a link.
 */
export type NoteKind =
  | "check"
  | "sales"
  | "search"
  | "shown_key"
  | "shown_webhook"
  | "new_factor"
  | "recovery_codes"
  | "link"

/** The id is unique within its session and kind. */
export type NoteIdentity = Readonly<{ sessionId: string; kind: NoteKind; id: string }>
export type SessionNote = NoteIdentity & Readonly<{ at: Timestamp; sealed: Uint8Array }>

/**
 * Notes that a session keeps between two requests, so that a form can redirect to its result and the
 * result survives Back and reload. They are in the store because the next request may reach another
 * thread or node.
 */
export interface SessionNoteStore {
  /**
   * Inserts or replaces, and deletes the oldest of this session and kind beyond `notesMax`. Keeps
   * nothing when the session has ended.
   */
  put(note: SessionNote): Promise<void>
  /** Null for an unknown note and for another session's note. */
  find(identity: NoteIdentity): Promise<SessionNote | null>
  /** Newest first. */
  list(sessionId: string, kind: NoteKind): Promise<readonly SessionNote[]>
  delete(identity: NoteIdentity): Promise<void>
}

/** A pasted code is a buyer's secret: notes are sealed, and bound to their session. */
export interface NoteVault {
  seal(text: string, identity: NoteIdentity): Uint8Array
  /** Throws SealBroken when it was sealed for another identity or under another master key. */
  unseal(sealed: Uint8Array, identity: NoteIdentity): string
}

/** More than an author goes back to, and few enough to keep a session small. */
export const notesMax = 10

/** Random tokens that a browser or a link carries. The store keeps their digests. */
export interface TokenMaker {
  create(): string
  digest(token: string): Uint8Array
}
