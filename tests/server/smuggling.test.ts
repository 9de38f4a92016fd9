import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { exchange, statusesOf } from "../harness/http/raw-http.ts"
import { smugglingCorpus } from "../harness/http/smuggling-corpus.ts"
import { ada, importedSecret, type Marketplace, openMarketplace } from "../harness/marketplace.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace({
    LOG_LEVEL: "error",
    PAZAR_OPERATOR_TOKEN: "operator-token-of-this-test-1234",
  })
})
afterAll(() => market.close())

const hidden = `GET /api/account/details?api_key=${importedSecret} HTTP/1.1\r\nHost: a\r\n\r\n`
const probe = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

test("the hidden request would return the account", async () => {
  const text = await exchange(market.url, [hidden, probe])
  expect(statusesOf(text)).toEqual([200, 200])
  expect(text).toContain(String(ada.email))
})

describe("one response, and none to the hidden request", () => {
  test.each([...smugglingCorpus(hidden)])("$statuses: $name", async ({ text, statuses }) => {
    const together = await exchange(market.url, [text + probe])
    expect(together).not.toContain(String(ada.email))
    // Bun may close the connection without responding to the first request if a second one follows.
    expect([[], [...statuses]]).toContainEqual(statusesOf(together))
    if (statuses.length === 0) return
    const responses = await exchange(market.url, [text, probe])
    expect(responses).not.toContain(String(ada.email))
    expect(statusesOf(responses)).toEqual([...statuses])
    if (statuses.length > 1) expect(responses).toEndWith('{"status":"ok"}')
  })
})

test.each(["/api/purchases/validation", "/login", "/healthz", "/operator/feed"])(
  "trailers after the response of %s get none",
  async (path) => {
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n`
    const responses = await exchange(market.url, [head, `X: y\r\n\r\n${hidden}`])
    expect(statusesOf(responses)).toHaveLength(1)
    expect(responses).not.toContain(String(ada.email))
  },
)
