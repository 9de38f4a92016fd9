/**
 * Calls with an accepted key.
 *
 * A validation reserves one miss before it asks the store, and gives it back unless it finds nothing. Misses are
 * counted by key and address, but finding out the address costs more than all the rest. So each key has
 * another budget, for all its callers together, which refuses nothing: while it is not spent, no single
 * address can have spent its own, and the address is not needed. For this its time is never before that of
 * any address.
 */
import type { ApiKey } from "../domain/api-key.ts"
import type { Awaitable } from "../domain/awaitable.ts"
import { clientOf } from "../domain/network.ts"
import { publicTestKey } from "../domain/public-test-key.ts"
import type {
  Caller,
  CallLimits,
  CallRate,
  LimitName,
  Quota,
  Rate,
  RateLimitPolicy,
  Ticket,
} from "../domain/rate-limits.ts"
import { type Budgets, quotaOf, refusal, type Taken } from "./budgets.ts"
import { kinds } from "./kinds.ts"

/** A place in flight that was not given back is free after this time, which is longer than any answer takes. */
const placeFor: Rate = { intervalMs: 600_000, burst: 1 }

/** The last of the waits for open calls, each twice as long as the one before: half a second together. */
const waitMsMax = 256

export type CallLimitOptions = Readonly<{
  policy: Pick<RateLimitPolicy, "reads" | "lists" | "misses">
  budgets: Budgets
  nowMs(): number
  sleep(ms: number): Promise<void>
  onRefused(limit: LimitName): void
}>

export function createCallLimits(options: CallLimitOptions): CallLimits {
  const { policy, budgets, nowMs, sleep } = options
  function refuse(quota: Quota): never {
    options.onRefused(quota.limit)
    throw refusal(quota)
  }

  function admitValidation({ id }: ApiKey, caller: Caller, rate: Rate): Awaitable<Ticket> {
    const taken = budgets.take(kinds.missesOfKey, id, "", rate)
    if (taken === null) return admitByAddress(id, caller, rate)
    return ticketOf(taken, () => {
      const client = clientOf(caller.address())
      budgets.spend(kinds.misses, id, client, rate)
      return raiseKey(id, client, rate)
    })
  }
  async function admitByAddress(keyId: string, caller: Caller, rate: Rate): Promise<Ticket> {
    const client = clientOf(caller.address())
    for (let waitMs = 1; ; waitMs *= 2) {
      const isLast = waitMs > waitMsMax
      // The open calls of the key may all be from this address, which does not know of them yet. But calls that
      // hang must not keep out every other address.
      const openOfKey = budgets.countOpen(kinds.missesOfKey, keyId, "")
      const burst = Math.max(isLast ? 1 : 0, rate.burst - openOfKey)
      const taken = budgets.take(kinds.misses, keyId, client, { ...rate, burst })
      const quota = raiseKey(keyId, client, rate)
      if (taken !== null) return ticketOf(taken, () => raiseKey(keyId, client, rate))
      const isSpent = quota.remaining + budgets.countOpen(kinds.misses, keyId, client) === 0
      if (isSpent || isLast) return refuse(quota)
      // Open calls are in the way, which give back what they took if they find a purchase.
      await sleep(waitMs)
    }
  }
  /** A validation gives back what it took unless it is a miss. */
  const ticketOf = (taken: Taken, onMiss: () => Quota): Ticket => ({
    settle(reason) {
      const isMiss = reason === "unknown_code"
      // Counted for the address before it is no longer open.
      const quota = isMiss ? onMiss() : null
      budgets.settle(taken, isMiss)
      return quota
    },
    leave() {},
  })
  /** Returns what is left to the address. */
  function raiseKey(keyId: string, client: string, rate: Rate): Quota {
    const wholeAtMs = budgets.findWholeAt(kinds.misses, keyId, client)
    budgets.raise(kinds.missesOfKey, keyId, "", wholeAtMs)
    return quotaOf("misses", rate, wholeAtMs, nowMs())
  }

  function admitRead(
    limit: "reads" | "lists",
    key: ApiKey,
    caller: Caller,
    rate: CallRate,
  ): Ticket {
    // Everybody may use the public test key.
    const client = key.id === publicTestKey.id ? clientOf(caller.address()) : ""
    const quota = () =>
      quotaOf(limit, rate, budgets.findWholeAt(kinds[limit], key.id, client), nowMs())
    const placesMax = rate.inFlightMax ?? Number.POSITIVE_INFINITY
    const place = takePlace(kinds[`${limit}InFlight`], placesMax, key.id, client)
    if (place === null) return refuse(quota())
    if (budgets.take(kinds[limit], key.id, client, rate) === null) {
      budgets.settle(place, false)
      return refuse(quota())
    }
    return { settle: quota, leave: () => budgets.settle(place, false) }
  }
  function takePlace(kind: number, placesMax: number, keyId: string, client: string): Taken | null {
    for (let place = 0; place < placesMax; place += 1) {
      const taken = budgets.takePlace(kind + place, keyId, client, placeFor)
      if (taken !== null) return taken
    }
    return null
  }

  return {
    admit(operation, key, caller) {
      if (operation === "validate_purchase") {
        // The codes of test keys are public, and promise the same answer every time.
        if (policy.misses === null || key.kind === "tk") return null
        return admitValidation(key, caller, policy.misses)
      }
      const limit = operation === "list_items" ? "lists" : "reads"
      const rate = policy[limit]
      return rate === null ? null : admitRead(limit, key, caller, rate)
    },
  }
}
