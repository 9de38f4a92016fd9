import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import fc from "fast-check"
import { propertyRuns } from "../harness/full-test-run.ts"
import { type ApiResponse, readApiResponse } from "../harness/http/api-request.ts"
import { errorBody, languages, purchaseValidation } from "../harness/http/contract-messages.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import {
  importedSecret,
  type Marketplace,
  openMarketplace,
  revoked,
  sold,
} from "../harness/marketplace.ts"
import { account, item, purchase } from "../harness/records.ts"

const listPath = "/api/purchases/all"
const sitesPath = "/api/purchases/sites"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace()
  await market.load([
    account("cem"),
    ...[item("cem", 31), item("cem", 32, { description: "x".repeat(60_000) }), item("cem", 33)],
    ...Array.from({ length: 25 }, (_, at) =>
      purchase(`cem-${at}`, at % 5 === 0 ? 33 : 31, {
        date: `2026-03-${String(1 + Math.floor(at / 3)).padStart(2, "0")}T10:00:00Z`,
      }),
    ),
    purchase("cem-refunded", 31, { date: "2026-03-20T00:00:00Z", revoked: true }),
    purchase("cem-expired", 31, {
      date: "2026-03-21T00:00:00Z",
      valid_until: "2026-04-01T00:00:00Z",
    }),
  ])
  cem = (await market.issue("cem")).secret
})
afterAll(() => market.close())
let cem = ""

const get = async (path: string, parameters: Record<string, string> = {}, key = cem) =>
  readApiResponse(
    await openapiFetch(`${market.url}${path}?${new URLSearchParams(parameters)}`, {
      headers: { "X-Api-Key": key },
    }),
  )
type Listed = Readonly<{ purchase_code: string; date: string }>
type Page = Readonly<{ status: string; purchases: readonly Listed[]; next: string | null }>
const pageOf = ({ body }: ApiResponse): Page => JSON.parse(body)

async function walk(parameters: Record<string, string> = {}) {
  const codes: string[] = []
  let pages = 0
  for (let after: string | null = ""; after !== null; pages += 1) {
    const page: Page = pageOf(await get(listPath, { ...parameters, after }))
    codes.push(...page.purchases.map((each) => each.purchase_code))
    after = page.next
  }
  return { codes, pages }
}

