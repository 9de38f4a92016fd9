/** The outcome of a request. Its response, log line and usage counts are derived from it. */
import type { Catalog } from "../../../domain/catalog/catalog.ts"
import { CodeRejected, type RequestedPurchase } from "../../../domain/catalog/purchase.ts"
import type { RejectedCode } from "../../../domain/catalog/purchase-code.ts"
import {
  type ApiKey,
  belongsOnServer,
  KeyRejected,
  type Operation,
} from "../../../domain/keys/api-key.ts"
import { type Signature, type SignResponse, signNothing } from "../../../domain/keys/signing-key.ts"
import { RateLimited, unlimited } from "../../../domain/limits/request-limits.ts"
import { StoreUnavailable } from "../../../domain/store.ts"
import { DomainError, type Failure, type Reason } from "../../../domain/values/error.ts"
import type { Locale } from "../../../domain/values/locale.ts"
import type { Timestamp } from "../../../domain/values/time/timestamp.ts"
import { authenticate } from "../../../operations/keys/authenticate.ts"
import { acceptsGzip } from "../../request/request-head.ts"
import { InvalidContentLength, type KeyHeaders } from "../request/parameters.ts"
import {
  type Body,
  type Bytes,
  createBodyStream,
  encodeBody,
  isStream,
  readChunks,
} from "./body-bytes.ts"
import { compressBytes, compressChunks, gzipBytesMin } from "./compression.ts"
import type { ApiRequestContext, ApiServices, Endpoint } from "./endpoint.ts"
import { compressedTag, entityTag, findCurrentTag } from "./entity-tag.ts"
import { renderErrorBody, successBodyPrefixes } from "./messages.ts"
import { entryBytesMax } from "./response-cache.ts"

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
  body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream | null
  tag: string | null
  isGzip: boolean
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
    isGzip: false,
    signature: sign(status, reason, body),
    retryAfterSeconds: error instanceof RateLimited ? error.retryAfterSeconds : null,
    fault: isExpected ? null : error,
    closesConnection: error instanceof InvalidContentLength,
  }
}

const noRejection = { rejected: null, purchase: null } as const

type AuthenticatedRequest = Readonly<{
  api: ApiServices
  context: ApiRequestContext
  variant: Variant
  secret: string | null
  key: ApiKey
  sign: SignResponse
  purchase: Outcome["purchase"]
  /** The end of the purchase, which limits the signature. */
  validUntil: Timestamp | null
}>

type AcceptedRequest<Input, Result> = AuthenticatedRequest &
  Readonly<{ endpoint: Endpoint<Input, Result>; catalog: Catalog; input: Input }>

/** Returns 304 if the client has the current version, else the body from the cache or a new one. */
export function renderResult<Input, Result>(
  accepted: AcceptedRequest<Input, Result>,
  result: Result,
): Outcome | Promise<Outcome> {
  const { endpoint, context, variant } = accepted
  const contentVersion = endpoint.contentVersion(result)
  if (contentVersion !== null) {
    const { headers } = context.request
    const tag = findCurrentTag(headers, entityTag(contentVersion, variant.locale))
    if (tag !== null) {
      return hasWildcardTag(headers)
        ? confirmCurrent(accepted, result, tag)
        : successOutcome(accepted, 304, null, tag, false)
    }
    if (endpoint.usesResponseCache) return renderFromCache(accepted, result, contentVersion)
  }
  return renderUncached(accepted, result, contentVersion)
}

async function renderUncached<Input, Result>(
  accepted: AcceptedRequest<Input, Result>,
  result: Result,
  contentVersion: string | null,
): Promise<Outcome> {
  const body = await accepted.endpoint.render(result, successBodyPrefixes[accepted.variant.locale])
  return encode(accepted, body, contentVersion)
}

export const successOutcome = (
  { variant, key, purchase }: Pick<AuthenticatedRequest, "variant" | "key" | "purchase">,
  status: 200 | 304,
  body: Outcome["body"],
  tag: string | null,
  isGzip: boolean,
  signature: Signature | null = null,
): Outcome => ({
  status,
  reason: "ok",
  variant,
  keyId: key.id,
  isKeyAccepted: true,
  isTestKey: key.kind === "tk",
  hasServerKey: belongsOnServer(key),
  purchase,
  rejectedCode: null,
  body,
  tag,
  isGzip,
  signature,
  retryAfterSeconds: null,
  fault: null,
  closesConnection: false,
})

