import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import manifest from "../../package.json"
import { commandLine } from "../../src/access/actor.ts"
import { requireAccount } from "../../src/accounts/account-operations.ts"
import { authorDocuments, createDocument, operatorDocuments } from "../../src/contract/openapi.ts"
import turkish from "../../src/contract/texts.tr.json"
import { issueKey } from "../../src/keys/key-operations.ts"
import { operatorEventTypes, testEventType } from "../../src/webhooks/webhook.ts"
import { languages } from "../harness/http/contract-messages.ts"
import { openapiFetch, openapiResponses } from "../harness/http/openapi-fetch.ts"
import { type Marketplace, openMarketplace, revoked, sold } from "../harness/marketplace.ts"
import { account, item, purchase } from "../harness/records.ts"
import { queryStore } from "../harness/stores/stored-rows.ts"
import { until } from "../harness/until.ts"

const token = "operator-token-of-this-test-1234"
const publicUrl = "https://market.invalid"
let market: Marketplace
beforeAll(async () => {
  market = await openMarketplace({
    PAZAR_OPERATOR_TOKEN: token,
    PAZAR_PUBLIC_URL: publicUrl,
    PAZAR_RATE_LIMIT: "on",
    PAZAR_TRUSTED_PROXIES: "127.0.0.1",
    LOG_LEVEL: "error",
  })
})
afterAll(() => market.close())

const audiences = [
  { audience: "author", path: "/openapi.json", headers: {}, files: authorDocuments },
  {
    audience: "operator",
    path: "/operator/openapi.json",
    headers: { Authorization: `Bearer ${token}` },
    files: operatorDocuments,
  },
] as const

/** The texts of a document. The operator API writes its messages in English only. */
const textNames = { document: /^(title|summary|description)$/, author: /^msg$/, operator: /^$/ }
function listTexts(part: unknown, names: RegExp, inExamples: RegExp): readonly string[] {
  return Object.entries(Object(part)).flatMap(([name, value]) => {
    if (typeof value === "string") return names.test(name) ? [value] : []
    return listTexts(value, /^examples?$/.test(name) ? inExamples : names, inExamples)
  })
}

describe.each(audiences)("$path", ({ audience, path, headers, files }) => {
  const send = (more: Record<string, string> = {}, query = "", method = "GET") =>
    fetch(`${market.url}${path}${query}`, { method, headers: { ...headers, ...more } })
  const expected = (locale: "en" | "tr") =>
    JSON.stringify(createDocument(audience, locale, manifest.version, publicUrl))

  test("200: the document, with the version and the public URL, in the requested language", async () => {
    const english = await send()
    expect(english.headers.get("content-type")).toBe("application/json; charset=utf-8")
    expect(await english.text()).toBe(expected("en"))
    for (const response of [await send({}, "?lang=tr"), await send({ "Accept-Language": "tr" })]) {
      expect(response.headers.get("content-language")).toBe("tr")
      expect(await response.text()).toBe(expected("tr"))
    }
    const { info, servers } = JSON.parse(expected("en"))
    expect([info.version, servers]).toEqual([manifest.version, [{ url: publicUrl }]])
  })

  test("304: with the document's ETag; the other language is another document", async () => {
    const tag = (await send()).headers.get("etag") ?? ""
    const again = await send({ "If-None-Match": tag })
    expect([again.status, again.headers.get("etag"), await again.text()]).toEqual([304, tag, ""])
    expect((await send({ "If-None-Match": tag }, "?lang=tr")).status).toBe(200)
  })

  test("200: HEAD without the body; 405: any other method", async () => {
    const head = await send({}, "", "HEAD")
    expect([head.status, await head.text()]).toEqual([200, ""])
    const posted = await send({}, "", "POST")
    expect([posted.status, posted.headers.get("allow")]).toEqual([405, "GET, HEAD"])
  })

  test("every text has a Turkish translation, and no other text has one", () => {
    const texts = { ...turkish.common, ...turkish[audience] }
    const eventTypes = Object.keys(files.en.webhooks)
    const missing = listTexts(files.en, textNames.document, textNames[audience]).filter(
      (text) => !(text in texts || eventTypes.includes(text)),
    )
    expect(missing).toEqual([])
    const json = JSON.stringify(files.en)
    expect(Object.keys(texts).filter((text) => !json.includes(JSON.stringify(text)))).toEqual([])
  })

  test.each(languages)("valid OpenAPI with valid examples, in %s", async (locale) => {
    const config = await createConfig({ extends: ["recommended"] })
    const found = await lintFromString({ source: expected(locale), config })
    expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })
})

