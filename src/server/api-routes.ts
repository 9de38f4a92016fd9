import { accountEndpoints } from "../api/account-endpoints.ts"
import {
  type ApiRequestContext,
  type ApiServices,
  createTrace,
  type Endpoint,
  type Handler,
  type Routes,
  type Trace,
} from "../api/endpoint.ts"
import { handleApiRequest, type Outcome } from "../api/pipeline.ts"
import { type RecordResponse, unauthenticatedOutcome } from "../api/request-log.ts"
import { createResponder } from "../api/responder.ts"
import { type CommonHeaders, createPreflightResponse, setHeaders } from "../contract/response.ts"
import { itemEndpoints } from "../items/item-endpoints.ts"
import type { Log } from "../platform/log.ts"
import { envatoRoutes, handleEnvato } from "../purchases/envato-endpoints.ts"
import type { DownloadLinks } from "../purchases/purchase.ts"
import { purchaseEndpoints } from "../purchases/purchase-endpoints.ts"
import type { Catalog } from "../purchases/test-catalog.ts"
import type { ResolveCaller } from "./client-address.ts"

type ApiRouting = Readonly<{
  api: ApiServices<Catalog>
  downloadLinks: DownloadLinks
  log: Log
  resolveCaller: ResolveCaller
  recordResponse: RecordResponse
  currentBaseUrl(): string
  common: CommonHeaders
  helpUrl: string
}>

type RouteOptions = Pick<
  Endpoint<never, never, never>,
  "operation" | "path" | "method" | "cacheControl" | "isCrossOrigin"
>

/**
 * The idle timeout while a client reads a long list: the maximum of Bun, because megabytes wait in system
 * buffers.
 */
export const streamTimeoutSeconds = 255

export function createApiRoutes(routing: ApiRouting): Routes {
  const { api, log, resolveCaller, recordResponse, currentBaseUrl, common, helpUrl } = routing
  const onStreamError = ({ id, route }: Trace, fault: unknown) =>
    log.failure("response aborted", fault, { route, requestId: id })

  function route(
    options: RouteOptions,
    handle: (context: ApiRequestContext) => Promise<Outcome>,
  ): Routes {
    const { operation, path, method, isCrossOrigin } = options
    const allow = method === "GET" ? "GET, HEAD" : method
    const render = createResponder({ ...options, allow, common, helpUrl })
    const handler: Handler = async (request, server) => {
      const trace = createTrace(request, operation)
      if (isCrossOrigin && trace.method === "OPTIONS") return preflight(allow, trace)
      const caller = resolveCaller(request, server)
      const outcome = await handle({ request, trace, caller, onStreamError })
      if (outcome.body instanceof ReadableStream) server.timeout(request, streamTimeoutSeconds)
      return recordResponse(render(outcome, request, trace), trace, outcome, caller)
    }
    // A trailing slash is served without a redirect: PHP clients send one and do not follow redirects.
    return { [path]: handler, [`${path}/`]: handler }
  }

  function preflight(allow: string, trace: Trace): Response {
    const response = createPreflightResponse(allow)
    setHeaders(response.headers, { ...common, "Request-Id": trace.id, "Pazar-Reason": "ok" })
    return recordResponse(response, trace, { ...unauthenticatedOutcome, reason: "ok", fault: null })
  }

  const serve = <Input, Result>(endpoint: Endpoint<Catalog, Input, Result>) =>
    route(endpoint, (context) => handleApiRequest(endpoint, api, context))

  return {
    ...accountEndpoints(serve),
    ...itemEndpoints(serve),
    ...purchaseEndpoints(serve, routing.downloadLinks, currentBaseUrl),
    ...Object.assign(
      {},
      ...envatoRoutes.map((each) =>
        route(each, (context) =>
          handleEnvato(each, api, context, new URL(currentBaseUrl()).hostname),
        ),
      ),
    ),
  }
}
