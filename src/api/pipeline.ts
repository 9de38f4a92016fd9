/**
 * Handles a request under /api: locale → method → body → parameters → key → rights → rate limit → input →
 * challenge → operation → render → outcome, signed if the client sent a challenge.
 */

import { type ApiKey, belongsOnServer, type Operation } from "../contract/operation.ts"
import { renderErrorBody, successBodyPrefixes } from "../contract/response.ts"
import { authenticate } from "../keys/authenticate-operations.ts"
import { isList, KeyRejected, mayPerform } from "../keys/key.ts"
import { RateLimited } from "../keys/rate-limits.ts"
import { DomainError, type Failure, type Reason, StoreUnavailable } from "../platform/error.ts"
import { type Bytes, entityTag, findCurrentTag } from "../platform/http/compression.ts"
import { findLocale, negotiateLocale } from "../platform/http/locale.ts"
import {
  InvalidContentLength,
  type KeyHeaders,
  type Parameters,
  parametersOf,
  queryParameters,
  readBody,
} from "../platform/http/parameters.ts"
import { queryOf } from "../platform/http/request-head.ts"
import type { Locale } from "../platform/locale.ts"
import { trimWhitespace } from "../platform/text.ts"
import { type Deadline, openRequestDeadline } from "../platform/timers.ts"
import { type Signature, type SignResponse, signNothing } from "../signing/signing-key.ts"
import { CodeRejected, type RejectedCode, type RequestedPurchase } from "../usage/usage.ts"
import type { ApiRequestContext, ApiServices, Endpoint } from "./endpoint.ts"

export async function handleApiRequest<Data, Input, Result>(
  endpoint: Endpoint<Data, Input, Result>,
  api: ApiServices<Data>,
  context: ApiRequestContext,
): Promise<Outcome> {
  const { request, trace, caller } = context
  const { headers } = request
  const query = queryParameters(queryOf(request.url))
  let variant = chooseVariant(query, headers, api.siteLocale)
  let key: ApiKey | null = null
  let isInFlight = false
  let deadline: Deadline | null = null
  let endTurn = () => {}
  let sign = signNothing
  let outcome: Outcome
  try {
    const isAllowed =
      trace.method === endpoint.method || (trace.method === "HEAD" && endpoint.method === "GET")
    if (!isAllowed) throw new DomainError("method_not_allowed")
    // The runtime drops a body sent with GET.
    const text = trace.method === "POST" ? await readBody(request) : ""
    isInFlight = api.inFlight.enter()
    if (!isInFlight) throw new DomainError("unavailable")
    deadline = openRequestDeadline()
    const parameters = parametersOf(text, headers, query)
    if (parameters !== query) variant = preferLocale(variant, parameters)
    const credentials = endpoint.credentials(parameters, headers)
    variant = { ...variant, keyHeaders: credentials.keyHeaders }

    key = await deadline.within(authenticate(api, credentials.secret, caller, endpoint.operation))
    if (!mayPerform(key, endpoint.operation)) throw new DomainError("key_not_allowed")
    api.limits.admit(endpoint.operation, key, caller)

    const input = endpoint.parameters(parameters)
    const challenge = endpoint.challenge(parameters, credentials)
    if (challenge !== null) sign = await deadline.within(api.prepareSigning(challenge, key.kind))
    if (isList(endpoint.operation)) {
      deadline.end()
      const turn = `list of author ${key.accountId}`
      endTurn = await api.inFlight.takeTurn(turn, 1, request.signal)
      deadline = openRequestDeadline()
    }
    const data = key.kind === "tk" ? api.testData : api.data
    const result = await deadline.within(endpoint.perform(data, key, input, caller))
    const purchase = endpoint.requestedPurchase(result)
    outcome = await renderResult({ endpoint, context, variant, key, sign, purchase }, result)
  } catch (error) {
    outcome = failureOutcome(error, { operation: endpoint.operation, variant, key, sign })
  }
  deadline?.end()
  endTurn()
  if (isInFlight) api.inFlight.leave()
  if (key === null) return outcome
  try {
    api.limits.recordOutcome(endpoint.operation, key, caller, outcome)
    return outcome
  } catch (error) {
    return failureOutcome(error, { operation: endpoint.operation, variant, key, sign })
  }
}

