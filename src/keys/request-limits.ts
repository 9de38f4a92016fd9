/** Rate limits and the limit of requests in flight. Each thread has its own counts, and its part of most rate limits. */

import type { ApiKey, Operation } from "../contract/operation.ts"
import { DomainError, type Reason } from "../platform/error.ts"
import type { Caller } from "../platform/ip-range.ts"

/** Allows `burst` requests immediately, then one per `intervalMs`. */
export type Rate = Readonly<{ burst: number; intervalMs: number }>

/** The limit of `PAZAR_RATE_LIMIT=on`: more failed validations than a person mistypes in the window. */
export const failuresMaxDefault = 60
export const failuresWindowMs = 600_000
/** More for each different valid code of the last day: many buyers may share an address with one faulty product. */
export const failuresPerValidCode = 2
/** Of an address with many valid codes. docs/threat-model.md calculates with it. */
export const sharedFailuresMax = 1_000
/** The addresses of an IP range may send this many times the wrong codes of one on `/license`. */
export const buyerRangeFactor = 10
/**
 * A web page that shows the items of an author sends a few dozen reads. Not divided by the threads: all requests of a
 * connection are served by one, and the reads of a thread do not delay another.
 */
export const readRate: Rate = { burst: 50, intervalMs: 100 }
export const listCost = 10
export const invalidKeyRate: Rate = { burst: 40, intervalMs: 50 }
const dayMs = 86_400_000
/** New sites of a purchase that are rejected. */
export const rejectedSitesRate: Rate = { burst: 20, intervalMs: dayMs / 20 }
/** Those of one address, before active sites of the purchase are withheld from it: buyers share addresses with others. */
export const proberRate: Rate = { burst: 5, intervalMs: dayMs / 5 }
export const rejectedSiteMs = dayMs

export const limitPerThread = (limit: number, threads: number) => Math.ceil(limit / threads)

export class RateLimited extends DomainError {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super("rate_limited")
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** `purchase` is that of a valid code. */
export type LimitedOutcome = Readonly<{
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