const hasWildcardTag = (headers: Headers) => headers.get("if-none-match")?.includes("*") ?? false

/** `*` matches any existing content. Renders the list first, because rendering throws if it is empty. */
async function confirmCurrent<Input, Result>(
  accepted: AcceptedRequest<Input, Result>,
  result: Result,
  tag: string,
): Promise<Outcome> {
  await accepted.endpoint.render(result, successBodyPrefixes[accepted.variant.locale])
  return successOutcome(accepted, 304, null, tag, false)
}

async function renderFromCache<Input, Result>(
  accepted: AcceptedRequest<Input, Result>,
  result: Result,
  contentVersion: string,
): Promise<Outcome> {
  const { api, context, variant } = accepted
  const isGzip = acceptsGzip(context.request.headers)
  const plainTag = entityTag(contentVersion, variant.locale)
  const tag = isGzip ? compressedTag(plainTag) : plainTag
  const body = await api.cache.get(tag, () => load(accepted, result, contentVersion, isGzip))
  if (body === null) return renderUncached(accepted, result, contentVersion)
  await assertKeyValid(accepted)
  return successOutcome(accepted, 200, body, tag, isGzip)
}

/** Null if the content changed while it was read, or is too short or too long for the cache. */
async function load<Input, Result>(
  { endpoint, context, catalog, key, input, variant }: AcceptedRequest<Input, Result>,
  result: Result,
  contentVersion: string,
  isGzip: boolean,
): Promise<Blob | null> {
  const body = await endpoint.render(result, successBodyPrefixes[variant.locale])
  const chunks = isLong(body) ? await readChunks(body, entryBytesMax) : null
  if (chunks === null) return null
  const after = await endpoint.perform(catalog, key, input, context.caller)
  if (endpoint.contentVersion(after) !== contentVersion) return null
  return new Blob(isGzip ? [await compressBytes(Buffer.concat(chunks))] : chunks)
}

const isLong = (body: Body) => isStream(body) || body.length >= gzipBytesMin

function encode(
  accepted: AuthenticatedRequest,
  body: Body,
  contentVersion: string | null,
): Outcome | Promise<Outcome> {
  const { context, variant, sign, validUntil } = accepted
  const isGzip = isLong(body) && acceptsGzip(context.request.headers)
  const plainTag = contentVersion === null ? null : entityTag(contentVersion, variant.locale)
  const tag = isGzip && plainTag !== null ? compressedTag(plainTag) : plainTag
  const signature = typeof body === "string" ? sign(200, "ok", body, validUntil) : null
  if (isStream(body))
    return successOutcome(accepted, 200, streamChunks(accepted, body, isGzip), tag, isGzip)
  if (isGzip) return compressWhole(accepted, body, tag, signature)
  return successOutcome(accepted, 200, body, tag, false, signature)
}

function streamChunks(
  accepted: AuthenticatedRequest,
  body: AsyncIterable<Bytes>,
  isGzip: boolean,
): ReadableStream {
  const { context } = accepted
  return createBodyStream(
    isGzip ? compressChunks(body) : body,
    // A client can take minutes to read a long list, so the key is checked before each chunk.
    () => assertKeyValid(accepted),
    (fault) => context.onStreamError(context.trace, fault),
  )
}

async function compressWhole(
  accepted: AuthenticatedRequest,
  body: string | Bytes,
  tag: string | null,
  signature: Signature | null,
): Promise<Outcome> {
  const compressed = await compressBytes(encodeBody(body))
  return successOutcome(accepted, 200, compressed, tag, true, signature)
}

/** Throws if the key became invalid during a wait. The rate limit counted the request at its start. */
async function assertKeyValid({ api, context, secret, key }: AuthenticatedRequest): Promise<void> {
  const { accountId } = await authenticate({ ...api, limits: unlimited }, secret, context.caller)
  if (accountId !== key.accountId) throw new DomainError("unknown_key")
}
