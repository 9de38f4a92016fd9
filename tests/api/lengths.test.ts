/** Bodies with a wrong or repeated length, sent raw, because no HTTP client sends them. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../harness/full-test-run.ts"
import {
  errorBody,
  generalMessages,
  languages,
  purchaseValidation,
} from "../harness/http/contract-messages.ts"
import { openapiFetchRaw } from "../harness/http/openapi-fetch.ts"
import { parseRaw, sendRaw } from "../harness/http/raw-http.ts"
import { type Marketplace, openMarketplace, sold } from "../harness/marketplace.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace({ PAZAR_OPERATOR_TOKEN: "operator-token-of-this-test-1234" })
})
afterAll(() => market.close())

const head = (headers: readonly string[], path: string = purchaseValidation.path) =>
  [`POST ${path} HTTP/1.1`, "Host: a", ...headers, "", ""].join("\r\n")
const form = () => `api_key=${market.keys.secret}&purchase_code=${sold.purchase_code}`

describe("400: a repeated length", () => {
  test.each(languages)(
    "is rejected before any body arrives, and the connection ends (%s)",
    async (language) => {
      const { [language]: message } = purchaseValidation.message
      for (const length of [0, 5, 65_536, 300_000_000]) {
        const twice = [`Content-Length: ${length}`, `content-length: ${length}`]
        // `sendRaw` waits for the end of the connection, and no byte of the body is ever sent.
        const response = await openapiFetchRaw(
          market.url,
          head([`Accept-Language: ${language}`, ...twice]),
        )
        expect(response.status).toBe(400)
        expect(response.body).toBe(errorBody(message, language))
        expect(response.headers.get("pazar-reason")).toBe("invalid_parameter")
        expect(response.headers.get("connection")).toBe("close")
      }
    },
  )

  test("is rejected with a valid key and code", async () => {
    const length = `Content-Length: ${form().length}`
    const response = await openapiFetchRaw(market.url, head([length, length]), form())
    expect([response.status, response.headers.get("pazar-reason")]).toEqual([
      400,
      "invalid_parameter",
    ])
  })
})

describe("the runtime rejects every other notation", () => {
  const spellings = [
    ...["5,5", "5, 5", "+5", "-5", "0x5", "5e1", "5.0", "", "NaN", "5;", "5 5"],
    ...["99999999999999999999", "18446744073709551621"],
  ]
  test.each(spellings)("400: Content-Length: %s", async (spelling) => {
    const text = await sendRaw(market.url, head([`Content-Length: ${spelling}`]), "hello")
    expect(parseRaw(text).status).toBe(400)
  })

  const pairs = [
    ["Content-Length: 5", "Content-Length: 6"],
    ["Content-Length: 5", "Transfer-Encoding: chunked"],
    ["Transfer-Encoding: chunked", "Content-Length: 5"],
    ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
  ]
  test.each(pairs)("400: %s and %s", async (...headers) => {
    const text = await sendRaw(market.url, head(headers), "5\r\nhello\r\n0\r\n\r\n")
    expect(parseRaw(text).status).toBe(400)
  })
})

test("413: a long body is rejected before any of it arrives", async () => {
  const headers = ["Content-Length: 300000000", "Connection: close"]
  const response = await openapiFetchRaw(market.url, head(headers))
  expect(response.status).toBe(413)
  expect(response.body).toBe(errorBody(generalMessages.too_large.en, "en"))
})

test("pages reject a form without exactly one length before any of it arrives", async () => {
  const twice = ["Content-Length: 5", "Content-Length: 5"]
  for (const lengths of [twice, ["Content-Length: 300000000"], ["Transfer-Encoding: chunked"]]) {
    const headers = [`Origin: ${market.url}`, "Connection: close", ...lengths]
    expect(parseRaw(await sendRaw(market.url, head(headers, "/login"))).status).toBe(413)
  }
})

const piece = fc.constantFrom(..."0123456789", ...["65536", "65537", "+", "-", ",", " ", "x", "e"])
const spelling = fc.oneof(
  fc.nat(100_000).map(String),
  fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join("")),
)
test("a body is read to its declared length and no further, or not at all", async () => {
  const whole = `${form()}&pad=`.padEnd(100_000, "x")
  await fc.assert(
    fc.asyncProperty(fc.array(spelling, { minLength: 1, maxLength: 2 }), async (lengths) => {
      const headers = lengths.map((each) => `Content-Length: ${each}`)
      const { status } = parseRaw(
        await sendRaw(market.url, `${head([...headers, "Connection: close"])}${whole}`),
      )
      const isOnePlain = lengths.length === 1 && /^ *\d+ *$/.test(String(lengths[0]))
      if (!isOnePlain) expect(status).toBe(400)
      else if (Number(lengths[0]) > 65_536) expect([413, 400]).toContain(status)
      else if (Number(lengths[0]) >= form().length) expect(status).toBe(200)
      else expect([400, 401, 404]).toContain(status)
    }),
    { numRuns: propertyRuns(150) },
  )
})
