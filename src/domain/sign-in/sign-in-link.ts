/** Sign-in links: each signs one author in, once. The operator's own site asks for them. */
import type { Timestamp } from "../values/time/timestamp.ts"

export interface SignInLinkStore {
  insert(tokenDigest: Uint8Array, accountId: number, expiresAt: Timestamp): Promise<void>
  /** The account it signs in; null when it is unknown, used up or expired at `at`. */
  find(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** The same, and uses it up: of two concurrent calls one gets the account. */
  use(tokenDigest: Uint8Array, at: Timestamp): Promise<number | null>
  /** Removes links that have expired at `at`, at most `rowsMax`, and says how many. */
  forget(at: Timestamp, rowsMax: number): Promise<number>
}

/** Long enough for a redirect and a slow page; too short to be of use in a log or a history. */
export const signInLinkSeconds = 120
