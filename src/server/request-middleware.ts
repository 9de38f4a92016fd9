/** Wraps handlers outside the API with a trace, common headers, a log line and counts. */

import { createTrace, type Trace } from "../api/endpoint.ts"
import { chooseVariant, failureOutcome, type Outcome } from "../api/pipeline.ts"
import { type RecordResponse, reasonOfStatus, unauthenticatedOutcome } from "../api/request-log.ts"
import { createResponder } from "../api/responder.ts"
import { addMissingDate, type CommonHeaders, setHeaders } from "../contract/response.ts"
import { DomainError } from "../platform/error.ts"
import { queryParameters } from "../platform/http/parameters.ts"
import { hasOneHost, queryOf } from "../platform/http/request-head.ts"
import type { Locale } from "../platform/locale.ts"
import { notImplementedOutcome } from "../purchases/envato-endpoints.ts"
import type { Route } from "../usage/usage.ts"

/** `onFault` receives an error that is logged but not sent. */
type Serve = (
  route: Route,
  request: Request,
  handle: (onFault: (fault: unknown) => void, trace: Trace) => Promise<Response>,
) => Promise<Response>

export type RequestMiddleware = ReturnType<typeof createRequestMiddleware>

export function createRequestMiddleware(
  recordResponse: RecordResponse,
  common: CommonHeaders,
  helpUrl: string,
  siteLocale: Locale,
) {
  const respond = createResponder({
    cacheControl: "no-store",
    allow: "",
    isCrossOrigin: false,
    common,
    helpUrl,
  })
  const finish = (outcome: Outcome, request: Request, trace: Trace) =>
    recordResponse(respond(outcome, request, trace), trace, outcome)

  function fail(error: unknown, request: Request, trace: Trace): Response {
    const query = queryParameters(queryOf(request.url))
    const variant = chooseVariant(query, request.headers, siteLocale)
    return finish(failureOutcome(error, { operation: null, variant, key: null }), request, trace)
  }
  const reject = (request: Request, reason: "invalid_parameter" | "unknown_path") =>
    fail(new DomainError(reason), request, createTrace(request, "unknown"))

  const serve: Serve = async (route, request, handle) => {
    const trace = createTrace(request, route)
    let fault: unknown = null
    try {
      const response = await handle((found) => {
        fault = found
      }, trace)
      setHeaders(response.headers, common)
      addMissingDate(trace.method, response)
      const reason = reasonOfStatus(response.status)
      return recordResponse(response, trace, {
        ...unauthenticatedOutcome,
        reason,
        fault,
      })
    } catch (error) {
      return fail(error, request, trace)
    }
  }
  /** For pages and sign-in links. Rejects requests without exactly one well-formed Host. */
  const serveNamed: Serve = async (route, request, handle) =>
    hasOneHost(request.headers)
      ? serve(route, request, handle)
      : reject(request, "invalid_parameter")

  const rejectEnvato = (request: Request) =>
    finish(notImplementedOutcome(), request, createTrace(request, "unknown"))

  return { serve, serveNamed, reject, rejectEnvato }
}
