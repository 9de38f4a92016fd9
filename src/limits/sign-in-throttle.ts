/**
 * Failed sign-ins, counted by network and by the name as it was typed. A name and an e-mail address
 * of one account have separate counts: a shared one would tell that they belong together.
 *
 * Each network has a budget of tries for all names, and a smaller one for each name. All networks from
 * which an account has never signed in share a larger budget for its name. When that is used up, one try
 * every ten seconds remains: guessing is slow, and the owner cannot be locked out for long from elsewhere.
 * A success gives back its own try and no others: owning one account must not earn tries at others.
 */
import { trimBlank } from "../domain/blank.ts"
import type { SignInSource, SignInThrottle, TryLimit } from "../domain/sign-in-failures.ts"
import { SignInRefused, tryWindowMsMax } from "../domain/sign-in-failures.ts"
import { type Budget, createLimit, type Throttling, takeTry } from "./tries.ts"

const networkBudget: Budget = { triesMax: 30, windowMs: tryWindowMsMax }
/** One network alone cannot use up the name's budget. */
const nameAtNetworkBudget: Budget = { triesMax: 10, windowMs: tryWindowMsMax }
const nameBudget: Budget = { triesMax: 100, windowMs: tryWindowMsMax }
const spentNameBudget: Budget = { triesMax: 1, windowMs: 10_000 }

export function createSignInThrottle(throttling: Throttling): SignInThrottle {
  const limit = createLimit(throttling)
  /** In the order they are tried; later ones only if the earlier ones refuse. */
  function choicesFor({ name, network, isKnown }: SignInSource): readonly (readonly TryLimit[])[] {
    const ofNetwork = limit(`network ${network}`, networkBudget)
    if (isKnown) return [[ofNetwork]]
    // The first word of a bucket tells its kind; a network has no blank in it.
    const folded = foldName(name)
    const here = [ofNetwork, limit(`pair ${network} ${folded}`, nameAtNetworkBudget)]
    return [
      [...here, limit(`name ${folded}`, nameBudget)],
      [...here, limit(`spent ${folded}`, spentNameBudget)],
    ]
  }
  return {
    async attempt(source, judge) {
      const judged = await takeTry(throttling, choicesFor(source), judge)
      if (judged === null) throw new SignInRefused(0)
      return judged
    },
  }
}

/** Names longer than any username are counted by their beginning. */
const foldName = (name: string) => trimBlank(name).toLowerCase().slice(0, 255)
