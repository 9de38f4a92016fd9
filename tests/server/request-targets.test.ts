/** Request targets that the URL parser would rewrite are rejected, because a proxy checks paths as they were sent. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { errorBody, generalMessages, operations } from "../harness/http/contract-messages.ts"
import { parseRaw, sendRaw } from "../harness/http/raw-http.ts"
import { spellingsOf } from "../harness/http/target-spellings.ts"
import { type Marketplace, openMarketplace } from "../harness/marketplace.ts"

const token = "t".repeat(32)
let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace({ PAZAR_OPERATOR_TOKEN: token, PAZAR_METRICS_TOKEN: token })
})
afterAll(() => market.close())

const sendRequest = async (target: string, head = "HTTP/1.1\r\nHost: localhost") => {
  const authorization = `Authorization: Bearer ${token}`
  const request = `GET ${target} ${head}\r\n${authorization}\r\nConnection: close\r\n\r\n`
  return parseRaw(await sendRaw(market.url, request))
}

const closed = [
  ...["/operator/feed", "/operator/links", "/operator/openapi.json", "/metrics", "/healthz"],
  ...["/readyz", "/console", "/console/sign-in"],
]
const open = ["/login", "/docs", "/", "/workspace/elif/items", "/openapi.json"]
const api = [...operations.map(({ path }) => path), "/api/nowhere", "/v3/market/author/sale"]

describe.each([...closed, ...open, ...api])("400: %s in other notations", (path) => {
  test.each(["HTTP/1.1\r\nHost: localhost", "HTTP/1.0"])("%j", async (head) => {
    const targets = spellingsOf(path)
    const responses = await Promise.all(
      targets.map(async (target) => {
        const { status, body, headers } = await sendRequest(target, head)
        const [reason, type] = [headers.get("pazar-reason"), headers.get("content-type")]
        return { target, status, body, reason, type, hasId: headers.has("request-id") }
      }),
    )
    const body = errorBody(generalMessages.unknown_path.en, "en")
    const type = "application/json; charset=utf-8"
    const rejected = { status: 400, body, reason: "invalid_parameter", type, hasId: true }
    expect(responses).toEqual(targets.map((target) => ({ target, ...rejected })))
  })
})

test("the table has at least as many notations as once passed nginx", () => {
  expect(new Set(closed.flatMap(spellingsOf)).size).toBeGreaterThan(552)
})

const deep = "/x".repeat(9)

describe("many slashes", () => {
  test.each(closed)("404: they do not lead to %s", async (path) => {
    const spelt = [`/${path}`, `${path}//`, path.replace(/(?<=.)\/|$/, "//"), "/".repeat(9) + path]
    const responses = await Promise.all(spelt.map((target) => sendRequest(target)))
    expect(responses.map(({ status }) => status)).toEqual(spelt.map(() => 404))
  })

  test("401: any number of them leads to an operation", async () => {
    const spelt = [2, 3, 9].map((count) => `${"/".repeat(count)}api/items/all`)
    const responses = await Promise.all(spelt.map((target) => sendRequest(target)))
    expect(responses.map(({ status }) => status)).toEqual(spelt.map(() => 401))
  })

  test("404: more segments than any path has", async () => {
    const responses = await Promise.all(
      ["/console", "/api"].map((start) => sendRequest(start + deep)),
    )
    expect(responses.map(({ status }) => status)).toEqual([404, 404])
    const reasons = responses.map(({ headers }) => headers.get("pazar-reason"))
    expect(reasons).toEqual(["unknown_path", "unknown_path"])
  })

  test.each(["/console", "/api/items/all"])("400: %s after as many segments", async (path) => {
    expect((await sendRequest(`${deep}${"/..".repeat(9)}${path}`)).status).toBe(400)
  })
})

test("405: other methods, also with NUL in the query or without a path", async () => {
  const send = async (line: string) =>
    parseRaw(
      await sendRaw(market.url, `${line} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
    )
  for (const method of ["CONNECT", "TRACE", "OPTIONS", "PUT"]) {
    for (const path of ["/", "/login", "/docs"]) {
      const { status, headers } = await send(`${method} ${path}?name=%00`)
      expect([method, path, status, headers.get("allow")]).toEqual([
        ...[method, path, 405, "GET, HEAD, POST"],
      ])
    }
  }
  for (const target of ["#", "#%00", "localhost:80"])
    expect([target, (await send(`CONNECT ${target}`)).status]).toEqual([target, 405])
})

test("a query can contain any of them", async () => {
  const { status } = await sendRequest("/docs?next=/x/../y\\z")
  expect(status).toBe(200)
})
