/**
 * Wrong codes of the second factor, counted for each owner over all networks. Only those who know the
 * password use them up. Recovery codes are too long to be guessed and are not limited.
 */
import type { CodeThrottle } from "../domain/sign-in/second-factor.ts"
import { SignInRefused, tryWindowMsMax } from "../domain/sign-in/sign-in-failures.ts"
import { type Budget, createLimit, type Throttling, takeTry } from "./tries.ts"

/** Three of a million codes are right at a time: guessing at this rate takes more than a year on average. */
const codeBudget: Budget = { triesMax: 5, windowMs: tryWindowMsMax }
const endlessBudget: Budget = { triesMax: 2 ** 31 - 1, windowMs: tryWindowMsMax }

export function createCodeThrottle(throttling: Throttling): CodeThrottle {
  const limit = createLimit(throttling)
  async function pretend(ownerId: number): Promise<void> {
    const choices = [[limit(`pretended ${ownerId}`, endlessBudget)]]
    await takeTry(throttling, choices, async () => null)
  }
  return {
    async attempt(ownerId, judge) {
      const choices = [[limit(`code ${ownerId}`, codeBudget)]]
      try {
        const judged = await takeTry(throttling, choices, async () => (await judge()) || null)
        return judged ?? false
      } catch (error) {
        // A refusal writes nothing: without this it would come sooner than the answer to a wrong password.
        if (error instanceof SignInRefused) await pretend(ownerId)
        throw error
      }
    },
    pretend,
  }
}
