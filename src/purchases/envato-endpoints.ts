/** Requests for sales in Envato's schema. A product written for Envato works with another base URL. */
import { readAccount } from "../accounts/account-operations.ts"
import {
  type ApiRequestContext,
  type ApiServices,
  type Endpoint,
  readDefaults,
} from "../api/endpoint.ts"
import { failureOutcome, handleApiRequest, type Outcome, type Variant } from "../api/pipeline.ts"
import { type ApiKey, envatoPaths, type Operation } from "../contract/operation.ts"
import { DomainError } from "../platform/error.ts"
import { findBearer, type Parameters, queryParameters } from "../platform/http/parameters.ts"
import { queryOf } from "../platform/http/request-head.ts"
import type { Caller } from "../platform/ip-range.ts"
import { untilNextTurn } from "../platform/timers.ts"
import type { RequestedPurchase } from "../usage/usage.ts"
import { normalizePurchaseCode, type Purchase, purchaseBodyOf } from "./purchase.ts"
import { findSite, parseCode, parseNumber, toRequestedPurchase } from "./purchase-endpoints.ts"
import { listPurchases, type PurchaseListOptions, validatePurchase } from "./purchase-operations.ts"
import type { Catalog } from "./test-catalog.ts"

type EnvatoRoute = Readonly<{
  operation: Operation
  path: string
  method: "GET"
  cacheControl: string
  isCrossOrigin: boolean
  read(request: EnvatoRequest): Promise<EnvatoResult>
  describeBadRequest(parameters: Parameters): string
}>

type EnvatoRequest = Readonly<{
  catalog: Catalog
  key: ApiKey
  parameters: Parameters
  caller: Caller
  author: string
  site: string
  request: Request
}>

type EnvatoResult = Readonly<{ body: string; purchase: RequestedPurchase | null }>

const common = { method: "GET", cacheControl: "no-store" } as const

/** Requests are counted as validations. */
export const envatoSaleRoute: EnvatoRoute = {
  ...common,
  operation: "validate_purchase",
  path: envatoPaths.sale,
  isCrossOrigin: true,
  async read({ catalog, key, parameters, caller, ...context }) {
    const input = { code: parseCode(parameters, "code"), site: findSite(parameters) }
    const purchase = await validatePurchase(catalog, key, input, caller)
    const sale = { ...toEnvatoSale(purchase, context), buyer: purchase.buyer, purchase_count: 1 }
    return { body: JSON.stringify(sale), purchase: toRequestedPurchase(purchase) }
  },
  // For keys that require a site.
  describeBadRequest(parameters) {
    const code = parameters("code")
    const isCode = typeof code === "string" && normalizePurchaseCode(code)
    return isCode ? "The parameter site is missing" : "The parameter code is missing or malformed"
  },
}

const salesPerPage = 50
/** Each page reads the sales before it again. */
const pageMax = 20

const envatoSalesRoute: EnvatoRoute = {
  ...common,
  operation: "list_purchases",
  path: envatoPaths.sales,
  isCrossOrigin: false,
  async read({ catalog, key, parameters, caller, request, ...context }) {
    // Some clients start at 0.
    const page = parseNumber(parameters, "page", [0, pageMax]) || 1
    const sales: string[] = []
    const first = { filter: {}, after: null, offset: (page - 1) * salesPerPage }
    let left: PurchaseListOptions = { ...first, rowsMax: salesPerPage }
    for (;;) {
      const { purchases, next } = await listPurchases(catalog, key, left, caller)
      for (const { code, body } of purchases) {
        sales.push(JSON.stringify({ ...toEnvatoSale({ body }, context), code }))
      }
      const rowsMax = salesPerPage - sales.length
      if (next === null || rowsMax <= 0) break
      await untilNextTurn()
      if (request.signal.aborted) break
      left = { filter: {}, after: next, offset: 0, rowsMax }
    }
    return { body: `[${sales.join(",")}]`, purchase: null }
  },
  describeBadRequest: () =>
    `The parameter page must be a number from 1 to ${pageMax}; /api/purchases/all lists all sales`,
}

export const envatoRoutes = [envatoSaleRoute, envatoSalesRoute]

const variant: Variant = { locale: "en", isLocaleNegotiated: false, keyHeaders: ", Authorization" }

export async function handleEnvato(
  route: EnvatoRoute,
  api: ApiServices<Catalog>,
  context: ApiRequestContext,
  site: string,
): Promise<Outcome> {
  const { request } = context
  const endpoint: Endpoint<Catalog, Parameters, EnvatoResult> = {
    ...readDefaults,
    ...route,
    credentials: (_, headers) => ({
      secret: findBearer(headers),
      raw: "",
      keyHeaders: ", Authorization",
    }),
    parameters: (parameters) => parameters,
    async perform(catalog, key, parameters, caller) {
      const { username: author } = await readAccount(catalog, key, null, caller)
      return route.read({ catalog, key, parameters, caller, request, author, site })
    },
    contentVersion: () => null,
    requestedPurchase: ({ purchase }) => purchase,
    render: ({ body }) => body,
  }
  // The language of Envato's API is English, whatever the client prefers.
  const outcome = { ...(await handleApiRequest(endpoint, api, context)), variant }
  const { status } = outcome
  if (status === 200) return outcome
  const description =
    status === 400
      ? route.describeBadRequest(queryParameters(queryOf(request.url)))
      : descriptions[status]
  return { ...outcome, body: renderError(status, description) }
}

/** Every field is always present. Fields of Envato that Pazar has no value for are left out. */
export function toEnvatoSale(
  purchase: Pick<Purchase, "body">,
  { author, site }: Pick<EnvatoRequest, "author" | "site">,
) {
  const { price, date, license_type, item, supported_until } = purchaseBodyOf(purchase)
  const publishedAt = withOffset(item.published_at)
  return {
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
  }
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
  401: "The key is missing or not valid",
  403: "The key is not allowed to do this",
  404: "No sale belonging to the current user found with that code",
  405: "Method not allowed",
  429: "Too many requests",
  500: "Service unavailable",
  501: "Not implemented; the only supported paths of Envato's API are /v3/market/author/sale and /v3/market/author/sales",
  503: "Service unavailable",
}

const renderError = (status: number, description: string | undefined) =>
  JSON.stringify({ error: status, description })

export const isEnvatoPath = (path: string) => /^\/+(?:v[1-3]|whoami)(?:\/|$)/i.test(path)

/** The outcome for other paths of Envato's API. 501, because Envato's clients read 404 as an invalid code. */
export function notImplementedOutcome(): Outcome {
  const variant = { locale: "en", isLocaleNegotiated: false, keyHeaders: "" } as const
  const failure = failureOutcome(new DomainError("unknown_path"), {
    operation: null,
    variant,
    key: null,
  })
  return { ...failure, status: 501, body: renderError(501, descriptions[501]) }
}
