import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { openPage } from "../harness/browser/browser.ts"
import { purchaseValidation } from "../harness/http/contract-messages.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import {
  ada,
  importedSecret,
  type Marketplace,
  openMarketplace,
  sold,
} from "../harness/marketplace.ts"
import { until } from "../harness/until.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
})
afterAll(() => market.close())

const code = String(sold.purchase_code)
const { path } = purchaseValidation
const downloadPath = "/api/purchases/download"
const salePath = "/v3/market/author/sale"
const keySetPath = "/.well-known/pazar-keys.json"
const exposed =
  "Pazar-Reason, Request-Id, Retry-After, Unencoded-Digest, Pazar-Question, Signature, Signature-Input"

const corsHeadersOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-")))
const open = { "access-control-allow-origin": "*", "access-control-expose-headers": exposed }

const origin = { Origin: "https://shop.example.com" }
const validate = (key: string | null, parameters: Record<string, string>, at: string = path) =>
  openapiFetch(`${market.url}${at}`, {
    method: "POST",
    headers: { ...origin, ...(key === null ? {} : { "X-Api-Key": key }) },
    body: new URLSearchParams(parameters),
  })

const findSale = (key: string, purchaseCode: string) =>
  openapiFetch(`${market.url}${salePath}?code=${purchaseCode}`, {
    headers: { ...origin, Authorization: `Bearer ${key}` },
  })