test("401: the operator's document requires the token", async () => {
  const response = await fetch(`${market.url}/operator/openapi.json`)
  expect([response.status, response.headers.get("www-authenticate")]).toEqual([401, "Bearer"])
})

test("every event is described; the receivers of other tests compare its bodies", () => {
  const described = audiences.flatMap(({ files }) => Object.keys(files.en.webhooks))
  expect(described.toSorted()).toEqual([...operatorEventTypes, testEventType].toSorted())
})

test("every response of every operation matches, in both languages", async () => {
  const seen = new Set<string>()
  type Init = BunFetchRequestInit & { headers?: Record<string, string> }
  const send = async (path: string, init: Init = {}, url = market.url) => {
    const response = await openapiFetch(`${url}${path}`, { redirect: "manual", ...init })
    const code = response.headers.get("pazar-reason") ?? ""
    seen.add(`${path.replace(/\?.*/, "")} ${response.status} ${code}`.trimEnd())
    return response
  }
  await market.load([
    ...[account("cem", { suspended: true }), item("cem", 31), item("ada", 15)],
    purchase("one-site", 15, { site_limit: 1 }),
    purchase("ended", 15, { valid_until: "2026-01-01T00:00:00Z" }),
  ])
  const suspended = (await market.issue("cem")).secret
  const another = (await market.issue("ada")).secret
  const ada = await requireAccount(market.app.store.accounts, "ada")
  const options = { kind: "sk", name: "Catalog", itemIds: null, expiresAt: null } as const
  const services = market.app.keyServices(commandLine)
  const catalog = (await issueKey(services, ada, { ...options, scope: "catalog" })).secret
  const tooLong = "x".repeat(300)
  const { keys, inactiveKeys } = market
  const keysOf401 = [null, "unknown", inactiveKeys.revoked, inactiveKeys.expired]
  const withKey = (key: string | null): Record<string, string> =>
    key === null ? {} : { "X-Api-Key": key }
  const repeat = async (call: () => Promise<Response>) => {
    for (let count = 0; count < 5_000; count += 1) if ((await call()).status === 429) return
    throw new Error("never limited")
  }

  async function sendAll(lang: string, address: string) {
    const forwarded = { "X-Forwarded-For": address, "Accept-Language": lang }
    const read = (path: string, key: string | null, headers = {}, method = "GET") =>
      send(path, { method, headers: { ...withKey(key), ...forwarded, ...headers } })
    for (const path of ["/api/account/details", "/api/items/all", "/api/items/item?item_id=11"]) {
      const { headers } = await read(path, keys.secret)
      await read(path, keys.secret, { "If-None-Match": headers.get("etag") ?? "" })
      for (const key of [...keysOf401, keys.validation, suspended]) await read(path, key)
      await read(path, keys.secret, {}, "POST")
    }
    const [lists, downloads] = ["/api/purchases/all", "/api/purchases/download"]
    for (const path of [lists, `/api/purchases/sites?purchase_code=${sold.purchase_code}`]) {
      const { headers } = await read(path, keys.secret)
      await read(path, keys.secret, { "If-None-Match": headers.get("etag") ?? "" })
      for (const key of [...keysOf401, keys.validation, suspended]) await read(path, key)
      await read(path, keys.secret, {}, "POST")
    }
    await read(`${lists}?limit=0`, keys.empty)
    await read("/api/purchases/sites", keys.secret)
    for (const code of ["none", revoked.purchase_code, "ended", tooLong])
      await read(`/api/purchases/sites?purchase_code=${code}`, keys.secret)
    await read("/api/items/all", keys.empty)
    // Reads are limited per key.
    for (const query of ["", "?item_id=x", "?item_id=99"])
      await read(`/api/items/item${query}`, another)

    const post = (path: string, key: string | null, parameters: object) =>
      send(path, {
        method: "POST",
        headers: { ...withKey(key), ...forwarded, "Content-Type": "application/json" },
        body: JSON.stringify(parameters),
      })
    for (const path of ["/api/purchases/validation", "/api/purchases/release", downloads]) {
      const codes = [sold.purchase_code, revoked.purchase_code, "none", "one-site", "ended"]
      const sites = ["https://shop.example.com", "https://other.example.com"]
      for (const purchase_code of codes)
        for (const site of sites)
          await post(path, keys.validation, { purchase_code, site, nonce: "0123456789abcdef" })
      await post(path, keys.secret, { purchase_code: sold.purchase_code })
      for (const key of [...keysOf401, suspended, catalog])
        await post(path, key, { purchase_code: "x" })
      await post(path, keys.secret, {})
      await post(path, keys.secret, { purchase_code: tooLong, site: "a" })
      await post(path, keys.secret, { purchase_code: "x".repeat(70_000) })
      await read(path, keys.secret)
      for (const purchase_code of ["test-rate-limited", "test-unavailable"])
        await post(path, keys.test, { purchase_code, site: "a.example.com" })
    }
    await post(downloads, keys.test, { purchase_code: "test-regular" })

    const sale = (query: string, key: string | null, method = "GET") =>
      send(`/v3/market/author/sale${query}`, {
        method,
        headers: { ...forwarded, ...(key === null ? {} : { Authorization: `Bearer ${key}` }) },
      })
    for (const code of [sold.purchase_code, revoked.purchase_code, "none", "ended", tooLong])
      await sale(`?code=${code}`, keys.validation)
    for (const site of ["shop.example.com", "other.example.com"])
      await sale(`?code=one-site&site=${site}`, keys.validation)
    for (const code of ["test-rate-limited", "test-unavailable"])
      await sale(`?code=${code}`, keys.test)
    for (const key of [...keysOf401, suspended, catalog]) await sale("?code=x", key)
    await sale("", keys.secret)
    await sale("?code=x", keys.secret, "POST")
    for (const key of [...keysOf401, suspended, keys.validation, keys.test]) await sale("s", key)
    await sale("s?page=x", keys.empty)
    await sale("s", keys.secret, "POST")

    const keySet = "/.well-known/pazar-keys.json"
    const { headers } = await send(keySet)
    await send(keySet, { headers: { "If-None-Match": headers.get("etag") ?? "" } })
    await send(keySet, { method: "POST" })

    const operate = (path: string, body: string, bearer = token, method = "POST") =>
      send(path, {
        method,
        headers: { ...forwarded, Authorization: `Bearer ${bearer}` },
        ...(method === "POST" ? { body } : {}),
      })
    for (const path of ["/operator/feed", "/operator/links"]) {
      await operate(path, "", token, "GET")
      await operate(path, "", "wrong")
    }
    await operate("/operator/feed", `${JSON.stringify(account("dora"))}\n`)
    await operate("/operator/feed", '{"type":"item"}\n{"type":"purchase","purchase_code":"x"}\n')
    const links = ["ada", "nobody", "cem", "x".repeat(70_000)]
    for (const username of links) await operate("/operator/links", JSON.stringify({ username }))
    await operate("/operator/links", "[]")
    const help = "/operator/purchases"
    await operate(help, "")
    await operate(help, "", "wrong", "GET")
    for (const query of ["", "?purchase_code=none", `?purchase_code=${sold.purchase_code}`])
      await operate(`${help}${query}`, "", token, "GET")

    await repeat(() => read("/api/account/details", keys.bob))
    await repeat(() => read("/api/items/all", keys.bob))
    await repeat(() => read("/api/items/item?item_id=21", keys.bob))
    await repeat(() => read(lists, keys.bob))
    await repeat(() => read("/api/purchases/sites?purchase_code=x", keys.bob))
    await repeat(() => sale("s", keys.bob))
    await repeat(() => operate("/operator/feed", "", "guess"))
    await repeat(() => operate("/operator/links", "", "guess"))
    await repeat(() => operate(help, "", "guess", "GET"))
  }
  await sendAll("en", "198.51.100.1")
  await sendAll("tr", "198.51.100.2")

  const broken = await openMarketplace({ LOG_LEVEL: "error" })
  const sendTo = (path: string) => {
    const isPost = /\/operator\/(feed|links)|\/purchases\/(validation|release|download)$/.test(path)
    const headers = { Authorization: `Bearer ${broken.keys.secret}` }
    const init = isPost ? { headers, method: "POST", body: "" } : { headers }
    const query = "?item_id=11&code=x&purchase_code=x&site=a.example.com"
    return send(`${path}${query}`, init, broken.url)
  }
  const paths = [...new Set(openapiResponses.map((each) => each.replace(/ .*/, "")))]
  for (const path of paths) if (path.startsWith("/operator/")) await sendTo(path)
  for (const table of ["api_keys", "signing_keys", "operator_tokens"])
    await queryStore(broken, `ALTER TABLE ${table} RENAME TO missing_${table}`)
  await until(async () => (await sendTo("/operator/feed")).status === 503 || undefined)
  for (const path of paths) await sendTo(path)
  await broken.close()

  const unseen = openapiResponses.filter((each) => !seen.has(each) && !each.includes(" 500"))
  expect(unseen).toEqual([
    "/.well-known/pazar-keys.json 503 unavailable", // The keys were read at the start.
    "/operator/feed 400", // An incomplete feed.
    "/operator/feed 403", // A token without the permission, as below.
    "/operator/feed 408", // A minute without data.
    "/operator/purchases 403",
  ])
}, 60_000)
