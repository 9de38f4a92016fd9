/**
 * Failed sign-ins, counted by IP range, and by IP range and name. No count covers several IP ranges, so a stranger
 * cannot lock out an owner. The name and the e-mail address of an account are counted separately: a shared count would
 * reveal that they belong together.
 *
 * The counts are in the database: counts in memory would multiply the limit by the number of threads, and a restart
 * would reset them.
 */
import type { SignInOutcome } from "../access/actor.ts"
import { trimWhitespace } from "../platform/text.ts"

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

export type SignInSource = Readonly<{ name: string; ipRange: string }>

type Throttling = Readonly<{
  failures: SignInFailureStore
  /** People type passwords into the name field, so only a digest is stored. */
  digest: (text: string) => Uint8Array
  now: () => Date
}>

type Limit = readonly [name: string, failuresMax: number]

const rangeFailuresMax = 30
const nameFailuresMax = 10
/** Two of a million codes are valid at a time: guessing at this rate takes almost two years on average. */
const codeFailuresMax = 5
const rangeResetsMax = 20
const addressResetsMax = 3

/** Attempts in flight per thread from one IP range, for all names and for one name. */
const inFlightMax = { range: 8, name: 4 }
/** The password hashes in flight are complete by then. */
const retryAfterSeconds = 2

/** Counts one failure in each limit. Throws SignInRejected if one is full. */
async function count(
  { failures, digest, now }: Throttling,
  limits: readonly Limit[],
  windowMs = attemptWindowMs,
): Promise<readonly Uint8Array[]> {
  const nowMs = now().getTime()
  const counted = limits.map(([name, failuresMax]) => ({ bucket: digest(name), failuresMax }))
  const fullUntilMs = await failures.take(counted, nowMs, windowMs)
  if (fullUntilMs !== null)
    throw new SignInRejected(Math.max(1, Math.ceil((fullUntilMs - nowMs) / 1000)))
  return counted.map(({ bucket }) => bucket)
}

/**
 * Counts a failure before `verify` is called, so that concurrent attempts cannot exceed a limit, and removes it unless
 * the result is null.
 */
async function attempt<T>(
  throttling: Throttling,
  limits: readonly Limit[],
  verify: () => Promise<T | null>,
): Promise<T | null> {
  const buckets = await count(throttling, limits)
  let isWrong = false
  try {
    const verified = await verify()
    isWrong = verified === null
    return verified
  } finally {
    if (!isWrong) await throttling.failures.giveBack(buckets)
  }
}

/** Cut off: no username is longer. */
const foldName = (name: string) => trimWhitespace(name).toLowerCase().slice(0, 255)

/** Slows down guessing. Guesses from other IP ranges never delay the owner. */
export function createSignInThrottle(throttling: Throttling) {
  const inFlight = new Map<string, number>()
  function change(source: string, by: 1 | -1): void {
    const attempts = (inFlight.get(source) ?? 0) + by
    if (attempts === 0) inFlight.delete(source)
    else inFlight.set(source, attempts)
  }
  /** Queues a password hash. Throws SignInRejected for too many of an IP range: nobody can fill the queue. */
  async function enqueue<T>({ name, ipRange }: SignInSource, work: () => Promise<T>): Promise<T> {
    const pair = `${ipRange} ${foldName(name)}`
    const isFull =
      (inFlight.get(ipRange) ?? 0) >= inFlightMax.range ||
      (inFlight.get(pair) ?? 0) >= inFlightMax.name
    if (isFull) throw new SignInRejected(retryAfterSeconds)
    for (const source of [ipRange, pair]) change(source, 1)
    try {
      return await work()
    } finally {
      for (const source of [ipRange, pair]) change(source, -1)
    }
  }
  return {
    enqueue,
    /** Queues `check` if an attempt is left; null means wrong and uses it up. Throws SignInRejected. */
    async attempt<T>(source: SignInSource, check: () => Promise<T | null>): Promise<T> {
      const { name, ipRange } = source
      // Rows are always locked in this order, to avoid deadlocks.
      const limits: readonly Limit[] = [
        [`range ${ipRange}`, rangeFailuresMax],
        [`pair ${ipRange} ${foldName(name)}`, nameFailuresMax],
      ]
      const verified = await enqueue(source, () => attempt(throttling, limits, check))
      if (verified === null) throw new SignInRejected(0)
      return verified
    },
    /** Returns true for the first use of the challenge within an hour, on all nodes. */
    async useOnce(challenge: string): Promise<boolean> {
      const { failures, digest, now } = throttling
      const limits = [{ bucket: digest(`challenge ${challenge}`), failuresMax: 1 }]
      return (await failures.take(limits, now().getTime(), hourWindowMs)) === null
    },
  }
}

/**
 * Wrong two-factor codes, counted per person over all IP ranges: only somebody who knows the password can cause them.
 * Recovery codes are too long to guess and are not limited.
 */
export const createCodeThrottle = (throttling: Throttling) => ({
  /** Calls `check` if an attempt is left; false uses it up. Throws SignInRejected if none is left. */
  async attempt(personId: number, check: () => Promise<boolean>): Promise<boolean> {
    const limits = [[`code ${personId}`, codeFailuresMax]] as const
    return (await attempt(throttling, limits, async () => (await check()) || null)) ?? false
  },
})

/** Limits reset requests: three e-mails an hour to an address, and a limit per IP range. */
export const createResetThrottle = (throttling: Throttling) => ({
  /** Throws SignInRejected if no request is left. `name` is the address, which may be unknown. */
  async count({ name, ipRange }: SignInSource): Promise<void> {
    const limits = [
      [`reset range ${ipRange}`, rangeResetsMax],
      [`reset address ${foldName(name)}`, addressResetsMax],
    ] as const
    await count(throttling, limits, hourWindowMs)
  },
})
