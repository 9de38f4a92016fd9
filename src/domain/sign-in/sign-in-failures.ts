/**
 * Tries to sign in, counted in the store, so that all nodes and threads share one count that survives
 * restarts. The throttle decides what a bucket stands for; the store only counts.
 */

/** The longest window. */
export const tryWindowMsMax = 10 * 60_000

/**
 * At most `triesMax` tries in one window. A window that begins now ends at `endsAtMs`. A bucket is a
 * digest: names and addresses are not stored.
 */
export type TryLimit = Readonly<{ bucket: Uint8Array; triesMax: number; endsAtMs: number }>

/** A bucket has one window at a time, identified by the moment it ends. */
export type TryWindow = Readonly<{ bucket: Uint8Array; endsAtMs: number }>

/** Not taken: a bucket is full, the last of them until `untilMs`. */
export type TryTaken =
  | Readonly<{ isTaken: true; windows: readonly TryWindow[] }>
  | Readonly<{ isTaken: false; untilMs: number }>

export interface SignInFailureStore {
  /**
   * Counts one try in every bucket, or in none if one of them is full. Concurrent calls cannot exceed the
   * limit of a bucket. A bucket whose window has ended begins a new one. A refusal only reads and writes nothing.
   */
  take(limits: readonly TryLimit[], nowMs: number): Promise<TryTaken>
  /** Takes one try back in each of these windows that is still its bucket's current one. */
  giveBack(windows: readonly TryWindow[]): Promise<void>
  /**
   * Removes windows that have ended, and those that end later than one that begins now could: the clock was
   * set back. At most `rowsMax`; says how many.
   */
  forget(nowMs: number, rowsMax: number): Promise<number>
}

/** Slows guessing down, and shares the time for hashing. Guesses from elsewhere never delay the owner. */
export interface SignInThrottle {
  /**
   * Calls `judge`, in line, if a try is left; null means wrong and uses the try up. The try is reserved
   * before the call, so that concurrent requests cannot exceed the limit. Throws SignInRefused.
   */
  attempt<T>(source: SignInSource, judge: () => Promise<T | null>): Promise<T>
  /**
   * Runs work that hashes a password. Throws SignInRefused while enough work of this name or network is
   * under way, so that neither can fill the queue of the hashes.
   */
  inLine<T>(from: Pick<SignInSource, "name" | "network">, work: () => Promise<T>): Promise<T>
}

/** `isKnown`: the account has signed in from this network before. */
export type SignInSource = Readonly<{ name: string; network: string; isKnown: boolean }>

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
  network: string,
) => Promise<void>

export class SignInRefused extends Error {
  override name = "SignInRefused"
  readonly secondsToWait: number

  /** Zero seconds: name or password was wrong; the message does not say which. */
  constructor(secondsToWait: number) {
    super(secondsToWait > 0 ? "too many tries" : "wrong name or password")
    this.secondsToWait = secondsToWait
  }
}