describe("the list of purchases", () => {
  test("200: every purchase that was not refunded, newest first, on pages of any size", async () => {
    const all = pageOf(await get(listPath))
    const dates = all.purchases.map(({ date }) => date)
    expect(dates).toEqual(dates.toSorted().toReversed())
    const codes = all.purchases.map((each) => each.purchase_code)
    expect([codes.length, all.next, codes[0]]).toEqual([26, null, "cem-expired"])
    expect(codes).not.toContain("cem-refunded")
    expect(await walk({ limit: "7" })).toEqual({ codes, pages: 4 })
    expect(await walk({ limit: "1" })).toEqual({ codes, pages: 26 })
    expect(await walk({ limit: "13" })).toEqual({ codes, pages: 2 })
  })

  test("200: a purchase has the body of its validation", async () => {
    const [first] = pageOf(
      await get(listPath, { limit: "1", since: "" }, market.keys.secret),
    ).purchases
    const validated = await readApiResponse(
      await openapiFetch(`${market.url}${purchaseValidation.path}`, {
        method: "POST",
        headers: { "X-Api-Key": market.keys.secret },
        body: new URLSearchParams({ purchase_code: String(first?.purchase_code) }),
      }),
    )
    expect(first).toEqual(JSON.parse(validated.body).data.purchase)
  })

  test("200: since a time or a day", async () => {
    const count = async (since: string) => pageOf(await get(listPath, { since })).purchases.length
    expect(await count("2026-03-21")).toBe(1)
    expect(await count("2026-03-21T00:00:01Z")).toBe(0)
    expect(await count("2026-03-21T03:00:00+03:00")).toBe(1)
    expect(await count("2026-03-09")).toBe(2)
    expect(await count("2020-01-01")).toBe(26)
    expect((await walk({ since: "2026-03-08", limit: "2" })).codes).toHaveLength(5)
  })

  test("200: an account without sales has an empty list", async () => {
    const response = await get(listPath, {}, market.keys.empty)
    expect(response.body).toBe('{"status":"success","purchases":[],"next":null}')
  })

  test("200: the test data, and an imported key", async () => {
    const { purchases, next } = pageOf(await get(listPath, { limit: "2" }, market.keys.test))
    expect(purchases.map((each) => each.purchase_code)).toEqual(["test-regular", "test-extended"])
    const rest = pageOf(await get(listPath, { after: String(next) }, market.keys.test))
    expect([rest.purchases.length, rest.next]).toEqual([3, null])
    expect((await get(listPath, {}, importedSecret)).status).toBe(200)
  })

  test("200: a page ends at about a megabyte", async () => {
    await market.load(
      Array.from({ length: 40 }, (_, at) =>
        purchase(`long-${at}`, 32, { date: "2026-05-01T00:00:00Z" }),
      ),
    )
    const first = await get(listPath, { limit: "1000" })
    expect(first.body.length).toBeLessThan(1_100_000)
    expect(pageOf(first).purchases.length).toBeLessThan(40)
    const { codes } = await walk({ limit: "1000" })
    expect([codes.length, new Set(codes).size]).toEqual([66, 66])
  })

  test("304: an unchanged page", async () => {
    const { headers } = await get(listPath)
    const again = await openapiFetch(`${market.url}${listPath}`, {
      headers: { "X-Api-Key": cem, "If-None-Match": headers.etag ?? "" },
    })
    expect(again.status).toBe(304)
  })

  test("200: another account's cursor is as good as that of a deleted sale", async () => {
    const { next } = pageOf(await get(listPath, { limit: "1" }))
    const [itemId, date] = (next ?? "").split(/(?<=^\d+)\.|\.(?=[0-9a-f]{16}$)/)
    const unknown = `${itemId}.${date}.${"0".repeat(16)}`
    const asBob = (after: string) => get(listPath, { after }, market.keys.bob)
    expect(await asBob(String(next))).toEqual(await asBob(unknown))
  })

  test.each([
    { limit: "0" },
    { limit: "1001" },
    { limit: "-1" },
    { limit: "1.5" },
    { limit: "all" },
    { after: "cem-1" },
    { after: "31.2026-03-01T10:00:00Z" },
    { since: "yesterday" },
    { since: "2026-02-30" },
    { since: "2026-03-01T10:00:00" },
  ])("400: %j", async (parameters) => {
    const response = await get(listPath, parameters as unknown as Record<string, string>)
    expect(response).toMatchObject({ status: 400, reason: "invalid_parameter" })
    expect(response.body).toBe(errorBody("Invalid request", "en"))
  })

  test("200 or 400 for any parameters, and never another account's purchase", async () => {
    const any = fc.oneof(
      fc.string(),
      fc.integer().map(String),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.record({ limit: any, after: any, since: any }, { requiredKeys: [] }),
        async (sent) => {
          const parameters = Object.fromEntries(
            Object.entries(sent).map(([name, value]) => [name, value.toWellFormed()]),
          )
          const { status, body } = await get(listPath, parameters, market.keys.bob)
          expect([200, 400]).toContain(status)
          expect(body).not.toContain("cem-")
        },
      ),
      { numRuns: propertyRuns(100) },
    )
  })
})

