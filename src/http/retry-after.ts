/** The values of `Retry-After`, in seconds. */
import type { Reason } from "../domain/error.ts"

/** Long enough for a restart, short enough that a buyer waits and does not give up. */
export const unavailableRetryAfter = "5"

export const retryAfterSeconds: Readonly<Partial<Record<Reason, string>>> = {
  rate_limited: "1",
  unavailable: unavailableRetryAfter,
}
