import { describe, expect, test } from "bun:test"
import { readApiResponse } from "../../../tests/both-stores/api/api-request.ts"
import {
  errorBody,
  generalMessages,
  languages,
} from "../../../tests/both-stores/api/contract-messages.ts"
import type { Catalog } from "../../domain/catalog/purchase.ts"
import { testCatalog } from "../../domain/catalog/test-catalog.ts"
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
  isAccountSuspended: false,
}

/** A catalogue that throws, for a key that is always good. */
function failingServices(fault: Error): ApiServices {
  const fail = () => Promise.reject(fault)
  const catalogue: Catalog = {
    accounts: { find: fail },
    items: { find: fail, findList: fail },
    purchases: { listByCode: fail },
    sites: { activate: fail, release: fail, reclaim: fail },
  }
  return {
    catalogue,
    testCatalogue: testCatalog,
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

type OnBroken = (trace: Trace, fault: unknown) => void

/** The outcome of a request, and the response that is made of it. */
async function ask<Input, Found, Result>(
  endpoint: Endpoint<Input, Found, Result>,
  services: ApiServices,
  request: Request,
  onStreamError: OnBroken = () => {},
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

describe.each(faults)("$status: cannot say is never no", ({ status, fault }) => {
  test.each(endpoints)("$operation", async (endpoint) => {
    for (const language of languages) {
      const query = `?api_key=x&item_id=1&purchase_code=x&lang=${language}`
      const request = new Request(`http://a${endpoint.path}${query}`, { method: endpoint.method })
      // The four differ in what they read and answer, which a failing store never gets to.
      const asked = endpoint as typeof readItemEndpoint
      const { outcome, response } = await ask(asked, failingServices(fault), request)
      const sent = await readApiResponse(response)
      expect(sent.status).toBe(status)
      expect(sent.reason).toBe("unavailable")
      expect(sent.body).toBe(errorBody(generalMessages.unavailable[language], language))
      expect(sent.headers["retry-after"]).toBe("5")
      expect(outcome.fault).toBe(fault)
    }
  })
})

test("401: without a key the store is not asked at all", async () => {
  const services = failingServices(new Error("asked"))
  const request = new Request("http://a/api/items/item?item_id=1")
  expect((await ask(readItemEndpoint, services, request)).response.status).toBe(401)
})

/** As for a list that is too long for the cache: it is sent while it is read. */
const keepsNothing: ResponseCache = { get: () => null }

test("a list that breaks off half-way is cut, never closed, and told to the operator", async () => {
  const fault = new StoreUnavailable("disk on fire")
  const page = { count: 500, lastId: 1, isLast: false, bytes: new TextEncoder().encode("{}") }
  const services = failingServices(fault)
  const catalogue: Catalog = {
    ...services.catalogue,
    items: {
      ...services.catalogue.items,
      findList: async () => ({
        version: "v",
        read: async (idMax) => (idMax > 500 ? page : Promise.reject(fault)),
      }),
    },
  }
  const told: unknown[] = []
  const request = new Request("http://a/api/items/all?api_key=x")
  const { response, trace } = await ask(
    listItemsEndpoint,
    { ...services, catalogue, cache: keepsNothing },
    request,
    (broken, what) => told.push(broken, what),
  )
  expect(response.status).toBe(200)
  await expect(response.text()).rejects.toThrow()
  expect(told).toEqual([trace, fault])
})

test("401: a key that ends while its list is read for the cache; another key that waits gets the list", async () => {
  const reading = Promise.withResolvers<void>()
  const bytes = new TextEncoder().encode(JSON.stringify("x".repeat(2_000)))
  const services = failingServices(new Error("asked"))
  let reads = 0
  const list = {
    version: "v",
    async read() {
      reads += 1
      await reading.promise
      return { count: 1, lastId: 1, isLast: true, bytes }
    },
  }
  const { catalogue } = services
  const keys = new Map([
    ["ended", key],
    ["good", key],
  ])
  const asked = {
    ...services,
    catalogue: { ...catalogue, items: { ...catalogue.items, findList: async () => list } },
    findCachedKey: (secret: string) => keys.get(secret) ?? null,
  }
  const askWith = (secret: string) =>
    ask(
      listItemsEndpoint,
      asked,
      new Request("http://a/api/items/all", { headers: { "X-Api-Key": secret } }),
    )
  const both = ["ended", "good"].map(askWith)
  keys.set("ended", { ...key, revokedAt: "2024-01-01T00:00:00Z" })
  reading.resolve()
  const [ended, good] = await Promise.all(both)
  expect([ended?.outcome?.reason, good?.outcome?.reason]).toEqual(["revoked_key", "ok"])
  expect(good?.outcome?.body).toBeInstanceOf(Blob)
  expect(reads).toBe(1)
})

describe("a list is cut between two pages when its key", () => {
  const later: [string, FoundKey | null][] = [
    ["unknown_key", null],
    ["revoked_key", { ...key, revokedAt: "2024-01-01T00:00:00Z" }],
    ["expired_key", { ...key, expiresAt: "2024-01-01T00:00:00Z" }],
    ["account_suspended", { ...key, isAccountSuspended: true }],
    // The same secret, given to another account meanwhile.
    ["unknown_key", { ...key, accountId: 2 }],
  ]
  test.each(later)("is %s: %j", async (reason, changed) => {
    const page = { count: 100, lastId: 1_000, isLast: false, bytes: new TextEncoder().encode("{}") }
    const services = failingServices(new Error("asked"))
    let current: FoundKey | null = key
    const list = {
      version: "v",
      async read(idMax: number) {
        if (idMax < 1_000) throw new Error("read on")
        return page
      },
    }
    const { catalogue } = services
    const items = { ...catalogue.items, findList: async () => list }
    const told: unknown[] = []
    const request = new Request("http://a/api/items/all", { headers: { "X-Api-Key": "x" } })
    const asked = {
      ...services,
      catalogue: { ...catalogue, items },
      cache: keepsNothing,
      findCachedKey: () => current,
      lookUpKey: async () => current,
    }
    const { response } = await ask(listItemsEndpoint, asked, request, (_, fault) =>
      told.push(fault),
    )
    expect(response.status).toBe(200)
    current = changed
    await expect(response.text()).rejects.toThrow()
    expect(told).toEqual([expect.objectContaining({ reason })])
  })
})
