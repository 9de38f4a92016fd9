/**
 * Sign-ins, counted by network and by the name as it was typed. A name and an e-mail address of one account
 * have separate counts: a shared one would tell that they belong together.
 *
 * Each network has a budget of failures for all names, and a smaller one for each name. All networks from
 * which an account has never signed in share a larger budget for its name. When that is used up, one try
 * every ten seconds remains: guessing is slow, and the owner cannot be locked out for long from elsewhere.
 * A success gives back its own try and no others: owning one account must not earn tries at others.
 *
 * Successes have a budget of their own, as each costs a password hash. For the same reason few sign-ins of
 * one name or network wait for their turn.
 */
import type { SignInSource, SignInThrottle, TryLimit } from "../domain/sign-in/sign-in-failures.ts"
import { SignInRefused, tryWindowMsMax } from "../domain/sign-in/sign-in-failures.ts"
import { trimBlank } from "../domain/values/text.ts"
import { type Budget, createLimit, type Throttling, takeTry } from "./tries.ts"

const networkBudget: Budget = { triesMax: 30, windowMs: tryWindowMsMax }
/**
 * One network alone cannot use up the name's budget. It is the same where the account has signed in before:
 * a larger one would tell that there is such an account.
 */
const nameAtNetworkBudget: Budget = { triesMax: 10, windowMs: tryWindowMsMax }
const nameBudget: Budget = { triesMax: 100, windowMs: tryWindowMsMax }
const spentNameBudget: Budget = { triesMax: 1, windowMs: 10_000 }
/** Wrong tries take one until they are judged: those of strangers, at most 101 at a time, leave the owner enough. */
const successBudget: Budget = { triesMax: 200, windowMs: tryWindowMsMax }

/** On one thread, where 42 hashes are computed or wait. */
const atOnceMax = { name: 4, network: 8 }
/** The hashes that are under way have ended by then. */
const secondsToWait = 2

export function createSignInThrottle(throttling: Throttling): SignInThrottle {
  const limit = createLimit(throttling)
  const underWay = new Map<string, number>()
  /** In the order they are tried; later ones only if the earlier ones refuse. */
  function choicesFor({ name, network, isKnown }: SignInSource): readonly (readonly TryLimit[])[] {
    // The first word of a bucket tells its kind; a network has no blank in it.
    const folded = foldName(name)
    const here = [
      limit(`network ${network}`, networkBudget),
      limit(`pair ${network} ${folded}`, nameAtNetworkBudget),
    ]
    if (isKnown) return [here]
    return [
      [...here, limit(`name ${folded}`, nameBudget)],
      [...here, limit(`spent ${folded}`, spentNameBudget)],
    ]
  }
  const inLine: SignInThrottle["inLine"] = async ({ name, network }, work) => {
    const places = [
      { key: `name ${foldName(name)}`, max: atOnceMax.name },
      { key: `network ${network}`, max: atOnceMax.network },
    ]
    if (places.some(({ key, max }) => (underWay.get(key) ?? 0) >= max)) {
      throw new SignInRefused(secondsToWait)
    }
    for (const { key } of places) underWay.set(key, (underWay.get(key) ?? 0) + 1)
    try {
      return await work()
    } finally {
      for (const { key } of places) {
        const left = (underWay.get(key) ?? 1) - 1
        if (left === 0) underWay.delete(key)
        else underWay.set(key, left)
      }
    }
  }
  return {
    async attempt(source, judge) {
      const successes = [limit(`right ${foldName(source.name)}`, successBudget)]
      const judged = await inLine(source, () =>
        takeTry(throttling, choicesFor(source), judge, successes),
      )
      if (judged === null) throw new SignInRefused(0)
      return judged
    },
    inLine,
  }
}

/** Names longer than any username are counted by their beginning. */
const foldName = (name: string) => trimBlank(name).toLowerCase().slice(0, 255)
