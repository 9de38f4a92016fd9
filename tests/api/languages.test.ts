import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { accountDetails } from "../harness/http/contract-messages.ts"
import { openapiFetch } from "../harness/http/openapi-fetch.ts"
import { type Marketplace, openMarketplace } from "../harness/marketplace.ts"

const cases = [
  { header: null, en: "en", tr: "tr" },
  { header: "*", en: "en", tr: "tr" },
  { header: "", en: "en", tr: "tr" },
  { header: "de, fr;q=0.5", en: "en", tr: "tr" },
  { header: "tr", en: "tr", tr: "tr" },
  { header: "tr-TR,tr;q=0.9,en-US;q=0.8,en;q=0.7", en: "tr", tr: "tr" },
  { header: "en-US,en;q=0.9,tr;q=0.8", en: "en", tr: "en" },
  { header: "TR", en: "tr", tr: "tr" },
  { header: "en;q=0.2, tr;q=0.3", en: "tr", tr: "tr" },
  { header: "tr, en", en: "tr", tr: "tr" },
  { header: "tr;q=0, *", en: "en", tr: "en" },
  { header: "en;q=0, *;q=0.1", en: "tr", tr: "tr" },
  { header: "de, *;q=0.5", en: "en", tr: "tr" },
  { header: "tr;q=0", en: "en", tr: "tr" },
  { header: "tr;q=nonsense", en: "en", tr: "tr" },
  { header: ";;;,,,q=,tr;;q=1", en: "tr", tr: "tr" },
]

describe.each(["en", "tr"] as const)("with the default language %s", (site) => {
  let market: Marketplace
  beforeAll(async () => {
    market = await openMarketplace({ PAZAR_LOCALE: site })
  })
  afterAll(() => market.close())

  const rendering = async (query: string, headers: Record<string, string>) => {
    const response = await openapiFetch(`${market.url}${accountDetails.path}${query}`, {
      headers,
    })
    return response.headers.get("content-language")
  }

  test.each(cases)("Accept-Language $header", async (wanted) => {
    const headers = wanted.header === null ? {} : { "Accept-Language": wanted.header }
    expect(await rendering("", headers)).toBe(wanted[site])
  })

  test("lang takes precedence over the header, in any case and with whitespace; unknown values are ignored", async () => {
    expect(await rendering("?lang=tr", { "Accept-Language": "en" })).toBe("tr")
    expect(await rendering("?lang=%20EN%E2%80%8B", { "Accept-Language": "tr" })).toBe("en")
    expect(await rendering("?lang=de", { "Accept-Language": "tr" })).toBe("tr")
    expect(await rendering("?lang=", { "Accept-Language": "en" })).toBe("en")
    expect(await rendering("?lang=tr&lang=en", {})).toBe("en")
  })
})
