/**
 * The rate limits of one thread, by the generic cell rate algorithm (GCRA): each limit is stored as the time at which
 * it is unused again, and each request advances this time by `intervalMs`.
 */

import { type ApiKey, type Operation, publicTestKey } from "../contract/operation.ts"
import { createBoundedMap } from "../platform/collections.ts"
import { DomainError, type Reason } from "../platform/error.ts"
import { type Caller, clientOf, ipRangeOf } from "../platform/ip-range.ts"
import { isList, productOperations } from "./key.ts"

/** Bounds memory: about 10 MB when both generations of the map are full. */
const namesPerGenerationMax = 50_000
/** Tolerates rounding: sums of intervals are not exact in a double. */
const slackMs = 0.001

function createLimiter(nowMs: () => number) {
  const unusedAt = createBoundedMap<number>(namesPerGenerationMax)

  function findWaitMs(name: string, { burst, intervalMs }: Rate, cost = 1): number {
    const at = unusedAt.find(name)
    if (at === undefined) return 0
    const waitMs = at - nowMs() - (burst - cost) * intervalMs
    return waitMs > slackMs ? waitMs : 0
  }
  function check(name: string, rate: Rate, cost = 1): void {
    const waitMs = findWaitMs(name, rate, cost)
    if (waitMs > 0) throw new RateLimited(Math.ceil(waitMs / 1000))
  }
  function take(name: string, rate: Rate, cost = 1): number {
    check(name, rate, cost)
    const at = Math.max(unusedAt.find(name) ?? 0, nowMs()) + cost * rate.intervalMs
    unusedAt.set(name, at)
    return at
  }
  return {
    unusedAt,
    isSpent: (name: string, rate: Rate) => findWaitMs(name, rate) > 0,
    check,
    take,
  }
}

/**
 * `failuresMax` is the number of failed validations per key and address in ten minutes, and of a buyer's wrong codes and
 * releases per address, on all threads; null disables all limits.
 */
export function createRateLimits(
  failuresMax: number | null,
  threads: number,
  nowMs: () => number,
): RateLimits {
  if (failuresMax === null) return unlimited
  const failuresRate = (burst: number): Rate => ({ burst, intervalMs: failuresWindowMs / burst })
  const failures = failuresRate(limitPerThread(failuresMax, threads))
  const buyerRange = failuresRate(limitPerThread(failuresMax * buyerRangeFactor, threads))
  const sharedMax = limitPerThread(sharedFailuresMax, threads)
  const divide = ({ burst, intervalMs }: Rate): Rate => ({
    burst: limitPerThread(burst, threads),
    intervalMs: intervalMs * threads,
  })
  const invalidKeys = divide(invalidKeyRate)
  const rejectedSites = divide(rejectedSitesRate)
  const probers = divide(proberRate)
  const validCodes = createValidCodes(nowMs)
  const { unusedAt, isSpent, check, take } = createLimiter(nowMs)

  /** Counted per address: the key in a product is public, and a limit per key would let anybody lock out all buyers. */
  function findFailures(key: ApiKey, caller: Caller) {
    const client = clientOf(caller.address())
    const shared = failures.burst + failuresPerValidCode * validCodes.count(client)
    const burst = Math.max(failures.burst, Math.min(shared, sharedMax))
    return [`failures ${key.id} ${client}`, failuresRate(burst)] as const
  }
  function checkFailures(key: ApiKey, caller: Caller): void {
    const at = unusedAt.find(key.id)
    if (at === undefined || at - nowMs() <= failuresWindowMs - failures.intervalMs) return
    check(...findFailures(key, caller))
  }
  /** The latest time of all purchases. Most active sites can be admitted without a look-up. */
  let spentUntilMs = 0
  const nameProber = (code: string, caller: Caller) =>
    `prober ${clientOf(caller.address())} ${code}`
  const listBuyerLimits = (caller: Caller) =>
    [
      [`buyer ${clientOf(caller.address())}`, failures],
      [`buyers ${ipRangeOf(caller.address())}`, buyerRange],
    ] as const
  const nameInvalid = (caller: Caller) => `invalid ${ipRangeOf(caller.address())}`

  return {
    admit(operation, key, caller) {
      if (countsFailures(operation)) {
        if (key.kind !== "tk") checkFailures(key, caller)
        return
      }
      // The public test key has many users, so it is limited per address.
      const reader = key.id === publicTestKey.id ? clientOf(caller.address()) : key.id
      take(`reads ${reader}`, readRate, isList(operation) ? listCost : 1)
    },
    recordOutcome(operation, key, caller, { reason, purchase }) {
      // Test codes are public, and their responses are documented to be repeatable.
      if (!countsFailures(operation) || key.kind === "tk") return
      if (reason === "unknown_code") {
        const at = take(...findFailures(key, caller))
        // The latest time of all addresses of the key. Most validations can be admitted without resolving their address.
        unusedAt.set(key.id, Math.max(unusedAt.find(key.id) ?? 0, at))
        return
      }
      checkFailures(key, caller)
      if (reason === "ok" && purchase !== null)
        validCodes.add(clientOf(caller.address()), purchase.code)
    },
    countRejectedSite(code, site, caller) {
      const siteName = `site ${code}\n${site}`
      if ((unusedAt.find(siteName) ?? 0) > nowMs()) return
      const prober = nameProber(code, caller)
      if (!isSpent(prober, probers)) take(prober, probers)
      const { burst, intervalMs } = rejectedSites
      const at = take(`sites ${code}`, rejectedSites)
      spentUntilMs = Math.max(spentUntilMs, at - (burst - 1) * intervalMs)
      unusedAt.set(siteName, nowMs() + rejectedSiteMs)
    },
    admitSite(code, caller) {
      if (nowMs() < spentUntilMs && isSpent(`sites ${code}`, rejectedSites))
        check(nameProber(code, caller), probers)
    },
    admitLookup: (caller) => check(nameInvalid(caller), invalidKeys),
    countInvalid(caller) {
      take(nameInvalid(caller), invalidKeys)
    },
    admitBuyer(caller) {
      for (const [name, rate] of listBuyerLimits(caller)) check(name, rate)
    },
    countBuyer(caller) {
      for (const [name, rate] of listBuyerLimits(caller)) take(name, rate)
    },
  }
}

