/**
 * Wrong codes of the second factor, counted for each operator over all networks. Only those who know the
 * password get here. Recovery codes are too long to be guessed and are not limited.
 */
import type { CodeThrottle } from "../domain/second-factor.ts"
import { tryWindowMsMax } from "../domain/sign-in-failures.ts"
import { type Budget, createLimit, type Throttling, takeTry } from "./tries.ts"

/** Three of a million codes are right at a time: guessing at this rate takes more than a year on average. */
const codeBudget: Budget = { triesMax: 5, windowMs: tryWindowMsMax }

export function createCodeThrottle(throttling: Throttling): CodeThrottle {
  const limit = createLimit(throttling)
  return {
    async attempt(operatorId, judge) {
      const choices = [[limit(`code ${operatorId}`, codeBudget)]]
      const judged = await takeTry(throttling, choices, async () => (await judge()) || null)
      return judged ?? false
    },
  }
}
