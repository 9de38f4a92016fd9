/** The outcome of a request. Its response, log line and usage counts are derived from it. */
import { renderErrorBody, successBodyPrefixes } from "../contract/messages.ts"
import { type ApiKey, belongsOnServer, type Operation } from "../contract/operation.ts"
import { KeyRejected } from "../keys/key.ts"
import { RateLimited } from "../keys/rate-limits.ts"
import { DomainError, type Failure, type Reason, StoreUnavailable } from "../platform/error.ts"
import type { Bytes } from "../platform/http/compression.ts"
import { entityTag, findCurrentTag } from "../platform/http/entity-tag.ts"
import { InvalidContentLength, type KeyHeaders } from "../platform/http/parameters.ts"
import type { Locale } from "../platform/locale.ts"
import { type Signature, type SignResponse, signNothing } from "../signing/signing-key.ts"
import {
  CodeRejected,
  type RejectedCode,
  type RequestedPurchase,
} from "../usage/counted-request.ts"
import type { ApiRequestContext, Endpoint } from "./endpoint.ts"

/**
 * The language of the response, and the request headers that were read, for `Content-Language` and `Vary`.
 */
export type Variant = Readonly<{
  locale: Locale
  isLocaleNegotiated: boolean
  keyHeaders: KeyHeaders
}>

export type Outcome = Readonly<{
  status: number
  reason: Reason
  variant: Variant
  keyId: string | null
  /** False for an unknown key and for one that was found and rejected. */
  isKeyAccepted: boolean
  /** Some test codes are documented to fail. */
  isTestKey: boolean
  /** Whether a valid key belongs on a server; then web pages may not read the response. */
  hasServerKey: boolean
  /** The purchase of a valid or revoked code. Null for other responses and for test keys. */
  purchase: RequestedPurchase | null
  rejectedCode: RejectedCode | null
  /** Null with 304. */
  body: string | Bytes | ReadableStream | null
  tag: string | null
  signature: Signature | null
  retryAfterSeconds: number | null
  /** An unexpected error: logged for the operator, never sent. */
  fault: unknown
  closesConnection: boolean
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
  expired_code: 404,
  site_limit: 404,
  no_download: 404,
  unknown_path: 404,
  method_not_allowed: 405,
  too_large: 413,
  rate_limited: 429,
  unavailable: 503,
}

/**
 * The only place where an error becomes a status. A bug is a 500 and a database failure a 503; clients
 * read both as `unknown` and retry. `operation` is null if the path has none.
 */
export function failureOutcome(
  error: unknown,
  operation: Operation | null,
  variant: Variant,
  key: ApiKey | null,
  sign: SignResponse = signNothing,
): Outcome {
  const isExpected = error instanceof DomainError
  const reason = isExpected ? error.reason : "unavailable"
  const isBug = !isExpected && !(error instanceof StoreUnavailable)
  const status = isBug ? 500 : statusOf[reason]
  const body = renderErrorBody(operation, reason, variant.locale)
  const { rejected, purchase } = error instanceof CodeRejected ? error : noRejection
  const foundKey = error instanceof KeyRejected ? error.key : key
  return {
    status,
    reason,
    variant,
    keyId: foundKey?.id ?? null,
    isKeyAccepted: key !== null,
    isTestKey: key?.kind === "tk",
    // A web page may read that its key is invalid.
    hasServerKey: foundKey !== null && status !== 401 && belongsOnServer(foundKey),
    purchase: key?.kind === "tk" ? null : purchase,
    rejectedCode: rejected,
    body,
    tag: null,
    signature: sign(status, reason, body),
    retryAfterSeconds: error instanceof RateLimited ? error.retryAfterSeconds : null,
    fault: isExpected ? null : error,
    closesConnection: error instanceof InvalidContentLength,
  }
}

const noRejection = { rejected: null, purchase: null } as const

type AcceptedRequest<Result> = Readonly<{
  endpoint: Pick<Endpoint<never, never, Result>, "contentVersion" | "render">
  context: ApiRequestContext
  variant: Variant
  key: ApiKey
  sign: SignResponse
  /** Its end limits the signature. */
  purchase: RequestedPurchase | null
}>

/** Returns 304 if the client has the current version. A response that began is finished, even if its key is revoked. */
export async function renderResult<Result>(
  accepted: AcceptedRequest<Result>,
  result: Result,
): Promise<Outcome> {
  const { endpoint, context, variant, sign, purchase } = accepted
  const { headers } = context.request
  const contentVersion = endpoint.contentVersion(result)
  const tag = contentVersion === null ? null : entityTag(contentVersion, variant.locale)
  const currentTag = tag && findCurrentTag(headers, tag)
  // `*` matches any existing content, and rendering throws if a list is empty.
  const isWildcard = currentTag !== null && headers.get("if-none-match")?.includes("*")
  if (currentTag !== null && !isWildcard) return successOutcome(accepted, 304, null, currentTag)
  const body = await endpoint.render(result, successBodyPrefixes[variant.locale])
  if (currentTag !== null) return successOutcome(accepted, 304, null, currentTag)
  if (typeof body === "string")
    return successOutcome(accepted, 200, body, tag, sign(200, "ok", body, purchase?.validUntil))
  const sent = body instanceof Uint8Array ? body : new Response(reportFault(body, context)).body
  return successOutcome(accepted, 200, sent, tag)
}

/** An error aborts the connection: half a list must not look complete. */
async function* reportFault(
  chunks: AsyncIterable<Bytes>,
  { trace, ...context }: ApiRequestContext,
) {
  try {
    yield* chunks
  } catch (fault) {
    context.onStreamError(trace, fault)
    throw fault
  }
}

export const successOutcome = (
  { variant, key, purchase }: Pick<AcceptedRequest<never>, "variant" | "key" | "purchase">,
  status: 200 | 304,
  body: Outcome["body"],
  tag: string | null,
  signature: Signature | null = null,
): Outcome => ({
  status,
  reason: "ok",
  variant,
  keyId: key.id,
  isKeyAccepted: true,
  isTestKey: key.kind === "tk",
  hasServerKey: belongsOnServer(key),
  purchase: key.kind === "tk" ? null : purchase,
  rejectedCode: null,
  body,
  tag,
  signature,
  retryAfterSeconds: null,
  fault: null,
  closesConnection: false,
})
