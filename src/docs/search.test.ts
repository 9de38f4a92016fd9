import { describe, expect, test } from "bun:test"
import { listDocsPages } from "../../tests/harness/browser/docs-paths.ts"
import { createSearch, queryLengthMax } from "./search.ts"
import synonyms from "./synonyms.json"

const search = {
  en: await createSearch(await listDocsPages("en")),
  tr: await createSearch(await listDocsPages("tr")),
}

/** Queries of newcomers, and the page that answers each. */
const queries = {
  en: {
    docker: "install",
    "docker compose": "install",
    kubernetes: "install",
    "how to install": "install",
    "nginx reverse proxy": "install",
    "postgres setup": "install",
    "backup restore": "backup",
    "migrate sqlite to postgresql": "backup",
    "upgrade to new version": "upgrading",
    "environment variables": "settings",
    "smtp email": "authors",
    "forgot password": "authors",
    "two factor": "authors",
    "invite author": "authors",
    "prometheus metrics": "monitoring",
    "health check": "monitoring",
    "lost master key": "incidents",
    gdpr: "privacy",
    "delete my data": "privacy",
    "import purchases": "shop-data",
    "woocommerce database sync": "shop-data",
    "high availability": "scaling",
    "requests per second": "scaling",
    "cli commands": "commands",
    openapi: "quickstart",
    "getting started": "quickstart",
    "license key": "quickstart",
    "verify purchase code": "quickstart",
    "python example": "quickstart",
    "php example": "quickstart",
    curl: "quickstart",
    java: "validate_purchase",
    "c#": "validate_purchase",
    golang: "validate_purchase",
    composer: "clients",
    electron: "clients",
    "node js sdk": "clients",
    "wordpress plugin": "clients",
    laravel: "clients",
    multisite: "clients",
    "support expired": "clients",
    themeforest: "move-from-envato",
    "envato api": "move-from-envato",
    gumroad: "move-from-envato",
    "license expired": "errors",
    refund: "errors",
    "error codes": "errors",
    "401 unauthorized": "errors",
    unknown_code: "errors",
    "change domain": "site-limits",
    localhost: "site-limits",
    "activation limit": "site-limits",
    "transfer license to another site": "site-limits",
    "deactivate license": "release_site",
    "see active sites": "list_sites",
    pagination: "list_purchases",
    "get all sales": "list_purchases",
    "account balance": "read_account",
    "find item id": "list_items",
    "item fields": "objects",
    "plugin auto update": "downloads",
    "download link": "downloads",
    "webhook signature": "webhooks",
    "webhook retry": "webhooks",
    "rate limit": "rate-limits",
    timeout: "rate-limits",
    "how often should I check the license": "rate-limits",
    "server down": "offline",
    "grace period": "offline",
    "where do I get my api key": "authentication",
    "bearer token": "authentication",
    cors: "authentication",
    sandbox: "test-data",
    "nulled plugin": "verify-signatures",
    "rotate api key": "rotate-a-key",
    "api key in plugin": "ship-a-key",
    "breaking changes": "versioning",
  },
  tr: {
    kurulum: "install",
    docker: "install",
    yedekleme: "backup",
    "şifremi unuttum": "authors",
    "iki adımlı doğrulama": "authors",
    kvkk: "privacy",
    "verilerimi sil": "privacy",
    "hızlı başlangıç": "quickstart",
    "lisans anahtarı": "quickstart",
    "python örneği": "quickstart",
    "wordpress eklentisi": "clients",
    "destek süresi doldu mu": "clients",
    "envato'dan geçiş": "move-from-envato",
    "lisans süresi doldu": "errors",
    "hata kodları": "errors",
    iade: "errors",
    "alan adı değiştirme": "site-limits",
    "lisansı başka siteye taşıma": "site-limits",
    sayfalama: "list_purchases",
    "eklenti güncelleme": "downloads",
    "ne sıklıkla doğrulamalıyım": "rate-limits",
    "sunucu çökerse ne olur": "offline",
    "API anahtarımı nereden alırım": "authentication",
    "test anahtarı": "test-data",
    "anahtarımı nasıl yenilerim": "rotate-a-key",
  },
} as const

describe.each(["en", "tr"] as const)("%s", (locale) => {
  const cases = Object.entries(queries[locale])

  test("the first result is right for nine of ten queries", () => {
    const found = cases.map(([query, id]) => ({
      query,
      id,
      first: search[locale](query).found[0]?.page.id,
    }))
    const wrong = found.filter(({ id, first }) => first !== id)
    expect(wrong.length > found.length / 10 ? wrong : []).toEqual([])
  })

  test.each(cases)("%p finds %s among the first four results", (query, id) => {
    const ids = search[locale](query).found.map(({ page }) => page.id)
    expect(ids.slice(0, 4)).toContain(id)
  })
})

test("synonyms belong to pages", async () => {
  const ids = (await listDocsPages("en")).map(({ id }) => id)
  expect(Object.keys(synonyms).filter((id) => !ids.includes(id))).toEqual([])
})

test("a result has the headings that match", () => {
  const errors = search.en("unknown_code").found.find(({ page }) => page.id === "errors")
  expect(errors?.headings[0]?.id).toBe("unknown_code")
})

test.each([
  ["en", "dokcer", "docker"],
  ["en", "ngnix dokcer", "nginx docker"],
  ["tr", "yedkleeme", "yedekleme"],
] as const)("%s: %p finds nothing and suggests %p", (locale, query, suggestion) => {
  expect(search[locale](query)).toEqual({ found: [], suggestion })
  expect(search[locale](suggestion).found).not.toEqual([])
})

test.each(["", "  ", "?!", "the", "qqqqqq", "\u0000"])("%p finds and suggests nothing", (query) => {
  expect(search.en(query)).toEqual({ found: [], suggestion: null })
})

test.each([
  ["en", "webhok", "webhooks"],
  ["en", "rotating keys", "rotate-a-key"],
  ["tr", "yedekelme", "backup"],
  ["tr", "yedekleyin", "backup"],
] as const)("%s: %p finds %s in another form", (locale, query, id) => {
  expect(search[locale](query).found[0]?.page.id).toBe(id)
})

test("words after the longest query are ignored", () => {
  expect(search.en(`${" ".repeat(queryLengthMax)}quickstart`).found).toEqual([])
})
