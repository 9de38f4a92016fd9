/**
 * The path of a request for a sale to its outcome, in one function: method → key → rights → rate limit → code →
 * find → decide → render. The shape is Envato's, so that a product written for Envato works with another base URL.
 */
import {
  type ApiKey,
  belongsOnServer,
  mayPerform,
  type Operation,
} from "../../../domain/keys/api-key.ts"
import type { Ticket } from "../../../domain/running/rate-limits.ts"
import { DomainError } from "../../../domain/values/error.ts"
import { readAccount } from "../../../operations/catalogue/accounts.ts"
import { validatePurchase } from "../../../operations/catalogue/purchases.ts"
import { type Authentication, authenticate } from "../../../operations/keys/authenticate.ts"
import { performOperation } from "../../../operations/operation.ts"
import { queryOf } from "../../request/request-head.ts"
import type { ApiCall, ApiServices } from "../answer/endpoint.ts"
import { failureOutcome, type Outcome, settleTicket, type Variant } from "../answer/outcome.ts"
import { findBearer, queryParameters } from "../request/parameters.ts"
import { parseCode } from "../validate-purchase.ts"
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

export type SaleServices = Authentication & Pick<ApiServices, "calls" | "catalogue" | "sampleWorld">

const variant: Variant = { locale: "en", isLocaleNegotiated: false, keyHeaders: ", Authorization" }

/** `site` is the host name of the marketplace. */
export async function answerSale(
  services: SaleServices,
  call: Pick<ApiCall, "request" | "isAdmitted" | "address">,
  site: string,
): Promise<Outcome> {
  const { method, headers, url } = call.request
  let key: ApiKey | null = null
  let ticket: Ticket | null = null
  let outcome: Outcome
  const fail = (error: unknown): Outcome => {
    const failure = failureOutcome(error, saleRoute.operation, variant, key)
    return { ...failure, body: renderSaleError(failure.status) }
  }
  try {
    if (!call.isAdmitted) throw new DomainError("unavailable")
    if (method !== "GET" && method !== "HEAD") throw new DomainError("method_not_allowed")
    key = await authenticate(services, findBearer(headers), call)
    if (!mayPerform(key, saleRoute.operation)) throw new DomainError("key_not_allowed")
    ticket = services.calls.admit(saleRoute.operation, key, call)

    const code = parseCode(queryParameters(queryOf(url)), "code")
    const catalogue = key.kind === "tk" ? services.sampleWorld : services.catalogue
    const purchase = await performOperation(validatePurchase, catalogue, key, code)
    const { username } = await performOperation(readAccount, catalogue, key, null)

    const body = renderSale(purchase, { author: username, site })
    outcome = {
      status: 200,
      reason: "ok",
      variant,
      body,
      keyId: key.id,
      isKeyAccepted: true,
      hasServerKey: belongsOnServer(key),
      signature: null,
      quota: null,
      tag: null,
      isGzip: false,
      fault: null,
      isLast: false,
      purchase: key.kind === "tk" ? null : purchase,
    }
  } catch (error) {
    outcome = fail(error)
  }
  if (ticket === null) return outcome
  try {
    return settleTicket(ticket, outcome)
  } catch (error) {
    return fail(error)
  }
}
