import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { Client, HttpError } from "envato"
import fc from "fast-check"
import { formatTimestamp } from "../../src/platform/time.ts"
import { propertyRuns } from "../harness/full-test-run.ts"
import { readApiResponse } from "../harness/http/api-request.ts"
import { generalMessages } from "../harness/http/contract-messages.ts"
import { openapiFetch, openapiFetchRaw } from "../harness/http/openapi-fetch.ts"
import {
  importedSecret,
  type Marketplace,
  openMarketplace,
  revoked,
  sold,
} from "../harness/marketplace.ts"
import { purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

const path = "/v3/market/author/sale"
const extended = purchase("extended-code", 11, { license_type: "EXTENDED", price: 59 })
const named = purchase("named-code", 11, { buyer: "İpek \u{1f600}" })
const other = purchase("other-code", 11, { license_type: "constructor", price: 0.5 })

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace({ PAZAR_PUBLIC_URL: "https://market.example.com:8443/" })
  expect((await market.load([extended, named, other])).rejected).toBe(0)
})
afterAll(() => market.close())

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

const findSale = async (
  code: unknown,
  key: string = market.keys.secret,
  headers: Record<string, string> = {},
) => {
  const query = new URLSearchParams({ code: String(code) })
  return readApiResponse(
    await openapiFetch(`${market.url}${path}?${query}`, {
      headers: { ...bearer(key), ...headers },
      redirect: "manual",
    }),
  )
}
const sale = async (code: unknown, key?: string) => JSON.parse((await findSale(code, key)).body)

const soldSale = {
  amount: "19.99",
  sold_at: "2025-01-02T03:04:05+00:00",
  license: "Regular License",
  support_amount: "0.00",
  supported_until: "2027-01-01T00:00:00+00:00",
  item: {
    id: 11,
    name: "Ürün 11",
    description: "Bir tema",
    site: "market.example.com",
    classification: "Themes/WordPress",
    price_cents: 1999,
    author_username: "ada",
    url: "https://demo.example.com/",
    updated_at: "2024-05-01T08:30:00+00:00",
    published_at: "2024-05-01T08:30:00+00:00",
    tags: ["wordpress", "türkçe"],
  },
  buyer: null,
  purchase_count: 1,
}
const notFound =
  '{"error":404,"description":"No sale belonging to the current user found with that code"}'

describe("200", () => {
  test("every field, in Envato's order and notation", async () => {
    const { status, body, headers } = await findSale(sold.purchase_code)
    expect([status, body]).toEqual([200, JSON.stringify(soldSale)])
    expect(headers["content-type"]).toBe("application/json; charset=utf-8")
    expect(headers["cache-control"]).toBe("no-store")
    expect(headers.vary).toBe("Accept-Encoding, Authorization")
  })

  test("supported_until is null without support, and never absent", async () => {
    expect(await sale(extended.purchase_code)).toMatchObject({ supported_until: null })
  })

  test("Envato's names of the two licenses; any other one as the operator wrote it", async () => {
    const found = [await sale(extended.purchase_code), await sale(other.purchase_code)]
    expect(found.map(({ license, amount }) => [license, amount])).toEqual([
      ["Extended License", "59.00"],
      ["constructor", "0.50"],
    ])
  })

  test("the buyer, if the marketplace provided one; /api never returns it", async () => {
    expect((await sale(named.purchase_code)).buyer).toBe("İpek \u{1f600}")
    const body = JSON.stringify({ api_key: market.keys.secret, purchase_code: "named-code" })
    const validated = await openapiFetch(`${market.url}/api/purchases/validation`, {
      method: "POST",
      body,
    })
    expect([validated.status, await validated.text()]).toEqual([
      200,
      expect.not.stringContaining("pek"),
    ])
  })

  test("any kind of key, in any case of the scheme", async () => {
    for (const key of [market.keys.secret, market.keys.validation, importedSecret]) {
      expect(await sale(sold.purchase_code, key)).toEqual(soldSale)
    }
    const lower = await findSale(sold.purchase_code, "", {
      Authorization: `bearer ${market.keys.secret}`,
    })
    expect(lower.status).toBe(200)
  })

  test("the code as it was pasted", async () => {
    const pasted = `\u00a0${String(sold.purchase_code).toUpperCase().replaceAll("-", "–")}\u200b\n`
    expect(await sale(pasted)).toEqual(soldSale)
  })

  test("always in English", async () => {
    const turkish = { "Accept-Language": "tr" }
    for (const code of [sold.purchase_code, "nothing"]) {
      const response = await findSale(code, market.keys.secret, turkish)
      expect(response).toEqual(await findSale(code))
      expect(response.headers["content-language"]).toBe("en")
    }
  })

  test("HEAD, a trailing slash and repeated slashes", async () => {
    const { body } = await findSale(sold.purchase_code)
    const lines = `\r\nHost: a\r\nAuthorization: Bearer ${market.keys.secret}\r\nConnection: close\r\n\r\n`
    const query = `?code=${sold.purchase_code}`
    for (const spelling of [`${path}/`, `/${path}`, path.replaceAll("/", "//")]) {
      const response = await openapiFetchRaw(market.url, `GET ${spelling}${query} HTTP/1.1${lines}`)
      expect([response.status, response.body]).toEqual([200, body])
    }
    const head = await openapiFetchRaw(market.url, `HEAD ${path}${query} HTTP/1.1${lines}`)
    expect([head.status, head.body]).toEqual([200, ""])
  })

  test("counted as a validation of its key", async () => {
    const { key, secret } = await market.issue("ada", "vk")
    await findSale(sold.purchase_code, secret)
    const count = await until(async () => {
      const at = formatTimestamp(market.app.now())
      return (await market.app.store.usage.findByKey(key.id, at))?.days.at(-1) || undefined
    })
    expect(count).toBe(1)
  })
})

