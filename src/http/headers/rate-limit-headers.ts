/** `RateLimit` and `RateLimit-Policy` as in draft-ietf-httpapi-ratelimit-headers-10. */
import type { Quota } from "../../domain/running/rate-limits.ts"

/** `Retry-After` is only for a call that was refused. */
export function setRateLimitHeaders(headers: Headers, quota: Quota, isRefused: boolean): void {
  const { limit, rate, remaining, resetSeconds, retryAfterSeconds } = quota
  const windowSeconds = Math.ceil((rate.burst * rate.intervalMs) / 1000)
  headers.set("RateLimit-Policy", `"${limit}";q=${rate.burst};w=${windowSeconds}`)
  headers.set("RateLimit", `"${limit}";r=${remaining};t=${resetSeconds}`)
  if (isRefused) headers.set("Retry-After", String(retryAfterSeconds))
}
