import { type Endpoint, readDefaults } from "../api/endpoint.ts"
import { operationPaths } from "../contract/operation.ts"
import { DomainError } from "../platform/error.ts"
import { hashBody } from "../platform/http/entity-tag.ts"
import type { Parameters } from "../platform/http/parameters.ts"
import { findSite, parseCode, validatePurchaseEndpoint } from "./purchase-endpoints.ts"
import { listSites } from "./sale-operations.ts"
import { type PurchaseSite, parseSite } from "./site.ts"
import { releaseSite, type SiteToRelease } from "./site-operations.ts"
import type { Catalog } from "./test-catalog.ts"

export const releaseSiteEndpoint: Endpoint<Catalog, SiteToRelease, null> = {
  ...validatePurchaseEndpoint,
  perform: releaseSite,
  operation: "release_site",
  path: operationPaths.release_site,
  parameters: (request) => ({
    code: parseCode(request, "purchase_code"),
    ...parseSites(request),
  }),
  challenge: () => null,
  contentVersion: () => null,
  requestedPurchase: () => null,
  render: (_, opening) => `${opening.slice(0, -1)}}`,
}

function parseSites(request: Parameters): { site: string } | { forSite: string } {
  const site = findSite(request)
  if (site !== null) return { site }
  const isSent = request("site") !== null || request("domain") !== null
  const forSite = isSent ? null : parseSite(request("for"))
  if (forSite !== null) return { forSite }
  throw new DomainError(
    isSent || request("for") !== null ? "invalid_parameter" : "missing_parameter",
  )
}

type Sites = readonly PurchaseSite[]

export const listSitesEndpoint: Endpoint<Catalog, string, Sites> = {
  ...readDefaults,
  perform: listSites,
  operation: "list_sites",
  path: operationPaths.list_sites,
  parameters: (request) => parseCode(request, "purchase_code"),
  contentVersion: (sites) => hashBody({ body: renderSites(sites) }),
  render: (sites, opening) => `${opening}"sites":${renderSites(sites)}}`,
}

const renderSites = (sites: Sites) =>
  JSON.stringify(
    sites.map(({ site, firstDay, lastDay, isTest }) => ({
      site,
      first_day: firstDay,
      last_day: lastDay,
      test: isTest,
    })),
  )
