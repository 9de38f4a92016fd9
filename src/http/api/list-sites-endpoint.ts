import type { PurchaseSite } from "../../domain/catalog/site.ts"
import { listSites } from "../../operations/catalog/list-sales.ts"
import { type Endpoint, readDefaults } from "./response/endpoint.ts"
import { hashBody } from "./response/entity-tag.ts"
import { parseCode } from "./validate-purchase-endpoint.ts"

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
