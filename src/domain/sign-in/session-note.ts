/**
 * Notes that a session keeps between two requests, so that a form can redirect to its result and the
 * result survives Back and reload. They are in the store because the next request may reach another
 * thread or node.
 */
import type { Timestamp } from "../values/time/timestamp.ts"

/**
 * A code that was checked, a key whose secret is on the page. Of
 * operators: a second factor that is being set up, recovery codes and a link that were just made.
 */
export type NoteKind = "check" | "shown_key" | "new_factor" | "recovery_codes" | "link"

/** The id is unique within its session and kind. */
export type NoteIdentity = Readonly<{ sessionId: string; kind: NoteKind; id: string }>
export type SessionNote = NoteIdentity & Readonly<{ at: Timestamp; sealed: Uint8Array }>

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
