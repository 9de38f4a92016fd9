/** The routes of the operator API, the API descriptions and the metrics. */
import type { FindTokenHolder } from "../access/token.ts"
import type { Handler, Routes } from "../api/endpoint.ts"
import { createOperatorGuard, createTokenGuard } from "../api/operator-guard.ts"
import { createDocumentHandlers, failDocument } from "../docs/openapi-endpoints.ts"
import { type FeedServices, failFeed, handleFeed } from "../feed/feed-endpoints.ts"
import type { RateLimits } from "../keys/rate-limits.ts"
import { compressResponse } from "../platform/http/compression.ts"
import type { Locale } from "../platform/locale.ts"
import type { Log } from "../platform/log.ts"
import { countImportRun, type Metrics } from "../usage/metrics.ts"
import type { ResolveCaller } from "./client-address.ts"
import {
  failLink,
  failMetrics,
  failPurchase,
  handleLink,
  handleMetrics,
  handlePurchase,
  type LinkServices,
  type MetricsServices,
  type PurchaseReportServices,
} from "./operator-endpoints.ts"
import type { RequestMiddleware } from "./request-middleware.ts"

export type OperatorServices = Readonly<{
  findHolder: FindTokenHolder
  limits: Pick<RateLimits, "countInvalid">
  feed: FeedServices
  links: LinkServices
  purchases: PurchaseReportServices
  /** Null if no metrics token is set; /metrics is then an unknown path. */
  metrics: MetricsServices | null
}>

type OperatorRouting = Readonly<{
  operator: OperatorServices
  middleware: RequestMiddleware
  resolveCaller: ResolveCaller
  currentBaseUrl(): string
  siteLocale: Locale
  version: string
  idleSeconds: number
  counters: Metrics
  log: Log
}>

export function createOperatorRoutes(routing: OperatorRouting): Routes {
  const { operator, resolveCaller, currentBaseUrl, siteLocale, version, log } = routing
  const { findHolder, limits, feed, links, purchases, metrics } = operator
  const { serve, serveNamed } = routing.middleware
  const admitOperator = createOperatorGuard(findHolder, null, limits, failDocument)
  const admitFeed = createOperatorGuard(findHolder, "feed", limits, failFeed)
  const admitLink = createOperatorGuard(findHolder, "links", limits, failLink)
  const admitPurchase = createOperatorGuard(findHolder, "purchases", limits, failPurchase)
  const documents = createDocumentHandlers({ version, siteLocale, admitOperator, currentBaseUrl })
  const routes: Record<string, Handler> = {
    "/operator/feed": (request, server) =>
      serve("feed", request, async (onFault, { id: requestId }) => {
        const actor = await admitFeed(request, resolveCaller(request, server))
        if (actor instanceof Response) return actor
        const response = await handleFeed(feed, {
          request,
          actor,
          onAdmitted: () => server.timeout(request, 0),
          onImported(summary, stopped) {
            if (stopped !== null) {
              log.warn("feed push stopped", { ...summary, problem: stopped, requestId })
              return
            }
            countImportRun(routing.counters, "push", summary)
            log.info("feed push", { ...summary, requestId })
          },
          onFault,
        })
        // The timeout applies to the connection, which the next request may reuse.
        server.timeout(request, routing.idleSeconds)
        return response
      }),
    "/operator/links": (request, server) =>
      serveNamed("links", request, async (onFault) => {
        const actor = await admitLink(request, resolveCaller(request, server))
        if (actor instanceof Response) return actor
        return handleLink(links, { request, actor, baseUrl: currentBaseUrl(), onFault })
      }),
    "/operator/purchases": (request, server) =>
      serveNamed("purchases", request, async (onFault) => {
        const actor = await admitPurchase(request, resolveCaller(request, server))
        return actor instanceof Response ? actor : handlePurchase(purchases, { request, onFault })
      }),
  }
  for (const [path, handle] of Object.entries(documents)) {
    routes[path] = (request, server) =>
      serve("openapi", request, async () =>
        compressResponse(request, await handle(request, resolveCaller(request, server))),
      )
  }
  if (metrics !== null) {
    const reject = createTokenGuard(metrics.token, limits, failMetrics)
    routes["/metrics"] = (request, server) =>
      serve("metrics", request, async () => {
        const rejected = reject(request, resolveCaller(request, server))
        return rejected ?? compressResponse(request, await handleMetrics(metrics, request))
      })
  }
  return routes
}
