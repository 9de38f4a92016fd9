/**
 * How often a caller may ask. The ports are asked before the store is, and answer from memory. A refusal
 * writes no store.
 */
import type { ApiKey, Operation } from "../keys/api-key.ts"
import { DomainError, type Reason } from "../values/error.ts"

export const limitNames = ["bad-keys", "operator", "reads", "lists", "misses"] as const
export type LimitName = (typeof limitNames)[number]

/** `burst` at once, then one every `intervalMs`. */
export type Rate = Readonly<{ intervalMs: number; burst: number }>
/** `inFlightMax` is null where calls in flight are not counted. */
export type CallRate = Rate & Readonly<{ inFlightMax: number | null }>

/** Null for what is not limited. */
export type RateLimitPolicy = Readonly<Record<LimitName, CallRate | null>>

/** The rest of a budget, as the answer tells the caller. `releases` are those of a purchase, counted in the store. */
export type Quota = Readonly<{
  limit: LimitName | "releases"
  rate: Rate
  remaining: number
  /** Until the budget is whole again. */
  resetSeconds: number
  /** Until the next call is allowed; 0 if it is allowed now. */
  retryAfterSeconds: number
}>

export class RateLimited extends DomainError {
  readonly quota: Quota

  constructor(quota: Quota) {
    super("rate_limited")
    this.quota = quota
  }
}

/** Finding out the address takes a microsecond, so it is done once, and only where it is needed. */
export type Caller = Readonly<{ address(): string }>

export type Ticket = Readonly<{
  /**
   * Called when the outcome is known: of validations, only those that find nothing count. Returns what is
   * left, for the answers that tell it. Throws RateLimited if misses have used up the budget meanwhile.
   */
  settle(reason: Reason): Quota | null
  /** Called when the answer was sent or given up. */
  leave(): void
}>

/** Calls with an accepted key. */
export interface CallLimits {
  /** Throws RateLimited. Null for a call that is not limited. */
  admit(operation: Operation, key: ApiKey, caller: Caller): Ticket | null
}

/** Answers to keys that are unknown, revoked, expired or of a suspended account. */
export interface BadKeyLimit {
  /** Before a key is looked up. True for a key that was good before; for others it may throw RateLimited. */
  admitLookup(secret: string, caller: Caller): boolean
  /** A key that was looked up is good, and was not known to be. */
  accept(secret: string): void
  /** Before a key is refused. Throws RateLimited. */
  countRefused(caller: Caller): void
}

/** Wrong tokens on the paths of the operator. */
export interface TokenLimit {
  /** Returns the result of `isRight`. Throws RateLimited after too many wrong tokens from a network. */
  check(caller: Caller, isRight: () => boolean): boolean
}

export type RateLimits = Readonly<{ calls: CallLimits; badKeys: BadKeyLimit; tokens: TokenLimit }>

/** For callers inside the program. */
export const unlimited: RateLimits = {
  calls: { admit: () => null },
  badKeys: { admitLookup: () => true, accept: () => {}, countRefused: () => {} },
  tokens: { check: (_, isRight) => isRight() },
}
