/** The listener: which path leads where. */
import { type Admission, createWhilePaused, rankOf } from "../../domain/running/admission.ts"
import type { Caller, TokenLimit } from "../../domain/running/rate-limits.ts"
import type { FindHolder } from "../../domain/sign-in/operator-token.ts"
import type { Awaitable } from "../../domain/values/awaitable.ts"
import { DomainError } from "../../domain/values/error.ts"
import { httpUrl } from "../../domain/values/ip-address.ts"
import type { Every } from "../../domain/values/time/every.ts"
import { createWorkQueue, untilNextTurn } from "../../domain/values/work-queue.ts"
import type { Log } from "../../log/log.ts"
import type { Route } from "../../metrics/labels.ts"
import type { Recorder } from "../../metrics/recorder.ts"
import type { Counter } from "../../usage/counter.ts"
import type { ApiServices } from "../api/answer/endpoint.ts"
import { failureOutcome } from "../api/answer/outcome.ts"
import { createResponder } from "../api/answer/response.ts"
import { isEnvatoPath, unservedOutcome } from "../api/envato/errors.ts"
import { handleKeySet, keySetPath } from "../api/key-set.ts"
import { chooseVariant } from "../api/pipeline.ts"
import { queryParameters } from "../api/request/parameters.ts"
import { createRequestLog, reasonOfStatus, withoutKey } from "../api/request-log.ts"
import { addMissingDate, commonHeaders, setHeaders } from "../headers/common-headers.ts"
import { createDocumentHandlers, failDocument } from "../openapi/handlers.ts"
import { type FeedServices, failFeed, handleFeed } from "../operator-api/feed.ts"
import { failLink, handleLink, type LinkServices } from "../operator-api/links.ts"
import { failMetrics, handleMetrics, type MetricsServices } from "../operator-api/metrics.ts"
import { createOperatorGuard, createTokenGuard } from "../operator-api/token.ts"
import type { Pages } from "../pages/app/page-app.ts"
import type { Handler, Routes, Server } from "../request/handler.ts"
import { hasOneHost } from "../request/host.ts"
import {
  collapseSlashes,
  fitsPatterns,
  isRewritten,
  pathOf,
  pathPatterns,
  queryOf,
} from "../request/request-target.ts"
import { createTrace, type Trace } from "../request/trace.ts"
import { createClientAddress } from "./client-address.ts"
import { drain } from "./drain.ts"
import { type Health, openHealth } from "./health.ts"
import { createProxyWarning } from "./proxy-warning.ts"
import { createApiRoutes } from "./routes.ts"

export type ServerOptions = Readonly<{
  host: string
  port: number
  /** The base of links; null for the address the server listens on. */
  publicUrl: string | null
  /** The version of the program. */
  version: string
  /** How many listeners share the port. */
  threads: number
  trustedProxies: readonly string[]
  idleSeconds: number
  api: ApiServices
  /** The public signing keys, as a JWK set. */
  readKeySet(): Awaitable<string>
  tokenLimit: TokenLimit
  operator: FeedServices & LinkServices
  findHolder: FindHolder
  /** Null where no metrics token is set: the path then does not exist. */
  metrics: MetricsServices | null
  recorder: Recorder
  /** Called with the address that the server listens on. */
  createPages(url: string): Pages
  /** Told of every answer. */
  count: Counter["count"]
  admission: Admission
  /** Asked by `/readyz`: resolves when the store can be used. */
  askStore(): Promise<void>
  /** Whether writes to the store succeed, by all threads. */
  isStoreWritable(): boolean
  /** Whether to ask the store every second, so that the log tells when it is lost and when it is back. */
  watchesStore: boolean
  every: Every
  log: Log
}>

export type Listener = Readonly<{
  /** As a client would write it. */
  url: string
  /** Goes on answering until load balancers have noticed that this node stops. */
  retire: Health["retire"]
  /** Lets the requests in flight finish, for a while; then cuts them off. */
  close(): Promise<void>
}>

const feedPath = "/operator/feed"
const metricsPath = "/metrics"
const linksPath = "/operator/links"
const pageRank = rankOf("pages")

