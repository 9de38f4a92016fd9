/** One request and its answer: the headers every answer carries, and the one door for failures. */
import type { Operation } from "../../domain/api-key.ts"
import { DomainError, type Failure, type Reason } from "../../domain/error.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { queryOf } from "../request-target.ts"
import { acceptsGzip, gzipBytesMin } from "./compression.ts"
import { entityTag } from "./entity-tag.ts"
import { negotiateLocale, parseLocale } from "./locale.ts"
import { type Locale, renderErrorBody } from "./messages.ts"
import { type Parameters, queryParameters } from "./parameters.ts"

export type Body = string | Bytes | AsyncIterable<Bytes>
export type Bytes = Uint8Array<ArrayBuffer>

/** What is known of a request so far; filled in on its way through the pipeline. */
export type Exchange = {
  readonly request: Request
  readonly method: string
  readonly query: Parameters
  /** Those of the body too, once it is read. */
  parameters: Parameters
  readonly requestId: string
  readonly startedAtMs: number
  operation: Operation | null
  cacheControl: string
  locale: Locale
  isLocaleNegotiated: boolean
  /** The headers that a key was looked for in, as `Vary` lists them. */
  keyHeaders: "" | ", X-Api-Key" | ", X-Api-Key, Authorization"
  keyId: string | null
  reason: Reason
  /** Whether the answer is a long one, sent piece by piece as it is taken. */
  isStreamed: boolean
  /** Whether the connection ends with this answer, so that the client's next request goes elsewhere. */
  isLast: boolean
  /** What the operator should know and the caller must not: logged, never sent. */
  fault: unknown
  /** Told of what breaks once the answer is on its way, when only the connection can be cut. */
  readonly onBroken: OnBroken
}

type OnBroken = (requestId: string, fault: unknown) => void

