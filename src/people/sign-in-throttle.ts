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

/** Attempts in flight per thread from one IP range, for all names and for one name. */
const inFlightMax = { range: 8, name: 4 }
/** The password hashes in flight are complete by then. */
const retryAfterSeconds = 2

/**
 * Counts a failure before `verify` is called, so that concurrent attempts cannot exceed a limit, and removes it unless
 * the result is null. Throws SignInRejected when no attempt is left.
 */
async function attempt<T>(
  { failures, digest, now }: Throttling,
  limits: readonly Limit[],
  verify: () => Promise<T | null>,
): Promise<T | null> {
  const nowMs = now().getTime()
  const counted = limits.map(([name, failuresMax]) => ({ bucket: digest(name), failuresMax }))
  rejectUntil(await failures.take(counted, nowMs), nowMs)
  let isWrong = false
  try {
    const verified = await verify()
    isWrong = verified === null
    return verified
  } finally {
    if (!isWrong) await failures.giveBack(counted.map(({ bucket }) => bucket))
  }
}

function rejectUntil(fullUntilMs: number | null, nowMs: number): void {
  if (fullUntilMs === null) return
  throw new SignInRejected(Math.max(1, Math.ceil((fullUntilMs - nowMs) / 1000)))
}

export function createSignInThrottle(throttling: Throttling): SignInThrottle {
  const inFlight = new Map<string, number>()
  function change(source: string, by: 1 | -1): void {
    const count = (inFlight.get(source) ?? 0) + by
    if (count === 0) inFlight.delete(source)
    else inFlight.set(source, count)
  }
  const enqueue: SignInThrottle["enqueue"] = async ({ name, ipRange }, work) => {
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
    async attempt(source, verify) {
      const { name, ipRange } = source
      // Rows are always locked in this order, to avoid deadlocks.
      const limits: readonly Limit[] = [
        [`range ${ipRange}`, rangeFailuresMax],
        [`pair ${ipRange} ${foldName(name)}`, nameFailuresMax],
      ]
      const verified = await enqueue(source, () => attempt(throttling, limits, verify))
      if (verified === null) throw new SignInRejected(0)
      return verified
    },
    enqueue,
    async useOnce(challenge) {
      const { failures, digest, now } = throttling
      const limits = [{ bucket: digest(`challenge ${challenge}`), failuresMax: 1 }]
      return (await failures.take(limits, now().getTime(), hourWindowMs)) === null
    },
  }
}

/** Cut off: no username is longer. */
const foldName = (name: string) => trimWhitespace(name).toLowerCase().slice(0, 255)

/**
 * Wrong two-factor codes, counted per person over all IP ranges: only somebody who knows the password can cause them.
 * Recovery codes are too long to guess and are not limited.
 */
export const createCodeThrottle = (throttling: Throttling): CodeThrottle => ({
  async attempt(personId, verify) {
    const limits = [[`code ${personId}`, codeFailuresMax]] as const
    return (await attempt(throttling, limits, async () => (await verify()) || null)) ?? false
  },
})

const rangeResetsMax = 20
const addressResetsMax = 3

export const createResetThrottle = ({ failures, digest, now }: Throttling): ResetThrottle => ({
  async count({ name, ipRange }) {
    const nowMs = now().getTime()
    const limits = [
      { bucket: digest(`reset range ${ipRange}`), failuresMax: rangeResetsMax },
      { bucket: digest(`reset address ${foldName(name)}`), failuresMax: addressResetsMax },
    ]
    rejectUntil(await failures.take(limits, nowMs, hourWindowMs), nowMs)
  },
})

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

export interface CodeThrottle {
  /** Calls `check` if an attempt is left; false uses it up. Throws SignInRejected if none is left. */
  attempt(personId: number, check: () => Promise<boolean>): Promise<boolean>
}
