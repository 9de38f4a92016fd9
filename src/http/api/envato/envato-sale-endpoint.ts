/**
 * Handles a request for a sale in Envato's schema: method → key → rights → rate limit → code → find →
 * decide → render. A product written for Envato works with another base URL.
 */

import { type Purchase, purchaseBodyOf } from "../../../domain/catalog/purchase.ts"
import { type ApiKey, mayPerform, type Operation } from "../../../domain/keys/api-key.ts"
import { DomainError } from "../../../domain/values/error.ts"
import { readAccount } from "../../../operations/catalog/account-operations.ts"
import { validatePurchase } from "../../../operations/catalog/purchase-operations.ts"
import { type Authentication, authenticate } from "../../../operations/keys/authenticate.ts"
import { performOperation } from "../../../operations/operation.ts"
import { queryOf } from "../../request/request-head.ts"
import { findBearer, queryParameters } from "../request/parameters.ts"
import type { ApiRequestContext, ApiServices } from "../response/endpoint.ts"
import { failureOutcome, type Outcome, successOutcome, type Variant } from "../response/outcome.ts"
import { findSite, parseCode, requestedPurchaseOf } from "../validate-purchase-endpoint.ts"

/** Requests to this alias are counted as validations. */
export const envatoSaleRoute = {
  operation: "validate_purchase",
  path: "/v3/market/author/sale",
  method: "GET",
  cacheControl: "no-store",
  isCrossOrigin: true,
} as const satisfies Readonly<{ operation: Operation; [fact: string]: unknown }>

export type EnvatoSaleServices = Authentication &
  Pick<ApiServices, "catalog" | "inFlight" | "limits" | "testCatalog">

const variant: Variant = { locale: "en", isLocaleNegotiated: false, keyHeaders: ", Authorization" }

export async function handleEnvatoSale(
  services: EnvatoSaleServices,
  context: Pick<ApiRequestContext, "request" | "caller">,
  site: string,
): Promise<Outcome> {
  const { method, headers, url } = context.request
  let key: ApiKey | null = null
  let hasCode = false
  let outcome: Outcome
  const fail = (error: unknown): Outcome => {
    const failure = failureOutcome(error, envatoSaleRoute.operation, variant, key)
    const isSiteMissing = failure.status === 400 && hasCode
    return { ...failure, body: isSiteMissing ? siteMissing : renderSaleError(failure.status) }
  }
  const isInFlight = services.inFlight.enter()
  try {
    if (!isInFlight) throw new DomainError("unavailable")
    if (method !== "GET" && method !== "HEAD") throw new DomainError("method_not_allowed")
    key = await authenticate(services, findBearer(headers), context.caller)
    if (!mayPerform(key, envatoSaleRoute.operation)) throw new DomainError("key_not_allowed")
    services.limits.admit(envatoSaleRoute.operation, key, context.caller)

    const parameters = queryParameters(queryOf(url))
    const input = { code: parseCode(parameters, "code"), site: findSite(parameters) }
    hasCode = true
    const catalog = key.kind === "tk" ? services.testCatalog : services.catalog
    const purchase = await performOperation(validatePurchase, catalog, key, input)
    const { username } = await performOperation(readAccount, catalog, key, null)

    const body = renderSale(purchase, { author: username, site })
    const requested = key.kind === "tk" ? null : requestedPurchaseOf(purchase)
    outcome = successOutcome({ variant, key, purchase: requested }, 200, body, null, false)
  } catch (error) {
    outcome = fail(error)
  }
  if (isInFlight) services.inFlight.leave()
  if (key === null) return outcome
  try {
    services.limits.recordOutcome(envatoSaleRoute.operation, key, context.caller, outcome.reason)
    return outcome
  } catch (error) {
    return fail(error)
  }
}

type SaleContext = Readonly<{
  author: string
  /** The host name of the marketplace. */
  site: string
}>

/** Every field is always present. Fields of Envato that Pazar has no value for are left out. */
export function renderSale(purchase: Purchase, { author, site }: SaleContext): string {
  const { price, date, license_type, item, supported_until } = purchaseBodyOf(purchase)
  const publishedAt = withOffset(item.published_at)
  return JSON.stringify({
    amount: price.toFixed(2),
    sold_at: withOffset(date),
    license: nameLicense(license_type),
    support_amount: "0.00",
    supported_until: supported_until === undefined ? null : withOffset(supported_until),
    item: {
      id: item.id,
      name: item.name,
      description: item.description,
      site,
      classification: [item.category, item.sub_category].filter((part) => part !== "").join("/"),
      price_cents: toCents(item.price.regular),
      author_username: author,
      url: item.demo_link,
      // Pazar does not store when an item was changed.
      updated_at: publishedAt,
      published_at: publishedAt,
      tags: item.tags,
    },
    buyer: purchase.buyer,
    purchase_count: 1,
  })
}

/** Products written for Envato compare these texts. Other licenses keep their names. */
function nameLicense(type: string): string {
  const lower = type.toLowerCase()
  if (lower === "regular") return "Regular License"
  return lower === "extended" ? "Extended License" : type
}

/** Clamped: a hundred times a finite price may exceed the safe integers. */
const toCents = (price: number) =>
  Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Math.round(price * 100), Number.MAX_SAFE_INTEGER))

/** Envato writes an offset, never `Z`. */
const withOffset = (timestamp: string) => timestamp.replace(/Z$/, "+00:00")

/** Errors in Envato's schema. Products written for Envato compare the text of 404. */
const descriptions: Readonly<Record<number, string>> = {
  400: "The parameter code is missing or malformed",
  401: "The key is missing or not valid",
  403: "The key is not allowed to do this",
  404: "No sale belonging to the current user found with that code",
  405: "Method not allowed",
  429: "Too many requests",
  500: "Service unavailable",
  501: "Not implemented; the only supported path of Envato's API is /v3/market/author/sale",
  503: "Service unavailable",
}

function renderSaleError(status: number): string {
  return JSON.stringify({ error: status, description: descriptions[status] })
}

/** For keys that require a site. */
const siteMissing = JSON.stringify({ error: 400, description: "The parameter site is missing" })

export const isEnvatoPath = (path: string) => /^\/+(?:v[1-3]|whoami)(?:\/|$)/i.test(path)

/** The outcome for other paths of Envato's API. 501, because Envato's clients read 404 as an invalid code. */
export function notImplementedOutcome(): Outcome {
  const variant = { locale: "en", isLocaleNegotiated: false, keyHeaders: "" } as const
  const failure = failureOutcome(new DomainError("unknown_path"), null, variant, null)
  return { ...failure, status: 501, body: renderSaleError(501) }
}
