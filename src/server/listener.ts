import type { ApiServices, Handler, Routes, Server } from "../api/endpoint.ts"
import { createRequestLog } from "../api/request-log.ts"
import { commonHeaders, helpUrlOf } from "../contract/response.ts"
import type { Pages } from "../people/page-app.tsx"
import { compressResponse } from "../platform/http/compression.ts"
import type { InFlight } from "../platform/http/in-flight.ts"
import { pathOf } from "../platform/http/request-head.ts"
import { httpUrl } from "../platform/ip-range.ts"
import type { Log } from "../platform/log.ts"
import { createWorkQueue, untilNextTurn, withTimeout } from "../platform/timers.ts"
import { isEnvatoPath } from "../purchases/envato-endpoints.ts"
import type { DownloadLinks } from "../purchases/purchase.ts"
import type { Catalog } from "../purchases/test-catalog.ts"
import type { SigningKey } from "../signing/signing-key.ts"
import type { Metrics } from "../usage/metrics.ts"
import type { UsageCounter } from "../usage/usage-counter.ts"
import { createClientRoutes, streamTimeoutSeconds } from "./api-routes.ts"
import { createCallerResolver, type ResolveCaller } from "./client-address.ts"
import { type Health, openHealth, type ProbedStore } from "./health.ts"
import { createOperatorRoutes, type OperatorServices } from "./operator-routes.ts"
import { createRequestMiddleware, type RequestMiddleware } from "./request-middleware.ts"

type ServerOptions = Readonly<{
  settings: Readonly<{
    host: string
    port: number
    /** The base of links; null for the URL that the server listens on. */
    publicUrl: string | null
    trustedProxies: readonly string[]
    idleSeconds: number
  }>
  version: string
  api: ApiServices<Catalog>
  downloadLinks: DownloadLinks
  readSigningKeys(): Promise<readonly SigningKey[]>
  operator: OperatorServices
  isDoctorPass(pass: string): boolean
  /** Not called before the server listens. */
  findPages(): Promise<Pages>
  metrics: Metrics
  /** Called for every response except probes. */
  count: UsageCounter["count"]
  inFlight: InFlight
  store: ProbedStore
  log: Log
}>

export type Listener = Readonly<{
  url: string
  /** From now on `/readyz` returns 503, and each response closes its connection. */
  drain: Health["drain"]
  /** Waits for requests in flight, then closes their connections. */
  close(): Promise<void>
}>

export const inFlightMsMax = 10_000

export function openServer(options: ServerOptions): Listener {
  const { settings, api, inFlight, metrics, log, findPages } = options
  const { port, publicUrl, idleSeconds, trustedProxies } = settings
  const { siteLocale } = api
  const health = openHealth(options.store, log, (isReady) => {
    metrics.server.storeReady = isReady ? 1 : 0
  })
  const recordResponse = createRequestLog(log, options.count, health.isDraining)
  const common = commonHeaders(publicUrl)
  const helpUrl = helpUrlOf(publicUrl)
  const middleware = createRequestMiddleware(recordResponse, common, helpUrl, siteLocale)
  const resolveCaller = createCallerResolver(trustedProxies, log)
  const currentBaseUrl = () => publicUrl ?? url
  const routing = { ...options, middleware, resolveCaller, currentBaseUrl }
  const clientRoutes = createClientRoutes({
    ...routing,
    trustedProxies,
    recordResponse,
    common,
    helpUrl,
  })
  const operatorRoutes = createOperatorRoutes({ ...routing, siteLocale, idleSeconds })
  const servePage = createPageHandler({
    middleware,
    inFlight,
    resolveCaller,
    findPages,
    idleSeconds,
  })
  const { serveUnlisted, serveLong } = createFallbacks(clientRoutes, middleware, servePage)
  const routes = { ...health.routes, ...clientRoutes, ...operatorRoutes }

  const server = Bun.serve({
    hostname: settings.host,
    port,
    // Otherwise Bun prints the stack of each response that is aborted.
    development: false,
    reusePort: true,
    idleTimeout: idleSeconds,
    // The API checks lengths itself and responds in JSON. A feed may have any length.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: {
      ...Object.fromEntries(pathPatterns.map((pattern) => [pattern, respondOnce(serveUnlisted)])),
      ...Object.fromEntries(
        Object.entries<Handler>(routes).map(([path, handle]) => [path, respondOnce(handle)]),
      ),
    },
    fetch: respondOnce(serveLong),
  })
  const url = httpUrl(server.hostname ?? "localhost", server.port ?? port)
  return {
    url,
    drain: health.drain,
    async close() {
      await stopServer(server)
      health.close()
    },
  }
}

type PageServing = Readonly<{
  middleware: RequestMiddleware
  inFlight: InFlight
  resolveCaller: ResolveCaller
  findPages(): Promise<Pages>
  idleSeconds: number
}>