/** The language by query and headers, before the body is read. */
export function chooseVariant(query: Parameters, headers: Headers, siteLocale: Locale): Variant {
  const locale = negotiateLocale(headers.get("accept-language"), siteLocale)
  return preferLocale({ locale, isLocaleNegotiated: true, keyHeaders: "" }, query)
}

function preferLocale(variant: Variant, parameters: Parameters): Variant {
  const lang = parameters("lang")
  const locale = typeof lang === "string" ? findLocale(trimWhitespace(lang)) : null
  return locale === null ? variant : { ...variant, locale, isLocaleNegotiated: false }
}

/** The language of the response, and the request headers that were read, for `Vary`. */
export type Variant = Readonly<{
  locale: Locale
  isLocaleNegotiated: boolean
  keyHeaders: KeyHeaders
}>

/** A response, its log line and its usage counts are derived from the outcome of a request. */
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
  body: string | Bytes | ReadableStream | null
  tag: string | null
  signature: Signature | null
  retryAfterSeconds: number | null
  /** An unexpected error: logged for the operator, never sent. */
  fault: unknown
  closesConnection: boolean
}>

const statuses: Readonly<Record<Failure, number>> = {
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

type FailedRequest = Readonly<{
  operation: Operation | null
  variant: Variant
  key: ApiKey | null
  sign?: SignResponse
}>

/**
 * The only place where an error becomes a status. A bug is a 500 and a database failure a 503; clients
 * read both as `unknown` and retry.
 */
export function failureOutcome(
  error: unknown,
  { operation, variant, key, sign = signNothing }: FailedRequest,
): Outcome {
  const isExpected = error instanceof DomainError
  const reason = isExpected ? error.reason : "unavailable"
  const isBug = !isExpected && !(error instanceof StoreUnavailable)
  const status = isBug ? 500 : statuses[reason]
  const body = renderErrorBody(operation, reason, variant.locale)
  const code = error instanceof CodeRejected ? error : null
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
    purchase: code === null || key?.kind === "tk" ? null : code.purchase,
    rejectedCode: code?.rejected ?? null,
    body,
    tag: null,
    signature: sign(status, reason, body),
    retryAfterSeconds: error instanceof RateLimited ? error.retryAfterSeconds : null,
    fault: isExpected ? null : error,
    closesConnection: error instanceof InvalidContentLength,
  }
}

type AcceptedRequest<Result> = Readonly<{
  endpoint: Pick<Endpoint<never, never, Result>, "contentVersion" | "render">
  context: ApiRequestContext
  variant: Variant
  key: ApiKey
  sign: SignResponse
  purchase: RequestedPurchase | null
}>

/** Returns 304 if the client has the current version. A response that began is finished, even if its key is revoked. */
async function renderResult<Result>(
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
  const unchanged = { status: 304, body: null, tag: currentTag, signature: null }
  if (currentTag !== null && !isWildcard) return successOutcome(accepted, unchanged)
  const body = await endpoint.render(result, successBodyPrefixes[variant.locale])
  if (currentTag !== null) return successOutcome(accepted, unchanged)
  if (typeof body === "string") {
    const signature = sign(200, "ok", body, purchase?.validUntil)
    return successOutcome(accepted, { status: 200, body, tag, signature })
  }
  const sent = body instanceof Uint8Array ? body : new Response(reportFault(body, context)).body
  return successOutcome(accepted, { status: 200, body: sent, tag, signature: null })
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

const successOutcome = (
  { variant, key, purchase }: Pick<AcceptedRequest<never>, "variant" | "key" | "purchase">,
  { status, body, tag, signature }: Pick<Outcome, "status" | "body" | "tag" | "signature">,
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
