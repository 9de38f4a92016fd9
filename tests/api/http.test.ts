import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { gunzipSync } from "node:zlib"
import { readApiResponse } from "../harness/http/api-request.ts"
import {
  accountDetails,
  allItems,
  errorBody,
  generalMessages,
  languages,
  oneItem,
  operations,
  purchaseValidation,
} from "../harness/http/contract-messages.ts"
import { openapiFetch, openapiFetchRaw } from "../harness/http/openapi-fetch.ts"
import { parseRaw, sendRaw } from "../harness/http/raw-http.ts"
import {
  ada,
  bodies,
  type Marketplace,
  openMarketplace,
  plain,
  sold,
} from "../harness/marketplace.ts"
import { item } from "../harness/records.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
  await market.load([item("ada", 15, { description: "uzun ".repeat(1000), hidden: true })])
})
afterAll(() => market.close())

const code = String(sold.purchase_code)
const get = async (path: string, headers: Record<string, string> = {}) =>
  openapiFetch(`${market.url}${path}`, {
    headers: { "X-Api-Key": market.keys.secret, ...headers },
    redirect: "manual",
    decompress: false,
  })
const reads = [
  { operation: accountDetails, path: accountDetails.path },
  { operation: allItems, path: allItems.path },
  { operation: oneItem, path: `${oneItem.path}?item_id=11` },
]

describe("methods", () => {
  const others = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]
  const cases = operations.flatMap(({ method, path }) =>
    others.filter((other) => other !== method).map((other) => ({ method, other, path })),
  )
  const isPreflight = ({ method, other }: { method: string; other: string }) =>
    method === "POST" && other === "OPTIONS"
  test.each(cases.filter((each) => !isPreflight(each)))(
    "405: $other $path",
    async ({ method, other, path }) => {
      for (const language of languages) {
        const response = await openapiFetch(`${market.url}${path}?lang=${language}`, {
          method: other,
        })
        const result = await readApiResponse(response)
        const message = generalMessages.method_not_allowed[language]
        expect(result.status).toBe(405)
        expect(result.body).toBe(errorBody(message, language))
        expect(result.reason).toBe("method_not_allowed")
        expect(result.headers.allow).toBe(method === "GET" ? "GET, HEAD" : "POST")
      }
    },
  )

  test.each(reads)("200: HEAD $path returns the headers of GET", async ({ path }) => {
    const got = await get(path, { "Accept-Encoding": "identity" })
    const response = await openapiFetch(`${market.url}${path}`, {
      method: "HEAD",
      headers: { "X-Api-Key": market.keys.secret, "Accept-Encoding": "identity" },
    })
    expect(await response.text()).toBe("")
    expect(response.status).toBe(200)
    const names = [
      "content-type",
      "content-language",
      "etag",
      "vary",
      "cache-control",
      "pazar-reason",
    ]
    for (const name of names) expect(response.headers.get(name)).toBe(got.headers.get(name))
    expect(response.headers.get("content-length")).toBe(String((await got.bytes()).length))
  })

  test("404: HEAD of an unknown item has no body", async () => {
    const response = await openapiFetch(`${market.url}${oneItem.path}?item_id=99`, {
      method: "HEAD",
      headers: { "X-Api-Key": market.keys.secret },
    })
    expect(response.status).toBe(404)
    expect(response.headers.get("pazar-reason")).toBe("unknown_item")
  })
})