function createPageHandler(serving: PageServing): Handler {
  const { middleware, inFlight, resolveCaller, findPages, idleSeconds } = serving
  const { enterPage, leavePage, whilePaused, takeTurn } = inFlight
  // Starts one page per turn of the event loop, because SQLite blocks the thread while it reads.
  const waitForTurn = createWorkQueue(1, untilNextTurn)
  return (request, server) =>
    middleware.serveNamed("page", request, async (onFault) => {
      const isAdmitted = enterPage()
      let isPlaceKept = false
      function keepPlace(): () => void {
        isPlaceKept = true
        return leavePage
      }
      const address = resolveCaller(request, server).address()
      try {
        if (isAdmitted) await waitForTurn(() => {})
        // A page may wait for a slow database. A client may not send a form slowly.
        if (request.method === "GET") server.timeout(request, streamTimeoutSeconds)
        const pages = await findPages()
        const visit = { address, isAdmitted, whilePaused, takeTurn, keepPlace, onFault }
        const response = await pages.fetch(request, visit)
        // The timeout applies to the connection. The reader of a file may pause.
        const isFile = response.headers.has("Content-Disposition")
        if (!isFile) server.timeout(request, idleSeconds)
        return compressResponse(request, response)
      } finally {
        if (isAdmitted && !isPlaceKept) leavePage()
      }
    })
}

/** The API and the operator API respond in JSON. Other paths are pages, except those of Envato's API. */
const isForPrograms = (path: string) => /^\/+(?:api|operator)(?:\/|$)/i.test(path)

function createFallbacks(
  clientRoutes: Routes,
  { reject, rejectEnvato }: RequestMiddleware,
  servePage: Handler,
) {
  /**
   * Null for a page. Repeated slashes are collapsed for client routes only: a proxy may block the operator
   * routes by their path.
   */
  function serveCollapsed(request: Request, server: Server): Response | Promise<Response> | null {
    const path = pathOf(request.url)
    const handler = clientRoutes[collapseSlashes(path)]
    if (handler !== undefined) return handler(request, server)
    if (isEnvatoPath(path)) return rejectEnvato(request)
    return isForPrograms(path) ? reject(request, "unknown_path") : null
  }
  const serveUnlisted: Handler<Bun.BunRequest> = (request, server) =>
    Object.values(request.params).some(isRewritten)
      ? reject(request, "invalid_parameter")
      : (serveCollapsed(request, server) ?? servePage(request, server))

  /** For paths with more segments than the patterns have. No page has so many. */
  const serveLong: Handler = (request, server) =>
    fitsPatterns(pathOf(request.url))
      ? reject(request, "invalid_parameter")
      : (serveCollapsed(request, server) ?? reject(request, "unknown_path"))

  return { serveUnlisted, serveLong }
}

/**
 * Bun 1.4 treats a chunked body as complete before it has read the trailers, and rejects trailers with a
 * second response, a 400. So the response waits until the received bytes are parsed, and closes the
 * connection so that later bytes get no response.
 */
function respondOnce<Received extends Request>(handle: Handler<Received>): Handler<Received> {
  async function respondToChunked(request: Received, server: Server): Promise<Response> {
    const response = await handle(request, server)
    await untilNextTurn()
    response.headers.set("Connection", "close")
    return response
  }
  return (request, server) =>
    request.headers.has("transfer-encoding")
      ? respondToChunked(request, server)
      : handle(request, server)
}

/** The runtime would wait longer for a request that was sent only in part. */
async function stopServer(server: Server): Promise<void> {
  const stopped = server.stop().then(() => true)
  const isDone = await withTimeout(stopped, inFlightMsMax, () => false)
  if (!isDone) await server.stop(true)
}

/** Collapses repeated slashes, because base URLs may end in a slash. */
export const collapseSlashes = (path: string) => path.replace(/\/{2,}/g, "/")

const segmentsMax = 8

/**
 * Patterns that match every path of up to eight segments, empty ones included. The route table matches the
 * raw target, while `request.url` was normalized: `\` became `/`, and `..` was resolved. Only the
 * parameters of these patterns show what a proxy saw.
 */
const pathPatterns: readonly string[] = Array.from({ length: segmentsMax }, (_, at) =>
  listPatterns(at + 1),
).flat()

function listPatterns(segments: number): readonly string[] {
  if (segments === 0) return [""]
  return listPatterns(segments - 1).flatMap((start) => [`${start}/`, `${start}/:s${segments}`])
}

/** False for a path that reaches only the fallback of the route table. */
const fitsPatterns = (path: string) => path.split("/").length - 1 <= segmentsMax

/** Whether the URL parser would rewrite a path with this decoded segment. */
const isRewritten = (segment: string) => /^\.\.?$|[\\#]/.test(segment)
