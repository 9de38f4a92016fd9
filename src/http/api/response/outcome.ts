/** The outcome of a request, of a result or an error: its response, log line and usage count are made of it. */
import {
  type Catalog,
  CodeRejected,
  type RequestedPurchase,
} from "../../../domain/catalog/purchase.ts"
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
import { authenticate } from "../../../operations/keys/authenticate.ts"
import { performOperation } from "../../../operations/operation.ts"
import { InvalidContentLength, type KeyHeaders } from "../request/parameters.ts"
import {
  type Body,
  type Bytes,
  createBodyStream,
  encodeBody,
  isStream,
  readChunks,
} from "./body-bytes.ts"
import { acceptsGzip, compress, compressChunks, gzipBytesMin } from "./compression.ts"
import type { ApiRequestContext, ApiServices, Endpoint } from "./endpoint.ts"
import { entityTag, matchesTag } from "./entity-tag.ts"
import { renderErrorBody, successBodyPrefixes } from "./messages.ts"
import { entryBytesMax } from "./response-cache.ts"

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
  /** Whether a key that has not ended belongs on a server; then no web page may read the answer. */
  hasServerKey: boolean
  /** The purchase of a valid or revoked code; null for other answers, and for test keys: theirs are samples. */
  purchase: RequestedPurchase | null
  /** The code that this answer says no to. */
  rejectedCode: RejectedCode | null
  /** Null with 304. */
  body: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream | null
  tag: string | null
  isGzip: boolean
  /** Null where the answer is not signed. */
  signature: Signature | null
  /** Of a rate limit; null for other responses. */
  retryAfterSeconds: number | null
  /** An unexpected error: for the operator's log, never sent. */
  fault: unknown
  /** Whether the connection must end with this answer. */
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
  site_limit: 404,
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
  sign: SignResponse = signNothing,
): Outcome {
  const isExpected = error instanceof DomainError
  const reason = isExpected ? error.reason : "unavailable"
  const isBug = !isExpected && !(error instanceof StoreUnavailable)
  const status = isBug ? 500 : statusOf[reason]
  const body = renderErrorBody(operation, reason, variant.locale)
  const { rejected: refused, purchase } = error instanceof CodeRejected ? error : noCode
  const found = error instanceof KeyRejected ? error.key : key
  return {
    status,
    reason,
    variant,
    keyId: found?.id ?? null,
    isKeyAccepted: key !== null,
    // A page may be told that its key has ended.
    hasServerKey: found !== null && status !== 401 && belongsOnServer(found),
    purchase: key?.kind === "tk" ? null : purchase,
    rejectedCode: refused,
    body,
    tag: null,
    isGzip: false,
    signature: sign(status, reason, body),
    retryAfterSeconds: error instanceof RateLimited ? error.retryAfterSeconds : null,
    fault: isExpected ? null : error,
    closesConnection: error instanceof InvalidContentLength,
  }
}

const noCode = { rejected: null, purchase: null } as const

type AuthenticatedRequest = Readonly<{
  api: ApiServices
  call: ApiRequestContext
  variant: Variant
  secret: string | null
  key: ApiKey
  sign: SignResponse
  purchase: Outcome["purchase"]
}>

/** With enough to ask the store again. */
type AcceptedRequest<Input, Found, Result> = AuthenticatedRequest &
  Readonly<{ endpoint: Endpoint<Input, Found, Result>; catalogue: Catalog; input: Input }>

/** 304 if the client has it, else bytes from the cache or a new body. */
export function renderResult<Input, Found, Result>(
  question: AcceptedRequest<Input, Found, Result>,
  result: Result,
): Outcome | Promise<Outcome> {
  const { endpoint, call, variant } = question
  const contentVersion = endpoint.contentVersion(result)
  if (contentVersion !== null) {
    const { headers } = call.request
    const tag = findKeptTag(headers, contentVersion, variant.locale)
    if (tag !== null) {
      return namesAnyTag(headers)
        ? confirmKept(question, result, tag)
        : successOutcome(question, 304, null, tag, false)
    }
    if (endpoint.usesResponseCache) return answerFromCache(question, result, contentVersion)
  }
  return renderAlone(question, result, contentVersion)
}

