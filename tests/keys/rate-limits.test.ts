import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setSystemTime,
  test,
} from "bun:test"
import { publicTestSecret } from "../../src/contract/operation.ts"
import { readApiResponse } from "../harness/http/api-request.ts"
import { errorBody, generalMessages } from "../harness/http/contract-messages.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import {
  bobs,
  bodies,
  type Marketplace,
  openMarketplace,
  plain,
  sold,
} from "../harness/marketplace.ts"
import { startProgram } from "../harness/program.ts"
import { purchase } from "../harness/records.ts"
import { storedRows } from "../harness/stores/stored-rows.ts"

const operatorToken = "operator-token-of-32-characters-or-more"
const metricsToken = "metrics-token-of-32-characters-or-more"

let market: Marketplace
let nowMs = 5_000
const open = () =>
  openMarketplace(
    {
      PAZAR_RATE_LIMIT: "on",
      PAZAR_TRUSTED_PROXIES: "127.0.0.1",
      LOG_LEVEL: "warn",
      PAZAR_OPERATOR_TOKEN: operatorToken,
      PAZAR_METRICS_TOKEN: metricsToken,
    },
    { nowMs: () => nowMs },
  )
beforeAll(async () => {
  market = await open()
})
// Valid codes raise a limit for two days at most.
beforeEach(() => {
  nowMs += 2 * 86_400_000
})
afterEach(() => setSystemTime())
afterAll(() => market.close())

const here = "198.51.100.7"
const neighbour = "198.51.100.8"

async function sendRequest(
  path: string,
  key: string,
  address = here,
  init: BunFetchRequestInit = {},
) {
  const headers = { "X-Api-Key": key, "X-Forwarded-For": address }
  const response = await openapiFetch(`${market.url}${path}`, { headers, ...init })
  return readApiResponse(response)
}
const validate = (code: unknown, address = here, key = market.keys.validation) =>
  sendRequest("/api/purchases/validation", key, address, {
    method: "POST",
    headers: { "X-Forwarded-For": address },
    body: new URLSearchParams({ api_key: key, purchase_code: String(code) }),
  })
const times = async <T>(count: number, call: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, call))
const statuses = (responses: readonly { status: number }[]) => {
  const counts = Map.groupBy(responses, ({ status }) => status)
  return Object.fromEntries([...counts].map(([status, all]) => [status, all.length]))
}
const retryAfter = ({ headers }: Awaited<ReturnType<typeof sendRequest>>) => headers["retry-after"]

describe("failed validations", () => {
  test("429: after sixty concurrent ones; never mistaken for invalid", async () => {
    expect(statuses(await times(80, () => validate("guess")))).toEqual({ 404: 60, 429: 20 })
    const limited = await validate("guess")
    expect(limited).toMatchObject({ status: 429, reason: "rate_limited" })
    expect(limited.body).toBe(errorBody(generalMessages.rate_limited.en, "en"))
    expect(retryAfter(limited)).toBe("10")
    expect(Object.keys(limited.headers).filter((name) => name.startsWith("ratelimit"))).toEqual([])
  })

  test("200 does not count; another author's code counts like an unknown one", async () => {
    expect(statuses(await times(100, () => validate(sold.purchase_code)))).toEqual({ 200: 100 })
    // One different valid code raises the limit by two.
    expect(statuses(await times(62, () => validate(bobs.purchase_code)))).toEqual({ 404: 62 })
    expect((await validate(bobs.purchase_code)).status).toBe(429)
  })

  test("200: a buyer behind the same IP address succeeds after Retry-After", async () => {
    await times(60, () => validate("guess"))
    const limited = await validate(sold.purchase_code)
    expect(limited.status).toBe(429)
    nowMs += 1_000 * Number(limited.headers["retry-after"])
    expect((await validate(sold.purchase_code)).status).toBe(200)
    expect((await validate("guess")).status).toBe(404)
    expect((await validate("guess")).status).toBe(429)
  })

  test("200: new buyers at a shared address, while a product there sends a made-up code every 2.5 s", async () => {
    const codes = Array.from({ length: 112 }, (_, at) => `SHARED-host-${at}`)
    await market.load(codes.map((code) => purchase(code, 11)))
    const [known, buyers] = [codes.slice(0, 100), codes.slice(100)]
    for (const code of known) expect((await validate(code)).status).toBe(200)
    const found = []
    for (let guess = 0; guess < 360; guess += 1) {
      await validate(`made-up-${guess}`)
      nowMs += 1_250
      if (guess >= 120 && guess % 20 === 0) found.push(await validate(buyers[found.length]))
      nowMs += 1_250
    }
    expect(statuses(found)).toEqual({ 200: 12 })
  })

  test("200: other IP addresses are not affected, with the same key", async () => {
    await times(70, () => validate("guess"))
    expect((await validate(sold.purchase_code, neighbour)).status).toBe(200)
    expect((await validate("guess", neighbour)).status).toBe(404)
  })

  test("429: in Envato's schema, from the same budget", async () => {
    const findSale = () =>
      sendRequest("/v3/market/author/sale?code=guess", "", here, {
        headers: { Authorization: `Bearer ${market.keys.validation}`, "X-Forwarded-For": here },
      })
    await times(20, () => validate("guess"))
    const sales = await times(60, findSale)
    expect(statuses(sales)).toEqual({ 404: 40, 429: 20 })
    for (const sale of [...sales.filter(({ status }) => status === 429), await findSale()]) {
      expect(JSON.parse(sale.body)).toEqual({
        error: 429,
        description: generalMessages.rate_limited.en,
      })
      expect(retryAfter(sale)).toBe("10")
    }
  })

  test("a jump of the clock rejects nothing wrongly, and no wait gets longer", async () => {
    await times(60, () => validate("guess"))
    for (const jumpMs of [-3_600_000, 7_200_000]) {
      setSystemTime(new Date(Date.now() + jumpMs))
      const limited = await validate("guess")
      expect([limited.status, limited.headers["retry-after"]]).toEqual([429, "10"])
      expect((await validate(sold.purchase_code, neighbour)).status).toBe(200)
      nowMs += 10_000
      expect((await validate("guess")).status).toBe(404)
    }
  })
})