describe("paths", () => {
  test.each(operations)(
    "200: one trailing slash is served without a redirect: $path",
    async ({ method, path }) => {
      const query = "api_key=wrong&item_id=11&purchase_code=abc"
      const init = { method, redirect: "manual" } as const
      const bare = await readApiResponse(await openapiFetch(`${market.url}${path}?${query}`, init))
      const slashed = await readApiResponse(
        await openapiFetch(`${market.url}${path}/?${query}`, init),
      )
      expect(slashed).toEqual(bare)
      expect(bare.status).toBe(401)
    },
  )

  const unknown = [
    "/api",
    "/api/",
    "/api/items",
    "/api/v2/items/all",
    "/API/items/all",
    "/api/items/item/11",
    "/api/%69tems/all",
  ]
  test.each(unknown)("404: %s", async (path) => {
    for (const language of languages) {
      const result = await readApiResponse(await get(path, { "Accept-Language": language }))
      expect(result.status).toBe(404)
      expect(result.body).toBe(errorBody(generalMessages.unknown_path[language], language))
      expect(result.reason).toBe("unknown_path")
    }
  })

  const doubled = (path: string) => [
    `/${path}`,
    `${path}//`,
    path.replaceAll("/", "//"),
    path.replace(/\/(?=[^/]+$)/, "////"),
  ]
  const spelled = operations.flatMap(({ method, path }) =>
    doubled(path).map((spelling) => ({ method, path, spelling })),
  )
  test.each(spelled)(
    "200: repeated slashes are one: $method $spelling",
    async ({ method, path, spelling }) => {
      // Sent raw, because an HTTP client may normalize the path.
      const send = async (target: string) => {
        const query = `api_key=${market.keys.secret}&item_id=11&purchase_code=${code}&lang=en`
        const head = `${method} ${target}?${query} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`
        const { status, headers, body } = await openapiFetchRaw(market.url, head)
        return { status, tag: headers.get("etag"), body }
      }
      const result = await send(path)
      expect(result.status).toBe(200)
      expect(await send(spelling)).toEqual(result)
    },
  )
})

describe("bodies over 64 KB", () => {
  const pad = (bytes: number) => {
    const start = `{"purchase_code":"${code}","pad":"`
    return `${start}${"x".repeat(bytes - start.length - 2)}"}`
  }
  const post = (body: string | ReadableStream, language = "en") =>
    openapiFetch(`${market.url}${purchaseValidation.path}`, {
      method: "POST",
      headers: { "X-Api-Key": market.keys.secret, "Accept-Language": language },
      body,
    })
  const chunked = (text: string) =>
    new ReadableStream({
      async start(controller) {
        for (let at = 0; at < text.length; at += 16_384) {
          controller.enqueue(new TextEncoder().encode(text.slice(at, at + 16_384)))
          await Bun.sleep(1)
        }
        controller.close()
      },
    })

  test("200: 65,536 bytes are read", async () => {
    expect((await post(pad(65_536))).status).toBe(200)
    expect((await post(chunked(pad(65_536)))).status).toBe(200)
  })

  test.each(languages)("413: 65,537 bytes are rejected (%s)", async (language) => {
    for (const body of [
      pad(65_537),
      chunked(pad(65_537)),
      pad(2_000_000),
      chunked(pad(2_000_000)),
    ]) {
      const result = await readApiResponse(await post(body, language))
      expect(result.status).toBe(413)
      expect(result.body).toBe(errorBody(generalMessages.too_large[language], language))
      expect(result.reason).toBe("too_large")
    }
  })
})