/** Paths for programs always answer in JSON, as those of Envato's API do. Every other path is a page. */
const isForPrograms = (path: string) => /^\/+(?:api|operator)(?:\/|$)/i.test(path)

export function openServer(options: ServerOptions): Listener {
  const { host, port, idleSeconds, api, operator, metrics, recorder } = options
  const { admission, log, findHolder, tokenLimit } = options
  const clientAddress = createClientAddress(options.trustedProxies, createProxyWarning(log))
  const addressOf = (request: Request, server: Server) =>
    clientAddress(server.requestIP(request)?.address ?? "", request.headers.get("x-forwarded-for"))

  function callerOf(request: Request, server: Server): Caller {
    let known: string | null = null
    return {
      address() {
        known ??= addressOf(request, server)
        return known
      },
    }
  }

  // Only one thread notes it: the metrics add up the numbers of all threads.
  const onJudged = options.watchesStore ? recorder.noteStore : () => {}
  const health = openHealth(options.askStore, options.isStoreWritable, log, onJudged)
  if (options.watchesStore) {
    recorder.noteStore(true)
    health.watch()
  }
  const conclude = createRequestLog(log, options.count, health.isRetired)

  // One page begins in a turn of the event loop: an embedded store blocks the thread while it reads.
  const untilOwnTurn = createWorkQueue(1, untilNextTurn)
  const whilePaused = createWhilePaused(admission)
  const currentBaseUrl = () => options.publicUrl ?? url
  const common = commonHeaders(options.publicUrl)

  const clientRoutes: Routes = {
    ...createApiRoutes({ ...options, callerOf, conclude, currentBaseUrl, common }),
    [keySetPath]: (request) =>
      serveElsewhere("key_set", request, () => handleKeySet(request, options.readKeySet)),
  }
  const routes: Routes = {
    ...health.routes,
    ...clientRoutes,
    ...createDocumentRoutes(),
    ...createFeedRoute(),
    ...createLinksRoute(),
    ...(metrics === null ? {} : createMetricsRoute(metrics)),
  }

  function createDocumentRoutes(): Routes {
    const handlers = createDocumentHandlers({
      version: options.version,
      siteLocale: api.siteLocale,
      admitOperator: createOperatorGuard(findHolder, null, tokenLimit, failDocument),
      currentBaseUrl,
    })
    return Object.fromEntries(
      Object.entries(handlers).map(([path, handle]) => [
        path,
        (request, server) =>
          serveElsewhere("openapi", request, () => handle(request, callerOf(request, server))),
      ]),
    )
  }

  function createFeedRoute(): Routes {
    const admit = createOperatorGuard(findHolder, "feed", tokenLimit, failFeed)
    return {
      [feedPath]: (request, server) =>
        serveElsewhere("feed", request, async (onFault, { id: requestId }) => {
          const actor = await admit(request, callerOf(request, server))
          if (actor instanceof Response) return actor
          const response = await handleFeed(operator, {
            request,
            actor,
            onAdmitted: () => server.timeout(request, 0),
            onTaken(summary) {
              recorder.countFeed("push", summary, 0)
              log.info("feed push", { ...summary, requestId })
            },
            onFault,
          })
          // The setting belongs to the connection, whose next request is no feed.
          server.timeout(request, idleSeconds)
          return response
        }),
    }
  }

  function createLinksRoute(): Routes {
    const admit = createOperatorGuard(findHolder, "links", tokenLimit, failLink)
    return {
      [linksPath]: (request, server) =>
        serveNamed("links", request, async (onFault) => {
          const actor = await admit(request, callerOf(request, server))
          if (actor instanceof Response) return actor
          return handleLink(operator, { request, actor, baseUrl: currentBaseUrl(), onFault })
        }),
    }
  }

  function createMetricsRoute(services: MetricsServices): Routes {
    const refuse = createTokenGuard(services.token, tokenLimit, failMetrics)
    return {
      [metricsPath]: (request, server) =>
        serveElsewhere(
          "metrics",
          request,
          async () =>
            refuse(request, callerOf(request, server)) ?? handleMetrics(services, request),
        ),
    }
  }

  const respondElsewhere = createResponder({
    cacheControl: "no-store",
    allow: "",
    isCrossOrigin: false,
    common,
  })
  /** An unknown path, or an error that no handler expected. */
  function fail(error: unknown, request: Request, trace: Trace): Response {
    const query = queryParameters(queryOf(request.url))
    const variant = chooseVariant(query, request.headers, api.siteLocale)
    const outcome = failureOutcome(error, null, variant, null)
    return conclude(respondElsewhere(outcome, trace), trace, outcome)
  }
  async function serveElsewhere(
    route: Route,
    request: Request,
    handle: (onFault: (fault: unknown) => void, trace: Trace) => Promise<Response>,
  ): Promise<Response> {
    const trace = createTrace(request, route)
    let fault: unknown = null
    try {
      const response = await handle((found) => {
        fault = found
      }, trace)
      setHeaders(response.headers, common)
      addMissingDate(trace.method, response)
      const reason = reasonOfStatus(response.status)
      return conclude(response, trace, { ...withoutKey, reason, fault })
    } catch (error) {
      return fail(error, request, trace)
    }
  }

  /** The same for what a browser shows or is sent to: only to a request with one well-formed Host. */
  const serveNamed: typeof serveElsewhere = async (route, request, handle) =>
    hasOneHost(request.headers) ? serveElsewhere(route, request, handle) : refuse(request)

  const refuse = (request: Request) =>
    fail(new DomainError("invalid_parameter"), request, createTrace(request, "unknown"))

  function servePage(request: Request, server: Server): Promise<Response> {
    return serveNamed("page", request, async (onFault) => {
      const isAdmitted = admission.enter(pageRank)
      const address = addressOf(request, server)
      try {
        // A refused page must not wait: waiting requests count as in flight.
        if (isAdmitted) await untilOwnTurn(() => {})
        return await pages.fetch(request, { address, isAdmitted, whilePaused, onFault })
      } finally {
        admission.leave()
      }
    })
  }

  /** A path that has no route of its own. */
  function serveUnlisted(request: Bun.BunRequest, server: Server): Awaitable<Response> {
    if (Object.values(request.params).some(isRewritten)) return refuse(request)
    return serveCollapsed(request, server) ?? servePage(request, server)
  }

  /** Null for a page. Repeated slashes lead to the paths of clients only: a proxy may keep others closed. */
  function serveCollapsed(request: Request, server: Server): Awaitable<Response> | null {
    const path = pathOf(request.url)
    const handler = clientRoutes[collapseSlashes(path)]
    if (handler !== undefined) return handler(request, server)
    if (isEnvatoPath(path)) return refuseEnvato(request)
    return isForPrograms(path) ? refuseUnknown(request) : null
  }

  function refuseEnvato(request: Request): Response {
    const trace = createTrace(request, "unknown")
    const outcome = unservedOutcome()
    return conclude(respondElsewhere(outcome, trace), trace, outcome)
  }

  const refuseUnknown = (request: Request) =>
    fail(new DomainError("unknown_path"), request, createTrace(request, "unknown"))

  const unlisted = answerOnce(serveUnlisted)
  const server = Bun.serve({
    hostname: host,
    port,
    reusePort: options.threads > 1,
    idleTimeout: idleSeconds,
    // The API checks lengths itself, with an answer in JSON; a feed may be of any length.
    maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    routes: {
      ...Object.fromEntries(pathPatterns.map((pattern) => [pattern, unlisted])),
      ...Object.fromEntries(
        Object.entries(routes).map(([path, handle]) => [path, answerOnce(handle)]),
      ),
    },
    // Only targets that are too long for the patterns arrive here, and no page is that long.
    fetch: answerOnce((request, server) =>
      fitsPatterns(pathOf(request.url))
        ? refuse(request)
        : (serveCollapsed(request, server) ?? refuseUnknown(request)),
    ),
  })
  const url = httpUrl(server.hostname ?? "localhost", server.port ?? port)
  const pages = options.createPages(url)
  return {
    url,
    retire: health.retire,
    async close() {
      await drain(server)
      health.close()
    },
  }
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
