/**
 * Failed sign-ins, counted by IP range, and by IP range and name. No count covers several IP ranges: a stranger cannot
 * lock an owner out from elsewhere. A name and an e-mail address of one account are counted separately: a shared count
 * would reveal that they belong together.
 *
 * The counts are rows, not numbers in memory: with a count for each thread, wrong codes of the second factor would have
 * as many times the limit as there are threads, and a restart would clear it.
 */

import {
  type SignInFailureStore,
  SignInRejected,
  type SignInThrottle,
} from "../domain/sign-in/sign-in-failures.ts"
import type { CodeThrottle } from "../domain/sign-in/two-factor.ts"
import { trimWhitespace } from "../domain/values/text.ts"

type Throttling = Readonly<{
  failures: SignInFailureStore
  /** People type passwords into the name field, so only a digest is stored. */
  digest: (text: string) => Uint8Array
  now: () => Date
}>

type Limit = Readonly<{ name: string; failuresMax: number }>

const rangeFailuresMax = 30
const nameFailuresMax = 10
/** Three of a million codes are right at a time: guessing at this rate takes more than a year on average. */
const codeFailuresMax = 5

/**
 * From one IP range on one thread, for all names and for one, where 42 password hashes are computed or wait: an author
 * who signs in from ten ranges leaves room for others.
 */
const inFlightMax = { range: 8, name: 4 }
/** The hashes in flight are computed by then. */
const retryAfterSeconds = 2

/**
 * Counts a failure before `judge` is called, so that concurrent attempts cannot exceed a limit, and takes it back
 * unless the result is null. Throws SignInRefused when no attempt is left.
 */
async function attempt<T>(
  { failures, digest, now }: Throttling,
  limits: readonly Limit[],
  judge: () => Promise<T | null>,
): Promise<T | null> {
  const nowMs = now().getTime()
  const counted = limits.map(({ name, failuresMax }) => ({ bucket: digest(name), failuresMax }))
  const fullUntilMs = await failures.take(counted, nowMs)
  if (fullUntilMs !== null) {
    throw new SignInRejected(Math.max(1, Math.ceil((fullUntilMs - nowMs) / 1000)))
  }
  let isWrong = false
  try {
    const judged = await judge()
    isWrong = judged === null
    return judged
  } finally {
    if (!isWrong) await failures.giveBack(counted.map(({ bucket }) => bucket))
  }
}

export function createSignInThrottle(throttling: Throttling): SignInThrottle {
  const inFlight = new Map<string, number>()
  function change(source: string, by: 1 | -1): void {
    const count = (inFlight.get(source) ?? 0) + by
    if (count === 0) inFlight.delete(source)
    else inFlight.set(source, count)
  }
  const inLine: SignInThrottle["inLine"] = async ({ name, ipRange }, work) => {
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
    async attempt(source, judge) {
      const { name, ipRange } = source
      // In this order: rows are locked from the wider limit to the narrower one.
      const limits = [
        { name: `network ${ipRange}`, failuresMax: rangeFailuresMax },
        { name: `pair ${ipRange} ${foldName(name)}`, failuresMax: nameFailuresMax },
      ]
      const judged = await inLine(source, () => attempt(throttling, limits, judge))
      if (judged === null) throw new SignInRejected(0)
      return judged
    },
    inLine,
  }
}

/** Names longer than any username are counted by their beginning. */
const foldName = (name: string) => trimWhitespace(name).toLowerCase().slice(0, 255)

/**
 * Wrong codes of the second factor, counted for each owner over all IP ranges: only those who know the password use
 * them up. Recovery codes are too long to be guessed and are not limited.
 */
export function createCodeThrottle(throttling: Throttling): CodeThrottle {
  async function pretend(ownerId: number): Promise<void> {
    const limit = { name: `pretended ${ownerId}`, failuresMax: 2 ** 31 - 1 }
    await attempt(throttling, [limit], async () => null)
  }
  return {
    async attempt(ownerId, judge) {
      const limit = { name: `code ${ownerId}`, failuresMax: codeFailuresMax }
      try {
        return (await attempt(throttling, [limit], async () => (await judge()) || null)) ?? false
      } catch (error) {
        // A refusal writes nothing: without this it would come sooner than the response to a wrong password.
        if (error instanceof SignInRejected) await pretend(ownerId)
        throw error
      }
    },
    pretend,
  }
}
