/** Lists the problems of working keys, for the overview. */
import { daySeconds, secondsAfter } from "../../../domain/values/time/date-arithmetic.ts"
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"
import { type KeyFacts, looksShipped } from "../../pages/key-facts.ts"
import { newValidationKeyPath, pathOfKey } from "../../pages/key-paths.ts"
import type { Words } from "../../pages/translations/en.ts"

/** A problem, and the link that solves it. `at` is the moment that `tell` is about, if there is one. */
export type Attention = Readonly<{
  tell(when: string): string
  at: Timestamp | null
  action: string
  path: string
}>

/** An earlier expiry is mentioned. */
const soonSeconds = 14 * daySeconds

export function listAttention(
  words: Words["overview"],
  keys: readonly KeyFacts[],
  now: Date,
): readonly Attention[] {
  const soon = secondsAfter(now, soonSeconds)
  return keys.flatMap((facts) => {
    const { key, state, usage } = facts
    const problems: Attention[] = []
    const see = { action: words.seeKey, path: pathOfKey(key.id) }
    const callsLastDay = usage?.callsLastDay ?? 0
    if (state === "ending" && callsLastDay > 0) {
      problems.push({ tell: () => words.stillUsed(key.name, callsLastDay), at: null, ...see })
    }
    // A replaced key is already on its way out.
    if (state === "active" && looksShipped(facts)) {
      const make = { action: words.makeValidation, path: newValidationKeyPath }
      problems.push({
        tell: () => words.shipped(key.name, usage?.networks ?? 0),
        at: null,
        ...make,
      })
    }
    if (state === "active" && key.expiresAt !== null && key.expiresAt < soon) {
      problems.push({ tell: (when) => words.expires(key.name, when), at: key.expiresAt, ...see })
    }
    return problems
  })
}