describe("OPTIONS", () => {
  const send = (at: string) =>
    fetch(`${market.url}${at}`, {
      method: "OPTIONS",
      headers: { ...origin, "Access-Control-Request-Method": "POST" },
    })

  test.each([
    [path, "POST"],
    [`${path}/`, "POST"],
    [`/${path}`, "POST"],
    ["/api/purchases/release", "POST"],
    [downloadPath, "POST"],
    [salePath, "GET, HEAD"],
    [keySetPath, "GET, HEAD"],
  ])("204: %s", async (at, methods) => {
    const response = await send(at)
    expect([response.status, await response.text()]).toEqual([204, ""])
    expect(corsHeadersOf(response)).toEqual({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": methods,
      "access-control-allow-headers": "Content-Type, X-Api-Key, Authorization",
      "access-control-max-age": "86400",
    })
  })

  test("204: has an error code and a request id, like every response under /api", async () => {
    const { headers } = await send(path)
    expect(headers.get("pazar-reason")).toBe("ok")
    expect(headers.get("request-id")).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each(["/api/account/details", "/api/items/all", "/api/items/item", "/api/nothing", "/"])(
    "%s is not available to web pages",
    async (at) => expect(corsHeadersOf(await send(at))).toEqual({}),
  )
})

describe("readable by a web page:", () => {
  test.each([
    ["200 to a validation key", 200, "validation", { purchase_code: code }],
    ["404 to a validation key", 404, "validation", { purchase_code: "nobody" }],
    ["400 to a validation key", 400, "validation", {}],
    ["200 to a test key", 200, "test", { purchase_code: "test-regular" }],
    ["429 to a test key", 429, "test", { purchase_code: "test-rate-limited" }],
    ["503 to a test key", 503, "test", { purchase_code: "test-unavailable" }],
  ] as const)("%s", async (_, status, key, parameters) => {
    const response = await validate(market.keys[key], parameters)
    expect([response.status, corsHeadersOf(response)]).toEqual([status, open])
  })

  test("401 and 413: the error code of a request without a key", async () => {
    for (const key of [null, "nobody", market.inactiveKeys.revoked, market.inactiveKeys.expired]) {
      const response = await validate(key, { purchase_code: code })
      expect([response.status, corsHeadersOf(response)]).toEqual([401, open])
    }
    const large = await validate(market.keys.validation, { purchase_code: "x".repeat(70_000) })
    expect([large.status, corsHeadersOf(large)]).toEqual([413, open])
  })

  test("200 and 404 of a sale to a validation key, and 401", async () => {
    for (const [key, purchaseCode, status] of [
      [market.keys.validation, code, 200],
      [market.keys.test, "nobody", 404],
      ["nobody", code, 401],
    ] as const) {
      const response = await findSale(key, purchaseCode)
      expect([response.status, corsHeadersOf(response)]).toEqual([status, open])
    }
  })

  test("200, 400, 404 and 401 of a download to a validation key", async () => {
    for (const [key, parameters, status] of [
      [market.keys.test, { purchase_code: "test-regular" }, 200],
      [market.keys.validation, {}, 400],
      [market.keys.validation, { purchase_code: "nobody" }, 404],
      ["nobody", { purchase_code: code }, 401],
    ] as const) {
      const response = await validate(key, parameters, downloadPath)
      expect([response.status, corsHeadersOf(response)]).toEqual([status, open])
    }
  })

  test("200: the key set", async () => {
    expect(corsHeadersOf(await openapiFetch(`${market.url}${keySetPath}`))).toEqual(open)
  })
})

describe("not readable by a web page:", () => {
  test("200, 400 and 404 to a secret or imported key", async () => {
    for (const key of [market.keys.secret, importedSecret]) {
      for (const parameters of [{ purchase_code: code }, {}, { purchase_code: "nobody" }]) {
        for (const at of [path, downloadPath]) {
          expect(corsHeadersOf(await validate(key, parameters, at))).toEqual({})
        }
      }
    }
  })

  test("a sale to a secret or imported key", async () => {
    for (const key of [market.keys.secret, importedSecret]) {
      for (const purchaseCode of [code, "", "nobody"]) {
        expect(corsHeadersOf(await findSale(key, purchaseCode))).toEqual({})
      }
    }
  })

  test("403 to a secret or imported key of a suspended account; 403 to a validation key is", async () => {
    const suspended = async (isSuspended: boolean) =>
      market.load([{ ...ada, suspended: isSuspended }])
    await suspended(true)
    // A thread reads a cached key again after a second.
    for (const key of [market.keys.secret, importedSecret, market.keys.validation]) {
      await until(
        async () => (await validate(key, { purchase_code: code })).status === 403 || undefined,
      )
    }
    for (const key of [market.keys.secret, importedSecret]) {
      for (const response of [
        await validate(key, { purchase_code: code }),
        await findSale(key, code),
      ]) {
        expect([response.status, corsHeadersOf(response)]).toEqual([403, {}])
      }
    }
    const shipped = await validate(market.keys.validation, { purchase_code: code })
    expect([shipped.status, corsHeadersOf(shipped)]).toEqual([403, open])
    await suspended(false)
    for (const key of [market.keys.secret, market.keys.validation]) {
      await until(
        async () => (await validate(key, { purchase_code: code })).status === 200 || undefined,
      )
    }
  })

  test("the three reads, with any key", async () => {
    for (const key of [market.keys.secret, market.keys.validation, market.keys.test, "nobody"]) {
      for (const at of ["account/details", "items/all", "items/item?item_id=1"]) {
        const headers = { ...origin, "X-Api-Key": key }
        expect(corsHeadersOf(await fetch(`${market.url}/api/${at}`, { headers }))).toEqual({})
      }
    }
  })
})

test("a web page of another origin reads the responses to a validation key, and none to a secret key", async () => {
  const site = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") })
  const page = await openPage()
  try {
    await page.goto(site.url.href)
    const sendFromPage = (key: string) =>
      page.evaluate(
        async ([url, secret, purchase_code]) => {
          const headers = { "Content-Type": "application/json", "X-Api-Key": secret ?? "" }
          const body = JSON.stringify({ purchase_code, nonce: "0123456789abcdef" })
          try {
            const response = await fetch(url ?? "", { method: "POST", headers, body })
            const names = ["pazar-reason", "request-id", "signature", "signature-input"]
            const isReadable = names.every((name) => response.headers.has(name))
            return { body: (await response.text()).slice(0, 19), isReadable }
          } catch (error) {
            return String(error)
          }
        },
        [`${market.url}${path}`, key, code],
      )
    expect(await sendFromPage(market.keys.validation)).toEqual({
      body: '{"status":"success"',
      isReadable: true,
    })
    expect(await sendFromPage(market.keys.secret)).toBe("TypeError: Failed to fetch")
  } finally {
    await page.context().close()
    await site.stop(true)
  }
})
