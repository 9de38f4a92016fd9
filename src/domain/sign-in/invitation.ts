import type { NewEvent } from "../events/event.ts"
import type { NewEmail } from "../mail/email.ts"
import { daySeconds, type Timestamp } from "../values/time/timestamp.ts"

export type Invitation = Readonly<{
  tokenDigest: Uint8Array
  ownerId: number
  expiresAt: Timestamp
}>

export interface InvitationStore {
  /** In one transaction with the events and e-mails. Omits owners that were deleted concurrently. */
  insertAll(
    invitations: readonly Invitation[],
    events: readonly NewEvent[],
    emails: readonly NewEmail[],
  ): Promise<void>
  /** Returns the owner; null if the invitation is unknown, used or expired. */
  find(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** Sets the owner's password and uses up the invitation. Returns null and changes nothing as for `find`. */
  accept(tokenDigest: Uint8Array, at: Timestamp, hash: string): Promise<number | null>
  deleteExpired(at: Timestamp, rowsMax: number): Promise<number>
}

export const invitationSeconds = 7 * daySeconds
/** For "Forgot your password?", which anybody can submit. */
export const resetSeconds = 3600

/** Links that sign an author in, once. The marketplace's own site requests them. */
export interface SignInLinkStore {
  insert(tokenDigest: Uint8Array, accountId: number, expiresAt: Timestamp): Promise<void>
  /** Returns the account; null if the link is unknown, used or expired. */
  find(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** Like `find`, and uses up the link: one of two concurrent calls gets the account. */
  use(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  deleteExpired(at: Timestamp, rowsMax: number): Promise<number>
}

/** Long enough for a redirect and a slow page, too short to be useful in a log or a browser history. */
export const signInLinkSeconds = 120
