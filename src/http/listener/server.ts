/** The listener: which path leads where. */

import type { Metrics } from "../../counters/metrics.ts"
import type { UsageCounter } from "../../counters/usage-counter.ts"
import type { InFlight } from "../../domain/limits/request-limits.ts"
import { httpUrl } from "../../domain/values/ip-range.ts"
import { withTimeout } from "../../domain/values/time/timers.ts"
import { createWorkQueue, untilNextTurn } from "../../domain/values/work-queue.ts"
import type { Log } from "../../log/log.ts"
import { isEnvatoPath } from "../api/envato/envato-sale-endpoint.ts"
import { handleKeySet, keySetPath } from "../api/key-set-endpoint.ts"
import { createRequestLog } from "../api/request-log.ts"
import type { ApiServices } from "../api/response/endpoint.ts"
import { commonHeaders, helpUrlOf } from "../api/response/headers.ts"
import type { Pages } from "../pages/app/page-app.ts"
import type { Handler, Routes, Server } from "../request/handler.ts"
import {
  collapseSlashes,
  fitsPatterns,
  isRewritten,
  pathOf,
  pathPatterns,
} from "../request/request-head.ts"
import { createApiRoutes, streamTimeoutSeconds } from "./api-routes.ts"
import { createCallerResolver, type ResolveCaller } from "./client-address.ts"
import { type Health, openHealth, type ProbedStore } from "./health.ts"
import { createOperatorRoutes, type OperatorServices } from "./operator-routes.ts"
import { createRequestMiddleware, type RequestMiddleware } from "./request-middleware.ts"

export type ServerOptions = Readonly<{
  settings: Readonly<{
    host: string
    port: number
    /** The base of links; null for the address the server listens on. */
    publicUrl: string | null
    trustedProxies: readonly string[]
    idleSeconds: number
  }>
  version: string
  api: ApiServices
  /** The public signing keys, as a JWK set. */
  readKeySet(): Promise<string>
  operator: OperatorServices
  /** Not called before the server listens. */
  findPages(): Promise<Pages>
  metrics: Metrics
  /** Told of every answer but those of the probes. */
  count: UsageCounter["count"]
  inFlight: InFlight
  store: ProbedStore
  log: Log
}>

export type Listener = Readonly<{
  /** As a client would write it. */
  url: string
  /** From now on `/readyz` returns 503, and each response closes its connection. */
  drain: Health["drain"]
  /** Lets the requests in flight finish, for a while; then cuts them off. */
  close(): Promise<void>
}>

export const inFlightMsMax = 10_000

