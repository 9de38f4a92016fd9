import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { formatTimestamp } from "../../src/platform/time.ts"
import { type ApiResponse, readApiResponse } from "../harness/http/api-request.ts"
import {
  errorBody,
  languages,
  purchaseValidation,
  statusTexts,
} from "../harness/http/contract-messages.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import {
  bobs,
  importedSecret,
  type Marketplace,
  openMarketplace,
  revoked,
  sold,
} from "../harness/marketplace.ts"
import { purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace({ PAZAR_TRUSTED_PROXIES: "127.0.0.1" })
})
afterAll(() => market.close())

const post = async (
  path: string,
  parameters: Record<string, string>,
  key = market.keys.validation,
  headers: Record<string, string> = {},
): Promise<ApiResponse> =>
  readApiResponse(
    await openapiFetch(`${market.url}${path}`, {
      method: "POST",
      headers: { "X-Api-Key": key, ...headers },
      body: new URLSearchParams(parameters),
    }),
  )
const validate = (code: unknown, parameters: Record<string, string>, key?: string) =>
  post(purchaseValidation.path, { purchase_code: String(code), ...parameters }, key)
const releasePath = "/api/purchases/release"
const release = (
  code: unknown,
  parameters: Record<string, string>,
  key?: string,
  headers?: Record<string, string>,
) => post(releasePath, { purchase_code: String(code), ...parameters }, key, headers)
const reasonOf = async (request: Promise<ApiResponse>) => (await request).reason

let codes = 0
async function sell(licence = "Regular"): Promise<string> {
  const code = `site-code-${++codes}`
  await market.load([purchase(code, 11, { license_type: licence })])
  return code
}
const limit = (sites: number | null, byLicense: Record<string, number> = {}) =>
  market.app.store.sites.putLimits(11, { sites, byLicense })
const sitesOf = (code: unknown) => market.app.store.sites.list(String(code))
const untilRecorded = (code: unknown, count: number) =>
  until(async () => ((await sitesOf(code)).length === count ? true : undefined))

describe("200", () => {
  test("the response does not depend on the site", async () => {
    await limit(null)
    const plain = await validate(sold.purchase_code, {})
    for (const site of ["shop.com", "a\nb", "", "x".repeat(300), "localhost"]) {
      expect(await validate(sold.purchase_code, { site })).toEqual(plain)
    }
  })

  test("one site in all its notations is recorded once, and domain is used if site is missing", async () => {
    await limit(null)
    const code = await sell()
    for (const site of ["https://www.Shop.com/", "shop.com.", "SHOP.COM:443"]) {
      expect(await reasonOf(validate(code, { site }))).toBe("ok")
    }
    await validate(code, { domain: "http://other.com/blog" })
    await validate(code, { domain: "third.com", site: "shop.com" })
    await untilRecorded(code, 2)
    expect((await sitesOf(code)).map(({ site, isTest }) => [site, isTest]).toSorted()).toEqual([
      ["other.com", false],
      ["shop.com", false],
    ])
  })

  test("a test key records nothing", async () => {
    const { reason } = await validate("test-regular", { site: "shop.com" }, market.keys.test)
    expect(reason).toBe("ok")
  })
})

