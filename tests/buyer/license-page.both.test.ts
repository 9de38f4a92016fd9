import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { t } from "../../src/platform/t.ts"
import { unescapeHtml } from "../harness/browser/docs-page.ts"
import { openVisitor, type PageResponse, type Visitor } from "../harness/browser/visitor.ts"
import { bobs, type Marketplace, openMarketplace, revoked } from "../harness/marketplace.ts"
import { account, purchase } from "../harness/records.ts"
import { until } from "../harness/until.ts"

const failuresMax = 6

let market: Marketplace
let nowMs = 0
let day = 0
/** Another IP range for each visitor. */
let ranges = 0
beforeAll(async () => {
  const settings = {
    PAZAR_RATE_LIMIT: String(failuresMax),
    PAZAR_TRUSTED_PROXIES: "127.0.0.1",
    LOG_LEVEL: "debug",
  }
  const now = () => new Date(Date.now() + day * 86_400_000)
  market = await openMarketplace(settings, { nowMs: () => nowMs }, undefined, now)
})
afterAll(() => market.close())

const openBuyer = (address = `10.0.${++ranges}.1`): Visitor =>
  openVisitor(market.url, { "X-Forwarded-For": address })
const enter = (buyer: Visitor, code: unknown, fields: Record<string, string> = {}) =>
  buyer.submit("/license", { purchase_code: String(code), ...fields }, "/license")

let codes = 0
async function sell(fields = {}): Promise<string> {
  const code = `BUYER-code-${++codes}`
  await market.load([purchase(code, 11, fields)])
  return code
}
const limit = (sites: number | null) =>
  market.app.store.sites.putLimits(11, { sites, byLicense: {} })
const sitesOf = async (code: string) =>
  (await market.app.store.sites.list(code)).map(({ site }) => site)

async function validate(code: string, site: string): Promise<string | null> {
  const response = await fetch(`${market.url}/api/purchases/validation`, {
    method: "POST",
    headers: { "X-Api-Key": market.keys.validation },
    body: new URLSearchParams({ purchase_code: code, site }),
  })
  return response.headers.get("pazar-reason")
}
async function useOn(code: string, ...sites: string[]): Promise<void> {
  for (const site of sites) expect(await validate(code, site)).toBe("ok")
  await until(async () => ((await sitesOf(code)).length >= sites.length ? true : undefined))
}

/** The ids of the buttons by the masked site. */
const buttonsOn = ({ text }: PageResponse, change: "release" | "reclaim") =>
  Object.fromEntries(
    [
      ...text.matchAll(
        new RegExp(`name="${change}" value="(\\w+)">[^<]*<span[^>]*> ([^<]*)</span>`, "g"),
      ),
    ].map(([, id = "", masked = ""]) => [masked, id]),
  )
const noticeOn = ({ text }: PageResponse) =>
  unescapeHtml(/<p class="notice [a-z]+" role="status">([^<]*)/.exec(text)?.[1] ?? "")
const isolated = (masked: string) => `\u2068${masked}\u2069`

