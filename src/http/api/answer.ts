/** One request and its answer: the headers every answer carries, and the one door for failures. */
import type { Operation } from "../../domain/api-key.ts"
import { DomainError, type Failure, type Reason } from "../../domain/error.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { queryOf } from "../request-target.ts"
import { gzipBytesMin } from "./compression.ts"
import { entityTag } from "./entity-tag.ts"
import { negotiateLocale, parseLocale } from "./locale.ts"
import { type Locale, renderErrorBody } from "./messages.ts"
import { type Parameters, queryParameters } from "./parameters.ts"

export type Body = string | AsyncIterable<string>

/** What is known of a request so far; filled in on its way through the pipeline. */
export type Exchange = {
  readonly request: Request
  readonly query: Parameters
  readonly requestId: string
  operation: Operation | null
  cacheControl: string
  locale: Locale
  isLocaleNegotiated: boolean
  keyHeaders: readonly string[]
  keyId: string | null
  reason: Reason
  /** Whether the answer is a long one, sent piece by piece as it is taken. */
  isStreamed: boolean
  /** Whether the connection ends with this answer, so that the client's next request goes elsewhere. */
  isLast: boolean
  /** What the operator should know and the caller must not: logged, never sent. */
  fault: unknown
  /** Told of what breaks once the answer is on its way, when only the connection can be cut. */
  readonly onBroken: (fault: unknown) => void
}

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

export function openExchange(
  request: Request,
  siteLocale: Locale,
  onBroken: (requestId: string, fault: unknown) => void,
): Exchange {
  const query = queryParameters(queryOf(request.url))
  const lang = query("lang")
  const asked = typeof lang === "string" ? parseLocale(lang) : null
  const requestId = Bun.randomUUIDv7()
  return {
    request,
    query,
    requestId,
    operation: null,
    cacheControl: "no-store",
    locale: asked ?? negotiateLocale(request.headers.get("accept-language"), siteLocale),
    isLocaleNegotiated: asked === null,
    keyHeaders: [],
    keyId: null,
    reason: "ok",
    isStreamed: false,
    isLast: false,
    fault: null,
    onBroken: (fault) => onBroken(requestId, fault),
  }
}

type Keeping = Readonly<{ mayGzip: boolean; version: string | null }>

export function respond(exchange: Exchange, body: Body, { mayGzip, version }: Keeping): Response {
  exchange.isStreamed = typeof body !== "string"
  const isGzip = mayGzip && (typeof body !== "string" || body.length >= gzipBytesMin)
  const headers = commonHeaders(exchange)
  if (version !== null) headers.ETag = entityTag(version, exchange.locale, isGzip)
  if (isGzip) headers["Content-Encoding"] = "gzip"
  return new Response(encode(body, isGzip, exchange.onBroken), { headers })
}

export function respondNotModified(exchange: Exchange, tag: string): Response {
  const { "Content-Type": _, ...headers } = commonHeaders(exchange)
  return new Response(null, { status: 304, headers: { ...headers, ETag: tag } })
}

/** A bug is a 500 and trouble with the store a 503; to the caller both say "cannot tell, try again". */
export function respondFailure(exchange: Exchange, error: unknown, allow: string): Response {
  const isExpected = error instanceof DomainError
  const reason = isExpected ? error.reason : "unavailable"
  const isBug = !isExpected && !(error instanceof StoreUnavailable)
  exchange.reason = reason
  const headers = commonHeaders(exchange)
  if (statusOf[reason] === 401) headers["WWW-Authenticate"] = "Bearer"
  if (reason === "method_not_allowed") headers.Allow = allow
  const retryAfter = retryAfterSeconds[reason]
  if (retryAfter !== undefined) headers["Retry-After"] = retryAfter
  exchange.fault = isExpected ? null : error
  return new Response(renderErrorBody(exchange.operation, reason, exchange.locale), {
    status: isBug ? 500 : statusOf[reason],
    headers,
  })
}

function commonHeaders(exchange: Exchange): Record<string, string> {
  return {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Language": exchange.locale,
    Vary: varyOf(exchange),
    "Cache-Control": exchange.cacheControl,
    "Request-Id": exchange.requestId,
    "Pazar-Reason": exchange.reason,
    "X-Content-Type-Options": "nosniff",
  }
}

/** What the answer depended on: a header that was not looked at does not count. */
function varyOf({ isLocaleNegotiated, keyHeaders }: Exchange): string {
  const language = isLocaleNegotiated ? ["Accept-Language"] : []
  return ["Accept-Encoding", ...language, ...keyHeaders].join(", ")
}

const utf8 = new TextEncoder()

function encode(
  body: Body,
  isGzip: boolean,
  onBroken: Exchange["onBroken"],
): string | Uint8Array<ArrayBuffer> | ReadableStream {
  if (typeof body === "string") return isGzip ? Bun.gzipSync(utf8.encode(body)) : body
  const stream = streamOf(body, onBroken)
  return isGzip ? stream.pipeThrough(new CompressionStream("gzip")) : stream
}

/** Pulled piece by piece as the reader takes them: a long list is never whole in memory. */
function streamOf(
  pieces: AsyncIterable<string>,
  onBroken: Exchange["onBroken"],
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = pieces[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await source.next()
        if (done) controller.close()
        else controller.enqueue(utf8.encode(value))
      } catch (fault) {
        // Half a list must not look like a whole one: the connection is cut.
        onBroken(fault)
        controller.error(fault)
      }
    },
    async cancel() {
      await source.return?.()
    },
  })
}
