import type { Endpoint } from "../api/endpoint.ts"
import { DomainError } from "../platform/error.ts"
import { type Credentials, type Parameters, textParameter } from "../platform/http/parameters.ts"
import { trimWhitespace } from "../platform/text.ts"
import { type Challenge, renderQuestion } from "../signing/signing-key.ts"
import { type PurchaseOnSite, type RequestedPurchase, siteLimitOf } from "./purchase.ts"
import { checkPastedCode } from "./purchase-code.ts"
import { type CodeOnSite, validatePurchase } from "./purchase-operations.ts"
import { parseSite } from "./site.ts"

export const validatePurchaseEndpoint: Endpoint<CodeOnSite, PurchaseOnSite> = {
  perform: validatePurchase,
  operation: "validate_purchase",
  path: "/api/purchases/validation",
  method: "POST",
  cacheControl: "no-store",
  isCrossOrigin: true,
  parameters: (request) => ({
    code: parseCode(request, "purchase_code"),
    site: findSite(request),
  }),
  challenge: parseChallenge,
  contentVersion: () => null,
  requestedPurchase: requestedPurchaseOf,
  render: ({ body }, opening) => `${opening}"data":{"purchase":${body}}}`,
}

export function parseCode(request: Parameters, name: string): string {
  const checked = checkPastedCode(textParameter(request, name))
  if (checked.kind === "code") return checked.code
  throw new DomainError(checked.kind === "empty" ? "missing_parameter" : "invalid_parameter")
}

/** Products written for other servers send `domain`. Invalid values are ignored. */
export const findSite = (request: Parameters): string | null =>
  parseSite(request("site")) ?? parseSite(request("domain"))

export function requestedPurchaseOf(purchase: PurchaseOnSite): RequestedPurchase {
  const { code, itemId, validUntil, site, siteLastDay } = purchase
  if (site === null) return purchase
  // With a site limit, the site has already been recorded.
  return siteLimitOf(purchase) !== null
    ? purchase
    : { code, itemId, validUntil, seenSite: { code, site, lastDay: siteLastDay } }
}

const noncePattern = /^[A-Za-z0-9_-]{16,128}$/

function parseChallenge(request: Parameters, { raw: key }: Credentials): Challenge | null {
  if (request("nonce") === null) return null
  const nonce = textParameter(request, "nonce")
  const code = request("purchase_code")
  const sentSite = request("site")
  const site = typeof sentSite === "string" ? sentSite : null
  const isWellFormed = noncePattern.test(nonce) && typeof code === "string"
  // A line feed in a value would make two different requests sign the same text.
  if (
    !isWellFormed ||
    [key, code, site ?? ""].some((text) => trimWhitespace(text).includes("\n"))
  ) {
    throw new DomainError("invalid_parameter")
  }
  return { nonce, question: renderQuestion(key, code, site) }
}
