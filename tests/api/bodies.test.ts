import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { $ } from "bun"
import { readApiResponse } from "../harness/http/api-request.ts"
import { purchaseValidation } from "../harness/http/contract-messages.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import {
  bobs,
  bodies,
  type Marketplace,
  openMarketplace,
  plain,
  sold,
} from "../harness/marketplace.ts"
import { account } from "../harness/records.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
})
afterAll(() => market.close())

const code = String(sold.purchase_code)
const form = "application/x-www-form-urlencoded"

async function post(body: string | Uint8Array, contentType: string | null, query = "") {
  const headers: Record<string, string> =
    contentType === null ? {} : { "Content-Type": contentType }
  const url = `${market.url}${purchaseValidation.path}${query}`
  return readApiResponse(await openapiFetch(url, { method: "POST", headers, body }))
}

/** A client sends UTF-8 in a header byte by byte. */
const latin1 = (text: string) => Buffer.from(text, "utf8").toString("latin1")

const multipart = (fields: Record<string, string>, boundary = "x-y") =>
  `${Object.entries(fields)
    .map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    .join("")}--${boundary}--\r\n`

describe("200: a body is parsed by its content", () => {
  const json = () => JSON.stringify({ api_key: market.keys.secret, purchase_code: code })
  const urlencoded = () => `api_key=${market.keys.secret}&purchase_code=${code}`
  const parts = () => multipart({ api_key: market.keys.secret, purchase_code: code })
  const cases: [string, () => string, string | null][] = [
    ["JSON", json, "application/json; charset=utf-8"],
    ["JSON under a form's header", json, form],
    ["JSON under no header", json, null],
    ["JSON with a byte order mark", () => `\ufeff${json()}`, "application/json"],
    ["JSON with blanks around", () => ` \r\n${json()}\n`, "text/plain"],
    ["a form", urlencoded, form],
    ["a form under a JSON header", urlencoded, "application/json"],
    ["a form under a multipart header", urlencoded, "multipart/form-data"],
    ["a form under a multipart boundary", urlencoded, "multipart/form-data; boundary=abc"],
    ["a form with blanks before it", () => `\r\n ${urlencoded()}`, form],
    ["multipart", parts, "multipart/form-data; boundary=x-y"],
    ["multipart with a quoted boundary", parts, 'multipart/form-data; boundary="x-y"'],
    ["multipart under a JSON header", parts, "application/json"],
    ["multipart under a wrong boundary", parts, "multipart/form-data; boundary=other"],
    ["multipart with a preamble", () => `hello\r\n${parts()}`, "multipart/form-data; boundary=x-y"],
  ]
  test.each(cases)("%s", async (_, body, contentType) => {
    const response = await post(body(), contentType)
    expect(response.body).toBe(bodies.purchase("en", sold, plain))
  })
})

describe("200: a form that the real curl sends", () => {
  const curl = async (...options: string[]) => {
    const fields = ["-F", `api_key=${market.keys.secret}`, "-F", `purchase_code=${code}`]
    const url = `${market.url}${purchaseValidation.path}`
    return await $`curl --silent ${fields} ${options} ${url}`.text()
  }
  test.each(["application/json", "text/plain", form])("with the Content-Type %s", async (label) => {
    const body = await curl("-H", `Content-Type: ${label}`)
    expect(body).toBe(bodies.purchase("en", sold, plain))
  })

  test("chunked, and with a file as an unknown parameter", async () => {
    const options = ["-H", "Transfer-Encoding: chunked", "-F", "file=@package.json"]
    for (const label of [[], ["-H", "Content-Type: application/json"]]) {
      expect(await curl(...options, ...label)).toBe(bodies.purchase("en", sold, plain))
    }
  })

  test("400: a file is not a code", async () => {
    const body = await curl("-F", "purchase_code=@package.json;filename=code.txt", "-i")
    expect(body).toContain("Pazar-Reason: invalid_parameter")
  })
})

describe("400: an unreadable body has no parameters", () => {
  const cases: [string, string | Uint8Array, string][] = [
    ["cut JSON", `{"purchase_code":"${code}"`, "application/json"],
    ["a JSON list", `["${code}"]`, "application/json"],
    ["a JSON string", `"${code}"`, "application/json"],
    ["a JSON number", "12", "application/json"],
    ["null", "null", "application/json"],
    ["deep JSON", `{"a":${"[".repeat(30_000)}`, "application/json"],
    ["bytes", new Uint8Array([0xff, 0xfe, 0x00, 0x80]), "application/json"],
    ["an unfinished part", `--x\r\nContent-Disposition: form-data; name="purchase_code"\r\n`, form],
    ["dashes", "--", "multipart/form-data"],
    ["nothing", "", "application/json"],
  ]
  test.each(cases)("%s", async (_, body, contentType) => {
    const response = await post(body, contentType, `?api_key=${market.keys.secret}`)
    expect([response.status, response.reason]).toEqual([400, "missing_parameter"])
  })
})

