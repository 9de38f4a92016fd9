/**
 * Failed sign-ins, counted in the store so that every node, thread and restart sees one count. What
 * a bucket stands for is the throttle's affair; the store only counts.
 */

/**
 * So many tries in one window; one that begins now ends at `endsAtMs`. A bucket is a digest: names and
 * addresses are not kept.
 */
export type TryLimit = Readonly<{ bucket: Uint8Array; triesMax: number; endsAtMs: number }>

/** A bucket has one window at a time, told from its next one by the moment it ends. */
export type TryWindow = Readonly<{ bucket: Uint8Array; endsAtMs: number }>

/** Not taken: a bucket is full, the last of them until `untilMs`. */
export type TryTaken =
  | Readonly<{ isTaken: true; windows: readonly TryWindow[] }>
  | Readonly<{ isTaken: false; untilMs: number }>

export interface SignInFailureStore {
  /**
   * Counts one try in every bucket, or in none if one of them is full; whoever else counts at that
   * moment, no bucket gets more than its tries. A bucket whose window has ended begins a new one.
   * Buckets are named in the same order by everybody: they are locked in that order. A full bucket is
   * noticed by reading: a refusal writes nothing.
   */
  take(limits: readonly TryLimit[], nowMs: number): Promise<TryTaken>
  /** Takes one try back in each of these windows that has not given way to another. */
  giveBack(windows: readonly TryWindow[]): Promise<void>
  /** Removes windows that have ended, at most `rowsMax`, and says how many. */
  forget(nowMs: number, rowsMax: number): Promise<number>
}

/** Slows guessing down; guessing from elsewhere never holds the owner up. */
export interface SignInThrottle {
  /**
   * Asks `judge` if there is a try left; null, for wrong, uses the try up. It is taken before the
   * question, so of many at once no more are asked than there are tries. Throws SignInRefused.
   */
  attempt<T>(source: SignInSource, judge: () => Promise<T | null>): Promise<T>
}

/** `isKnown`: the account has signed in from this network before. */
export type SignInSource = Readonly<{ name: string; network: string; isKnown: boolean }>

export class SignInRefused extends Error {
  override name = "SignInRefused"
  readonly secondsToWait: number

  /** Zero seconds: name or password were wrong, and which of them is not said. */
  constructor(secondsToWait: number) {
    super(secondsToWait > 0 ? "too many tries" : "wrong name or password")
    this.secondsToWait = secondsToWait
  }
}
