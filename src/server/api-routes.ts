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
import { doctorPath, type SeenCaller } from "../doctor/doctor-pass.ts"
import { itemEndpoints } from "../items/item-endpoints.ts"
import { DomainError } from "../platform/error.ts"
import { findBearer } from "../platform/http/parameters.ts"
import type { Log } from "../platform/log.ts"
import { envatoRoutes, handleEnvato } from "../purchases/envato-endpoints.ts"
import type { DownloadLinks } from "../purchases/purchase.ts"
import { downloadPath, handleDownload, purchaseEndpoints } from "../purchases/purchase-endpoints.ts"
import type { Catalog } from "../purchases/test-catalog.ts"
import { handleKeySet, keySetPath } from "../signing/key-set-endpoints.ts"
import type { SigningKey } from "../signing/signing-key.ts"
import { createTrust, type ResolveCaller } from "./client-address.ts"
import type { RequestMiddleware } from "./request-middleware.ts"

type ClientRouting = Readonly<{
  api: ApiServices<Catalog>
  downloadLinks: DownloadLinks
  readSigningKeys(): Promise<readonly SigningKey[]>
  isDoctorPass(pass: string): boolean
  trustedProxies: readonly string[]
  log: Log
  middleware: RequestMiddleware
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

/** The routes of products and authors' programs, and the one for `pazar doctor`. */
export function createClientRoutes(routing: ClientRouting): Routes {
  const { api, downloadLinks, log, resolveCaller, recordResponse, currentBaseUrl } = routing
  const { common, helpUrl, middleware } = routing
  const isTrusted = createTrust(routing.trustedProxies)
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
    ...purchaseEndpoints(serve, downloadLinks, currentBaseUrl),
    ...Object.assign(
      {},
      ...envatoRoutes.map((each) =>
        route(each, (context) =>
          handleEnvato(each, api, context, new URL(currentBaseUrl()).hostname),
        ),
      ),
    ),
    [downloadPath]: (request) =>
      middleware.serve("download", request, () => handleDownload(request, downloadLinks, api)),
    [keySetPath]: (request) =>
      middleware.serve("key_set", request, () => handleKeySet(request, routing.readSigningKeys)),
    [doctorPath]: (request, server) =>
      middleware.serve("unknown", request, async () => {
        const pass = findBearer(request.headers)
        if (pass === null || !routing.isDoctorPass(pass)) throw new DomainError("unknown_path")
        const peer = server.requestIP(request)?.address ?? ""
        const seen: SeenCaller = {
          peer,
          isPeerTrusted: isTrusted(peer),
          forwardedFor: request.headers.get("x-forwarded-for"),
          client: resolveCaller(request, server).address(),
        }
        return Response.json(seen, { headers: { "Cache-Control": "no-store" } })
      }),
  }
}
