/**
 * Calls with an accepted key.
 *
 * A validation reserves one miss before it asks the store, and gives it back unless it finds nothing. Misses are
 * counted by key and address, but finding out the address costs more than all the rest. Most calls pass the
 * gate of their key instead (key-gates.ts), and only their misses are counted by address.
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
import { budgetKinds } from "./budget-kinds.ts"
import { type Budgets, quotaOf, refusal, type Taken } from "./budgets.ts"
import type { KeyGates } from "./key-gates.ts"
import type { KeyedHash } from "./keyed-hash.ts"
import type { OnSpent } from "./spent-elsewhere.ts"

/** A place in flight that was not given back is free after this time, which is longer than any answer takes. */
const placeRate: Rate = { intervalMs: 600_000, burst: 1 }

/** The longest wait for open calls. Each is twice as long as the one before: half a second together. */
const waitMsMax = 256

export type CallLimitOptions = Readonly<{
  policy: Pick<RateLimitPolicy, "reads" | "lists" | "misses">
  budgets: Budgets
  gates: KeyGates
  hashOf: KeyedHash
  onSpent: OnSpent
  nowMs(): number
  sleep(ms: number): Promise<void>
  onRefused(limit: LimitName): void
}>

export function createCallLimits(options: CallLimitOptions): CallLimits {
  const { policy, budgets, gates, hashOf, onSpent, nowMs, sleep } = options
  // A cached key is the same object on every call, and looking it up costs less than hashing.
  const gateOfKey = new WeakMap<ApiKey, number>()
  function refuse(quota: Quota): never {
    options.onRefused(quota.limit)
    throw refusal(quota)
  }

  function admitValidation(key: ApiKey, caller: Caller, rate: Rate): Awaitable<Ticket> {
    const gate = findGate(key)
    if (!gates.enter(gate, rate)) return admitByAddress(key, gate, caller, rate)
    return {
      settle(reason) {
        let quota: Quota | null = null
        if (reason === "unknown_code") {
          const client = clientOf(caller.address())
          onSpent(budgets.spend(budgetKinds.misses, key.id, client, rate), gate)
          quota = raiseGate(gate, key, client, rate)
        }
        // After the miss is counted for its address, so that no call passes in between.
        gates.leave(gate)
        return quota
      },
      leave() {},
    }
  }
  async function admitByAddress(
    key: ApiKey,
    gate: number,
    caller: Caller,
    rate: Rate,
  ): Promise<Ticket> {
    const client = clientOf(caller.address())
    for (let waitMs = 1; ; waitMs *= 2) {
      const isLast = waitMs > waitMsMax
      const taken = budgets.take(budgetKinds.misses, key.id, client, rate)
      const quota = raiseGate(gate, key, client, rate)
      if (taken !== null) {
        // The open calls of the gate may all be from this address, and are not in its budget yet. But calls that
        // hang must not keep the other addresses out: each may have one call.
        const isOnly = quota.remaining === rate.burst - 1
        if (gates.countOpen(gate) <= quota.remaining || (isLast && isOnly)) {
          return {
            settle(reason) {
              const isMiss = reason === "unknown_code"
              budgets.settle(taken, isMiss)
              if (!isMiss) return null
              onSpent(taken, gate)
              return raiseGate(gate, key, client, rate)
            },
            leave() {},
          }
        }
        budgets.settle(taken, false)
      }
      const isSpent = quota.remaining + budgets.countOpen(budgetKinds.misses, key.id, client) === 0
      if (isSpent || isLast) return refuse(quota)
      // Wait for the open calls: those that find a purchase give back what they took.
      await sleep(waitMs)
    }
  }
  /** Returns what is left to the address. */
  function raiseGate(gate: number, { id }: ApiKey, client: string, rate: Rate): Quota {
    const wholeAtMs = budgets.findWholeAt(budgetKinds.misses, id, client)
    gates.raise(gate, wholeAtMs)
    return quotaOf("misses", rate, wholeAtMs, nowMs())
  }
  function findGate(key: ApiKey): number {
    const known = gateOfKey.get(key)
    if (known !== undefined) return known
    const gate = gates.gateOf(hashOf(budgetKinds.missesOfKey, key.id, "")[0] ?? 0)
    gateOfKey.set(key, gate)
    return gate
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
      quotaOf(limit, rate, budgets.findWholeAt(budgetKinds[limit], key.id, client), nowMs())
    const placesMax = rate.inFlightMax ?? Number.POSITIVE_INFINITY
    const place = takePlace(budgetKinds[`${limit}InFlight`], placesMax, key.id, client)
    if (place === null) return refuse(quota())
    const taken = budgets.take(budgetKinds[limit], key.id, client, rate)
    if (taken === null) {
      budgets.settle(place, false)
      return refuse(quota())
    }
    onSpent(taken, -1)
    return { settle: quota, leave: () => budgets.settle(place, false) }
  }
  function takePlace(kind: number, placesMax: number, keyId: string, client: string): Taken | null {
    for (let place = 0; place < placesMax; place += 1) {
      const taken = budgets.takePlace(kind + place, keyId, client, placeRate)
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