const statusOf: Readonly<Record<Failure, number>> = {
  missing_key: 401,
  unknown_key: 401,
  revoked_key: 401,
  expired_key: 401,
  key_not_allowed: 403,
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

/** Long enough for a restart, short enough that a buyer waits rather than gives up. */
const retryAfterSeconds: Readonly<Partial<Record<Failure, string>>> = {
  rate_limited: "1",
  unavailable: "5",
}

export function openExchange(request: Request, siteLocale: Locale, onBroken: OnBroken): Exchange {
  const query = queryParameters(queryOf(request.url))
  const lang = query("lang")
  const asked = typeof lang === "string" ? parseLocale(lang) : null
  return {
    request,
    // Each time it is asked for, the runtime makes a text of it.
    method: request.method,
    query,
    parameters: query,
    requestId: Bun.randomUUIDv7(),
    startedAtMs: performance.now(),
    operation: null,
    cacheControl: "no-store",
    locale: asked ?? negotiateLocale(request.headers.get("accept-language"), siteLocale),
    isLocaleNegotiated: asked === null,
    keyHeaders: "",
    keyId: null,
    reason: "ok",
    isStreamed: false,
    isLast: false,
    fault: null,
    onBroken,
  }
}

/** `version` is what the answer can be kept under; null for what must not be kept. */
export function respond(exchange: Exchange, body: Body, version: string | null): Response {
  exchange.isStreamed = isStream(body)
  const isLong = isStream(body) || body.length >= gzipBytesMin
  const isGzip = isLong && mayGzip(exchange)
  const tag = version === null ? null : entityTag(version, exchange.locale, isGzip)
  const response = createResponse(exchange, 200, encode(body, isGzip, exchange), tag)
  if (isGzip) response.headers.set("Content-Encoding", "gzip")
  return response
}

export const mayGzip = ({ request }: Exchange) =>
  acceptsGzip(request.headers.get("accept-encoding"))

/** With bytes that were made before, for this tag. */
export function respondReady(
  exchange: Exchange,
  bytes: Uint8Array<ArrayBuffer>,
  tag: string,
  isGzip: boolean,
): Response {
  const response = createResponse(exchange, 200, bytes, tag)
  if (isGzip) response.headers.set("Content-Encoding", "gzip")
  return response
}

export const respondNotModified = (exchange: Exchange, tag: string) =>
  createResponse(exchange, 304, null, tag)

/** A bug is a 500 and trouble with the store a 503; to the caller both say "cannot tell, try again". */
export function respondFailure(exchange: Exchange, error: unknown, allow: string): Response {
  const isExpected = error instanceof DomainError
  const reason = isExpected ? error.reason : "unavailable"
  const isBug = !isExpected && !(error instanceof StoreUnavailable)
  exchange.reason = reason
  exchange.fault = isExpected ? null : error
  const body = renderErrorBody(exchange.operation, reason, exchange.locale)
  const response = createResponse(exchange, isBug ? 500 : statusOf[reason], body, null)
  const { headers } = response
  if (statusOf[reason] === 401) headers.set("WWW-Authenticate", "Bearer")
  if (reason === "method_not_allowed") headers.set("Allow", allow)
  const retryAfter = retryAfterSeconds[reason]
  if (retryAfter !== undefined) headers.set("Retry-After", retryAfter)
  return response
}

function createResponse(
  exchange: Exchange,
  status: number,
  body: ReturnType<typeof encode> | null,
  tag: string | null,
): Response {
  const init = preparedInit(exchange, status, tag !== null)
  // In the prepared set, which is copied at once: a header set on each response leaves more behind for
  // the collector, which then comes 3 to 10 % more often.
  init.headers.set("Request-Id", exchange.requestId)
  if (tag !== null) init.headers.set("ETag", tag)
  return new Response(body, init)
}

type Variant = Pick<Exchange, "locale" | "isLocaleNegotiated" | "keyHeaders" | "cacheControl">
type Prepared = Variant & Readonly<{ status: number; isTagged: boolean; headers: Headers }>

/**
 * Status and headers but those of this one answer, by reason. There are some hundred combinations, few
 * of each reason, so each is built once: a prepared set is copied for 1 µs less than seven headers are
 * read from an object.
 */
const prepared = new Map<Reason, Prepared[]>()

function preparedInit(exchange: Exchange, status: number, isTagged: boolean): Prepared {
  const alike = prepared.get(exchange.reason) ?? []
  for (const each of alike) {
    const isForThis = each.status === status && each.isTagged === isTagged
    if (isForThis && isSameVariant(each, exchange)) return each
  }
  const init = prepareInit(exchange, status, isTagged)
  prepared.set(exchange.reason, [...alike, init])
  return init
}

const isSameVariant = (one: Variant, other: Variant) =>
  one.locale === other.locale &&
  one.isLocaleNegotiated === other.isLocaleNegotiated &&
  one.keyHeaders === other.keyHeaders &&
  one.cacheControl === other.cacheControl

function prepareInit(exchange: Exchange, status: number, isTagged: boolean): Prepared {
  const { locale, isLocaleNegotiated, keyHeaders, cacheControl, reason } = exchange
  const headers = new Headers({
    "Content-Language": locale,
    // What the answer depended on: a header that was not looked at does not count.
    Vary: `Accept-Encoding${isLocaleNegotiated ? ", Accept-Language" : ""}${keyHeaders}`,
    "Cache-Control": cacheControl,
    "Pazar-Reason": reason,
    "X-Content-Type-Options": "nosniff",
  })
  if (status !== 304) headers.set("Content-Type", "application/json; charset=utf-8")
  return { status, isTagged, headers, locale, isLocaleNegotiated, keyHeaders, cacheControl }
}

const utf8 = new TextEncoder()

function encode(body: Body, isGzip: boolean, exchange: Exchange): string | Bytes | ReadableStream {
  if (!isStream(body)) {
    if (!isGzip) return body
    return Bun.gzipSync(typeof body === "string" ? utf8.encode(body) : body)
  }
  const stream = streamOf(body, exchange)
  return isGzip ? stream.pipeThrough(new CompressionStream("gzip")) : stream
}

/** Pulled piece by piece as the reader takes them: a long list is never whole in memory. */
function streamOf(
  pieces: AsyncIterable<Bytes>,
  { requestId, onBroken }: Exchange,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = pieces[Symbol.asyncIterator]()
  let hasReader = true
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.next()
        if (!hasReader) return
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (fault) {
        // Half a list must not look like a whole one: the connection is cut.
        onBroken(requestId, fault)
        controller.error(fault)
      }
    },
    async cancel() {
      hasReader = false
      await source.return?.()
    },
  })
}

/** Null when it is longer than `bytesMax`. */
export async function readWhole(body: Body, bytesMax: number): Promise<Bytes | null> {
  if (!isStream(body)) return typeof body === "string" ? utf8.encode(body) : body
  const pieces: Bytes[] = []
  let bytes = 0
  for await (const piece of body) {
    pieces.push(piece)
    bytes += piece.length
    if (bytes > bytesMax) return null
  }
  return joinBytes(pieces)
}

export const isStream = (body: Body): body is AsyncIterable<Bytes> =>
  typeof body !== "string" && !(body instanceof Uint8Array)

export function joinBytes(pieces: readonly Bytes[]): Bytes {
  const joined = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    joined.set(piece, at)
    at += piece.length
  }
  return joined
}