describe("404", () => {
  test("unknown, revoked and other authors' codes return Envato's own bytes", async () => {
    const codes = ["nothing", revoked.purchase_code, "6f1c1d2e-bbbb-4000-8000-000000000001"]
    const responses = await Promise.all(codes.map((code) => findSale(code)))
    expect(responses.map(({ status, body }) => [status, body])).toEqual(
      codes.map(() => [404, notFound]),
    )
    expect(responses.map(({ reason }) => reason)).toEqual([
      ...["unknown_code", "revoked_code", "unknown_code"],
    ])
  })

  test("another author's code is indistinguishable from an unknown one", async () => {
    expect(await findSale(sold.purchase_code, market.keys.bob)).toEqual(
      await findSale("nothing", market.keys.bob),
    )
    expect(await findSale(sold.purchase_code, market.keys.oneItem)).toEqual(
      await findSale("nothing", market.keys.oneItem),
    )
  })
})

describe("errors", () => {
  test("400: a missing, empty or malformed code", async () => {
    const cases = ["", "?code=", "?code=%20", "?purchase_code=abc", `?code=${"x".repeat(256)}`]
    for (const query of cases) {
      const response = await openapiFetch(`${market.url}${path}${query}`, {
        headers: bearer(market.keys.secret),
      })
      expect([response.status, await response.json()]).toEqual([
        400,
        { error: 400, description: expect.any(String) },
      ])
    }
  })

  test("400: a missing site, if the key requires one, is not blamed on the code", async () => {
    const { secret } = await market.issue("ada", "vk", null, true)
    const { status, body } = await findSale(sold.purchase_code, secret)
    expect([status, JSON.parse(body)]).toEqual([
      400,
      { error: 400, description: "The parameter site is missing" },
    ])
  })

  test("401: a missing, unknown or inactive key, or one that is not a bearer token", async () => {
    const { revoked, expired } = market.inactiveKeys
    const headers: Record<string, string>[] = [
      {},
      bearer("nothing"),
      bearer(revoked),
      bearer(expired),
      { Authorization: `Basic ${market.keys.secret}` },
      { "X-Api-Key": market.keys.secret },
    ]
    const query = `?code=${sold.purchase_code}&api_key=${market.keys.secret}`
    for (const each of headers) {
      const response = await openapiFetch(`${market.url}${path}${query}`, { headers: each })
      expect(response.headers.get("www-authenticate")).toBe("Bearer")
      expect([response.status, await response.json()]).toEqual([
        401,
        { error: 401, description: expect.any(String) },
      ])
    }
  })

  test("401: the key is validated before the code", async () => {
    expect((await findSale("", "nothing")).status).toBe(401)
  })

  test("405: any other method", async () => {
    for (const method of ["POST", "PUT", "DELETE"]) {
      const response = await openapiFetch(`${market.url}${path}`, { method })
      expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"])
      expect(await response.json()).toEqual({ error: 405, description: expect.any(String) })
    }
  })
})

describe("test keys", () => {
  test("200: the test purchases", async () => {
    const found = await sale("test-extended", market.keys.test)
    expect([found.license, found.item.author_username]).toEqual(["Extended License", "sample"])
  })

  const noSale = JSON.parse(notFound).description
  test.each([
    ["test-revoked", 404, null, noSale],
    ["test-unknown", 404, null, noSale],
    ["test-rate-limited", 429, "1", generalMessages.rate_limited.en],
    ["test-unavailable", 503, "5", generalMessages.unavailable.en],
  ] as const)("%s: status %d", async (code, status, retryAfter, description) => {
    const response = await findSale(code, market.keys.test)
    expect([response.status, response.headers["retry-after"] ?? null]).toEqual([status, retryAfter])
    expect(JSON.parse(response.body)).toEqual({ error: status, description })
  })
})

