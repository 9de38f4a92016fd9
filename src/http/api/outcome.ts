/** The outcome of a request: its response, log line and usage count are made of it. */
import { type ApiKey, belongsOnServer, type Operation } from "../../domain/api-key.ts"
import {
  CodeRevoked,
  DomainError,
  type Failure,
  KeyRefused,
  type Reason,
} from "../../domain/error.ts"
import type { AskedPurchase } from "../../domain/purchase.ts"
import { type Quota, RateLimited, type Ticket } from "../../domain/rate-limits.ts"
import { type SignAnswer, type SignatureHeaders, signNothing } from "../../domain/signed-answer.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { UntrustedLength } from "./body.ts"
import { watchEnd } from "./body-bytes.ts"
import type { KeyHeaders } from "./credentials.ts"
import { type Locale, renderErrorBody } from "./messages.ts"

/** The rendering, and what was read to choose it and to find the key: `Content-Language` and `Vary`. */
export type Variant = Readonly<{
  locale: Locale
  isLocaleNegotiated: boolean
  keyHeaders: KeyHeaders
}>

export type Outcome = Readonly<{
  status: number
  reason: Reason
  variant: Variant
  /** Null until a key was found. */
  keyId: string | null
  /** False for a key that was found and refused. */
  isKeyAccepted: boolean
  /** Whether an accepted key belongs on a server; then no web page may read the answer. */
  hasServerKey: boolean
  /** The purchase of a valid or revoked code; null for other answers, and for test keys: theirs are samples. */
  purchase: AskedPurchase | null
  /** Null with 304. */
  body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream | null
  tag: string | null
  isGzip: boolean
  /** Null where the answer is not signed. */
  signature: SignatureHeaders | null
  /** The rest of a rate limit, where the answer tells it. */
  quota: Quota | null
  /** An unexpected error: for the operator's log, never sent. */
  fault: unknown
  /** Whether the connection must end with this answer. */
  isLast: boolean
}>

const statusOf: Readonly<Record<Failure, number>> = {
  missing_key: 401,
  unknown_key: 401,
  revoked_key: 401,
  expired_key: 401,
  key_not_allowed: 403,
  account_suspended: 403,
  missing_parameter: 400,
  invalid_parameter: 400,
  no_items: 404,
  unknown_item: 404,
  unknown_code: 404,
  revoked_code: 404,
  unknown_path: 404,
  method_not_allowed: 405,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
}

/**
 * The one place where an error becomes a status. A bug is a 500 and trouble with the store a 503; to the
 * caller both say "cannot tell, try again". `operation` is null where the path names none.
 */
export function failureOutcome(
  error: unknown,
  operation: Operation | null,
  variant: Variant,
  key: ApiKey | null,
  sign: SignAnswer = signNothing,
): Outcome {
  const isExpected = error instanceof DomainError
  const reason = isExpected ? error.reason : "unavailable"
  const isBug = !isExpected && !(error instanceof StoreUnavailable)
  const status = isBug ? 500 : statusOf[reason]
  const body = renderErrorBody(operation, reason, variant.locale)
  return {
    status,
    reason,
    variant,
    keyId: key?.id ?? (error instanceof KeyRefused ? error.keyId : null),
    isKeyAccepted: key !== null,
    hasServerKey: key !== null && belongsOnServer(key),
    purchase: error instanceof CodeRevoked && key?.kind !== "tk" ? error.purchase : null,
    body,
    tag: null,
    isGzip: false,
    signature: sign(status, reason, body),
    quota: error instanceof RateLimited ? error.quota : null,
    fault: isExpected ? null : error,
    isLast: error instanceof UntrustedLength,
  }
}

/** The call is in flight until its answer has been read. Throws RateLimited. */
export function settleTicket(ticket: Ticket, outcome: Outcome): Outcome {
  const quota = ticket.settle(outcome.reason)
  const { body } = outcome
  if (!(body instanceof ReadableStream)) ticket.leave()
  else return { ...outcome, quota, body: watchEnd(body, () => ticket.leave()) }
  return quota === null ? outcome : { ...outcome, quota }
}
