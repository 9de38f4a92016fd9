/**
 * Reads the catalogue from replicas, and asks the primary for rows that a replica lacks. A row on a
 * replica is at most a second old; a row that it lacks may have been added since.
 */
import type { Catalogue } from "../../../domain/catalogue/purchase.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import type { Awaitable } from "../../../domain/values/work-queue.ts"
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
    // Fail at once: waiting for a lost primary would only delay the same answer.
    if (heartbeat.isLost() && replicas.isAnyHealthy()) {
      throw new StoreUnavailable("no replica has it, and the primary cannot be asked")
    }
    return question(primary)
  }
  const isNull = (answer: unknown) => answer === null
  return {
    accounts: { find: (id) => ask(({ accounts }) => accounts.find(id), isNull) },
    items: {
      find: (accountId, id) => ask(({ items }) => items.find(accountId, id), isNull),
      // The pages come from the same server as the version.
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
