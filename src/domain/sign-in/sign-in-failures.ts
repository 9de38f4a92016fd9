/** Failed sign-ins, counted in the store: all threads and machines share one count that survives restarts. */

/** A count starts with its first failure and ends after this time. */
export const attemptWindowMs = 10 * 60_000

/** A bucket is a digest: names and addresses are not stored. */
export type FailureLimit = Readonly<{ bucket: Uint8Array; failuresMax: number }>

export interface SignInFailureStore {
  /**
   * Counts one failure in every bucket and returns null. If one of them is full, counts none and returns when its count
   * ends; this only reads. Concurrent calls cannot exceed a limit.
   */
  take(limits: readonly FailureLimit[], nowMs: number): Promise<number | null>
  /** Takes one failure back in each bucket. */
  giveBack(buckets: readonly Uint8Array[]): Promise<void>
  /**
   * Removes counts that have ended, and those that end later than one that starts now: the clock was set back. At most
   * `rowsMax`; says how many.
   */
  deleteExpired(nowMs: number, rowsMax: number): Promise<number>
}

/** Slows guessing down. Guesses from other IP ranges never delay the owner. */
export interface SignInThrottle {
  /**
   * Calls `judge`, in line, if an attempt is left; null means wrong and uses the attempt up. Throws SignInRefused.
   */
  attempt<T>(source: SignInSource, judge: () => Promise<T | null>): Promise<T>
  /**
   * Runs work that hashes a password. Throws SignInRefused while enough work of this IP range, or of this name there, is in
   * flight: nobody can fill the queue of the hashes.
   */
  inLine<T>(source: SignInSource, work: () => Promise<T>): Promise<T>
}

export type SignInSource = Readonly<{ name: string; ipRange: string }>

/** `wrong` is an unknown name, too. `suspended`: name and password were right. */
export const signInOutcomes = ["ok", "wrong", "throttled", "suspended"] as const
export type SignInOutcome = (typeof signInOutcomes)[number]

/**
 * Told of every sign-in, and of every wrong password and code that is asked for later. `username` is the stored one,
 * null for a name that no account has: people type passwords into the name field, so the typed text is never passed on.
 */
export type OnSignIn = (
  outcome: SignInOutcome,
  username: string | null,
  ipRange: string,
) => Promise<void>

export class SignInRejected extends Error {
  override name = "SignInRejected"
  readonly retryAfterSeconds: number

  /** Zero seconds: name or password was wrong; the message does not say which. */
  constructor(retryAfterSeconds: number) {
    super(retryAfterSeconds > 0 ? "too many tries" : "wrong name or password")
    this.retryAfterSeconds = retryAfterSeconds
  }
}