export function openServer(options: ServerOptions): Listener {
  const { settings, api, readKeySet, operator, version, inFlight, metrics, log } = options
  const { port, publicUrl, idleSeconds } = settings
  const health = openHealth(options.store, log, (isReady) => {
    metrics.server.storeReady = isReady ? 1 : 0
  })
  const recordResponse = createRequestLog(log, options.count, health.isDraining)
  const common = commonHeaders(publicUrl)
  const helpUrl = helpUrlOf(publicUrl)
  const middleware = createRequestMiddleware(recordResponse, common, helpUrl, api.siteLocale)
  const resolveCaller = createCallerResolver(settings.trustedProxies, log)
  const currentBaseUrl = () => publicUrl ?? url

  const clientRoutes: Routes = {
    ...createApiRoutes({
      api,
      log,
      resolveCaller,
      recordResponse,
      currentBaseUrl,
      common,
      helpUrl,
    }),
    [keySetPath]: (request) =>
      middleware.serve("key_set", request, () => handleKeySet(request, readKeySet)),
  }
  const programRoutes = createOperatorRoutes({
    operator,
    middleware,
    resolveCaller,
    currentBaseUrl,
    siteLocale: api.siteLocale,
    version,
    idleSeconds,
    counters: metrics,
    log,
  })
  const servePage = createPageHandler(
    middleware,
    inFlight,
    resolveCaller,
    options.findPages,
    idleSeconds,
  )
  const { serveUnlisted, serveLong } = createFallbacks(clientRoutes, middleware, servePage)
  const routes = { ...health.routes, ...clientRoutes, ...programRoutes }

  const server = Bun.serve({
    hostname: settings.host,
    port,
    // For other threads.
    reusePort: true,
    idleTimeout: idleSeconds,
    // The API checks lengths itself, with an answer in JSON; a feed may be of any length.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: {
      ...Object.fromEntries(pathPatterns.map((pattern) => [pattern, answerOnce(serveUnlisted)])),
      ...Object.fromEntries(
        Object.entries<Handler>(routes).map(([path, handle]) => [path, answerOnce(handle)]),
      ),
    },
    fetch: answerOnce(serveLong),
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

function createPageHandler(
  { serveNamed }: RequestMiddleware,
  { enterPage, leavePage, whilePaused }: InFlight,
  callerOf: ResolveCaller,
  findPages: () => Promise<Pages>,
  idleSeconds: number,
) {
  // One page begins in a turn of the event loop: an embedded store blocks the thread while it reads.
  const untilOwnTurn = createWorkQueue(1, untilNextTurn)
  return (request: Request, server: Server) =>
    serveNamed("page", request, async (onFault) => {
      const isAdmitted = enterPage()
      const address = callerOf(request, server).address()
      try {
        if (isAdmitted) await untilOwnTurn(() => {})
        // A page may wait for a slow database. A form is read first, and a client must not take its time with that.
        if (request.method === "GET") server.timeout(request, streamTimeoutSeconds)
        const pages = await findPages()
        const response = await pages.fetch(request, { address, isAdmitted, whilePaused, onFault })
        // The setting belongs to the connection. The reader of a file may pause.
        const isFile = response.headers.has("Content-Disposition")
        if (!isFile) server.timeout(request, idleSeconds)
        return response
      } finally {
        if (isAdmitted) leavePage()
      }
    })
}

/** Paths for programs always answer in JSON, as those of Envato's API do. Every other path is a page. */
const isForPrograms = (path: string) => /^\/+(?:api|operator)(?:\/|$)/i.test(path)

/** For paths that have no route of their own. */
function createFallbacks(
  clientRoutes: Routes,
  { refuse, refuseEnvato }: RequestMiddleware,
  servePage: Handler,
) {
  /** Null for a page. Repeated slashes lead to the paths of clients only: a proxy may keep others closed. */
  function serveCollapsed(request: Request, server: Server): Response | Promise<Response> | null {
    const path = pathOf(request.url)
    const handler = clientRoutes[collapseSlashes(path)]
    if (handler !== undefined) return handler(request, server)
    if (isEnvatoPath(path)) return refuseEnvato(request)
    return isForPrograms(path) ? refuse(request, "unknown_path") : null
  }
  const serveUnlisted: Handler<Bun.BunRequest> = (request, server) =>
    Object.values(request.params).some(isRewritten)
      ? refuse(request, "invalid_parameter")
      : (serveCollapsed(request, server) ?? servePage(request, server))

  /** Targets that are too long for the patterns. No page is that long. */
  const serveLong: Handler = (request, server) =>
    fitsPatterns(pathOf(request.url))
      ? refuse(request, "invalid_parameter")
      : (serveCollapsed(request, server) ?? refuse(request, "unknown_path"))

  return { serveUnlisted, serveLong }
}

/**
 * Bun 1.4 takes a chunked body for complete before it has read the trailers, and refuses trailers with a
 * second answer, a 400. So the answer waits until the bytes that have arrived are parsed (a refused
 * request then gets the 400 alone), and ends the connection, so that later bytes get no answer.
 */
function answerOnce<Asked extends Request>(handle: Handler<Asked>): Handler<Asked> {
  async function answerChunked(request: Asked, server: Server): Promise<Response> {
    const response = await handle(request, server)
    await untilNextTurn()
    response.headers.set("Connection", "close")
    return response
  }
  return (request, server) =>
    request.headers.has("transfer-encoding")
      ? answerChunked(request, server)
      : handle(request, server)
}

/** Lets the requests in flight finish. The runtime would wait longer for a half-sent one; a stop must not. */
async function stopServer(server: Server): Promise<void> {
  const stopped = server.stop().then(() => true)
  const isDone = await withTimeout(stopped, inFlightMsMax, () => false)
  if (!isDone) await server.stop(true)
}
