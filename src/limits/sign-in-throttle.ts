/**
 * Failed sign-ins, counted in windows of ten minutes. A network has so many tries for all accounts,
 * and an account so many from all networks it has never been signed in from: somebody who guesses
 * from elsewhere uses those up, and the owner at a known place is not held up by it. A success gives
 * back the one try it took and no other: whoever has one account here must not earn tries at others
 * with it.
 */
import { SignInRefused } from "../domain/session.ts"
import type {
  SignInFailureStore,
  SignInSource,
  SignInThrottle,
} from "../domain/sign-in-failures.ts"

const windowMs = 10 * 60_000
const networkFailuresMax = 30
const accountFailuresMax = 10

export type Throttling = Readonly<{
  failures: SignInFailureStore
  /** What was typed for a name may be a password: it is not kept as it is. */
  digest: (text: string) => Uint8Array
  now: () => Date
}>

export function createSignInThrottle({ failures, digest, now }: Throttling): SignInThrottle {
  function limitsFor({ name, network, isKnown }: SignInSource) {
    const ofNetwork = { bucket: digest(`network ${network}`), triesMax: networkFailuresMax }
    if (isKnown) return [ofNetwork]
    // Long names are somebody's garbage; their beginning is enough to count them by.
    const account = name.toLowerCase().slice(0, 255)
    return [ofNetwork, { bucket: digest(`account ${account}`), triesMax: accountFailuresMax }]
  }
  async function take(source: SignInSource) {
    const nowMs = now().getTime()
    const taken = await failures.take(limitsFor(source), nowMs, nowMs + windowMs)
    if (taken.isTaken) return taken.windows
    throw new SignInRefused(Math.ceil((taken.untilMs - nowMs) / 1000))
  }
  return {
    async attempt(source, judge) {
      const windows = await take(source)
      let isWrong = false
      try {
        const judged = await judge()
        isWrong = judged === null
        if (judged !== null) return judged
      } finally {
        // What could not be judged was no try.
        if (isWrong) await failures.forget(now().getTime())
        else await failures.giveBack(windows)
      }
      throw new SignInRefused(0)
    },
  }
}
