import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test"
import { createHmac } from "node:crypto"
import { commandLine } from "../../src/access/actor.ts"
import { issueKey, revokeKey, rotateKey } from "../../src/keys/key-operations.ts"
import { type ApiResponse, readApiResponse } from "../harness/http/api-request.ts"
import { errorBody, languages, purchaseValidation } from "../harness/http/contract-messages.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import {
  bobs,
  importedSecret,
  type Marketplace,
  openMarketplace,
  revoked,
} from "../harness/marketplace.ts"
import { item, purchase } from "../harness/records.ts"

const path = "/api/purchases/download"
const secret = "a-secret-that-the-shop-shares-with-pazar"
const file = "https://files.example.com/theme.zip"
const startMs = Date.parse("2026-06-30T12:00:00.900Z")
const expiresAt = "2026-06-30T12:15:00Z"
const patch = (type: string, changes: object) => ({ type, patch: true, ...changes })

let market: Marketplace
let nowMs = startMs
beforeAll(async () => {
  const settings = { PAZAR_DOWNLOAD_SECRET: secret, LOG_LEVEL: "debug" }
  market = await openMarketplace(settings, {}, undefined, () => new Date(nowMs))
})
beforeEach(async () => {
  nowMs = startMs
  await market.load([
    item("ada", 41, { download_url: file, version: "1.1.0" }),
    item("ada", 42, { download_url: `${file}?item=42#top`, hidden: true }),
    purchase("theme", 41),
    purchase("hidden", 42),
  ])
})
afterAll(() => market.close())

const post = async (
  parameters: Record<string, string>,
  key = market.keys.validation,
): Promise<ApiResponse> =>
  readApiResponse(
    await openapiFetch(`${market.url}${path}`, {
      method: "POST",
      headers: { "X-Api-Key": key },
      body: new URLSearchParams(parameters),
    }),
  )
const request = (code: string, parameters: Record<string, string> = {}, key?: string) =>
  post({ purchase_code: code, ...parameters }, key)

type Link = Readonly<{ version: string; url: string; expires_at: string }>
async function linkTo(code: string, key?: string): Promise<Link> {
  const { status, body } = await request(code, {}, key)
  expect(status).toBe(200)
  return JSON.parse(body).data
}
async function follow(url: string, method = "GET") {
  const response = await fetch(url, { method, redirect: "manual" })
  return {
    status: response.status,
    location: response.headers.get("location"),
    body: await response.text(),
  }
}
const signed = (url: string) =>
  `${url}&signature=${createHmac("sha256", secret).update(url).digest("base64url")}`