describe("the sites of a purchase", () => {
  const code = String(sold.purchase_code)

  test("200: every site, also test sites, latest first", async () => {
    for (const site of ["shop.com", "dev.shop.com"]) {
      await openapiFetch(`${market.url}${purchaseValidation.path}`, {
        method: "POST",
        headers: { "X-Api-Key": market.keys.validation },
        body: new URLSearchParams({ purchase_code: code, site }),
      })
    }
    const response = await get(sitesPath, { purchase_code: code }, market.keys.secret)
    const day = new Date().toISOString().slice(0, 10)
    const days = { first_day: day, last_day: day }
    expect(JSON.parse(response.body)).toEqual({
      status: "success",
      sites: [
        { site: "dev.shop.com", ...days, test: true },
        { site: "shop.com", ...days, test: false },
      ],
    })
    expect(
      (await get(sitesPath, { purchase_code: code.toUpperCase() }, market.keys.secret)).body,
    ).toBe(response.body)
  })

  test("200: a purchase without sites, and the test data", async () => {
    expect((await get(sitesPath, { purchase_code: "cem-1" })).body).toBe(
      '{"status":"success","sites":[]}',
    )
    const test = await get(sitesPath, { purchase_code: "test-regular" }, market.keys.test)
    expect(JSON.parse(test.body).sites).toHaveLength(2)
  })

  test.each(languages)(
    "404: another author's code is indistinguishable from an unknown one (%s)",
    async (lang) => {
      const absent = await get(sitesPath, { purchase_code: "no-such-code", lang })
      expect(absent).toMatchObject({ status: 404, reason: "unknown_code" })
      expect(absent.body).toBe(errorBody(purchaseValidation.message[lang], lang))
      expect(await get(sitesPath, { purchase_code: code, lang })).toEqual(absent)
    },
  )

  test("404: a refunded and an expired purchase", async () => {
    const refunded = await get(
      sitesPath,
      { purchase_code: String(revoked.purchase_code) },
      market.keys.secret,
    )
    expect(refunded.reason).toBe("revoked_code")
    expect((await get(sitesPath, { purchase_code: "cem-expired" })).reason).toBe("expired_code")
  })

  test("400: without a code", async () => {
    expect(await get(sitesPath)).toMatchObject({
      status: 400,
      reason: "missing_parameter",
      body: errorBody("Invalid request", "en"),
    })
  })
})

describe("Envato's list of sales", () => {
  const list = async (query: string, key = cem) => {
    const response = await openapiFetch(`${market.url}/v3/market/author/sales${query}`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    return { status: response.status, body: JSON.parse(await response.text()) }
  }

  test("200: fifty sales per page, in Envato's schema, newest first", async () => {
    const { body } = await list("")
    expect(body).toHaveLength(50)
    expect(body[45]).toMatchObject({
      amount: "19.99",
      license: "Regular License",
      support_amount: "0.00",
      supported_until: null,
      item: { id: 33, author_username: "cem" },
    })
    expect(Object.keys(body[0])).toEqual([
      ...["amount", "sold_at", "license", "support_amount", "supported_until", "item", "code"],
    ])
    const second = (await list("?page=2")).body
    const codes = [...body, ...second].map(({ code }) => code)
    expect([second.length, new Set(codes).size]).toEqual([16, 66])
    expect((await list("?page=1")).body).toEqual(body)
    expect((await list("?page=3")).body).toEqual([])
    expect((await list("", market.keys.test)).body).toHaveLength(5)
  })

  test.each(["?page=-1", "?page=21", "?page=x"])("400: %s", async (query) => {
    expect(await list(query)).toEqual({
      status: 400,
      body: {
        error: 400,
        description:
          "The parameter page must be a number from 1 to 20; /api/purchases/all lists all sales",
      },
    })
  })

  test("200: the last page", async () => {
    expect(await list("?page=20")).toEqual({ status: 200, body: [] })
  })

  test("403: a validation key", async () => {
    expect(await list("", market.keys.validation)).toMatchObject({
      status: 403,
      body: { error: 403 },
    })
  })
})

test.each([listPath, sitesPath])(
  "403: %s with a validation key, 401 without a key",
  async (path) => {
    const parameters = { purchase_code: "no-such-code" }
    expect(await get(path, parameters, market.keys.validation)).toMatchObject({
      status: 403,
      reason: "key_not_allowed",
      body: errorBody("Invalid request", "en"),
    })
    expect((await get(path, parameters, "unknown")).status).toBe(401)
  },
)