describe("404 site_limit", () => {
  test("a new site beyond the limit, in both renderings; activated sites stay active", async () => {
    await limit(2)
    const code = await sell()
    const reasons = []
    for (const site of ["a.com", "b.com", "c.com", "www.a.com", "dev.c.com", "192.168.0.7"]) {
      reasons.push(await reasonOf(validate(code, { site })))
    }
    expect(reasons).toEqual(["ok", "ok", "site_limit", "ok", "ok", "ok"])
    for (const lang of languages) {
      const { status, body } = await validate(code, { site: "c.com", lang })
      expect([status, body]).toEqual([404, errorBody(purchaseValidation.message[lang], lang)])
    }
    const { headers } = await validate(code, { site: "c.com", nonce: "f00dfeed0123456789abcdef" })
    expect(headers).toMatchObject({ signature: expect.any(String), "pazar-reason": "site_limit" })
    expect(await reasonOf(validate(code, {}))).toBe("ok")
    await limit(1)
    expect(await reasonOf(validate(code, { site: "b.com" }))).toBe("ok")
    await untilRecorded(code, 4)
  })

  test("sites last seen before the limit was set stay active", async () => {
    await limit(null)
    const code = await sell()
    for (const site of ["a.com", "b.com"]) await validate(code, { site })
    await untilRecorded(code, 2)
    await limit(1)
    expect(await reasonOf(validate(code, { site: "b.com" }))).toBe("ok")
    expect(await reasonOf(validate(code, { site: "c.com" }))).toBe("site_limit")
  })

  test("sites that were released by hand or by the product, and are in use, stay active", async () => {
    await limit(null)
    const code = await sell()
    const real = ["a.com", "b.com"]
    const validateAll = () => Promise.all(real.map((site) => reasonOf(validate(code, { site }))))
    await validateAll()
    await untilRecorded(code, 2)
    await market.app.store.sites.release(code, "a.com", null, formatTimestamp(new Date()))
    expect(await reasonOf(release(code, { site: "b.com" }))).toBe("ok")
    expect(await sitesOf(code)).toEqual([])
    expect(await validateAll()).toEqual(["ok", "ok"])
    await untilRecorded(code, 2)
    await limit(1)
    expect(await validateAll()).toEqual(["ok", "ok"])
    expect(await reasonOf(validate(code, { site: "stranger.com" }))).toBe("site_limit")
  })

  test("a test site beyond five per slot or ten in 30 days, also if others were released", async () => {
    for (const [sites, testSites] of [
      [1, 10],
      [3, 15],
    ] as const) {
      await limit(sites)
      const code = await sell()
      const send = (index: number) => reasonOf(validate(code, { site: `dev.${index}.com` }))
      // One after another: a site that is not written within a second is valid.
      const all: (string | null)[] = []
      for (let at = 0; at < testSites + 5; at++) all.push(await send(at))
      expect(all).toEqual([...Array(testSites).fill("ok"), ...Array(5).fill("site_limit")])
      expect(await reasonOf(release(code, { site: "dev.0.com" }))).toBe("ok")
      expect([await send(0), await send(99)]).toEqual(["ok", "site_limit"])
      expect(await reasonOf(validate(code, { site: "shop.com" }))).toBe("ok")
      const at = formatTimestamp(new Date())
      await market.app.store.sites.release(code, "dev.0.com", null, at)
      expect(await send(99)).toBe("ok")
    }
  })

  test("another limit for a license type", async () => {
    await limit(1, { Extended: 2 })
    const [regular, extended] = [await sell(), await sell("Extended")]
    const send = async (code: string) => [
      await reasonOf(validate(code, { site: "a.com" })),
      await reasonOf(validate(code, { site: "b.com" })),
    ]
    expect(await send(regular)).toEqual(["ok", "site_limit"])
    expect(await send(extended)).toEqual(["ok", "ok"])
    expect(await send(await sell("constructor"))).toEqual(["ok", "site_limit"])
    expect(await send(await sell("EXTENDED"))).toEqual(["ok", "ok"])
    await limit(1, { extended: 1, Extended: 2 })
    expect(await send(await sell("Extended"))).toEqual(["ok", "ok"])
    await limit(null, { Regular: 1 })
    expect(await send(await sell())).toEqual(["ok", "site_limit"])
    const other = await sell("constructor")
    expect(await send(other)).toEqual(["ok", "ok"])
    await untilRecorded(other, 2)
  })

  test("the sale in Envato's schema", async () => {
    await limit(1)
    const code = await sell()
    const sale = async (site: string) => {
      const query = new URLSearchParams({ code, site })
      const { status, reason } = await readApiResponse(
        await openapiFetch(`${market.url}/v3/market/author/sale?${query}`, {
          headers: { Authorization: `Bearer ${market.keys.validation}` },
        }),
      )
      return [status, reason]
    }
    expect([await sale("a.com"), await sale("b.com")]).toEqual([
      [200, "ok"],
      [404, "site_limit"],
    ])
  })

  test("test-site-limit, for every valid site", async () => {
    const send = (parameters: Record<string, string>) =>
      reasonOf(validate("test-site-limit", parameters, market.keys.test))
    expect(await send({ site: "shop.com" })).toBe("site_limit")
    expect(await send({ domain: "localhost" })).toBe("site_limit")
    expect([await send({}), await send({ site: "\u200b" })]).toEqual(["ok", "ok"])
  })
})

test("400: a validation without a valid site, if its key requires one", async () => {
  await limit(null)
  const code = await sell()
  const { secret: key } = await market.issue("ada", "vk", null, true)
  const rotated = await market.issue("ada", "vk")
  for (const parameters of [{}, { site: "https:///x" }] as const) {
    expect(await reasonOf(validate(code, parameters, key))).toBe("missing_parameter")
    expect(await reasonOf(validate("absent", parameters, key))).toBe("missing_parameter")
    expect(await reasonOf(validate(code, parameters, rotated.secret))).toBe("ok")
  }
  expect(await reasonOf(validate(code, { site: "a.com" }, key))).toBe("ok")
  expect(await reasonOf(validate(code, { domain: "localhost" }, key))).toBe("ok")
})

