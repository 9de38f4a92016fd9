/** What a product learns about a purchase code. */
import type { Purchase } from "./wire.ts"

/** The result of `cached` and `check`. */
export type Result = Readonly<{
  /** Products run while this is true: after a valid response, until an invalid one. Outages do not end it. */
  isActive: boolean
  /** `unknown` is a temporary error, never a reason to lock a product. */
  state: "valid" | "invalid" | "unknown"
  /** The error code; empty if the state is `valid`. */
  reason: string
  /** Only if the state is `valid`. */
  purchase: Purchase | null
  /** Seconds until the next request makes sense. */
  retryAfter: number
  /** `server`: a request was sent now. `cache`: the last response is fresh. `receipt`: offline grace period, or imported. */
  source: "server" | "cache" | "receipt"
  /** Whether the signature of a pinned key proves the state. Always false without the option `keys`. */
  isVerified: boolean
  /** The state is `valid`. */
  isValid: boolean
  /** Valid, and `supportedUntil` is in the future. */
  isSupported: boolean
  /** Null if the purchase has no support, or the code was never valid. */
  supportedUntil: Date | null
  /** Whether to offer updates: the code was valid once, and the last verdict is not `invalid`. */
  mayUpdate: boolean
}>

/** The result of `release`. `absent`: not a valid code, or not in use on this site. */
export type Release = Readonly<{
  state: "released" | "absent" | "unknown"
  /** The error code; empty if the state is `released`. */
  reason: string
  /** Seconds. */
  retryAfter: number
}>

/** A response without a verdict, or none. */
export type Unknown = Readonly<{ state: "unknown"; reason: string; retryAfter: number }>

export const unknown = (reason: string, retryAfter = 0): Unknown => ({
  state: "unknown",
  reason,
  retryAfter,
})
