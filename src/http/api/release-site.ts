import type { Release } from "../../domain/catalogue/sites.ts"
import { DomainError } from "../../domain/values/error.ts"
import { releaseSite, type SiteOfCode } from "../../operations/catalogue/sites.ts"
import type { Endpoint } from "./answer/endpoint.ts"
import type { Parameters } from "./request/parameters.ts"
import { findSite, parseCode, validatePurchaseEndpoint } from "./validate-purchase.ts"

export const releaseSiteEndpoint: Endpoint<SiteOfCode, Release, null> = {
  ...validatePurchaseEndpoint,
  ...releaseSite,
  operation: "release_site",
  path: "/api/purchases/release",
  parameters: (request) => ({
    code: parseCode(request, "purchase_code"),
    site: parseSite(request),
  }),
  challenge: () => null,
  contentVersion: () => null,
  askedPurchase: () => null,
  render: (_, opening) => `${opening.slice(0, -1)}}`,
}

function parseSite(request: Parameters): string {
  const site = findSite(request)
  if (site !== null) return site
  const isSent = request("site") !== null || request("domain") !== null
  throw new DomainError(isSent ? "invalid_parameter" : "missing_parameter")
}
