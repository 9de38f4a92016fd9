import type { Failure, TransportFailure } from "./outcome.ts"

/** A read (account, items, item) failed. `cause` is the error behind it, if there was one. */
export class PazarError extends Error {
  override name = "PazarError"
  readonly reason: Failure | TransportFailure
  /** The HTTP status; 0 if there was no response. */
  readonly status: number
  /** For the operator, when asking for help. */
  readonly requestId: string | undefined

  constructor(
    reason: PazarError["reason"],
    details: Readonly<{ status?: number; requestId?: string | undefined; cause?: unknown }>,
  ) {
    super(reason, { cause: details.cause })
    this.reason = reason
    this.status = details.status ?? 0
    this.requestId = details.requestId
  }
}