describe("precedence of values", () => {
  const outcome = async (body: unknown, query: Record<string, string> = {}) => {
    const search = new URLSearchParams({ api_key: market.keys.secret, ...query })
    const { status, reason } = await post(JSON.stringify(body), "application/json", `?${search}`)
    return [status, reason]
  }
  const theirs = String(bobs.purchase_code)

  test("the body takes precedence over the query", async () => {
    expect(await outcome({ purchase_code: code }, { purchase_code: theirs })).toEqual([200, "ok"])
    expect(await outcome({ purchase_code: theirs }, { purchase_code: code })).toEqual([
      404,
      "unknown_code",
    ])
  })

  test("the query is used if the body's value is missing, null or empty", async () => {
    for (const body of [{}, { purchase_code: null }, { purchase_code: " \u200b" }]) {
      expect(await outcome(body, { purchase_code: code })).toEqual([200, "ok"])
    }
  })

  test("the last of several in a query or a form is used", async () => {
    const query = `?api_key=wrong&api_key=${market.keys.secret}&purchase_code=x&purchase_code=${code}`
    expect((await post("", null, query)).status).toBe(200)
    const body = `api_key=${market.keys.secret}&purchase_code=x&purchase_code=${code}`
    expect((await post(body, form)).status).toBe(200)
  })

  test("unknown parameters are ignored, whatever their type", async () => {
    const strangers = {
      license_key: 1,
      domain: ["a"],
      product: { b: true },
      item_id: null,
      __proto__x: 1,
    }
    expect(await outcome({ purchase_code: code, ...strangers })).toEqual([200, "ok"])
    const raw = `{"purchase_code":"${code}","__proto__":{"api_key":"x"},"constructor":5}`
    const response = await post(raw, "application/json", `?api_key=${market.keys.secret}`)
    expect(response.status).toBe(200)
  })

  test("an inherited property is not a parameter", async () => {
    const raw = `{"__proto__":{"purchase_code":"${code}"}}`
    const response = await post(raw, "application/json", `?api_key=${market.keys.secret}`)
    expect(response.reason).toBe("missing_parameter")
  })

  test("400: a code that is not a string", async () => {
    for (const wrong of [12, true, [code], { code }]) {
      expect(await outcome({ purchase_code: wrong })).toEqual([400, "invalid_parameter"])
    }
  })

  test("401: a key that is not a string is invalid, whatever the headers contain", async () => {
    const headers = { "X-Api-Key": market.keys.secret, "Content-Type": "application/json" }
    const url = `${market.url}${purchaseValidation.path}`
    const body = JSON.stringify({ api_key: 12, purchase_code: code })
    const response = await readApiResponse(
      await openapiFetch(url, { method: "POST", headers, body }),
    )
    expect([response.status, response.reason]).toEqual([401, "unknown_key"])
  })

  test("200: a key that is not ASCII, by parameter and by header", async () => {
    await market.load([account("nur", { api_key: "anahtar-ğüş" })])
    const url = `${market.url}/api/account/details`
    const byParameter = await openapiFetch(
      `${url}?${new URLSearchParams({ api_key: "anahtar-ğüş" })}`,
    )
    const byHeader = await openapiFetch(url, { headers: { "X-Api-Key": latin1("anahtar-ğüş") } })
    const byBearer = await openapiFetch(url, {
      headers: { Authorization: latin1("Bearer anahtar-ğüş") },
    })
    expect([byParameter.status, byHeader.status, byBearer.status]).toEqual([200, 200, 200])
  })

  test("400: a file is not a string", async () => {
    const upload = new FormData()
    upload.append("api_key", market.keys.secret)
    upload.append("purchase_code", new File([code], "code.txt"))
    const url = `${market.url}${purchaseValidation.path}`
    const response = await readApiResponse(
      await openapiFetch(url, { method: "POST", body: upload }),
    )
    expect(response.reason).toBe("invalid_parameter")
  })

  test("the key: parameter, then X-Api-Key, then Bearer; empty ones are skipped", async () => {
    const sendRequest = async (query: string, headers: Record<string, string>) => {
      const url = `${market.url}${purchaseValidation.path}?purchase_code=${code}${query}`
      return (await openapiFetch(url, { method: "POST", headers })).status
    }
    const { secret } = market.keys
    expect(
      await sendRequest(`&api_key=${secret}`, { "X-Api-Key": "x", Authorization: "Bearer x" }),
    ).toBe(200)
    expect(await sendRequest("&api_key=x", { "X-Api-Key": secret })).toBe(401)
    expect(
      await sendRequest("&api_key=%20", { "X-Api-Key": ` ${secret} `, Authorization: "Bearer x" }),
    ).toBe(200)
    expect(await sendRequest("", { "X-Api-Key": " ", Authorization: `BEARER   ${secret}` })).toBe(
      200,
    )
    expect(await sendRequest("", { "X-Api-Key": latin1(`\u200b${secret}\ufeff`) })).toBe(200)
    expect(await sendRequest("", { Authorization: secret })).toBe(401)
    expect(await sendRequest("", { Authorization: `Basic ${btoa(`a:${secret}`)}` })).toBe(401)
    expect(await sendRequest("", { Authorization: "Bearer" })).toBe(401)
  })
})