describe("products written for Envato", () => {
  const target = () => `${market.url}${path}?code=${sold.purchase_code}`

  test("JavaScript with fetch, in Node", async () => {
    const script = `
      const response = await fetch(process.env.TARGET, {
        headers: { Authorization: "Bearer " + process.env.API_KEY, "User-Agent": "a product" },
      })
      console.log(response.status, (await response.json()).buyer)`
    const node = Bun.spawn(["node", "--input-type=module", "-e", script], {
      env: { PATH: Bun.env.PATH, TARGET: target(), API_KEY: market.keys.validation },
    })
    expect(await node.stdout.text()).toBe("200 null\n")
  })

  test("the npm package envato, with another base URL", async () => {
    const client = new Client({ token: market.keys.validation, handleRateLimits: false })
    // Its only option for this, `sandbox`, leaves out the token.
    Object.assign(client, { _getFullRequestUrl: (target: string) => market.url + target })
    const found = await client.private.getSale(` ${String(sold.purchase_code).toUpperCase()} `)
    expect(found).toMatchObject({ license: "Regular License", item: { id: 11, name: "Ürün 11" } })
    expect(found?.sold_at).toEqual(new Date("2025-01-02T03:04:05Z"))
    expect(await client.private.getSale(String(revoked.purchase_code))).toBeUndefined()
    // A path that is not served returns nothing about the code.
    const unserved = [
      client.private.getPurchase(String(sold.purchase_code)),
      ...[client.private.getUsername(), client.getIdentity()],
      client.catalog.getItem(11),
    ]
    const failures = await Promise.all(unserved.map((request) => request.catch((error) => error)))
    expect(failures.map((each) => (each instanceof HttpError ? each.code : each))).toEqual(
      unserved.map(() => 501),
    )
    client.token = market.keys.secret
    const [newest] = (await client.private.getSales()) ?? []
    expect(newest).toMatchObject({ support_amount: "0.00", item: { author_username: "ada" } })
    client.token = "wrong"
    await expect(client.private.getSale(String(sold.purchase_code))).rejects.toMatchObject({
      code: 401,
      response: { error: 401, description: expect.any(String) },
    })
  })

  const sent = {
    wp_remote_get: [
      "User-Agent: WordPress/6.8; https://shop.example.com",
      "Accept: */*",
      "Accept-Encoding: deflate, gzip, br",
      "Referer: https://shop.example.com",
      "Connection: close",
    ],
    Guzzle: ["User-Agent: GuzzleHttp/7", "Accept: application/json", "Connection: close"],
  }
  test.each(Object.entries(sent))("the request of %s", async (_, lines) => {
    const authorization = `Authorization: Bearer ${market.keys.validation}`
    for (const version of ["1.1", "1.0"]) {
      const request = `GET ${path}?code=${sold.purchase_code} HTTP/${version}`
      const head = [request, "Host: api.example.com", authorization, ...lines, "", ""].join("\r\n")
      const { status, body } = await openapiFetchRaw(market.url, head)
      expect([status, JSON.parse(body)]).toEqual([200, soldSale])
    }
  })
})

describe("501", () => {
  const unserved = [
    ...["/v1/market/private/user/username.json", "/v1/market/total-items.json", "/v1", "/v1/"],
    ...[
      "/v1/market/user:ada.json",
      "/v2/market/catalog/item?id=11",
      "/v2/x",
      "/whoami",
      "/whoami/",
    ],
    ...["/v3", "/v3/market/author/sales/x", "/v3/market/buyer/purchase?code=x", "/V3/market"],
    ...["//v3//market//buyer/purchase?code=x", "/v3/market/author/sale/x", `/v3${"/x".repeat(9)}`],
  ]
  test.each(unserved)("%s, with any key and any method", async (target) => {
    for (const method of ["GET", "POST", "PUT"]) {
      const headers = method === "GET" ? bearer(market.keys.secret) : {}
      const response = await fetch(market.url + target, { method, headers, redirect: "manual" })
      const { status, reason, body, headers: sent } = await readApiResponse(response)
      const description = expect.stringContaining("/v3/market/author/sale")
      expect([status, reason]).toEqual([501, "unknown_path"])
      expect(JSON.parse(body)).toEqual({ error: 501, description })
      expect(sent["content-type"]).toBe("application/json; charset=utf-8")
      expect(response.headers.has("request-id")).toBe(true)
    }
  })

  test.each(["/v4/market", "/v10", "/v", "/whoamix"])(
    "404: %s is not a path of Envato",
    async (target) => {
      expect((await fetch(market.url + target)).status).toBe(404)
    },
  )
})

test("every response is a sale or an error in Envato's schema, never a 5xx", async () => {
  const key = fc.constantFrom(market.keys.secret, market.keys.test, importedSecret, "x", "")
  const name = fc.constantFrom("code", "code", "api_key", "lang", "__proto__")
  const value = fc.oneof(
    fc.constantFrom(String(sold.purchase_code), "test-regular"),
    fc.string({ unit: "binary", maxLength: 300 }),
  )
  const pairs = fc.array(fc.tuple(name, value), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(key, pairs, async (secret, query) => {
      const well = query.map(([each, text]): [string, string] => [each, text.toWellFormed()])
      const target = `${market.url}${path}?${new URLSearchParams(well)}`
      const response = await openapiFetch(target, { headers: bearer(secret) })
      expect(response.status).toBeLessThan(500)
    }),
    { numRuns: propertyRuns(50) },
  )
})
