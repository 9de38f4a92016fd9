import { type Endpoint, readDefaults } from "../api/endpoint.ts"
import { hashBody } from "../platform/http/entity-tag.ts"
import { parseCode } from "./purchase-endpoints.ts"
import { listSites } from "./sale-operations.ts"
import type { PurchaseSite } from "./site.ts"

type Sites = readonly PurchaseSite[]

export const listSitesEndpoint: Endpoint<string, Sites> = {
  ...readDefaults,
  perform: listSites,
  operation: "list_sites",
  path: "/api/purchases/sites",
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