describe("sites of a purchase", () => {
  const code = String(sold.purchase_code)
  const send = (path: string, parameters: Record<string, string>, address: string) =>
    sendRequest(`/api/purchases/${path}`, market.keys.validation, address, {
      method: "POST",
      headers: { "X-Api-Key": market.keys.validation, "X-Forwarded-For": address },
      body: new URLSearchParams({ purchase_code: code, ...parameters }),
    })
  const use = (site: string, address = here) => send("validation", { site }, address)
  const guesses = (count: number, name = "guess") =>
    Array.from({ length: count }, (_, at) => `${name}-${at}.com`)
  beforeEach(async () => {
    nowMs += 10 * 86_400_000
    await market.app.store.sites.putLimits(11, { sites: 1, byLicense: {} })
    expect((await use("shop.com")).status).toBe(200)
  })

  test("429: after twenty different rejected sites in a day, and a right guess looks the same", async () => {
    const responses = await Promise.all(guesses(30).map((site) => use(site)))
    expect(statuses(responses)).toEqual({ 404: 20, 429: 10 })
    const [right, wrong] = [await use("shop.com"), await use("other.com")]
    const { "retry-after": _, ...headers } = right.headers
    expect([right.status, right.body]).toEqual([429, wrong.body])
    expect(wrong.headers).toMatchObject(headers)
    expect(Number(retryAfter(wrong))).toBeGreaterThan(3_600)
    for (const fields of [{ site: "shop.com" }, { site: "a.com" }, { for: "b.com" }]) {
      expect((await send("release", fields as Record<string, string>, here)).status).toBe(429)
    }
    expect((await send("download", { site: "shop.com" }, here)).status).toBe(429)
    expect((await use("guess-0.com")).reason).toBe("site_limit")
  })

  test("200: the buyer's site, while others guess from many addresses", async () => {
    for (const [at, site] of guesses(60).entries()) await use(site, `192.0.2.${at}`)
    expect((await use("shop.com", neighbour)).status).toBe(200)
    expect((await use("new.com", neighbour)).status).toBe(429)
    expect((await use("shop.com", neighbour)).status).toBe(200)
    const right = []
    for (const site of guesses(10, "more")) {
      await use(site, here)
      right.push((await use("shop.com", here)).status)
    }
    expect(right).toEqual([...Array(4).fill(200), ...Array(6).fill(429)])
  })

  test("404: the same rejected site counts once a day, and a day later twenty are rejected again", async () => {
    for (let request = 0; request < 50; request += 1)
      expect((await use("second.com")).reason).toBe("site_limit")
    for (const site of guesses(19)) expect((await use(site)).reason).toBe("site_limit")
    expect((await use("last.com")).status).toBe(429)
    nowMs += 86_400_000
    for (const site of guesses(20)) expect((await use(site)).reason).toBe("site_limit")
    expect((await use("shop.com")).status).toBe(429)
  })

  test("429: releases of sites that are not active count, too", async () => {
    const reasons = []
    for (const [at, site] of guesses(21).entries()) {
      const { reason } = await send("release", at % 2 === 0 ? { site } : { for: site }, here)
      reasons.push(reason)
    }
    expect(reasons).toEqual([...Array(20).fill("unknown_code"), "rate_limited"])
    expect((await send("release", { site: "shop.com" }, here)).status).toBe(429)
    expect((await send("release", { site: "shop.com" }, neighbour)).status).toBe(200)
  })
})