async function renderAlone<Input, Found, Result>(
  question: AcceptedRequest<Input, Found, Result>,
  result: Result,
  contentVersion: string | null,
): Promise<Outcome> {
  const body = await question.endpoint.render(result, successBodyPrefixes[question.variant.locale])
  return encode(question, body, contentVersion)
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

const namesAnyTag = (headers: Headers) => headers.get("if-none-match")?.includes("*") ?? false

/** `*` asks whether there is anything. A list without items has a version too: only rendering tells. */
async function confirmKept<Input, Found, Result>(
  question: AcceptedRequest<Input, Found, Result>,
  result: Result,
  tag: string,
): Promise<Outcome> {
  await question.endpoint.render(result, successBodyPrefixes[question.variant.locale])
  return successOutcome(question, 304, null, tag, false)
}

/** The tag of a copy that the client has and that is still current. */
function findKeptTag(headers: Headers, contentVersion: string, locale: Locale): string | null {
  const ifNoneMatch = headers.get("if-none-match")
  if (ifNoneMatch === null) return null
  const plain = entityTag(contentVersion, locale, false)
  if (matchesTag(ifNoneMatch, plain)) return plain
  const packed = mayGzip(headers) ? entityTag(contentVersion, locale, true) : null
  return packed !== null && matchesTag(ifNoneMatch, packed) ? packed : null
}

const mayGzip = (headers: Headers) => acceptsGzip(headers.get("accept-encoding"))

async function answerFromCache<Input, Found, Result>(
  question: AcceptedRequest<Input, Found, Result>,
  result: Result,
  contentVersion: string,
): Promise<Outcome> {
  const { api, call, variant } = question
  const isGzip = mayGzip(call.request.headers)
  const tag = entityTag(contentVersion, variant.locale, isGzip)
  const body = await api.cache.get(tag, () => load(question, result, contentVersion, isGzip))
  if (body === null) return renderAlone(question, result, contentVersion)
  await assertAdmitted(question)
  return successOutcome(question, 200, body, tag, isGzip)
}

/** Null when the content changed while it was read, or is too short or too long for the cache. */
async function load<Input, Found, Result>(
  { endpoint, catalogue, key, input, variant }: AcceptedRequest<Input, Found, Result>,
  result: Result,
  contentVersion: string,
  isGzip: boolean,
): Promise<Blob | null> {
  const body = await endpoint.render(result, successBodyPrefixes[variant.locale])
  const pieces = isLong(body) ? await readChunks(body, entryBytesMax) : null
  if (pieces === null) return null
  const after = await performOperation(endpoint, catalogue, key, input)
  if (endpoint.contentVersion(after) !== contentVersion) return null
  return new Blob(isGzip ? [await compress(Buffer.concat(pieces))] : pieces)
}

const isLong = (body: Body) => isStream(body) || body.length >= gzipBytesMin

function encode(
  accepted: AuthenticatedRequest,
  body: Body,
  contentVersion: string | null,
): Outcome | Promise<Outcome> {
  const { call, variant, sign } = accepted
  const isGzip = isLong(body) && mayGzip(call.request.headers)
  const tag = contentVersion === null ? null : entityTag(contentVersion, variant.locale, isGzip)
  const signature = typeof body === "string" ? sign(200, "ok", body) : null
  if (isStream(body))
    return successOutcome(accepted, 200, streamPieces(accepted, body, isGzip), tag, isGzip)
  if (isGzip) return compressWhole(accepted, body, tag, signature)
  return successOutcome(accepted, 200, body, tag, false, signature)
}

function streamPieces(
  accepted: AuthenticatedRequest,
  body: AsyncIterable<Bytes>,
  isGzip: boolean,
): ReadableStream {
  const { call } = accepted
  return createBodyStream(
    isGzip ? compressChunks(body) : body,
    // Reading a long list can take minutes: the key is checked again before each piece.
    () => assertAdmitted(accepted),
    (fault) => call.onStreamError(call.trace, fault),
  )
}

async function compressWhole(
  accepted: AuthenticatedRequest,
  body: string | Bytes,
  tag: string | null,
  signature: Signature | null,
): Promise<Outcome> {
  const packed = await compress(encodeBody(body))
  return successOutcome(accepted, 200, packed, tag, true, signature)
}

/** After waiting: the key may have ended meanwhile. The list was counted when it began. */
async function assertAdmitted({ api, call, secret, key }: AuthenticatedRequest): Promise<void> {
  const { accountId } = await authenticate({ ...api, limits: unlimited }, secret, call.caller)
  if (accountId !== key.accountId) throw new DomainError("unknown_key")
}