test("404: another author's code with a site, and one outside the key's scope, are indistinguishable from an unknown one", async () => {
  await market.app.store.sites.putLimits(21, { sites: 1, byLicense: {} })
  const site = "shop.com"
  const absent = await validate("absent", { site }, market.keys.secret)
  expect(await validate(bobs.purchase_code, { site }, market.keys.secret)).toEqual(absent)
  expect(await release(bobs.purchase_code, { site }, market.keys.secret)).toEqual(absent)
  const { body, status } = await release(sold.purchase_code, { site }, market.keys.oneItem)
  expect([status, body]).toEqual([absent.status, absent.body])
  expect(await sitesOf(bobs.purchase_code)).toEqual([])
})

test("404: a refunded code uses no slot", async () => {
  await limit(1)
  for (const site of ["a.com", "b.com"]) {
    expect(await reasonOf(validate(revoked.purchase_code, { site }))).toBe("revoked_code")
  }
  expect(await reasonOf(release(revoked.purchase_code, { site: "a.com" }))).toBe("revoked_code")
  expect(await sitesOf(revoked.purchase_code)).toEqual([])
})

describe("release", () => {
  test("200: frees the slot immediately, with every key that can validate", async () => {
    await limit(1)
    const code = await sell()
    const { validation, secret } = market.keys
    for (const [index, key] of [validation, secret, importedSecret].entries()) {
      const site = `${index}.com`
      expect(await reasonOf(validate(code, { site }))).toBe("ok")
      expect(await reasonOf(validate(code, { site: "other.com" }))).toBe("site_limit")
      for (const lang of languages.slice(index, index + 1)) {
        const { status, body } = await release(code, { site: `https://www.${site}/`, lang }, key)
        expect([status, body]).toEqual([200, `{"status":"${statusTexts[lang].success}"}`])
      }
      if (index === 2) expect(await reasonOf(release(code, { domain: site }, key))).toBe("ok")
    }
  })

  test("200: right after the first validation, and the site is not recorded again", async () => {
    await limit(null)
    const code = await sell()
    expect(await reasonOf(validate(code, { site: "a.com" }))).toBe("ok")
    expect(await reasonOf(release(code, { site: "a.com" }))).toBe("ok")
    await validate(code, { site: "b.com" })
    await untilRecorded(code, 1)
    expect(await sitesOf(code)).toMatchObject([{ site: "b.com" }])
  })

  test("404: an unknown code or site", async () => {
    const code = await sell()
    for (const request of [
      release(code, { site: "a.com" }),
      release("absent", { site: "a.com" }),
    ]) {
      const { status, reason, body } = await request
      expect([status, reason]).toEqual([404, "unknown_code"])
      expect(body).toBe(errorBody(purchaseValidation.message.en, "en"))
    }
  })

  test("400: without a code or a valid site", async () => {
    const code = await sell()
    expect(await reasonOf(post(releasePath, { site: "a.com" }))).toBe("missing_parameter")
    expect(await reasonOf(release(code, {}))).toBe("missing_parameter")
    expect(await reasonOf(release(code, { site: "x".repeat(256) }))).toBe("invalid_parameter")
  })

  test("429: the sixth release within 30 days from an IP range; another range is not limited", async () => {
    await limit(1)
    const code = await sell()
    const from = (address: string, site: string) =>
      release(code, { site }, market.keys.validation, { "X-Forwarded-For": address })
    for (let index = 0; index < 5; index++) {
      await validate(code, { site: `${index}.com` })
      expect(await reasonOf(from(`203.0.113.${index}`, `${index}.com`))).toBe("ok")
    }
    await validate(code, { site: "last.com" })
    const { status, reason, headers } = await from("203.0.113.9", "last.com")
    expect([status, reason]).toEqual([429, "rate_limited"])
    expect(Number(headers["retry-after"])).toBeGreaterThan(29 * 86_400)
    expect(await reasonOf(validate(code, { site: "last.com" }))).toBe("ok")
    expect(await reasonOf(from("203.0.114.9", "last.com"))).toBe("ok")
  })

  test("200 once: 20 releases of a site at once free one slot", async () => {
    await limit(2)
    const code = await sell()
    for (const site of ["a.com", "b.com"]) await validate(code, { site })
    const releases = Array.from({ length: 20 }, () => reasonOf(release(code, { site: "a.com" })))
    const reasons = await Promise.all(releases)
    expect(reasons.toSorted()).toEqual(["ok", ...Array(19).fill("unknown_code")])
    const claims = ["c.com", "d.com", "e.com"].map((site) => reasonOf(validate(code, { site })))
    expect((await Promise.all(claims)).toSorted()).toEqual(["ok", "site_limit", "site_limit"])
  })

  test("a release and validations at once never exceed the limit", async () => {
    await limit(2)
    for (let round = 0; round < 10; round++) {
      const code = await sell()
      for (const site of ["a.com", "b.com"]) await validate(code, { site })
      await Promise.all([
        release(code, { site: "a.com" }),
        ...["c.com", "d.com", "a.com"].map((site) => validate(code, { site })),
      ])
      expect((await sitesOf(code)).length).toBeLessThanOrEqual(2)
    }
  })

  describe("for an older site", () => {
    const reclaim = (code: string, site: string) => reasonOf(release(code, { for: site }))
    async function reasons(code: string, ...sites: string[]): Promise<unknown[]> {
      const found = []
      for (const site of sites) found.push(await reasonOf(validate(code, { site })))
      return found
    }

    test("404: a site that was released has no age, until it is activated again", async () => {
      await limit(1)
      const code = await sell()
      const at = formatTimestamp(new Date())
      const releases = [
        () => reasonOf(release(code, { site: "stranger.com" })),
        () => market.app.store.sites.release(code, "stranger.com", null, at),
      ]
      for (const releaseStranger of releases) {
        expect(await reasons(code, "stranger.com", "buyer.com")).toEqual(["ok", "site_limit"])
        await releaseStranger()
        expect(await reasons(code, "buyer.com")).toEqual(["ok"])
        expect(await reclaim(code, "stranger.com")).toBe("unknown_code")
        expect(await reasons(code, "buyer.com", "stranger.com")).toEqual(["ok", "site_limit"])
        await market.app.store.sites.release(code, "buyer.com", null, at)
      }
    })

    test("429: the third time within 30 days for a site; others are not limited", async () => {
      await limit(4)
      const code = await sell()
      const younger = ["b.com", "c.com", "d.com"]
      await reasons(code, "a.com", ...younger)
      expect([await reclaim(code, "a.com"), await reclaim(code, "a.com")]).toEqual(["ok", "ok"])
      expect(await reasons(code, ...younger)).toEqual(["ok", "ok", "ok"])
      const { status, reason, headers } = await release(code, { for: "a.com" })
      expect([status, reason]).toEqual([429, "rate_limited"])
      expect(Number(headers["retry-after"])).toBeGreaterThan(29 * 86_400)
      expect(await reasons(code, ...younger)).toEqual(["ok", "ok", "ok"])
      expect(await reclaim(code, "b.com")).toBe("ok")
    })

    test("200: the youngest site after it is released, and no test site", async () => {
      await limit(3)
      const code = await sell()
      for (const site of ["a.com", "b.com", "c.com", "dev.d.com"]) await validate(code, { site })
      await untilRecorded(code, 4)
      expect(await reclaim(code, "a.com")).toBe("ok")
      const left = (await sitesOf(code)).map(({ site }) => site)
      expect(left.toSorted()).toEqual(["a.com", "b.com", "dev.d.com"])
    })

    test("404: no younger site, a site that was never seen, an unknown code", async () => {
      await limit(2)
      const code = await sell()
      for (const site of ["a.com", "b.com"]) await validate(code, { site })
      for (const site of ["b.com", "new.com"])
        expect(await reclaim(code, site)).toBe("unknown_code")
      expect(await reclaim("absent", "a.com")).toBe("unknown_code")
      expect((await sitesOf(code)).length).toBe(2)
    })

    test("site takes precedence; 400: an invalid for", async () => {
      await limit(2)
      const code = await sell()
      for (const site of ["a.com", "b.com"]) await validate(code, { site })
      expect(await reasonOf(release(code, { site: "a.com", for: "a.com" }))).toBe("ok")
      expect(await sitesOf(code)).toMatchObject([{ site: "b.com" }])
      expect(await reclaim(code, "x".repeat(256))).toBe("invalid_parameter")
    })
  })

  test("a test key releases any site of its codes", async () => {
    const send = (code: string) => reasonOf(release(code, { site: "a.com" }, market.keys.test))
    expect(await send("test-regular")).toBe("ok")
    expect(await send("test-site-limit")).toBe("ok")
    const afterRelease = validate("test-site-limit", { site: "a.com" }, market.keys.test)
    expect(await reasonOf(afterRelease)).toBe("ok")
    expect(await send("test-unknown")).toBe("unknown_code")
    expect(await send("test-rate-limited")).toBe("rate_limited")
  })

  test("allowed from web pages like a validation; 405: other methods", async () => {
    const options = await fetch(`${market.url}${releasePath}`, { method: "OPTIONS" })
    expect(options.headers.get("access-control-allow-methods")).toBe("POST")
    const { headers } = await release("absent", { site: "a.com" })
    expect(headers["access-control-allow-origin"]).toBe("*")
    const server = await release("absent", { site: "a.com" }, market.keys.secret)
    expect(server.headers["access-control-allow-origin"]).toBeUndefined()
    const get = await fetch(`${market.url}${releasePath}`)
    expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"])
  })
})
