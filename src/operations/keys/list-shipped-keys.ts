import { stateOf } from "../../domain/keys/api-key.ts"
import type { OperatorReads, WidelyUsedKey } from "../../domain/usage/operator-reads.ts"
import { isShipped, manyNetworks, networkDays } from "../../domain/usage/usage.ts"
import { daysBefore } from "../../domain/values/time/date-arithmetic.ts"
import type { Timestamp } from "../../domain/values/time/timestamp.ts"

/** More than are shown: keys that were revoked or replaced within the last week are among them. */
const candidatesMax = 500

/** The working secret keys of all authors that look shipped, the most widely used first. */
export async function listShippedKeys(
  reads: Pick<OperatorReads, "listWidelyUsed">,
  at: Timestamp,
  limit: number,
): Promise<readonly WidelyUsedKey[]> {
  const since = daysBefore(at, networkDays)
  const candidates = await reads.listWidelyUsed(since, manyNetworks, candidatesMax)
  return candidates
    .filter((key) => isShipped(key, key.networks) && stateOf(key, at) === "active")
    .slice(0, limit)
}