describe("reads and lists", () => {
  const read = (key = market.keys.secret) => sendRequest("/api/items/item?item_id=11", key)

  test("200, 429: fifty reads per key, then ten per second", async () => {
    expect((await read()).body).toBe(bodies.item("en", plain))
    for (let call = 1; call < 50; call += 1) expect((await read()).status).toBe(200)
    const limited = await read()
    expect(limited.status).toBe(429)
    expect(retryAfter(limited)).toBe("1")
    nowMs += 1_000
    for (let call = 0; call < 10; call += 1) expect((await read()).status).toBe(200)
    expect((await read()).status).toBe(429)
    expect((await read(market.keys.bob)).status).toBe(404)
  })

  test("429: the public test key is limited by IP address", async () => {
    const list = (address: string) => sendRequest("/api/items/all", publicTestSecret, address)
    for (let call = 0; call < 5; call += 1) expect((await list(here)).status).toBe(200)
    expect((await list(here)).status).toBe(429)
    expect((await list(neighbour)).status).toBe(200)
  })
})

describe("invalid keys", () => {
  const details = (key: string, address = here) => sendRequest("/api/account/details", key, address)

  test("429: forty from an IP range, then twenty per second; other ranges and valid keys are not affected", async () => {
    expect((await details(market.keys.secret)).status).toBe(200)
    const bad = [
      "nobody's",
      market.inactiveKeys.revoked,
      market.inactiveKeys.expired,
      "pzr_sk_wrong",
    ]
    for (let call = 0; call < 10; call += 1) {
      for (const key of bad) expect((await details(key, neighbour)).status).toBe(401)
    }
    for (const key of bad) {
      const limited = await details(key)
      expect([limited.status, retryAfter(limited)]).toEqual([429, "1"])
    }
    expect((await details(market.keys.secret)).status).toBe(200)
    expect((await details("nobody's", "203.0.113.1")).status).toBe(401)
    nowMs += 50
    expect((await details("nobody's")).status).toBe(401)
    expect((await details("nobody's")).status).toBe(429)
  })

  test("429: the response to a rejected key is the same whether it exists or not", async () => {
    await times(40, () => details("nobody's"))
    const { headers: _, ...unknown } = await details("nobody's")
    const { headers: __, ...revoked } = await details(market.inactiveKeys.revoked)
    expect(revoked).toEqual(unknown)
  })
})

describe("operator tokens", () => {
  const paths = ["feed", "links", "purchases", "openapi.json"]
    .map((name) => `/operator/${name}`)
    .concat("/metrics")
  const knock = async (path: string, token: string, address = here) => {
    const headers = { Authorization: `Bearer ${token}`, "X-Forwarded-For": address }
    const method = path.endsWith("s") || path.endsWith("json") ? "GET" : "POST"
    const { status, headers: sent } = await fetch(`${market.url}${path}`, { headers, method })
    return [status, sent.get("retry-after")]
  }

  test("429: wrong tokens count as invalid keys; the right one is never limited", async () => {
    await times(39, () => knock("/metrics", "wrong"))
    expect(await knock("/operator/feed", "wrong")).toEqual([401, null])
    for (const path of paths) expect(await knock(path, "wrong", neighbour)).toEqual([429, "1"])
    expect(await knock("/metrics", metricsToken)).toEqual([200, null])
    expect(await knock("/metrics", "wrong", "203.0.113.1")).toEqual([401, null])
  })
})

test("a rejected request is recorded only in the traffic counts", async () => {
  const quiet = await open()
  try {
    const before = await storedRows(quiet, "traffic")
    const headers = { "X-Api-Key": "nobody's", "X-Forwarded-For": here }
    await times(100, () => openapiFetch(`${quiet.url}/api/account/details`, { headers }))
    expect((await storedRows(quiet, "traffic")) === before).toBe(true)
  } finally {
    await quiet.close()
  }
})

test("an unlisted proxy is logged with its IP range", async () => {
  const program = await startProgram({ LOG_LEVEL: "warn", PAZAR_RATE_LIMIT: "on" })
  try {
    for (const address of [here, neighbour]) {
      const headers = { "X-Api-Key": publicTestSecret, "X-Forwarded-For": address }
      expect((await fetch(`${program.url}/api/account/details`, { headers })).status).toBe(200)
    }
    const lines = program.logged().trim().split("\n")
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      {
        time: expect.any(String),
        level: "warn",
        ipRange: "127.0.0.0/24",
        message: expect.any(String),
        setting: "PAZAR_TRUSTED_PROXIES",
      },
    ])
  } finally {
    await program.close()
  }
})
