/** Failed sign-ins, counted in the store: all nodes share the counts, and they survive restarts. */

/** A count starts with its first failure and ends after this time. */
export const attemptWindowMs = 10 * 60_000
/** For e-mails. No window is longer. */
export const hourWindowMs = 60 * 60_000

/** A bucket is a digest: names and addresses are not stored. */
export type FailureLimit = Readonly<{ bucket: Uint8Array; failuresMax: number }>

export interface SignInFailureStore {
  /**
   * Counts one failure per bucket. If one is full, returns when its count ends. Concurrent calls cannot exceed a
   * limit. `windowMs` is `attemptWindowMs` unless it is given.
   */
  take(limits: readonly FailureLimit[], nowMs: number, windowMs?: number): Promise<number | null>
  giveBack(buckets: readonly Uint8Array[]): Promise<void>
  /** Deletes counts that have ended, and those that end too late because the clock was set back. Returns how many. */
  deleteExpired(nowMs: number, rowsMax: number): Promise<number>
}

/** Slows down guessing. Guesses from other IP ranges never delay the owner. */
export interface SignInThrottle {
  /** Queues `check` if an attempt is left; null means wrong and uses it up. Throws SignInRejected. */
  attempt<T>(source: SignInSource, check: () => Promise<T | null>): Promise<T>
  /** Queues a password hash. Throws SignInRejected for too many of an IP range: nobody can fill the queue. */
  enqueue<T>(source: SignInSource, work: () => Promise<T>): Promise<T>
  /** Returns true for the first use of the challenge within an hour, on all nodes. */
  useOnce(challenge: string): Promise<boolean>
}

/** Limits reset requests: three e-mails an hour to an address, and a limit per IP range. */
export interface ResetThrottle {
  /** Throws SignInRejected if no request is left. `name` is the address, which may be unknown. */
  count(source: SignInSource): Promise<void>
}

export type SignInSource = Readonly<{ name: string; ipRange: string }>

/** `wrong` includes unknown names. `suspended`: name and password were correct. */
export const signInOutcomes = ["ok", "wrong", "throttled", "suspended"] as const
export type SignInOutcome = (typeof signInOutcomes)[number]

/**
 * Called for every sign-in and every later wrong password or code. `username` is null for an unknown name: people
 * type passwords into the name field, so the typed text is never passed on.
 */
export type OnSignIn = (
  outcome: SignInOutcome,
  username: string | null,
  ipRange: string,
) => Promise<void>

export class SignInRejected extends Error {
  override name = "SignInRejected"
  readonly retryAfterSeconds: number

  /** 0 seconds: name or password was wrong; the message does not say which. */
  constructor(retryAfterSeconds: number) {
    super(retryAfterSeconds > 0 ? "too many attempts" : "wrong name or password")
    this.retryAfterSeconds = retryAfterSeconds
  }
}
