/**
 * The rate limits of one thread, by the generic cell rate algorithm: one number says how much of a limit is used. It is
 * the time at which nothing of it is used any more; each request moves it on by `intervalMs`.
 */
import { type ApiKey, type Operation, publicTestKey } from "../domain/keys/api-key.ts"
import {
  type Caller,
  RateLimited,
  type RateLimits,
  unlimited,
} from "../domain/limits/request-limits.ts"
import { createBoundedMap } from "../domain/values/bounded-map.ts"
import { clientOf, ipRangeOf } from "../domain/values/ip-range.ts"

/** `burst` immediately, then one every `intervalMs`. */
type Rate = Readonly<{ burst: number; intervalMs: number }>

const failuresWindowMs = 600_000
/** A page that shows an author's items reads a few dozen. */
const reads: Rate = { burst: 50, intervalMs: 100 }
/** A list of all items costs as much as this many reads. */
const listCost = 10
const invalidKeys: Rate = { burst: 40, intervalMs: 50 }

/** Bounds memory: about 10 MB when two generations are full. */
const namesOfGeneration = 50_000
/** Sums of intervals are not exact in a double. */
const slackMs = 0.001

/** `failuresMax` is how many failed validations a key may make from one address in ten minutes; null: no limits. */
export function createRateLimits(failuresMax: number | null, nowMs: () => number): RateLimits {
  if (failuresMax === null) return unlimited
  const failures: Rate = { burst: failuresMax, intervalMs: failuresWindowMs / failuresMax }
  const unusedAt = createBoundedMap<number>(namesOfGeneration)

  function check(name: string, { burst, intervalMs }: Rate, cost = 1): void {
    const at = unusedAt.find(name)
    if (at === undefined) return
    const waitMs = at - nowMs() - (burst - cost) * intervalMs
    if (waitMs > slackMs) throw new RateLimited(Math.ceil(waitMs / 1000))
  }
  function take(name: string, rate: Rate, cost = 1): number {
    check(name, rate, cost)
    const at = Math.max(unusedAt.find(name) ?? 0, nowMs()) + cost * rate.intervalMs
    unusedAt.set(name, at)
    return at
  }

  /** A key inside a product is public: counted by the key alone, anybody could lock out all buyers. */
  const nameOfFailures = (key: ApiKey, caller: Caller) =>
    `failures ${key.id} ${clientOf(caller.address())}`
  function checkFailures(key: ApiKey, caller: Caller): void {
    const at = unusedAt.find(key.id)
    if (at === undefined || at - nowMs() <= failuresWindowMs - failures.intervalMs) return
    check(nameOfFailures(key, caller), failures)
  }
  function countFailure(key: ApiKey, caller: Caller): void {
    const at = take(nameOfFailures(key, caller), failures)
    // The latest of all addresses of the key: most validations need not find out their address.
    unusedAt.set(key.id, Math.max(unusedAt.find(key.id) ?? 0, at))
  }
  const nameOfInvalid = (caller: Caller) => `invalid ${ipRangeOf(caller.address())}`

  return {
    admit(operation, key, caller) {
      if (countsFailures(operation)) {
        if (key.kind !== "tk") checkFailures(key, caller)
        return
      }
      // Everybody may use the public test key.
      const reader = key.id === publicTestKey.id ? clientOf(caller.address()) : key.id
      take(`reads ${reader}`, reads, operation === "list_items" ? listCost : 1)
    },
    recordOutcome(operation, key, caller, reason) {
      // The codes of test keys are public, and promise the same response every time.
      if (!countsFailures(operation) || key.kind === "tk") return
      if (reason === "unknown_code") countFailure(key, caller)
      else checkFailures(key, caller)
    },
    admitLookup: (caller) => check(nameOfInvalid(caller), invalidKeys),
    countInvalid(caller) {
      take(nameOfInvalid(caller), invalidKeys)
    },
  }
}

const countsFailures = (operation: Operation) =>
  operation === "validate_purchase" || operation === "release_site"