const countsFailures = (operation: Operation) => productOperations.includes(operation)

/** Allows `burst` requests immediately, then one per `intervalMs`. */
type Rate = Readonly<{ burst: number; intervalMs: number }>

/** The limit of `PAZAR_RATE_LIMIT=on`: more failed validations than a person mistypes in the window. */
export const failuresMaxDefault = 60
const failuresWindowMs = 600_000
/** More for each different valid code of the last day: many buyers may share an address with one faulty product. */
const failuresPerValidCode = 2
/** Of an address with many valid codes. docs/threat-model.md calculates with it. */
const sharedFailuresMax = 1_000
/** The addresses of an IP range may send this many times the wrong codes of one on `/license`. */
const buyerRangeFactor = 10
/**
 * A web page that shows the items of an author sends a few dozen reads. Not divided by the threads: all requests of a
 * connection are served by one, and the reads of a thread do not delay another.
 */
const readRate: Rate = { burst: 50, intervalMs: 100 }
const listCost = 10
const invalidKeyRate: Rate = { burst: 40, intervalMs: 50 }
const dayMs = 86_400_000
/** New sites of a purchase that are rejected. */
export const rejectedSitesRate: Rate = { burst: 20, intervalMs: dayMs / 20 }
/** Those of one address, before active sites of the purchase are withheld from it: buyers share addresses with others. */
const proberRate: Rate = { burst: 5, intervalMs: dayMs / 5 }
const rejectedSiteMs = dayMs

export const limitPerThread = (limit: number, threads: number) => Math.ceil(limit / threads)

export class RateLimited extends DomainError {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super("rate_limited")
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** `purchase` is that of a valid code. */
type LimitedOutcome = Readonly<{
  reason: Reason
  purchase: Readonly<{ code: string }> | null
}>

/** Every method may throw RateLimited. */
export interface RateLimits {
  admit(operation: Operation, key: ApiKey, caller: Caller): void
  /**
   * Counts failed validations, and different valid codes, which raise the limit of their address. Also throws for a valid
   * code: concurrent guesses reveal no more than sequential ones.
   */
  recordOutcome(operation: Operation, key: ApiKey, caller: Caller, outcome: LimitedOutcome): void
  /** Called before the look-up of a key that is not known to be valid. */
  admitLookup(caller: Caller): void
  /** Called before an invalid API key or operator token is rejected. */
  countInvalid(caller: Caller): void
  /** Called before and after the look-up of a code that a buyer entered. */
  admitBuyer(caller: Caller): void
  /** Called before a rejected site of a purchase is reported. The same site counts once a day. */
  countRejectedSite(code: string, site: string, caller: Caller): void
  /**
   * Called before an active site of a purchase is confirmed or released. Throws if the purchase has no rejected sites left
   * and the caller sent several of them: a right guess must look like a wrong one, but not to other callers.
   */
  admitSite(code: string, caller: Caller): void
  /** Called before a buyer's unknown code is rejected, and before a buyer releases a site. */
  countBuyer(caller: Caller): void
}

/** For internal callers, and for `PAZAR_RATE_LIMIT=off`. */
export const unlimited: RateLimits = {
  admit() {},
  recordOutcome() {},
  admitLookup() {},
  countInvalid() {},
  admitBuyer() {},
  countBuyer() {},
  countRejectedSite() {},
  admitSite() {},
}

/** Bounds memory: about 18 MB when both generations of the map are full. An address that validates often stays. */
const addressesPerGenerationMax = 25_000
const windowMs = 86_400_000
/** Words of 32 bits per window: 470 codes are counted within 4 %. */
const words = 16
const bits = 32 * words

/**
 * Estimates how many different codes an address validated, by linear counting: each code sets one bit of the running
 * day, and the unset bits of this day and the day before show how many codes there were.
 */
function createValidCodes(nowMs: () => number) {
  const sketches =
    createBoundedMap<Readonly<{ window: number; days: Uint32Array }>>(addressesPerGenerationMax)
  const currentWindow = () => Math.floor(nowMs() / windowMs)

  /** The words of the running day, then those of the day before. */
  function findDays(address: string): Uint32Array | null {
    const sketch = sketches.find(address)
    const age = sketch === undefined ? 2 : currentWindow() - sketch.window
    if (sketch === undefined || age >= 2) return null
    if (age === 0) return sketch.days
    const days = new Uint32Array(2 * words)
    days.set(sketch.days.subarray(0, words), words)
    return days
  }
  return {
    add(address: string, code: string): void {
      const days = findDays(address) ?? new Uint32Array(2 * words)
      const bit = Bun.hash.xxHash32(code) % bits
      days[bit >>> 5] = (days[bit >>> 5] ?? 0) | (1 << (bit & 31))
      sketches.set(address, { window: currentWindow(), days })
    },
    /** In the last 24 to 48 hours. */
    count(address: string): number {
      const days = findDays(address)
      if (days === null) return 0
      let unset = 0
      for (let at = 0; at < words; at += 1)
        unset += 32 - countBits((days[at] ?? 0) | (days[at + words] ?? 0))
      return Math.round(bits * Math.log(bits / Math.max(1, unset)))
    },
  }
}

function countBits(word: number): number {
  let count = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) count += 1
  return count
}
