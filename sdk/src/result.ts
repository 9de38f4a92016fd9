import type { Item, Purchase } from "./wire.ts"

export type Result = Readonly<{
  /** Run the product while true: after `valid` until `invalid`, also during outages. The first `site_limit` ends it after three days. */
  isActive: boolean
  /** `unknown` is a temporary error. Never lock a product because of it. */
  state: "valid" | "invalid" | "unknown"
  /** Error code; empty if the state is `valid`. `store_not_writable` also with `valid`: the next page load will not know it. */
  reason: string
  /** Null unless the state is `valid`. */
  purchase: Purchase | null
  /** The item of the last valid response with its version, while `mayUpdate`; otherwise null. */
  item: Item | null
  /** Seconds until the next request is due. */
  retryAfter: number
  /** `server`: this call. `cache`: stored within a day, or `unknown` without a request. `receipt`: older, or imported. */
  source: "server" | "cache" | "receipt"
  /** False without the option `keys`: anyone on the network path can forge responses then. */
  isVerified: boolean
  isValid: boolean
  /** The subscription has ended. The product validates again by itself after a renewal. */
  isExpired: boolean
  /** True if valid and `supportedUntil` is in the future. */
  isSupported: boolean
  /** From the last valid response. Null without support, or if the code was never valid. */
  supportedUntil: Date | null
  /** Offer updates while true: the code was valid once, and the last verdict is not `invalid`. */
  mayUpdate: boolean
}>

/** The result of `release` and `download`. `absent`: the code is invalid or not activated on the site, or there is no download. */
export type Release<Done extends string = "released"> = Readonly<{
  state: Done | "absent" | "unknown"
  /** Error code; empty if the state is `released` or `ready`. */
  reason: string
  /** Seconds from the header `Retry-After`; 0 without one. */
  retryAfter: number
}>

/** `url` serves the update for 15 minutes without a key; empty unless the state is `ready`. */
export type Download = Release<"ready"> & Readonly<{ url: string }>

/** A failed request, or a response without a verdict. */
export type UnknownResult = Readonly<{ state: "unknown"; reason: string; retryAfter: number }>

export const unknownResult = (reason: string, retryAfter = 0): UnknownResult => ({
  state: "unknown",
  reason,
  retryAfter,
})
