import {
  addMissingDate,
  type CommonHeaders,
  crossOriginHeaders,
  setHeaders,
  unavailableRetryAfter,
} from "../contract/response.ts"
import type { Reason } from "../platform/error.ts"
import { compress, markCompressed } from "../platform/http/compression.ts"
import type { Trace } from "./endpoint.ts"
import type { Outcome, Variant } from "./pipeline.ts"

type Route = Readonly<{
  cacheControl: string
  allow: string
  isCrossOrigin: boolean
  common: CommonHeaders
  helpUrl: string
}>
type Prepared = Variant &
  Pick<Outcome, "status" | "hasServerKey"> &
  Readonly<{ isTagged: boolean; headers: Headers }>

/**
 * Turns an outcome into an HTTP response. Shared headers are prepared once per combination, of which a
 * route has a few dozen: building them per response costs a validation 6 % more CPU.
 */
export function createResponder(route: Route) {
  const prepared = new Map<Reason, Prepared[]>()

  function preparedFor(outcome: Outcome): Prepared {
    const candidates = prepared.get(outcome.reason) ?? []
    for (const candidate of candidates) if (matches(candidate, outcome)) return candidate
    const created = prepare(outcome, route)
    prepared.set(outcome.reason, [...candidates, created])
    return created
  }
  return (outcome: Outcome, request: Request, trace: Trace): Response => {
    const init = preparedFor(outcome)
    // The prepared headers are changed and then copied by `new Response`: setting headers on each response
    // makes the garbage collector run 3 to 10 % more often.
    init.headers.set("Request-Id", trace.id)
    if (outcome.tag !== null) init.headers.set("ETag", outcome.tag)
    const body = outcome.body && compress(request, outcome.body)
    const response = new Response(body, init)
    if (body !== outcome.body) markCompressed(response)
    if (outcome.retryAfterSeconds !== null) {
      response.headers.set("Retry-After", String(outcome.retryAfterSeconds))
    }
    if (outcome.signature !== null) setHeaders(response.headers, outcome.signature)
    if (outcome.closesConnection) response.headers.set("Connection", "close")
    addMissingDate(trace.method, response)
    return response
  }
}

const matches = (one: Prepared, { status, tag, hasServerKey, variant }: Outcome) =>
  one.status === status &&
  one.isTagged === (tag !== null) &&
  one.hasServerKey === hasServerKey &&
  one.locale === variant.locale &&
  one.isLocaleNegotiated === variant.isLocaleNegotiated &&
  one.keyHeaders === variant.keyHeaders

function prepare(
  { status, reason, tag, hasServerKey, variant }: Outcome,
  { cacheControl, allow, isCrossOrigin, common, helpUrl }: Route,
): Prepared {
  const { locale, isLocaleNegotiated, keyHeaders } = variant
  const headers = new Headers({
    "Content-Language": locale,
    // Lists only headers that were read: a longer list would make caches useless.
    Vary: `Accept-Encoding${isLocaleNegotiated ? ", Accept-Language" : ""}${keyHeaders}`,
    "Cache-Control": cacheControl,
    "Pazar-Reason": reason,
    ...common,
  })
  if (status !== 304) headers.set("Content-Type", "application/json; charset=utf-8")
  if (status >= 400) headers.set("Link", `<${helpUrl}#${reason}>; rel="help"`)
  if (status === 401) headers.set("WWW-Authenticate", "Bearer")
  if (status === 405) headers.set("Allow", allow)
  if (reason === "rate_limited") headers.set("Retry-After", "1")
  if (reason === "unavailable") headers.set("Retry-After", unavailableRetryAfter)
  if (isCrossOrigin && !hasServerKey) setHeaders(headers, crossOriginHeaders)
  return { ...variant, status, isTagged: tag !== null, hasServerKey, headers }
}
