/** Finds the records that a batch of the feed lets go on: those that wait for what it brings. */
import type { FeedRecord } from "./feed.ts"
import type { Changes, Decision } from "./feed-rules.ts"
import type { Need, WaitingRecord } from "./waiting-record.ts"

/** The record as it came, with the moment it had. */
export function recordOf(waiting: WaitingRecord): FeedRecord {
  const asOf = { ms: waiting.asOf, isArrival: false }
  return waiting.kind === "item"
    ? { type: "item", item: waiting.record, asOf }
    : { type: "purchase", purchase: waiting.record, asOf }
}

/** The accounts and items in the changes that records may wait for. */
const arrivalsOf = ({ accounts, items, nameChanges }: Changes): readonly Need[] => [
  ...accounts.inserted.map(({ username }): Need => ({ kind: "item", needs: username })),
  ...nameChanges.flatMap(({ to }): Need[] => (to === null ? [] : [{ kind: "item", needs: to }])),
  ...items.inserted.map(({ id }): Need => ({ kind: "purchase", needs: `${id}` })),
]

/** Some needs at a time: those who wait for a great many are then listed without listing all needs anew. */
const needsAtOnce = 100

/**
 * Goes through all that has arrived. A store takes the records that wait for `next`, some at a time, and says
 * what was decided about them; null once there are none.
 */
export function createArrivals(changes: Changes) {
  const arrived = [...arrivalsOf(changes)]
  return {
    /** Empty at the end. */
    next: (): readonly Need[] => arrived.slice(0, needsAtOnce),
    settle(decision: Decision | null): void {
      // A record that cannot be taken even now stays, and is not tried for ever.
      const isDone = decision === null || !decision.verdicts.includes(null)
      if (isDone) arrived.splice(0, needsAtOnce)
      else arrived.push(...arrivalsOf(decision.changes))
    },
  }
}