describe("a download link", () => {
  test("200: version, absolute URL and end, with every key that can validate", async () => {
    for (const key of [market.keys.validation, market.keys.secret, importedSecret]) {
      const link = await linkTo("theme", key)
      expect(link).toEqual({ version: "1.1.0", url: expect.any(String), expires_at: expiresAt })
      expect(link.url).toMatch(new RegExp(`^${market.url}/downloads/[A-Za-z0-9_-]+$`))
      expect(link.url).not.toContain("theme")
    }
  })

  test("302: to the signed URL of the file, also of a hidden item", async () => {
    const end = Date.parse(expiresAt) / 1000
    for (const method of ["GET", "HEAD"]) {
      expect(await follow((await linkTo("theme")).url, method)).toEqual({
        status: 302,
        location: signed(`${file}?pazar_item=41&expires=${end}`),
        body: "",
      })
    }
    const { location } = await follow((await linkTo("hidden")).url)
    expect(location).toBe(signed(`${file}?item=42&pazar_item=42&expires=${end}`))
  })

  test("302: an item in the URL of the file does not replace the id that is signed", async () => {
    const end = Date.parse(expiresAt) / 1000
    const claims = `${file}?pazar_item=42&a=1&pazar%5Fitem=43`
    await market.load([patch("item", { id: 41, download_url: claims })])
    const { location } = await follow((await linkTo("theme")).url)
    expect(location).toBe(signed(`${file}?a=1&pazar_item=41&expires=${end}`))
  })

  test("302: until its end, any number of times; then 404", async () => {
    const { url } = await linkTo("theme")
    nowMs = Date.parse(expiresAt) - 1
    expect([(await follow(url)).status, (await follow(url)).status]).toEqual([302, 302])
    nowMs += 1
    expect((await follow(url)).status).toBe(404)
  })

  test("404: after a refund, the end, the deletion, and a suspension of the author", async () => {
    const { url } = await linkTo("theme")
    const changes = [
      patch("purchase", { purchase_code: "theme", revoked: true }),
      patch("purchase", { purchase_code: "theme", valid_until: "2026-06-30T12:00:00Z" }),
      { type: "purchase", purchase_code: "theme", deleted: true },
      patch("item", { id: 41, download_url: null }),
    ]
    const restored = [
      item("ada", 41, { download_url: file, version: "1.1.0" }),
      purchase("theme", 41),
    ]
    for (const change of changes) {
      await market.load([change])
      expect((await follow(url)).status).toBe(404)
      await market.load(restored)
      expect((await follow(url)).status).toBe(302)
    }
    await market.load([patch("account", { username: "ada", suspended: true })])
    expect((await follow(url)).status).toBe(404)
    await market.load([patch("account", { username: "ada", suspended: false })])
  })

  test("404: for another item than at its creation", async () => {
    const { url } = await linkTo("theme")
    await market.load([patch("purchase", { purchase_code: "theme", item_id: 42 })])
    expect((await follow(url)).status).toBe(404)
  })

  test("404: every invalid link gets the response of an unknown path", async () => {
    const { url } = await linkTo("theme")
    const base = `${market.url}/downloads/`
    const token = url.slice(base.length)
    const [first, last] = [token.slice(0, 40), token.slice(40)]
    const flipped = `${first.slice(0, -1)}${first.endsWith("A") ? "B" : "A"}${last}`
    const absent = await follow(`${market.url}/api/none`)
    for (const wrong of [flipped, first, "x", `${token}${token}`, "ü"]) {
      expect(await follow(`${base}${wrong}`)).toEqual(absent)
    }
    expect(await follow(url, "POST")).toEqual(absent)
    nowMs = Date.parse(expiresAt)
    expect(await follow(url)).toEqual(absent)
  })

  // The lengths of the codes differ by one, so one of the tokens has unused bits at its end.
  test.each(["theme", "hidden"])("404: a second spelling of a token (%s)", async (code) => {
    const { url } = await linkTo(code)
    const base = `${market.url}/downloads/`
    const token = url.slice(base.length)
    const [start, end] = [token.slice(0, -1), token.slice(1)]
    const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    const spellings = [
      ...Array.from(alphabet, (last) => `${start}${last}`),
      ...["=", "==", "%3D", ".", "~", "!", "%20", "%0A"].map((added) => `${token}${added}`),
      `%${token.charCodeAt(0).toString(16)}${end}`,
      `${token.slice(0, 9)}.${token.slice(9)}`,
      token.toUpperCase(),
      token.toLowerCase(),
      token.replaceAll("-", "+").replaceAll("_", "%2F"),
    ].filter((spelling) => spelling !== token)
    const absent = await follow(`${market.url}/api/none`)
    for (const spelling of spellings) expect(await follow(base + spelling)).toEqual(absent)
    expect((await follow(url)).status).toBe(302)
  })

  test("200: a test key gets a link to the test file", async () => {
    const link = await linkTo("test-regular", market.keys.test)
    expect((await follow(link.url)).location).toStartWith(
      "https://files.example.com/sample/1/download.zip?pazar_item=1&expires=",
    )
    expect((await request("test-expired", {}, market.keys.test)).reason).toBe("expired_code")
  })

  test("is never logged", async () => {
    const { url } = await linkTo("theme")
    await follow(url)
    await follow(`${url}x`)
    expect(market.logged()).toContain('"route":"download"')
    expect(market.logged()).not.toContain(url.slice(-20))
  })
})

test.each(languages)("404: an item without a file (%s)", async (lang) => {
  const response = await request("6f1c1d2e-aaaa-4000-8000-000000000001", { lang })
  expect(response).toMatchObject({ status: 404, reason: "no_download" })
  const message = { en: "Invalid request", tr: "Geçersiz istek" }[lang]
  expect(response.body).toBe(errorBody(message, lang))
})

test("404: another author's code is indistinguishable from an unknown one", async () => {
  const absent = await request("no-such-code")
  expect(absent).toMatchObject({
    reason: "unknown_code",
    body: errorBody(purchaseValidation.message.en, "en"),
  })
  expect(await request(String(bobs.purchase_code))).toEqual(absent)
  expect(await request("theme", {}, market.keys.bob)).toEqual(
    await request("x", {}, market.keys.bob),
  )
  expect(await request("theme", {}, market.keys.oneItem)).toEqual(
    await request("x", {}, market.keys.oneItem),
  )
  expect((await request(String(revoked.purchase_code))).reason).toBe("revoked_code")
})

test("404: beyond the site limit of the purchase, which wins over that of the item", async () => {
  const { sites } = market.app.store
  await sites.putLimits(41, { sites: 1, byLicense: {} })
  await market.load([
    purchase("limited", 41, { site_limit: 2 }),
    purchase("unlimited", 12, { site_limit: 1 }),
  ])
  const reasons = []
  for (const site of ["a.com", "b.com", "c.com", "b.com"]) {
    reasons.push((await request("limited", { site })).reason)
  }
  expect(reasons).toEqual(["ok", "ok", "site_limit", "ok"])
  await request("unlimited", { site: "a.com" })
  expect((await request("unlimited", { site: "b.com" })).reason).toBe("site_limit")
  await sites.putLimits(41, { sites: null, byLicense: {} })
})

