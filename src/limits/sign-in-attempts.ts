/**
 * Failed sign-ins, counted by IP range, and by IP range and name. No count covers several IP ranges: a stranger cannot
 * lock an owner out from elsewhere. A name and an e-mail address of one account are counted separately: a shared count
 * would reveal that they belong together.
 *
 * The counts are rows, not numbers in memory: with a count for each thread, wrong codes of the second factor would have
 * as many times the limit as there are threads, and a restart would clear it.
 */
import type { CodeThrottle } from "../domain/sign-in/second-factor.ts"
import {
  type SignInFailureStore,
  SignInRefused,
  type SignInThrottle,
} from "../domain/sign-in/sign-in-failures.ts"
import { trimBlank } from "../domain/values/text.ts"

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

/** From one IP range on one thread, where 42 password hashes are computed or wait. */
const inFlightMax = 8
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
    throw new SignInRefused(Math.max(1, Math.ceil((fullUntilMs - nowMs) / 1000)))
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
  const inLine: SignInThrottle["inLine"] = async ({ network }, work) => {
    const before = inFlight.get(network) ?? 0
    if (before >= inFlightMax) throw new SignInRefused(retryAfterSeconds)
    inFlight.set(network, before + 1)
    try {
      return await work()
    } finally {
      const left = (inFlight.get(network) ?? 1) - 1
      if (left === 0) inFlight.delete(network)
      else inFlight.set(network, left)
    }
  }
  return {
    async attempt(source, judge) {
      const { name, network } = source
      // In this order: rows are locked from the wider limit to the narrower one.
      const limits = [
        { name: `network ${network}`, failuresMax: rangeFailuresMax },
        { name: `pair ${network} ${foldName(name)}`, failuresMax: nameFailuresMax },
      ]
      const judged = await inLine(source, () => attempt(throttling, limits, judge))
      if (judged === null) throw new SignInRefused(0)
      return judged
    },
    inLine,
  }
}

/** Names longer than any username are counted by their beginning. */
const foldName = (name: string) => trimBlank(name).toLowerCase().slice(0, 255)

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
        if (error instanceof SignInRefused) await pretend(ownerId)
        throw error
      }
    },
    pretend,
  }
}
