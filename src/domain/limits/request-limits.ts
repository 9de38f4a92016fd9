/** Rate limits and the limit of requests in flight: ports that respond from the memory of one thread. */
import type { ApiKey, Operation } from "../keys/api-key.ts"
import { DomainError, type Reason } from "../values/error.ts"

export class RateLimited extends DomainError {
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super("rate_limited")
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Finding out the address takes a microsecond, so it is done once, and only where it is needed. */
export type Caller = Readonly<{ address(): string }>

/** Every method may throw RateLimited. */
export interface RateLimits {
  /** Before an operation with an accepted key. */
  admit(operation: Operation, key: ApiKey, caller: Caller): void
  /**
   * When the reason of the response is known: only failed validations count. Throws also for a valid code if concurrent
   * requests have used up the limit: sending many guesses concurrently tells no more than one after the other.
   */
  recordOutcome(operation: Operation, key: ApiKey, caller: Caller, reason: Reason): void
  /** Before a key is looked up that is not known to be valid. */
  admitLookup(caller: Caller): void
  /** Before a request with an invalid key or operator token is rejected. */
  countInvalid(caller: Caller): void
}

/** For callers inside the program, and for `PAZAR_RATE_LIMIT=off`. */
export const unlimited: RateLimits = {
  admit() {},
  recordOutcome() {},
  admitLookup() {},
  countInvalid() {},
}

/** A request is in flight from when its body was read until its response is made. */
export interface InFlight {
  /** False if there are too many: the request is rejected, and must not `leave`. */
  enter(): boolean
  leave(): void
  /** Pages have a smaller limit of their own. */
  enterPage(): boolean
  leavePage(): void
  /** Waits for a form: a client may take its time, and must not keep others out. */
  whilePaused<T>(form: Promise<T>): Promise<T>
  count(): number
}
