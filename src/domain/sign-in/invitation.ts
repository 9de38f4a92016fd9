/** Invitations: links by which an author or an operator chooses a password. */
import { daySeconds } from "../values/time/date-arithmetic.ts"
import type { Timestamp } from "../values/time/timestamp.ts"

export type Invitation = Readonly<{
  tokenDigest: Uint8Array
  ownerId: number
  expiresAt: Timestamp
}>

export interface InvitationStore {
  insert(tokenDigest: Uint8Array, ownerId: number, expiresAt: Timestamp): Promise<void>
  /** All or nothing. Leaves out those of owners that were deleted meanwhile. */
  insertAll(invitations: readonly Invitation[]): Promise<void>
  /** The owner it invites; null when it is unknown, used up or expired at `at`. */
  find(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** Sets the password of the owner it invites, which uses it up; null, and nothing set, as for `find`. */
  accept(tokenDigest: Uint8Array, at: Timestamp, hash: string): Promise<number | null>
  /** Removes invitations that have expired at `at`, at most `rowsMax`, and says how many. */
  forget(at: Timestamp, rowsMax: number): Promise<number>
}

export const invitationSeconds = 7 * daySeconds
