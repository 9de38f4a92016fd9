import { describe, expect, test } from "bun:test"
import { readApiResponse } from "../../../tests/both-stores/api/api-request.ts"
import {
  errorBody,
  generalMessages,
  languages,
} from "../../../tests/both-stores/api/contract-messages.ts"
import { type Catalog, createTestCatalog } from "../../domain/catalog/catalog.ts"
import type { FoundKey } from "../../domain/keys/api-key.ts"
import { unlimited } from "../../domain/limits/request-limits.ts"
import { StoreUnavailable } from "../../domain/store.ts"
import { createInFlight } from "../../limits/in-flight.ts"
import { createTrace, type Trace } from "../request/handler.ts"
import { listItemsEndpoint } from "./list-items-endpoint.ts"
import { handleApiRequest } from "./pipeline.ts"
import { readAccountEndpoint } from "./read-account-endpoint.ts"
import { readItemEndpoint } from "./read-item-endpoint.ts"
import type { ApiServices, Endpoint } from "./response/endpoint.ts"
import { createResponder } from "./response/responder.ts"
import { createResponseCache, type ResponseCache } from "./response/response-cache.ts"
import { validatePurchaseEndpoint } from "./validate-purchase-endpoint.ts"

const key: FoundKey = {
  id: "key_1",
  accountId: 1,
  kind: "sk",
  itemIds: null,
  isSiteRequired: false,
  expiresAt: null,
  revokedAt: null,
  replacedAt: null,
  isLeaked: false,
  isSuspended: false,
}

/** A catalog that throws, with a key that is always valid. */
function failingServices(fault: Error): ApiServices {
  const fail = () => Promise.reject(fault)
  const catalog: Catalog = {
    accounts: { find: fail },
    items: { find: fail, findList: fail },
    purchases: { hasMovedFrom: async () => false, listByCode: fail },
    sales: { listPurchases: fail },
    sites: { activate: fail, release: fail, reclaim: fail, list: fail },
    now: () => new Date(),
  }
  return {
    catalog,
    testCatalog: createTestCatalog({ find: fail, put: fail }, () => new Date()),
    findCachedKey: () => key,
    lookUpKey: async () => key,
    findStaleKey: () => key,
    limits: unlimited,
    inFlight: createInFlight(),
    now: () => new Date(),
    siteLocale: "en",
    cache: createResponseCache(),
    prepareSigning: async () => () => null,
  }
}

type OnStreamError = (trace: Trace, fault: unknown) => void

async function send<Input, Result>(
  endpoint: Endpoint<Input, Result>,
  services: ApiServices,
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
  return { outcome, trace, response: respond(outcome, trace) }
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
    catalog: { ...services.catalog, items: { ...services.catalog.items, find: never } },
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

/** Null as for lists that exceed the cache. The endpoint streams them. */
const emptyCache: ResponseCache = { get: () => null }

test("200: a list whose read fails is aborted, not closed, and the fault is reported", async () => {
  const fault = new StoreUnavailable("disk on fire")
  const page = { count: 500, lastId: 1, isLast: false, bytes: new TextEncoder().encode("{}") }
  const services = failingServices(fault)
  const catalog: Catalog = {
    ...services.catalog,
    items: {
      ...services.catalog.items,
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
    { ...services, catalog, cache: emptyCache },
    request,
    (trace, fault) => reported.push(trace, fault),
  )
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  expect(reported).toEqual([trace, fault])
})

test("401: a key that is revoked while its list is loaded; another key that awaits the list gets it", async () => {
  const reading = Promise.withResolvers<void>()
  const bytes = new TextEncoder().encode(JSON.stringify("x".repeat(2_000)))
  const services = failingServices(new Error("queried"))
  let reads = 0
  const list = {
    version: "v",
    async read() {
      reads += 1
      await reading.promise
      return { count: 1, lastId: 1, isLast: true, bytes }
    },
  }
  const { catalog } = services
  const keys = new Map([
    ["revoked", key],
    ["valid", key],
  ])
  const listing = {
    ...services,
    catalog: { ...catalog, items: { ...catalog.items, findList: async () => list } },
    findCachedKey: (secret: string) => keys.get(secret) ?? null,
  }
  const sendWith = (secret: string) =>
    send(
      listItemsEndpoint,
      listing,
      new Request("http://a/api/items/all", { headers: { "X-Api-Key": secret } }),
    )
  const both = ["revoked", "valid"].map(sendWith)
  keys.set("revoked", { ...key, revokedAt: "2024-01-01T00:00:00Z" })
  reading.resolve()
  const [revoked, valid] = await Promise.all(both)
  expect([revoked?.outcome?.reason, valid?.outcome?.reason]).toEqual(["revoked_key", "ok"])
  expect(valid?.outcome?.body).toBeInstanceOf(Blob)
  expect(reads).toBe(1)
})

describe("200: a list is aborted between two pages if its key", () => {
  const later: [string, FoundKey | null][] = [
    ["unknown_key", null],
    ["revoked_key", { ...key, revokedAt: "2024-01-01T00:00:00Z" }],
    ["expired_key", { ...key, expiresAt: "2024-01-01T00:00:00Z" }],
    ["account_suspended", { ...key, isSuspended: true }],
    // The same secret now belongs to another account.
    ["unknown_key", { ...key, accountId: 2 }],
  ]
  test.each(later)("is %s: %j", async (reason, changed) => {
    const page = { count: 100, lastId: 1_000, isLast: false, bytes: new TextEncoder().encode("{}") }
    const services = failingServices(new Error("queried"))
    let current: FoundKey | null = key
    const list = {
      version: "v",
      async read(idMax: number) {
        if (idMax < 1_000) throw new Error("read on")
        return page
      },
    }
    const { catalog } = services
    const items = { ...catalog.items, findList: async () => list }
    const reported: unknown[] = []
    const request = new Request("http://a/api/items/all", { headers: { "X-Api-Key": "x" } })
    const listing = {
      ...services,
      catalog: { ...catalog, items },
      cache: emptyCache,
      findCachedKey: () => current,
      lookUpKey: async () => current,
    }
    const { response } = await send(listItemsEndpoint, listing, request, (_, fault) =>
      reported.push(fault),
    )
    expect(response.status).toBe(200)
    current = changed
    await expect(response.text()).rejects.toThrow()
    expect(reported).toEqual([expect.objectContaining({ reason })])
  })
})
