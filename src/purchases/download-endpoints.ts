import type { Endpoint } from "../api/endpoint.ts"
import { DomainError } from "../platform/error.ts"
import { pathOf } from "../platform/http/request-head.ts"
import { createDownload, type Download, findDownload } from "./download-operations.ts"
import type { DownloadLinks } from "./purchase.ts"
import { requestedPurchaseOf, validatePurchaseEndpoint } from "./purchase-endpoints.ts"
import type { CodeOnSite } from "./purchase-operations.ts"
import type { Catalog } from "./test-catalog.ts"

const downloadsPath = "/downloads/"
export const downloadPath = `${downloadsPath}:token`

export function createDownloadEndpoint(links: DownloadLinks, currentBaseUrl: () => string) {
  const endpoint: Endpoint<CodeOnSite, Download> = {
    ...validatePurchaseEndpoint,
    perform: createDownload(links),
    operation: "create_download",
    path: "/api/purchases/download",
    challenge: () => null,
    contentVersion: () => null,
    requestedPurchase: ({ purchase }) => requestedPurchaseOf(purchase),
    render({ version, purchase: _, ...grant }, opening) {
      const url = `${currentBaseUrl()}${downloadsPath}${links.createToken(grant)}`
      const data = { version, url, expires_at: grant.expiresAt }
      return `${opening}"data":${JSON.stringify(data)}}`
    },
  }
  return endpoint
}

/** Redirects to the file. Every invalid token gets the response of an unknown path. */
export async function handleDownload(
  request: Request,
  links: DownloadLinks,
  catalogs: Readonly<{ catalog: Catalog; testCatalog: Catalog }>,
): Promise<Response> {
  const isRead = request.method === "GET" || request.method === "HEAD"
  const token = pathOf(request.url).slice(downloadsPath.length)
  const grant = isRead ? links.parseToken(token) : null
  const catalog = grant?.accountId === 0 ? catalogs.testCatalog : catalogs.catalog
  const url = grant && (await findDownload(catalog, links, grant))
  if (url === null) throw new DomainError("unknown_path")
  const headers = {
    Location: url,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
  }
  return new Response(null, { status: 302, headers })
}
