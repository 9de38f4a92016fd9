/**
 * The path of a request for a sale to its outcome, in one function: method → key → rights → code → find →
 * decide → render. The shape is Envato's, so that a product written for Envato works with another base URL.
 */
import { type ApiKey, belongsOnServer, mayPerform, type Operation } from "../../domain/api-key.ts"
import { DomainError } from "../../domain/error.ts"
import { authenticate } from "../../operations/authenticate.ts"
import { performOperation } from "../../operations/operation.ts"
import { readAccount } from "../../operations/read-account.ts"
import { validatePurchase } from "../../operations/validate-purchase.ts"
import { findBearer } from "../api/credentials.ts"
import type { ApiCall, ApiServices } from "../api/endpoint.ts"
import { failureOutcome, type Outcome, type Variant } from "../api/outcome.ts"
import { queryParameters } from "../api/parameters.ts"
import { parseCode } from "../api/validate-purchase.ts"
import { queryOf } from "../request-target.ts"
import { renderSaleError } from "./errors.ts"
import { renderSale } from "./sale.ts"

/** The alias of the validation. Its calls are counted as validations. */
export const saleRoute = {
  operation: "validate_purchase",
  path: "/v3/market/author/sale",
  method: "GET",
  cacheControl: "no-store",
  isCrossOrigin: true,
} as const satisfies Readonly<{ operation: Operation; [fact: string]: unknown }>

export type SaleServices = Pick<ApiServices, "catalogue" | "sampleWorld" | "findKey" | "now">

const variant: Variant = { locale: "en", isLocaleNegotiated: false, keyHeaders: ", Authorization" }

/** `site` is the host name of the marketplace. */
export async function answerSale(
  services: SaleServices,
  { request, isAdmitted }: Pick<ApiCall, "request" | "isAdmitted">,
  site: string,
): Promise<Outcome> {
  const { method, headers, url } = request
  let key: ApiKey | null = null
  try {
    if (!isAdmitted) throw new DomainError("unavailable")
    if (method !== "GET" && method !== "HEAD") throw new DomainError("method_not_allowed")
    key = await authenticate(services, findBearer(headers))
    if (!mayPerform(key, saleRoute.operation)) throw new DomainError("key_not_allowed")

    const code = parseCode(queryParameters(queryOf(url)), "code")
    const catalogue = key.kind === "tk" ? services.sampleWorld : services.catalogue
    const purchase = await performOperation(validatePurchase, catalogue, key, code)
    const { username } = await performOperation(readAccount, catalogue, key, null)

    const body = renderSale(purchase, { author: username, site })
    return {
      ...{ status: 200, reason: "ok", variant, body },
      ...{ keyId: key.id, isKeyAccepted: true, hasServerKey: belongsOnServer(key) },
      ...{ signature: null, tag: null, isGzip: false, fault: null, isLast: false },
      itemId: key.kind === "tk" ? null : purchase.itemId,
    }
  } catch (error) {
    const outcome = failureOutcome(error, saleRoute.operation, variant, key)
    return { ...outcome, body: renderSaleError(outcome.status) }
  }
}
