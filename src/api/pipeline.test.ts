import { describe, expect, test } from "bun:test"
import { readApiResponse } from "../../tests/harness/http/api-request.ts"
import {
  errorBody,
  generalMessages,
  languages,
} from "../../tests/harness/http/contract-messages.ts"
import type { FoundKey } from "../contract/operation.ts"
import { listItemsEndpoint, readItemEndpoint } from "../items/item-endpoints.ts"
import { unlimited } from "../keys/rate-limits.ts"
import { StoreUnavailable } from "../platform/error.ts"
import { createInFlight } from "../platform/http/in-flight.ts"
import { validatePurchaseEndpoint } from "../purchases/purchase-endpoints.ts"
import { type Catalog, createTestCatalog } from "../purchases/test-catalog.ts"
import { readAccountEndpoint } from "./account-endpoints.ts"
import { type ApiServices, createTrace, type Endpoint, type Trace } from "./endpoint.ts"
import { handleApiRequest } from "./pipeline.ts"
import { createResponder } from "./responder.ts"

const key: FoundKey = {
  id: "key_1",
  accountId: 1,
  kind: "sk",
  itemIds: null,
  isSiteRequired: false,
  scope: null,
  expiresAt: null,
  revokedAt: null,
  replacedAt: null,
  isLeaked: false,
  isSuspended: false,
}

/** A catalog that throws, with a key that is always valid. */
function failingServices(fault: Error): ApiServices<Catalog> {
  const fail = () => Promise.reject(fault)
  const data: Catalog = {
    accounts: { find: fail },
    items: { find: fail, findList: fail },
    purchases: { hasMovedFrom: async () => false, listByCode: fail },
    sales: { listPurchases: fail },
    sites: { activate: fail, release: fail, reclaim: fail, list: fail },
    now: () => new Date(),
  }
  return {
    data,
    testData: createTestCatalog({ find: fail, put: fail }, () => new Date()),
    keyCache: { findCached: () => key, lookUp: async () => key, findStale: () => key },
    limits: unlimited,
    inFlight: createInFlight(),
    now: () => new Date(),
    siteLocale: "en",
    prepareSigning: async () => () => null,
  }
}

type OnStreamError = (trace: Trace, fault: unknown) => void

async function send<Input, Result>(
  endpoint: Endpoint<Catalog, Input, Result>,
  services: ApiServices<Catalog>,
  request: Request,
  onStreamError: OnStreamError = () => {},
) {
  const trace = createTrace(request, endpoint.operation)
  const respond = createResponder({
    ...endpoint,
    allow: endpoint.method,
    common: {},
    helpUrl: "/docs/errors",
  })
  const outcome = await handleApiRequest(endpoint, services, {
    request,
    trace,
    caller: { address: () => "" },
    onStreamError,
  })
  return { outcome, trace, response: respond(outcome, request, trace) }
}

const endpoints = [
  readAccountEndpoint,
  listItemsEndpoint,
  readItemEndpoint,
  validatePurchaseEndpoint,
]
const faults = [
  { status: 503, fault: new StoreUnavailable("disk on fire at /var/secret") },
  { status: 500, fault: new TypeError("undefined is not a function") },
]

describe.each(faults)(
  "$status: a failing database is unavailable, never invalid",
  ({ status, fault }) => {
    test.each(endpoints)("$operation", async (endpoint) => {
      for (const language of languages) {
        const query = `?api_key=x&item_id=1&purchase_code=x&lang=${language}`
        const request = new Request(`http://a${endpoint.path}${query}`, { method: endpoint.method })
        // `as`: the endpoints differ in input and result, which a failing database never reaches.
        const sameType = endpoint as typeof readItemEndpoint
        const { outcome, response } = await send(sameType, failingServices(fault), request)
        const sent = await readApiResponse(response)
        expect(sent.status).toBe(status)
        expect(sent.reason).toBe("unavailable")
        expect(sent.body).toBe(errorBody(generalMessages.unavailable[language], language))
        expect(sent.headers["retry-after"]).toBe("5")
        expect(outcome.fault).toBe(fault)
      }
    })
  },
)

test("503: a database that does not respond at all", async () => {
  const never = () => new Promise<never>(() => {})
  const services = failingServices(new Error("never called"))
  const stuck = {
    ...services,
    data: { ...services.data, items: { ...services.data.items, find: never } },
  }
  const request = new Request("http://a/api/items/item?api_key=x&item_id=1")
  const { response } = await send(readItemEndpoint, stuck, request)
  expect([response.status, response.headers.get("pazar-reason")]).toEqual([503, "unavailable"])
}, 5_000)

test("401: without a key the database is not queried", async () => {
  const services = failingServices(new Error("queried"))
  const request = new Request("http://a/api/items/item?item_id=1")
  expect((await send(readItemEndpoint, services, request)).response.status).toBe(401)
})

test("200: a list whose read fails is aborted, not closed, and the fault is reported", async () => {
  const fault = new StoreUnavailable("disk on fire")
  const page = { count: 500, lastId: 1, isLast: false, bytes: new TextEncoder().encode("{}") }
  const services = failingServices(fault)
  const data: Catalog = {
    ...services.data,
    items: {
      ...services.data.items,
      findList: async () => ({
        version: "v",
        read: async (idMax) => (idMax > 500 ? page : Promise.reject(fault)),
      }),
    },
  }
  const reported: unknown[] = []
  const request = new Request("http://a/api/items/all?api_key=x")
  const { response, trace } = await send(
    listItemsEndpoint,
    { ...services, data },
    request,
    (trace, fault) => reported.push(trace, fault),
  )
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  expect(reported).toEqual([trace, fault])
})
