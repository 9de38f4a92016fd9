/** The short requests of operators: links for authors, purchases of any author, and metrics. */
import type { Actor } from "../access/actor.ts"
import type { Recording } from "../access/audit-event.ts"
import { linkPath } from "../access/paths.ts"
import type { AccountStore } from "../accounts/account.ts"
import { createErrorResponder } from "../api/operator-guard.ts"
import { createSignInLink, type Linking } from "../people/sign-in-operations.ts"
import { DomainError, StoreUnavailable, UserError } from "../platform/error.ts"
import { queryParameters, readBody } from "../platform/http/parameters.ts"
import { queryOf } from "../platform/http/request-head.ts"
import { type Deadline, openRequestDeadline } from "../platform/timers.ts"
import {
  type FoundPurchase,
  purchaseBodyOf,
  stateNames,
  stateOfPurchase,
} from "../purchases/purchase.ts"
import { findPurchase, type PurchaseServices } from "../purchases/purchase-operations.ts"
import { readUsedSites, type UsedSites } from "../purchases/site-operations.ts"
import { prometheusContentType } from "../usage/metrics.ts"

/** POST /operator/links creates a link that signs an author in, for the site of the operator. */
export type LinkServices = Linking &
  Omit<Recording, "actor"> &
  Readonly<{ accounts: Pick<AccountStore, "findByUsername"> }>

/** `onFault` receives an error that is logged but not sent. */
type OperatorRequest = Readonly<{ request: Request; onFault(fault: unknown): void }>

export const failLink = createErrorResponder("POST", {
  400: 'The body must be a JSON object, as in {"username":"ada"}',
  403: "The account is suspended",
  404: "Account not found",
  413: "The body is longer than 64 KB",
  503: "The database is unavailable; try again",
})

export async function handleLink(
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

/** GET /operator/purchases returns a purchase of any author, for the help desk of the operator. */
export type PurchaseReportServices = Pick<PurchaseServices, "sales" | "sites" | "now">

export const failPurchase = createErrorResponder("GET", {
  400: "The parameter purchase_code is missing",
  404: "Purchase not found",
  503: "The database is unavailable; try again",
})

export async function handlePurchase(
  services: PurchaseReportServices,
  { request, onFault }: OperatorRequest,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return failPurchase(405)
  const code = queryParameters(queryOf(request.url))("purchase_code")
  if (typeof code !== "string") return failPurchase(400)
  const deadline = openRequestDeadline()
  try {
    const purchase = await deadline.within(findPurchase(services.sales, code))
    const used = await deadline.within(readUsedSites(services, purchase))
    const body = purchaseReportOf(purchase, used)
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

const purchaseReportOf = (purchase: FoundPurchase, { sites, limit, at }: UsedSites) => ({
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

/** GET /metrics is for Prometheus. The metrics token gives access to nothing else. */
export type MetricsServices = Readonly<{
  token: string
  /** The sums of all threads in Prometheus's text format. */
  render(): Promise<string>
}>

export const failMetrics = createErrorResponder("GET, HEAD", {
  401: "The metrics token is missing or invalid",
})

export async function handleMetrics(
  { render }: Pick<MetricsServices, "render">,
  { method }: Request,
): Promise<Response> {
  if (method !== "GET" && method !== "HEAD") return failMetrics(405)
  return new Response(await render(), {
    headers: { "Content-Type": prometheusContentType, "Cache-Control": "no-store" },
  })
}
