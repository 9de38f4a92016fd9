/**
 * The catalogue as replicas know it, and what they do not know as the primary does: what a replica
 * has is at most a second old, what it lacks may have come since.
 */
import type { Awaitable } from "../../domain/awaitable.ts"
import { type Catalogue, StoreUnavailable } from "../../domain/store.ts"
import type { PrimaryHeartbeat } from "./primary-heartbeat.ts"
import type { Replica, Replicas } from "./replicas.ts"

export function readFromReplicas(
  primary: Catalogue,
  replicas: Replicas,
  heartbeat: PrimaryHeartbeat,
): Catalogue {
  async function ask<T>(
    question: (source: Catalogue) => Awaitable<T>,
    isMiss: (answer: T) => boolean,
  ) {
    const answer = await replicas.ask<T>((replica: Replica) => question(replica))
    if (answer !== null && !isMiss(answer)) return answer
    // Waiting for a primary that is lost would only make the same answer late.
    if (heartbeat.isLost() && replicas.isAnyWell()) {
      throw new StoreUnavailable("no replica has it, and the primary cannot be asked")
    }
    return question(primary)
  }
  const isNull = (answer: unknown) => answer === null
  return {
    accounts: { find: (id) => ask(({ accounts }) => accounts.find(id), isNull) },
    items: {
      find: (accountId, id) => ask(({ items }) => items.find(accountId, id), isNull),
      // The pages come from wherever the version did.
      findList: (accountId) => ask(({ items }) => items.findList(accountId), isNull),
    },
    purchases: {
      listByCode: (accountId, code) =>
        ask(
          ({ purchases }) => purchases.listByCode(accountId, code),
          (found) => found.length === 0,
        ),
    },
  }
}
