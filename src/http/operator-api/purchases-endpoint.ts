/** GET /operator/purchases: a purchase of any author, for the help desk of the operator. */

import {
  type PurchaseState,
  purchaseBodyOf,
  stateOfPurchase,
} from "../../domain/catalog/purchase.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import type { FoundPurchase } from "../../domain/usage/operator-reads.ts"
import { UserError } from "../../domain/values/error.ts"
import { findPurchase } from "../../operations/catalog/purchase-operations.ts"
import { readUsedSites, type UsedSites } from "../../operations/catalog/site-operations.ts"
import type { Needs } from "../../operations/operation.ts"
import { queryParameters } from "../api/request/parameters.ts"
import { queryOf } from "../request/request-head.ts"
import { createErrorResponder } from "./operator-token.ts"

export type PurchaseServices = Needs<"operatorReads" | "sites" | "now">

type PurchaseRequestContext = Readonly<{ request: Request; onFault(fault: unknown): void }>

export const failPurchase = createErrorResponder("GET", {
  400: "The parameter purchase_code is missing",
  404: "Purchase not found",
  503: "The database is unavailable; try again",
})

export async function handlePurchase(
  services: PurchaseServices,
  { request, onFault }: PurchaseRequestContext,
): Promise<Response> {
  if (request.method !== "GET" && request.method !== "HEAD") return failPurchase(405)
  const code = queryParameters(queryOf(request.url))("purchase_code")
  if (typeof code !== "string") return failPurchase(400)
  try {
    const purchase = await findPurchase(services.operatorReads, code)
    const body = purchaseReportOf(purchase, await readUsedSites(services, purchase))
    return Response.json(body, { headers: { "Cache-Control": "no-store" } })
  } catch (error) {
    if (error instanceof UserError) return failPurchase(404, error.message)
    if (!(error instanceof StoreUnavailable)) throw error
    onFault(error)
    return failPurchase(503)
  }
}

const states: Readonly<Record<PurchaseState, string>> = {
  valid: "valid",
  refunded: "revoked",
  expired: "expired",
}

const purchaseReportOf = (purchase: FoundPurchase, { sites, limit, at }: UsedSites) => ({
  state: states[stateOfPurchase(purchase, at)],
  author: { username: purchase.author, suspended: purchase.isAuthorSuspended },
  purchase: purchaseBodyOf(purchase),
  ...(purchase.buyer === null ? {} : { buyer: purchase.buyer }),
  ...(purchase.validUntil === null ? {} : { valid_until: purchase.validUntil }),
  ...(limit === null ? {} : { site_limit: limit }),
  sites: sites.map(({ site, firstDay, lastDay, isTest }) => ({
    ...{ site, first_day: firstDay, last_day: lastDay, test: isTest },
  })),
})
