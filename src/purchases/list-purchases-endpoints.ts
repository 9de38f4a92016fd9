import { type Endpoint, readDefaults } from "../api/endpoint.ts"
import { DomainError } from "../platform/error.ts"
import { hashBody } from "../platform/http/entity-tag.ts"
import { type Parameters, textParameter } from "../platform/http/parameters.ts"
import { normalizeTimestamp, type Timestamp } from "../platform/time.ts"
import { type PurchasePage, parseSaleId } from "./sale.ts"
import { listPurchases, type PurchaseListOptions } from "./sale-operations.ts"

const limitDefault = 100
const limitMax = 1_000

export const listPurchasesEndpoint: Endpoint<PurchaseListOptions, PurchasePage> = {
  ...readDefaults,
  perform: listPurchases,
  operation: "list_purchases",
  path: "/api/purchases/all",
  parameters: (request) => ({
    rowsMax: parseNumber(request, "limit", [1, limitMax]) ?? limitDefault,
    after: findText(request, "after", (text) => (parseSaleId(text) === null ? null : text)),
    since: findText(request, "since", parseSince),
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

/** A timestamp, or a day in UTC. */
const parseSince = (text: string): Timestamp | null =>
  normalizeTimestamp(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