describe("the purchase", () => {
  test("200: item, license, dates and masked sites; neither price nor buyer", async () => {
    await limit(3)
    const code = await sell({
      buyer: "Grace",
      price: 47.11,
      supported_until: "2027-01-02T00:00:00Z",
    })
    await useOn(code, "mysite.com", "shop.client.co.uk", "staging.client.de")
    const { status, text } = await enter(openBuyer(), ` ${code.toLowerCase()} `)
    expect(status).toBe(200)
    for (const shown of [
      "This purchase code is valid.",
      "Regular",
      "Jan 2, 2027",
      t("Active on {n site|sites}. The site limit is {limit}.", { n: 2, limit: 3 }),
      "Test site",
      "my•••e.com",
      "sh•••.cl•••t.co.uk",
      "st•••g.cl•••t.de",
      "You can release 5 more sites within 30 days.",
    ]) {
      expect(text).toContain(shown)
    }
    for (const secret of ["mysite", "client", "shop.", "Grace", "47.11"])
      expect(text).not.toContain(secret)
  })

  test("sites of the same day are in the order of their ids, which says nothing about their names", async () => {
    await limit(null)
    const code = await sell()
    await useOn(code, ...[..."abcdefghijkl"].map((letter) => `${letter}-client-${letter}.com`))
    const ids = Object.values(buttonsOn(await enter(openBuyer(), code), "release"))
    expect([ids.length, ids]).toEqual([12, ids.toSorted().toReversed()])
  })

  test("never cached, indexed or sent as a referrer, and the code is in no URL and no log line", async () => {
    const code = await sell()
    const buyer = openBuyer()
    for (const { headers } of [await buyer.get("/license"), await enter(buyer, code)]) {
      expect(headers.get("cache-control")).toContain("no-store")
      expect(headers.get("referrer-policy")).toBe("no-referrer")
      expect(headers.get("x-robots-tag")).toBe("noindex")
      expect(headers.get("location")).toBeNull()
    }
    const { text } = await enter(buyer, code)
    expect([...text.matchAll(/(?:href|action|src)="([^"]*)"/g)].join()).not.toContain(code)
    expect(market.logged()).toContain('"route":"page"')
    expect(market.logged().toLowerCase()).not.toContain(code.toLowerCase())
  })

  test("a code in the URL is ignored", async () => {
    const code = await sell()
    const { status, text } = await openBuyer().get(`/license?purchase_code=${code}&code=${code}`)
    expect([status, text.includes("This purchase code is valid."), text.includes(code)]).toEqual([
      200,
      false,
      false,
    ])
  })

  test("a refund is shown to somebody with the code, another code is unknown", async () => {
    const refunded = await enter(openBuyer(), revoked.purchase_code)
    expect(refunded.status).toBe(200)
    expect(refunded.text).toContain(
      "This purchase was refunded or charged back. The code is invalid.",
    )
    expect(refunded.text).not.toContain(`<h2 id="sites">`)
    const unknown = await enter(openBuyer(), "no-such-code")
    expect(unknown.status).toBe(404)
    expect(unescapeHtml(unknown.text)).toContain(
      "Unknown purchase code. Copy it again from the e-mail about your purchase. After a new purchase it can take a few minutes.",
    )
    expect((await enter(openBuyer(), "\u200b ")).status).toBe(422)
  })

  test("the end of a subscription; after it, the code is expired", async () => {
    const code = await sell({ valid_until: "2099-03-04T00:00:00Z" })
    expect((await enter(openBuyer(), code)).text).toMatch(
      /This purchase code is valid..*Mar 4, 2099/,
    )
    const ended = await sell({ valid_until: "2025-03-04T00:00:00Z" })
    expect((await enter(openBuyer(), ended)).text).toMatch(
      /Your subscription ended. The code is invalid until you renew it..*Mar 4, 2025/,
    )
    await market.load([purchase(ended, 11, { valid_until: "2025-03-04T00:00:00Z", revoked: true })])
    expect((await enter(openBuyer(), ended)).text).toContain(
      "This purchase was refunded or charged back. The code is invalid.",
    )
  })

  test("every author's purchase; codes that differ only in case need the exact one", async () => {
    expect((await enter(openBuyer(), bobs.purchase_code)).text).toContain(
      "This purchase code is valid.",
    )
    await market.load([purchase("Twin-1", 11), purchase("TWIN-1", 21, { license_type: "Gold" })])
    expect((await enter(openBuyer(), "twin-1")).status).toBe(404)
    expect((await enter(openBuyer(), "TWIN-1")).text).toContain("Gold")
  })

  test("a code of a suspended author is shown, without sites", async () => {
    await market.load([{ ...account("bob"), suspended: true }])
    const { text } = await enter(openBuyer(), bobs.purchase_code)
    await market.load([{ ...account("bob"), suspended: false }])
    expect(text).toContain(
      "This purchase code cannot be validated because its author is suspended.",
    )
    expect(text).not.toContain(`<h2 id="sites">`)
  })
})

describe("release", () => {
  async function confirm(
    buyer: Visitor,
    code: string,
    change: "release" | "reclaim",
    masked: string,
  ) {
    const id = buttonsOn(await enter(buyer, code), change)[masked] ?? ""
    const asked = await enter(buyer, code, { [change]: id })
    expect([asked.status, unescapeHtml(asked.text)]).toEqual([
      200,
      expect.stringContaining(
        change === "release"
          ? t("Release {site}?", { site: isolated(masked) })
          : t("Use the code on {site} again?", { site: isolated(masked) }),
      ),
    ])
    return enter(buyer, code, { site: id, confirmed: change })
  }

  test("200: after the confirmation, and counts as one of five; 429: the sixth", async () => {
    await limit(1)
    const code = await sell()
    const buyer = openBuyer("198.51.100.7")
    for (let index = 0; index < 5; index++) {
      await useOn(code, `site-${index}a.com`)
      const id = buttonsOn(await enter(buyer, code), "release")["si•••a.com"] ?? ""
      await enter(buyer, code, { release: id })
      expect(await sitesOf(code)).toEqual([`site-${index}a.com`])
      const done = await confirm(buyer, code, "release", "si•••a.com")
      expect([done.status, noticeOn(done)]).toEqual([
        200,
        t("{site} was released.", { site: isolated("si•••a.com") }),
      ])
      expect(unescapeHtml(done.text)).not.toContain(`site-${index}a`)
      expect(await sitesOf(code)).toEqual([])
    }
    await useOn(code, "last.com")
    const limited = await confirm(openBuyer("198.51.100.9"), code, "release", "la•••.com")
    expect(limited.status).toBe(429)
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(29 * 86_400)
    expect(limited.text).toContain(
      "You cannot release more sites from here: five within 30 days are allowed.",
    )
    expect(await sitesOf(code)).toEqual(["last.com"])
    expect((await confirm(openBuyer(), code, "release", "la•••.com")).status).toBe(200)
  })

  test("releases of the product and of the page share the five", async () => {
    await limit(1)
    const code = await sell()
    await useOn(code, "one.com")
    await fetch(`${market.url}/api/purchases/release`, {
      method: "POST",
      headers: { "X-Api-Key": market.keys.validation, "X-Forwarded-For": "198.51.101.7" },
      body: new URLSearchParams({ purchase_code: code, site: "one.com" }),
    })
    await useOn(code, "two.com")
    const left = async (buyer: Visitor) => (await enter(buyer, code)).text
    expect(await left(openBuyer("198.51.101.9"))).toContain(
      "You can release 4 more sites within 30 days.",
    )
    expect(await left(openBuyer())).toContain("You can release 5 more sites within 30 days.")
  })

  test("409: an id of another purchase, a made-up one, and the same form twice", async () => {
    await limit(2)
    const [code, other] = [await sell(), await sell()]
    for (const each of [code, other]) await useOn(each, "same.com")
    const buyer = openBuyer()
    const id = buttonsOn(await enter(buyer, other), "release")["sa•••.com"] ?? ""
    for (const site of [id, "same.com", "1"]) {
      expect((await enter(buyer, code, { site, confirmed: "release" })).status).toBe(409)
    }
    expect((await enter(buyer, code, { release: id })).status).toBe(409)
    const again = { site: id, confirmed: "release" }
    expect((await enter(buyer, other, again)).status).toBe(200)
    const twice = await enter(buyer, other, again)
    expect([twice.status, noticeOn(twice)]).toEqual([
      409,
      "This has changed in the meantime. Look at the sites below.",
    ])
    await useOn(other, "next.com")
    expect((await enter(buyer, other)).text).toContain(
      "You can release 4 more sites within 30 days.",
    )
    expect(await sitesOf(code)).toEqual(["same.com"])
  })

  test("a site that lost its slot after 30 days reclaims it twice in 30 days, or is released", async () => {
    await limit(1)
    const code = await sell()
    await useOn(code, "buyer.com")
    day += 31
    for (const status of [200, 200, 429]) {
      await useOn(code, "stranger.org")
      const shown = await enter(openBuyer(), code)
      expect(Object.keys(buttonsOn(shown, "reclaim"))).toEqual(["bu•••.com"])
      expect(Object.keys(buttonsOn(shown, "release")).toSorted()).toEqual([
        "bu•••.com",
        "st•••r.org",
      ])
      const done = await confirm(openBuyer(), code, "reclaim", "bu•••.com")
      expect(done.status).toBe(status)
      if (status === 200)
        expect(noticeOn(done)).toBe(
          t(
            "The slot for {site} is free. Validate the code again in the product’s settings there.",
            { site: isolated("bu•••.com") },
          ),
        )
    }
    const strangerId = buttonsOn(await enter(openBuyer(), code), "release")["st•••r.org"] ?? ""
    const forged = await enter(openBuyer(), code, { site: strangerId, confirmed: "reclaim" })
    expect(forged.status).toBe(409)
    expect((await confirm(openBuyer(), code, "release", "bu•••.com")).status).toBe(200)
    expect(await sitesOf(code)).toEqual(["stranger.org"])
  })

  test("test sites are shown and are not released: they use no slot", async () => {
    await limit(1)
    const code = await sell()
    await useOn(code, "buyer.com", "staging.buyer.com")
    const shown = await enter(openBuyer(), code)
    expect(Object.keys(buttonsOn(shown, "release"))).toEqual(["bu•••.com"])
    expect(shown.text).toContain("Test site")
  })

  test("20 releases of one site at once free one slot and count once", async () => {
    await limit(2)
    const code = await sell()
    await useOn(code, "first.com", "other.com")
    const buyers = Array.from({ length: 20 }, () => openBuyer())
    const tokens = await Promise.all(buyers.map((buyer) => buyer.formToken("/license")))
    const id = buttonsOn(await enter(openBuyer(), code), "release")["fi•••.com"] ?? ""
    const fields = { purchase_code: code, site: id, confirmed: "release" }
    const done = await Promise.all(
      buyers.map((buyer, at) =>
        buyer.post("/license", { form_token: tokens[at] ?? "", ...fields }),
      ),
    )
    expect(done.map(({ status }) => status).toSorted()).toEqual([200, ...Array(19).fill(409)])
    expect(await sitesOf(code)).toEqual(["other.com"])
    const pages = await Promise.all(buyers.map((buyer) => enter(buyer, code)))
    const spent = pages.filter(({ text }) =>
      text.includes("You can release 4 more sites within 30 days."),
    )
    expect(spent.length).toBe(1)
    expect(await validate(code, "c.com")).toBe("ok")
    expect(await validate(code, "d.com")).toBe("site_limit")
  })

  test("releases and validations at once never exceed the limit", async () => {
    await limit(2)
    const code = await sell()
    await useOn(code, "first.com", "other.com")
    const shown = buttonsOn(await enter(openBuyer(), code), "release")
    const releases = ["fi•••.com", "ot•••.com"].map((masked) =>
      enter(openBuyer(), code, { site: shown[masked] ?? "", confirmed: "release" }),
    )
    const validations = Array.from({ length: 20 }, (_, at) => validate(code, `site${at}.net`))
    const all = await Promise.all([...releases, ...validations])
    expect(all.slice(0, 2).map((each) => (each as PageResponse).status)).toEqual([200, 200])
    for (const site of ["x.org", "y.org", "z.org"]) await validate(code, site)
    expect((await sitesOf(code)).length).toBe(2)
  })

  test("403: without the token of the form, or from another site", async () => {
    const code = await sell()
    const buyer = openBuyer()
    expect((await buyer.post("/license", { purchase_code: code })).status).toBe(403)
    const form_token = await buyer.formToken("/license")
    const send = (headers: Record<string, string>) =>
      buyer.post("/license", { purchase_code: code, form_token }, headers)
    expect((await send({ Origin: "https://evil.example" })).status).toBe(403)
    expect((await send({ "Sec-Fetch-Site": "cross-site" })).status).toBe(403)
    // Browsers without Sec-Fetch-Site hide the origin of a page without a referrer.
    expect((await send({ Origin: "null" })).status).toBe(200)
  })
})

describe("429", () => {
  const codesOf = async (buyer: Visitor, codes: readonly string[]) => {
    const statuses = []
    for (const code of codes) statuses.push((await enter(buyer, code)).status)
    return statuses
  }
  const guesses = Array.from({ length: failuresMax }, (_, at) => `guess-${at}`)
  const allUnknown = guesses.map(() => 404)

  test("wrong codes; then no code is looked up from this IP address, until time passes", async () => {
    const code = await sell()
    expect(await codesOf(openBuyer("203.0.113.5"), guesses)).toEqual(allUnknown)
    const limited = await enter(openBuyer("203.0.113.5"), code)
    expect(limited.status).toBe(429)
    expect(await codesOf(openBuyer("203.0.113.77"), [code])).toEqual([200])
    for (let host = 6; host < 15; host += 1) await codesOf(openBuyer(`203.0.113.${host}`), guesses)
    expect(await codesOf(openBuyer("203.0.113.77"), [code])).toEqual([429])
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThan(0)
    expect(limited.text).not.toContain("This purchase code is valid.")
    expect(await codesOf(openBuyer("203.0.114.5"), [code])).toEqual([200])
    nowMs += 600_000
    expect(await codesOf(openBuyer("203.0.113.77"), [code])).toEqual([200])
  })

  test("concurrent guesses reveal no more than sequential ones", async () => {
    const buyer = openBuyer()
    const form_token = await buyer.formToken("/license")
    const done = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        buyer.post("/license", { form_token, purchase_code: `guess-${at}` }),
      ),
    )
    const unknown = done.filter(({ status }) => status === 404)
    expect(unknown.length).toBe(failuresMax)
  })

  test("valid codes count nothing, releases do", async () => {
    await limit(null)
    const buyer = openBuyer()
    const code = await sell()
    expect(await codesOf(buyer, Array(20).fill(code))).toEqual(Array(20).fill(200))
    await useOn(code, "one.com")
    const id = buttonsOn(await enter(buyer, code), "release")["•••.com"] ?? ""
    expect((await enter(buyer, code, { site: id, confirmed: "release" })).status).toBe(200)
    expect(await codesOf(buyer, guesses)).toEqual([...allUnknown.slice(1), 429])
  })

  test("wrong codes of the page do not limit the products behind the same IP range", async () => {
    const code = await sell()
    await codesOf(openBuyer("127.0.0.1"), guesses)
    expect(await validate(code, "shop.com")).toBe("ok")
  })
})
