/** Invitations: links by which an author or an operator chooses a password. */
import type { NewEvent } from "../events/event.ts"
import { daySeconds, type Timestamp } from "../values/time/timestamp.ts"

export type Invitation = Readonly<{
  tokenDigest: Uint8Array
  ownerId: number
  expiresAt: Timestamp
}>

export interface InvitationStore {
  insert(tokenDigest: Uint8Array, ownerId: number, expiresAt: Timestamp): Promise<void>
  /** All or nothing, with the events. Leaves out those of owners that were deleted meanwhile. */
  insertAll(invitations: readonly Invitation[], events: readonly NewEvent[]): Promise<void>
  /** The owner it invites; null when it is unknown, used up or expired at `at`. */
  find(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** Sets the password of the owner it invites, which uses it up; null, and nothing set, as for `find`. */
  accept(tokenDigest: Uint8Array, at: Timestamp, hash: string): Promise<number | null>
  /** Removes invitations that have expired at `at`, at most `rowsMax`, and says how many. */
  deleteExpired(at: Timestamp, rowsMax: number): Promise<number>
}

export const invitationSeconds = 7 * daySeconds

/** Sign-in links: each signs one author in, once. The operator's own site asks for them. */
export interface SignInLinkStore {
  insert(tokenDigest: Uint8Array, accountId: number, expiresAt: Timestamp): Promise<void>
  /** The account it signs in; null when it is unknown, used up or expired at `at`. */
  find(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** The same, and uses it up: of two concurrent calls one gets the account. */
  use(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** Removes links that have expired at `at`, at most `rowsMax`, and says how many. */
  deleteExpired(at: Timestamp, rowsMax: number): Promise<number>
}

/** Long enough for a redirect and a slow page; too short to be of use in a log or a history. */
export const signInLinkSeconds = 120
