/** Which calls count against which budget. Each thread counts in its own memory (budgets.ts). */
import { type ApiKey, publicTestKey } from "../domain/keys/api-key.ts"
import {
  type BadKeyLimit,
  type Caller,
  type CallLimits,
  type CallRate,
  type Rate,
  type RateLimitPolicy,
  type RateLimits,
  type Ticket,
  type TokenLimit,
  unlimited,
} from "../domain/running/rate-limits.ts"
import { clientOf, networkOf } from "../domain/values/network.ts"
import { type BudgetOptions, type Budgets, createBudgets } from "./budgets.ts"

export type RateLimitOptions = BudgetOptions & Readonly<{ policy: RateLimitPolicy }>

type Digest = (text: string) => string

export function createRateLimits({ policy, ...options }: RateLimitOptions): RateLimits {
  // Random, so that nobody can choose addresses or keys whose digests collide.
  const [seed] = crypto.getRandomValues(new BigUint64Array(1))
  const digest: Digest = (text) => Bun.hash(text, seed).toString(36)
  const budgets = createBudgets(options)
  return {
    calls: createCallLimits(policy, budgets, digest),
    badKeys: createBadKeyLimit(policy["bad-keys"], budgets, digest),
    tokens: createTokenLimit(policy.operator, budgets, digest),
  }
}

function createCallLimits(policy: RateLimitPolicy, budgets: Budgets, digest: Digest): CallLimits {
  const inFlight = new Map<string, number>()

  const nameOfMisses = (key: ApiKey, caller: Caller) =>
    `misses:${key.id}:${digest(clientOf(caller.address()))}`

  /** Finding out the address costs more than all the rest, so first by the key alone. */
  function checkMisses(key: ApiKey, caller: Caller, rate: Rate): void {
    if (!budgets.hasSpentMisses(key.id, rate)) return
    budgets.check(nameOfMisses(key, caller), "misses", rate)
  }
  function admitValidation(key: ApiKey, caller: Caller, rate: Rate): Ticket {
    checkMisses(key, caller, rate)
    return {
      // Again, because others may have missed meanwhile: guessing many codes at once tells no more than one by one.
      settle(reason) {
        if (reason !== "unknown_code") {
          checkMisses(key, caller, rate)
          return null
        }
        const name = nameOfMisses(key, caller)
        budgets.take(name, "misses", rate)
        return budgets.findQuota(name, "misses", rate)
      },
      leave() {},
    }
  }
  function admitRead(
    limit: "reads" | "lists",
    key: ApiKey,
    caller: Caller,
    rate: CallRate,
  ): Ticket {
    // Everybody may use the public test key.
    const who = key.id === publicTestKey.id ? digest(clientOf(caller.address())) : key.id
    const name = `${limit}:${who}`
    const before = inFlight.get(name) ?? 0
    const findQuota = () => budgets.findQuota(name, limit, rate)
    if (rate.inFlightMax !== null && before >= rate.inFlightMax) budgets.refuse(findQuota())
    budgets.take(name, limit, rate)
    inFlight.set(name, before + 1)
    return {
      settle: findQuota,
      leave() {
        const left = (inFlight.get(name) ?? 1) - 1
        if (left === 0) inFlight.delete(name)
        else inFlight.set(name, left)
      },
    }
  }
  return {
    admit(operation, key, caller) {
      if (operation === "validate_purchase" || operation === "release_site") {
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

/** A key that was good is remembered: neighbours with wrong keys cannot lock it out. */
function createBadKeyLimit(rate: Rate | null, budgets: Budgets, digest: Digest): BadKeyLimit {
  if (rate === null) return unlimited.badKeys
  const nameOfNetwork = (caller: Caller) => `bad-keys:${digest(networkOf(caller.address()))}`
  const nameOfKey = (secret: string) => `good:key:${digest(secret)}`
  return {
    // Nothing is taken yet: after a restart, many good keys are looked up at once.
    admitLookup(secret, caller) {
      if (budgets.isRemembered(nameOfKey(secret))) return true
      budgets.check(nameOfNetwork(caller), "bad-keys", rate)
      return false
    },
    accept: (secret) => budgets.remember(nameOfKey(secret)),
    countRefused: (caller) => budgets.take(nameOfNetwork(caller), "bad-keys", rate),
  }
}

function createTokenLimit(rate: Rate | null, budgets: Budgets, digest: Digest): TokenLimit {
  if (rate === null) return unlimited.tokens
  return {
    check(caller, isRight) {
      const network = digest(networkOf(caller.address()))
      const [wrong, good] = [`operator:${network}`, `good:network:${network}`]
      if (!budgets.isRemembered(good)) budgets.check(wrong, "operator", rate)
      if (!isRight()) {
        budgets.take(wrong, "operator", rate)
        return false
      }
      budgets.remember(good)
      return true
    },
  }
}
