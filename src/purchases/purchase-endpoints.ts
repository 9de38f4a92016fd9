import { type Endpoint, readDefaults, type Serve } from "../api/endpoint.ts"
import { operationPaths } from "../contract/operation.ts"
import { DomainError } from "../platform/error.ts"
import { hashBody } from "../platform/http/compression.ts"
import {
  type Credentials,
  type Parameters,
  parseCredentials,
  textParameter,
} from "../platform/http/parameters.ts"
import { pathOf } from "../platform/http/request-head.ts"
import { trimWhitespace } from "../platform/text.ts"
import { normalizeTimestamp } from "../platform/time.ts"
import { type Challenge, renderQuestion } from "../signing/signing-key.ts"
import type { RequestedPurchase } from "../usage/usage.ts"
import {
  type DownloadLinks,
  normalizePurchaseCode,
  type PurchaseOnSite,
  resolveSiteLimit,
} from "./purchase.ts"
import {
  type CodeOnSite,
  createDownload,
  type Download,
  findDownload,
  listPurchases,
  listSites,
  type PurchaseListOptions,
  validatePurchase,
} from "./purchase-operations.ts"
import { type PurchasePage, parseSaleId } from "./sale.ts"
import { type PurchaseSite, parseSite } from "./site.ts"
import { releaseSite, type SiteToRelease } from "./site-operations.ts"
import type { Catalog } from "./test-catalog.ts"

export const validatePurchaseEndpoint: Endpoint<Catalog, CodeOnSite, PurchaseOnSite> = {
  perform: validatePurchase,
  operation: "validate_purchase",
  path: operationPaths.validate_purchase,
  method: "POST",
  cacheControl: "no-store",
  isCrossOrigin: true,
  credentials: parseCredentials,
  parameters: (request) => ({
    code: parseCode(request, "purchase_code"),
    site: findSite(request),
  }),
  challenge: parseChallenge,
  contentVersion: () => null,
  requestedPurchase: toRequestedPurchase,
  render: ({ body }, opening) => `${opening}"data":{"purchase":${body}}}`,
}

export function parseCode(request: Parameters, name: string): string {
  const code = normalizePurchaseCode(textParameter(request, name))
  if (code) return code
  throw new DomainError(code === "" ? "missing_parameter" : "invalid_parameter")
}

/** Products written for other servers send `domain`. Invalid values are ignored. */
export const findSite = (request: Parameters): string | null =>
  parseSite(request("site")) ?? parseSite(request("domain"))

export function toRequestedPurchase(purchase: PurchaseOnSite): RequestedPurchase {
  const { code, itemId, validUntil, site, siteLastDay } = purchase
  if (site === null) return purchase
  // With a site limit, the site has already been recorded.
  return resolveSiteLimit(purchase) !== null
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

const downloadsPath = "/downloads/"
export const downloadPath = `${downloadsPath}:token`

function createDownloadEndpoint(links: DownloadLinks, currentBaseUrl: () => string) {
  const endpoint: Endpoint<Catalog, CodeOnSite, Download> = {
    ...validatePurchaseEndpoint,
    perform: createDownload(links),
    operation: "create_download",
    path: operationPaths.create_download,
    challenge: () => null,
    contentVersion: () => null,
    requestedPurchase: ({ purchase }) => toRequestedPurchase(purchase),
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
  { data, testData }: Readonly<{ data: Catalog; testData: Catalog }>,
): Promise<Response> {
  const isRead = request.method === "GET" || request.method === "HEAD"
  const token = pathOf(request.url).slice(downloadsPath.length)
  const grant = isRead ? links.parseToken(token) : null
  const catalog = grant?.accountId === 0 ? testData : data
  const url = grant && (await findDownload(catalog, links, grant))
  if (url === null) throw new DomainError("unknown_path")
  const headers = {
    Location: url,
    "Cache-Control": "no-store",
    "Referrer-Policy": "no-referrer",
  }
  return new Response(null, { status: 302, headers })
}

const limitDefault = 100
const limitMax = 1_000

const listPurchasesEndpoint: Endpoint<Catalog, PurchaseListOptions, PurchasePage> = {
  ...readDefaults,
  perform: listPurchases,
  operation: "list_purchases",
  path: operationPaths.list_purchases,
  parameters: (request) => ({
    rowsMax: parseNumber(request, "limit", [1, limitMax]) ?? limitDefault,
    after: findText(request, "after", (text) => (parseSaleId(text) === null ? null : text)),
    filter: {
      // A timestamp, or a day in UTC.
      since: findText(request, "since", (text) =>
        normalizeTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text),
      ),
    },
    offset: 0,
  }),
  contentVersion: (page) => hashBody({ body: renderPage(page) }),
  render: (page, opening) => `${opening}${renderPage(page)}}`,
}

const renderPage = ({ purchases, next }: PurchasePage) =>
  `"purchases":[${purchases.map(({ body }) => body).join(",")}],"next":${JSON.stringify(next)}`

/** Null if the parameter is missing. Throws invalid_parameter if `parse` returns null. */
function findText<T>(
  request: Parameters,
  name: string,
  parse: (text: string) => T | null,
): T | null {
  if (request(name) === null) return null
  const parsed = parse(textParameter(request, name))
  if (parsed === null) throw new DomainError("invalid_parameter")
  return parsed
}

/** Null if the parameter is missing. Throws invalid_parameter unless it is a number from `min` to `max`. */
export const parseNumber = (
  request: Parameters,
  name: string,
  [min, max]: readonly [number, number],
): number | null =>
  findText(request, name, (text) => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : -1
    return number >= min && number <= max ? number : null
  })

const releaseSiteEndpoint: Endpoint<Catalog, SiteToRelease, null> = {
  ...validatePurchaseEndpoint,
  perform: releaseSite,
  operation: "release_site",
  path: operationPaths.release_site,
  parameters(request) {
    const code = parseCode(request, "purchase_code")
    const site = findSite(request)
    if (site !== null) return { code, site }
    const isSent = request("site") !== null || request("domain") !== null
    const forSite = isSent ? null : parseSite(request("for"))
    if (forSite !== null) return { code, forSite }
    const isInvalid = isSent || request("for") !== null
    throw new DomainError(isInvalid ? "invalid_parameter" : "missing_parameter")
  },
  challenge: () => null,
  contentVersion: () => null,
  requestedPurchase: () => null,
  render: (_, opening) => `${opening.slice(0, -1)}}`,
}

type Sites = readonly PurchaseSite[]

const listSitesEndpoint: Endpoint<Catalog, string, Sites> = {
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

export const purchaseEndpoints = (
  serve: Serve<Catalog>,
  links: DownloadLinks,
  currentBaseUrl: () => string,
) => ({
  ...serve(validatePurchaseEndpoint),
  ...serve(releaseSiteEndpoint),
  ...serve(listPurchasesEndpoint),
  ...serve(listSitesEndpoint),
  ...serve(createDownloadEndpoint(links, currentBaseUrl)),
})
