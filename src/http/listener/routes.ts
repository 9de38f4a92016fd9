/** The paths of the API: which operation each one leads to. */
import type { Caller } from "../../domain/running/limits.ts"
import type { Log } from "../../log/log.ts"
import type { ApiCall, ApiServices, Endpoint } from "../api/answer/endpoint.ts"
import { type CommonHeaders, createPreflightResponse, setHeaders } from "../api/answer/headers.ts"
import type { Outcome } from "../api/answer/outcome.ts"
import { allowedMethods, createResponder } from "../api/answer/response.ts"
import { answerSale, saleRoute } from "../api/envato/answer-sale.ts"
import { listItemsEndpoint } from "../api/list-items.ts"
import { answer } from "../api/pipeline.ts"
import { readAccountEndpoint } from "../api/read-account.ts"
import { readItemEndpoint } from "../api/read-item.ts"
import { releaseSiteEndpoint } from "../api/release-site.ts"
import { type Conclude, withoutKey } from "../api/request-log.ts"
import { validatePurchaseEndpoint } from "../api/validate-purchase.ts"
import {
  createTrace,
  type Handler,
  type Routes,
  type Server,
  type Trace,
} from "../request/handler.ts"

export type ApiRouting = Readonly<{
  api: ApiServices
  log: Log
  callerOf(request: Request, server: Server): Caller
  conclude: Conclude
  /** The address that links are built from. */
  currentBaseUrl(): string
  common: CommonHeaders
}>

type RouteFacts = Pick<
  Endpoint<never, never, never>,
  "operation" | "path" | "method" | "cacheControl" | "isCrossOrigin"
>

/** The time-out while a long list is read, the longest that Bun knows: megabytes of the list wait in system buffers. */
export const readingSeconds = 255

export function createApiRoutes(routing: ApiRouting): Routes {
  const { api, log, callerOf, conclude, currentBaseUrl, common } = routing
  const onBroken = ({ id, route }: Trace, fault: unknown) =>
    log.failure("an answer broke off", fault, { route, requestId: id })

  function route(facts: RouteFacts, answerCall: (call: ApiCall) => Promise<Outcome>): Routes {
    const { operation, path, method, isCrossOrigin } = facts
    const allow = allowedMethods(method)
    const render = createResponder({ ...facts, allow, common })
    const handler: Handler = async (request, server) => {
      const trace = createTrace(request, operation)
      if (isCrossOrigin && trace.method === "OPTIONS") return preflight(allow, trace)
      const caller = callerOf(request, server)
      const outcome = await answerCall({ request, trace, caller, onBroken })
      if (outcome.body instanceof ReadableStream) server.timeout(request, readingSeconds)
      return conclude(render(outcome, trace), trace, outcome, caller)
    }
    // One trailing slash is served in place: PHP clients write it, and follow no redirect.
    return { [path]: handler, [`${path}/`]: handler }
  }

  function preflight(allow: string, trace: Trace): Response {
    const response = createPreflightResponse(allow)
    setHeaders(response.headers, { ...common, "Request-Id": trace.id, "Pazar-Reason": "ok" })
    return conclude(response, trace, { ...withoutKey, reason: "ok", fault: null })
  }

  const serve = <Input, Found, Result>(endpoint: Endpoint<Input, Found, Result>) =>
    route(endpoint, (call) => answer(endpoint, api, call))

  return {
    ...serve(readAccountEndpoint),
    ...serve(listItemsEndpoint),
    ...serve(readItemEndpoint),
    ...serve(validatePurchaseEndpoint),
    ...serve(releaseSiteEndpoint),
    ...route(saleRoute, (call) => answerSale(api, call, new URL(currentBaseUrl()).hostname)),
  }
}