describe("old and unusual clients", () => {
  const target = `${oneItem.path}?item_id=11&api_key=`
  const expected = () => Buffer.from(bodies.item("en", plain)).toString()

  test("200: HTTP/1.0 without a Host", async () => {
    const result = parseRaw(
      await sendRaw(market.url, `GET ${target}${market.keys.secret} HTTP/1.0\r\n\r\n`),
    )
    expect(result.status).toBe(200)
    expect(result.body).toBe(expected())
  })

  const hosts = ["", "192.0.2.1:8080", "[::1]:80", "My_Shop.example.com.", "x".repeat(3000)]
  test.each(hosts)("200: Host %j", async (host) => {
    const request = `GET ${target}${market.keys.secret} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
    expect(parseRaw(await sendRaw(market.url, request)).body).toBe(expected())
  })

  test("200: a JSON header and no body on GET, a slash before the question mark", async () => {
    const headers =
      "Host: a\r\nContent-Type: application/json\r\nContent-Length: 0\r\nConnection: close"
    const path = `${oneItem.path}/?item_id=11&api_key=${market.keys.secret}`
    const result = parseRaw(await sendRaw(market.url, `GET ${path} HTTP/1.1\r\n${headers}\r\n\r\n`))
    expect(result.body).toBe(expected())
  })

  test("200: Expect: 100-continue", async () => {
    const body = JSON.stringify({ api_key: market.keys.secret, purchase_code: code })
    const head = `POST ${purchaseValidation.path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
    const text = await sendRaw(market.url, head, body)
    expect(text).toStartWith("HTTP/1.1 100 Continue")
    expect(parseRaw(text).status).toBe(200)
  })

  test("200: a body in two halves", async () => {
    const body = new URLSearchParams({
      api_key: market.keys.secret,
      purchase_code: code,
    }).toString()
    const head = `POST ${purchaseValidation.path} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n`
    const text = await sendRaw(market.url, head, body.slice(0, 20), body.slice(20))
    expect(parseRaw(text).status).toBe(200)
  })

  test("the response is JSON, whatever the Accept header", async () => {
    const response = await get(oneItem.path, { Accept: "text/html" })
    expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8")
  })
})

describe("caching", () => {
  test.each(reads)("304: $path if unchanged, 200 otherwise", async ({ path }) => {
    const first = await get(path)
    const tag = first.headers.get("etag") ?? ""
    expect(tag).toMatch(/^"[^"]+"$/)
    for (const header of [tag, `W/${tag}`, `"x", ${tag}`, "*"]) {
      const cached = await get(path, { "If-None-Match": header })
      expect(cached.status).toBe(304)
      expect(await cached.text()).toBe("")
      expect(cached.headers.get("etag")).toBe(tag)
      expect(cached.headers.get("vary")).toBe(first.headers.get("vary"))
      expect(cached.headers.get("cache-control")).toBe("private, no-cache")
      expect(cached.headers.get("pazar-reason")).toBe("ok")
    }
    expect((await get(path, { "If-None-Match": `"${tag}"` })).status).toBe(200)
    const other = await get(path, { "If-None-Match": tag, "Accept-Language": "tr" })
    expect(other.status).toBe(200)
    expect(other.headers.get("etag")).not.toBe(tag)
  })

  const changes = [
    { path: accountDetails.path, change: { ...ada, balance: 999 }, back: ada },
    { path: `${oneItem.path}?item_id=11`, change: { ...plain, name: "Yeni ad" }, back: plain },
  ]
  test.each(changes)(
    "200: $path after a change, with another ETag",
    async ({ path, change, back }) => {
      const before = (await get(path)).headers.get("etag") ?? ""
      await market.load([change])
      const after = await get(path, { "If-None-Match": before })
      expect([after.status, after.headers.get("etag") === before]).toEqual([200, false])
      await market.load([back])
      expect((await get(path, { "If-None-Match": before })).status).toBe(304)
    },
  )

  test("200: the ETag changes with the list", async () => {
    const before = (await get(allItems.path)).headers.get("etag") ?? ""
    await market.load([item("ada", 16)])
    const after = await get(allItems.path, { "If-None-Match": before })
    expect(after.status).toBe(200)
    await market.load([{ type: "item", id: 16, deleted: true }])
    const back = await get(allItems.path, { "If-None-Match": before })
    expect(back.status).toBe(200)
  })

  test("404: an empty list and an unknown item, whatever ETag the client has", async () => {
    const headers = { "X-Api-Key": market.keys.empty, "If-None-Match": "*" }
    for (const { path } of [allItems, { path: `${oneItem.path}?item_id=11` }]) {
      expect((await get(path, headers)).status).toBe(404)
    }
  })

  test("errors and validations have no ETag", async () => {
    expect((await get(`${oneItem.path}?item_id=99`)).headers.get("etag")).toBeNull()
    const valid = await openapiFetch(
      `${market.url}${purchaseValidation.path}?purchase_code=${code}`,
      {
        method: "POST",
        headers: { "X-Api-Key": market.keys.secret, "If-None-Match": "*" },
      },
    )
    expect(valid.status).toBe(200)
    expect(valid.headers.get("etag")).toBeNull()
  })
})

describe("gzip", () => {
  test("is used if accepted and useful, with its own ETag", async () => {
    const whole = await get(allItems.path)
    const packed = await get(allItems.path, { "Accept-Encoding": "br;q=1, gzip;q=0.5" })
    expect(packed.headers.get("content-encoding")).toBe("gzip")
    const packedBytes = await packed.bytes()
    const wholeBytes = await whole.bytes()
    expect(gunzipSync(packedBytes).equals(wholeBytes)).toBe(true)
    expect(packedBytes.length).toBeLessThan(wholeBytes.length)
    const tag = packed.headers.get("etag") ?? ""
    expect(tag).not.toBe(whole.headers.get("etag"))
    const cached = await get(allItems.path, { "Accept-Encoding": "gzip", "If-None-Match": tag })
    expect(cached.status).toBe(304)
    expect(cached.headers.get("etag")).toBe(tag)
  })

  test.each(["identity", "gzip;q=0", "br", ""])(
    "is not used for Accept-Encoding %j",
    async (coding) => {
      const response = await get(allItems.path, { "Accept-Encoding": coding })
      expect(response.headers.get("content-encoding")).toBeNull()
    },
  )

  test("is not used for bodies that fit in a packet", async () => {
    const short = await get(`${oneItem.path}?item_id=11`, { "Accept-Encoding": "gzip" })
    expect([short.status, short.headers.get("content-encoding")]).toEqual([200, null])
    await market.load([item("ada", 17, { description: "uzun ".repeat(200) })])
    const long = await get(`${oneItem.path}?item_id=17`, { "Accept-Encoding": "gzip" })
    expect([long.status, long.headers.get("content-encoding")]).toEqual([200, "gzip"])
    await market.load([{ type: "item", id: 17, deleted: true }])
  })
})

describe("response headers", () => {
  const vary = async (path: string, headers: Record<string, string> = {}) =>
    (await openapiFetch(`${market.url}${path}`, { headers })).headers.get("vary")

  test("Vary lists exactly the headers that were read", async () => {
    const key = market.keys.secret
    expect(await vary(`${accountDetails.path}?api_key=${key}&lang=tr`)).toBe("Accept-Encoding")
    expect(await vary(`${accountDetails.path}?api_key=${key}`)).toBe(
      "Accept-Encoding, Accept-Language",
    )
    expect(await vary(`${accountDetails.path}?lang=tr`, { "X-Api-Key": key })).toBe(
      "Accept-Encoding, X-Api-Key",
    )
    expect(await vary(accountDetails.path, { Authorization: `Bearer ${key}` })).toBe(
      "Accept-Encoding, Accept-Language, X-Api-Key, Authorization",
    )
  })

  test("every response has its own Request-Id", async () => {
    const each = [...reads.map(({ path }) => path), "/api/nowhere", oneItem.path, allItems.path]
    // Headers of identical concurrent requests are prepared once, except this one.
    const paths = Array.from({ length: 10 }, () => each).flat()
    const ids = await Promise.all(
      paths.map(async (path) => (await get(path)).headers.get("request-id")),
    )
    expect(ids).not.toContain(null)
    expect(new Set(ids).size).toBe(paths.length)
  })
})

describe("the headers of every response", () => {
  const token = "t".repeat(32)
  const publicUrls = [
    { url: "https://api.example.com", hsts: "max-age=31536000" },
    { url: "http://api.example.com", hsts: null },
  ]
  test.each(publicUrls)("nosniff, and HSTS if the public URL is $url", async (each) => {
    const secure = await openMarketplace({
      PAZAR_PUBLIC_URL: each.url,
      PAZAR_OPERATOR_TOKEN: token,
      PAZAR_METRICS_TOKEN: token,
    })
    const paths = [
      ...[
        ...operations.map(({ path }) => path),
        "/api/nowhere",
        "/api/x%5c",
        "/v3/market/author/sale",
      ],
      ...["/operator/feed", "/operator/links", "/operator/openapi.json", "/operator/nowhere"],
      ...[
        "/metrics",
        "/openapi.json",
        "/.well-known/pazar-keys.json",
        "/",
        "/workspace",
        "/nowhere",
      ],
      ...["/healthz", "/readyz"],
    ]
    const bearers = [secure.keys.secret, token, "wrong"]
    const requests = ["GET", "HEAD", "POST", "PUT", "OPTIONS"].flatMap((method) =>
      paths.flatMap((path) => bearers.map((bearer) => ({ method, path, bearer }))),
    )
    const responses = await Promise.all(
      requests.map(async ({ method, path, bearer }) => {
        const headers = { Authorization: `Bearer ${bearer}` }
        const result = await fetch(secure.url + path, { method, headers, redirect: "manual" })
        const [sniff, hsts] = ["x-content-type-options", "strict-transport-security"].map((name) =>
          result.headers.get(name),
        )
        return { method, path, status: result.status, sniff, hsts }
      }),
    )
    await secure.close()
    expect(responses.filter(({ sniff }) => sniff !== "nosniff")).toEqual([])
    const isProbe = (path: string) => path === "/healthz" || path === "/readyz"
    expect(responses.filter(({ path, hsts }) => hsts !== each.hsts && !isProbe(path))).toEqual([])
    const statuses = new Set(responses.map(({ status }) => status))
    expect([...statuses].sort()).toEqual([200, 204, 303, 400, 401, 403, 404, 405])
  })
})
