/**
 * Failed sign-ins, counted by IP range, and by IP range and name. No count covers several IP ranges, so a stranger
 * cannot lock out an owner. The name and the e-mail address of an account are counted separately: a shared count would
 * reveal that they belong together.
 *
 * The counts are in the database: counts in memory would multiply the limit by the number of threads, and a restart
 * would reset them.
 */

import { trimWhitespace } from "../platform/text.ts"
import {
  hourWindowMs,
  type ResetThrottle,
  type SignInFailureStore,
  SignInRejected,
  type SignInThrottle,
} from "./sign-in-failures.ts"
import type { CodeThrottle } from "./two-factor.ts"

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
