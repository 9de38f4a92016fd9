/** The operator API, the API descriptions and the metrics. */

import type { Actor } from "../access/actor.ts"
import type { Recording } from "../access/audit-event.ts"
import { linkPath } from "../access/paths.ts"
import type { FindTokenHolder } from "../access/token.ts"
import type { AccountStore } from "../accounts/account.ts"
import type { Handler, Routes } from "../api/endpoint.ts"
import {
  createErrorResponder,
  createOperatorGuard,
  createTokenGuard,
} from "../api/operator-guard.ts"
import { createDocumentHandlers, failDocument } from "../docs/openapi-endpoints.ts"
import { type FeedServices, failFeed, handleFeed } from "../feed/feed-endpoints.ts"
import type { RateLimits } from "../keys/rate-limits.ts"
import { createSignInLink, type Linking } from "../people/sign-in-operations.ts"
import { DomainError, StoreUnavailable, UserError } from "../platform/error.ts"
import { compressResponse } from "../platform/http/compression.ts"
import { queryParameters, readBody } from "../platform/http/parameters.ts"
import { queryOf } from "../platform/http/request-head.ts"
import type { Locale } from "../platform/locale.ts"
import type { Log } from "../platform/log.ts"
import { type Deadline, openRequestDeadline } from "../platform/timers.ts"
import {
  type FoundPurchase,
  purchaseBodyOf,
  stateNames,
  stateOfPurchase,
} from "../purchases/purchase.ts"
import { findPurchase, type PurchaseServices } from "../purchases/purchase-operations.ts"
import { readUsedSites, type UsedSites } from "../purchases/site-operations.ts"
import { countImportRun, type Metrics, prometheusContentType } from "../usage/metrics.ts"
import type { ResolveCaller } from "./client-address.ts"
import type { RequestMiddleware } from "./request-middleware.ts"

export type OperatorServices = Readonly<{
  findHolder: FindTokenHolder
  limits: Pick<RateLimits, "countInvalid">
  feed: FeedServices
  links: LinkServices
  purchases: Pick<PurchaseServices, "sales" | "sites" | "now">
  /**
   * Null if no metrics token is set; /metrics is then an unknown path. The token gives access to nothing else. `render`
   * returns the sums of all threads in Prometheus's text format.
   */
  metrics: Readonly<{ token: string; render(): Promise<string> }> | null
}>

type OperatorRouting = Readonly<{
  operator: OperatorServices
  middleware: RequestMiddleware
  resolveCaller: ResolveCaller
  currentBaseUrl(): string
  siteLocale: Locale
  version: string
  idleSeconds: number
  metrics: Metrics
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
            countImportRun(routing.metrics, "push", summary)
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
        if (rejected !== null) return rejected
        if (request.method !== "GET" && request.method !== "HEAD") return failMetrics(405)
        const headers = { "Content-Type": prometheusContentType, "Cache-Control": "no-store" }
        return compressResponse(request, new Response(await metrics.render(), { headers }))
      })
  }
  return routes
}

type LinkServices = Linking &
  Omit<Recording, "actor"> &
  Readonly<{ accounts: Pick<AccountStore, "findByUsername"> }>

type OperatorRequest = Readonly<{ request: Request; onFault(fault: unknown): void }>

const failLink = createErrorResponder("POST", {
  400: 'The body must be a JSON object, as in {"username":"ada"}',
  403: "The account is suspended",
  404: "Account not found",
  413: "The body is longer than 64 KB",
  503: "The database is unavailable; try again",
})

/** POST /operator/links creates a link that signs an author in, for the site of the operator. */
async function handleLink(
  services: LinkServices,
  {
    request,
    actor,
    baseUrl,
    onFault,
  }: OperatorRequest & Readonly<{ actor: Actor; baseUrl: string }>,
): Promise<Response> {
  if (request.method !== "POST") return failLink(405)
  let deadline: Deadline | null = null
  try {
    const username = findUsername(await readBody(request))
    if (username === null) return failLink(400)
    deadline = openRequestDeadline()
    const account = await deadline.within(services.accounts.findByUsername(username))
    if (account === null) return failLink(404)
    const linking = createSignInLink({ ...services, actor }, account)
    const { token, expiresAt } = await deadline.within(linking)
    const link = { url: `${baseUrl}${linkPath}/${token}`, expires_at: expiresAt }
    return Response.json(link, { headers: { "Cache-Control": "no-store" } })
  } catch (error) {
    if (error instanceof StoreUnavailable) {
      onFault(error)
      return failLink(503)
    }
    if (!(error instanceof DomainError)) throw error
    if (error.reason === "account_suspended") return failLink(403)
    return failLink(error.reason === "too_large" ? 413 : 400)
  } finally {
    deadline?.end()
  }
}

/** Null for a body without a username, and for a username with a NUL, which PostgreSQL cannot search for. */
function findUsername(body: string): string | null {
  try {
    const { username } = JSON.parse(body)
    return typeof username === "string" && !username.includes("\0") ? username : null
  } catch {
    return null
  }
}

const failPurchase = createErrorResponder("GET", {
  400: "The parameter purchase_code is missing",
  404: "Purchase not found",
  503: "The database is unavailable; try again",
})

/** GET /operator/purchases returns a purchase of any author, for the help desk of the operator. */
async function handlePurchase(
  services: OperatorServices["purchases"],
  { request, onFault }: OperatorRequest,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return failPurchase(405)
  const code = queryParameters(queryOf(request.url))("purchase_code")
  if (typeof code !== "string") return failPurchase(400)
  const deadline = openRequestDeadline()
  try {
    const purchase = await deadline.within(findPurchase(services.sales, code))
    const used = await deadline.within(readUsedSites(services, purchase))
    const body = renderPurchase(purchase, used)
    return Response.json(body, { headers: { "Cache-Control": "no-store" } })
  } catch (error) {
    if (error instanceof UserError) return failPurchase(404, error.message)
    if (!(error instanceof StoreUnavailable)) throw error
    onFault(error)
    return failPurchase(503)
  } finally {
    deadline.end()
  }
}

const renderPurchase = (purchase: FoundPurchase, { sites, limit, at }: UsedSites) => ({
  state: stateNames[stateOfPurchase(purchase, at)],
  author: { username: purchase.username, suspended: purchase.isSuspended },
  purchase: purchaseBodyOf(purchase),
  ...(purchase.buyer === null ? {} : { buyer: purchase.buyer }),
  ...(purchase.validUntil === null ? {} : { valid_until: purchase.validUntil }),
  ...(limit === null ? {} : { site_limit: limit }),
  sites: sites.map(({ site, firstDay, lastDay, isTest }) => ({
    ...{ site, first_day: firstDay, last_day: lastDay, test: isTest },
  })),
})

const failMetrics = createErrorResponder("GET, HEAD", {
  401: "The metrics token is missing or invalid",
})
