import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { errorBody, generalMessages } from "../harness/http/contract-messages.ts"
import { parseRaw, sendRaw, statusesOf } from "../harness/http/raw-http.ts"
import { type Marketplace, openMarketplace } from "../harness/marketplace.ts"

let market: Marketplace
const tokens = {
  PAZAR_OPERATOR_TOKEN: "operator-token-of-this-test-1234",
  PAZAR_METRICS_TOKEN: "metrics-token-of-this-test-12345",
}
beforeAll(async () => {
  market = await openMarketplace({ PAZAR_PUBLIC_URL: "https://api.example.com:8443", ...tokens })
})
afterAll(() => market.close())

const sendRequest = (path: string, ...hosts: string[]) =>
  sendRaw(
    market.url,
    [
      ...[`GET ${path} HTTP/1.1`, ...hosts.map((host) => `Host: ${host}`)],
      ...["Connection: close", "", ""],
    ].join("\r\n"),
  )
const apiPaths = ["/api/account/details", "/api/nowhere", "/v3/market/author/sale"]
const linksPath = "/operator/links"
const pages = [
  "/",
  "/console",
  "/login",
  "/workspace",
  "/docs",
  "/login?next=%00",
  "/assets/nothing",
]
const others = ["/healthz", "/readyz", "/openapi.json", "/metrics", "/operator/feed"]

describe("400: pages and links", () => {
  const bad = [
    ...[
      ["a", "b"],
      ["a", "a"],
      ["api.example.com", "evil.example"],
    ],
    ...[
      ["a b"],
      ["a, b"],
      ["["],
      ["[::1"],
      ["a:b:c"],
      ["a:80x"],
      ["ü"],
      ["u@a"],
      ["a/b"],
      ["a\\b"],
    ],
  ]
  test.each(bad)("Host %j", async (...hosts) => {
    const sent = hosts.filter((host) => typeof host === "string")
    for (const path of [...pages, linksPath]) {
      const { status, body, headers } = parseRaw(await sendRequest(path, ...sent))
      expect(status).toBe(400)
      expect(body).toBe(errorBody(generalMessages.unknown_path.en, "en"))
      expect(headers.get("pazar-reason")).toBe("invalid_parameter")
    }
    for (const path of [...apiPaths, ...others]) {
      expect(statusesOf(await sendRequest(path, ...sent))).toEqual(
        statusesOf(await sendRequest(path, "a")),
      )
    }
  })
})

const statusOf = async (path: string, host: string) => statusesOf(await sendRequest(path, host))[0]

describe("a name that is not the public one", () => {
  const foreign = [
    "evil.example",
    "evil.example:8443",
    "api.example.com.evil.example",
    "example.com",
  ]

  test.each(foreign)("421: pages requested as %s", async (host) => {
    for (const path of pages) {
      const text = await sendRequest(path, host)
      expect(statusesOf(text)).toEqual([421])
      expect(text).toContain("<h1>")
      expect(text).not.toContain("evil")
    }
  })

  test.each(foreign)(
    "200: the API, the operator's paths and the probes respond to %s",
    async (host) => {
      const own = "api.example.com"
      for (const path of [...apiPaths, ...others, linksPath]) {
        expect(await statusOf(path, host)).toBe(await statusOf(path, own))
      }
      expect(await statusOf("/readyz", host)).toBe(200)
    },
  )
})

test.each([
  ...["api.example.com", "API.Example.com:443", "api.example.com.", "127.0.0.1:8080", "[::1]:8080"],
  ...["localhost", "pazar:8080", "my_container", ""],
])("200: pages requested as %j", async (host) => {
  expect(await statusOf("/login", host)).toBe(200)
  expect(await statusOf("/readyz", host)).toBe(200)
})

test("200: pages respond to any name if no public URL is set", async () => {
  const program = await openMarketplace()
  const headers = { Host: "shop.example.com" }
  const { status } = await fetch(`${program.url}/login`, { headers })
  await program.close()
  expect(status).toBe(200)
})
