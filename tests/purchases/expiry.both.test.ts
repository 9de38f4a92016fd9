import { afterAll, beforeAll, expect, test } from "bun:test"
import { createPazar, type Fetch } from "../../sdk/src/index.ts"
import { createMemoryStore } from "../../sdk/test/fake-server.ts"
import { type ApiResponse, readApiResponse } from "../harness/http/api-request.ts"
import { errorBody, languages, purchaseValidation } from "../harness/http/contract-messages.ts"
import { readKeySet } from "../harness/http/key-set.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { bodies, type Marketplace, openMarketplace, plain } from "../harness/marketplace.ts"
import { purchase } from "../harness/records.ts"

const start = Date.parse("2026-06-30T12:00:00.250Z")
const end = "2026-07-01T00:00:00Z"
const subscription = purchase("subscription", 11, { valid_until: end })

let market: Marketplace
let nowMs = start
beforeAll(async () => {
  market = await openMarketplace({}, {}, undefined, () => new Date(nowMs))
  await market.load([subscription, purchase("Both", 11, { valid_until: end, revoked: true })])
})
afterAll(() => market.close())

async function post(
  path: string,
  parameters: Record<string, string>,
  key = market.keys.validation,
): Promise<ApiResponse> {
  const headers = { "X-Api-Key": key }
  const body = new URLSearchParams(parameters)
  return readApiResponse(
    await openapiFetch(`${market.url}${path}`, { method: "POST", headers, body }),
  )
}
const validate = (code: string, parameters: Record<string, string> = {}, key?: string) =>
  post(purchaseValidation.path, { purchase_code: code, ...parameters }, key)

const before = () => {
  nowMs = start
}
const atEnd = () => {
  nowMs = Date.parse(end)
}

test("200: a purchase is valid until its end, with the body of any other purchase", async () => {
  before()
  expect((await validate("subscription")).body).toBe(bodies.purchase("en", subscription, plain))
  nowMs = Date.parse(end) - 1
  expect((await validate("subscription")).status).toBe(200)
})

const lifetimeOf = ({ headers }: ApiResponse) => {
  const input = headers["signature-input"] ?? ""
  const [, created, expires] = /created=(\d+);expires=(\d+)/.exec(input) ?? []
  return [Number(created), Number(expires)]
}

test("200: a signed response expires at the end of the purchase, after an odd number of seconds", async () => {
  before()
  const nonce = "0123456789abcdef"
  const started = Math.floor(start / 1000)
  for (const parameters of [{ nonce }, { nonce, site: "shop.com" }]) {
    const lifetime = lifetimeOf(await validate("subscription", parameters))
    expect(lifetime).toEqual([started - 1, Date.parse(end) / 1000])
  }
})

test("200: the client ends with the signed end of a purchase, and never without one", async () => {
  before()
  await market.load([
    purchase("later", 11, { valid_until: "2027-01-01T00:00:00Z" }),
    purchase("endless", 11),
  ])
  const [current, next] = await readKeySet(market.url)
  const keys = [current?.x ?? "", next?.x ?? ""]
  const store = createMemoryStore()
  const open = (now: number, fetch?: Fetch) =>
    createPazar({
      ...{ baseUrl: market.url, key: market.keys.validation, items: [11], keys, store },
      now: () => now,
      ...(fetch && { fetch }),
    })
  const blocked: Fetch = () => Promise.reject(new Error("blocked"))
  const statesAt = async (time: string) => {
    const pazar = open(Date.parse(time), blocked)
    const results = ["subscription", "later", "endless"].map((code) => pazar.cached(code))
    return (await Promise.all(results)).map(({ isActive, reason }) => `${isActive} ${reason}`)
  }
  for (const code of ["subscription", "later", "endless"]) {
    expect(await open(start).check(code)).toMatchObject({ state: "valid", source: "server" })
  }
  expect(await statesAt("2026-06-30T23:59:58Z")).toEqual(["true ", "true ", "true "])
  const ended = "false expired_code"
  const offline = "true receipt_expired"
  expect(await statesAt("2026-07-01T00:00:02Z")).toEqual([ended, "true ", "true "])
  expect(await statesAt("2026-12-31T23:59:58Z")).toEqual([ended, offline, offline])
  expect(await statesAt("2027-01-02T00:00:00Z")).toEqual([ended, ended, offline])
  expect(await statesAt("2046-01-01T00:00:00Z")).toEqual([ended, ended, offline])
})

test.each(languages)("404: an expired code has the body of an invalid one (%s)", async (lang) => {
  atEnd()
  const expired = await validate("subscription", { lang })
  expect(expired).toMatchObject({ status: 404, reason: "expired_code" })
  expect(expired.body).toBe(errorBody(purchaseValidation.message[lang], lang))
  expect((await validate("subscription", { lang, site: "shop.com" })).reason).toBe("expired_code")
  const release = { purchase_code: "subscription", site: "shop.com" }
  expect((await post("/api/purchases/release", release)).reason).toBe("expired_code")
})

test("404: a refund wins over the end", async () => {
  atEnd()
  expect((await validate("Both")).reason).toBe("revoked_code")
})

test("404: only the author learns that a code expired", async () => {
  atEnd()
  for (const key of [market.keys.bob, market.keys.oneItem, market.keys.test]) {
    expect(await validate("subscription", {}, key)).toEqual(await validate("no-such-code", {}, key))
  }
})

test("404: Envato's alias does not find an expired sale", async () => {
  atEnd()
  const find = async (code: string) =>
    openapiFetch(`${market.url}/v3/market/author/sale?code=${code}`, {
      headers: { Authorization: `Bearer ${market.keys.secret}` },
    })
  const [expired, unknown] = [await find("subscription"), await find("no-such-code")]
  expect([expired.status, await expired.text()]).toEqual([404, await unknown.text()])
})

test("200: a renewed purchase is valid again", async () => {
  atEnd()
  await market.load([
    { type: "purchase", purchase_code: "subscription", patch: true, valid_until: null },
  ])
  expect((await validate("subscription")).status).toBe(200)
})

test("404: test-expired", async () => {
  const response = await validate("test-expired", {}, market.keys.test)
  expect(response).toMatchObject({ status: 404, reason: "expired_code" })
})