describe("a validation key that has ended", () => {
  const services = () => market.app.keyServices(commandLine)
  const shipped = (itemIds: readonly number[] | null = null) => market.issue("ada", "vk", itemIds)
  const rotated = async (isLeaked: boolean, itemIds: readonly number[] | null = null) => {
    const { key, secret } = await shipped(itemIds)
    await rotateKey(services(), key, "0", { isLeaked })
    return secret
  }
  const revokedKey = async (isLeaked: boolean) => {
    const { key, secret } = await shipped()
    await revokeKey(services(), key, isLeaked)
    return secret
  }
  const reasonOf = async (key: string, code = "theme") => (await request(code, {}, key)).reason

  test("200: rotated or revoked, it still brings the update with the new key", async () => {
    for (const key of [await rotated(false), await rotated(false, [41]), await revokedKey(false)]) {
      const { url } = await linkTo("theme", key)
      expect((await follow(url)).status).toBe(302)
    }
  })

  test("200: it brings the update of its item from the new author too", async () => {
    await market.load([item("ada", 43, { download_url: file }), purchase("moved", 43)])
    const [ended, all] = [await rotated(false, [43]), await rotated(false)]
    const { url } = await linkTo("moved", ended)
    await market.load([item("bob", 43, { download_url: `${file}?by=bob`, was_author: "ada" })])
    expect((await follow(url)).status).toBe(404)
    const { location } = await follow((await linkTo("moved", ended)).url)
    expect(location).toStartWith(`${file}?by=bob&pazar_item=43&`)
    expect(await reasonOf(all, "moved")).toBe("key_not_allowed")
  })

  test("404: for unknown codes, and for items and accounts that are not its own", async () => {
    expect(await reasonOf(await rotated(false, [42]))).toBe("unknown_code")
    expect(await reasonOf(await revokedKey(false), String(bobs.purchase_code))).toBe("unknown_code")
    expect(await reasonOf(await revokedKey(false), String(revoked.purchase_code))).toBe(
      "revoked_code",
    )
  })

  test("401: for everything else", async () => {
    const key = await rotated(false)
    for (const at of ["validation", "release"]) {
      const response = await openapiFetch(`${market.url}/api/purchases/${at}`, {
        method: "POST",
        headers: { "X-Api-Key": key },
        body: new URLSearchParams({ purchase_code: "theme", site: "a.com" }),
      })
      expect([response.status, response.headers.get("pazar-reason")]).toEqual([401, "expired_key"])
    }
    const sale = await fetch(`${market.url}/v3/market/author/sale?code=theme`, {
      headers: { Authorization: `Bearer ${key}` },
    })
    expect(sale.status).toBe(401)
  })

  test("401: reported as leaked, past its own expiry, and any other kind of key", async () => {
    expect(await reasonOf(await rotated(true))).toBe("expired_key")
    expect(await reasonOf(await revokedKey(true))).toBe("revoked_key")
    const { key, secret } = await shipped()
    await rotateKey(services(), key, "7d")
    const stored = await market.app.store.keys.find(key.id)
    if (stored !== null) await revokeKey(services(), stored, true)
    expect(await reasonOf(secret)).toBe("revoked_key")
    expect(await reasonOf(market.inactiveKeys.revoked)).toBe("revoked_key")
    expect(await reasonOf(market.inactiveKeys.expired)).toBe("expired_key")
    const options = { kind: "vk", name: "Trial", itemIds: null } as const
    const trial = await issueKey(
      services(),
      { id: key.accountId, username: "ada" },
      { ...options, expiresAt: "2026-06-30T12:00:01Z" },
    )
    nowMs += 2_000
    expect(await reasonOf(trial.secret)).toBe("expired_key")
  })

  test("403: of a suspended account", async () => {
    const key = await revokedKey(false)
    await market.load([patch("account", { username: "ada", suspended: true })])
    expect(await reasonOf(key)).toBe("account_suspended")
    await market.load([patch("account", { username: "ada", suspended: false })])
  })
})

test("400: without a valid site, if the key requires one", async () => {
  const { secret: key } = await market.issue("ada", "vk", null, true)
  for (const parameters of [{}, { site: "https:///x" }] as const) {
    expect(await request("theme", parameters, key)).toMatchObject({
      status: 400,
      reason: "missing_parameter",
    })
  }
  expect((await request("theme", { site: "shop.com" }, key)).status).toBe(200)
})

test("400: without a code; 405: GET", async () => {
  expect(await post({})).toMatchObject({ status: 400, body: errorBody("Invalid request", "en") })
  expect((await openapiFetch(`${market.url}${path}`)).status).toBe(405)
})

test("404: without PAZAR_DOWNLOAD_SECRET there are no downloads", async () => {
  const other = await openMarketplace()
  await other.load([item("ada", 41, { download_url: file }), purchase("theme", 41)])
  const response = await openapiFetch(`${other.url}${path}`, {
    method: "POST",
    headers: { "X-Api-Key": other.keys.validation },
    body: new URLSearchParams({ purchase_code: "theme" }),
  })
  expect([response.status, response.headers.get("pazar-reason")]).toEqual([404, "no_download"])
  await other.close()
})
