import { expect, test } from "bun:test"
import { listDocsPages } from "../../../tests/harness/browser/docs-paths.ts"
import { createSearch, queryLengthMax } from "./search.ts"

const search = {
  en: createSearch(await listDocsPages("en"), "en"),
  tr: createSearch(await listDocsPages("tr"), "tr"),
}

/** Queries that readers type, each with a page that must be the first or second result. */
const queries = {
  en: {
    "rate limit": "rate-limits",
    throttling: "rate-limits",
    "license key": "quickstart",
    "api key": "authentication",
    "error codes": "errors",
    "http status codes": "errors",
    "401": "errors",
    "404": "errors",
    unknown_code: "errors",
    "expired key": "errors",
    refund: "errors",
    retry: "rate-limits",
    "webhook signature": "webhooks",
    hmac: "webhooks",
    "grace period": "offline",
    "offline activation": "offline",
    pagination: "list_items",
    quickstart: "quickstart",
    "getting started": "quickstart",
    curl: "quickstart",
    python: "quickstart",
    "site limit": "site-limits",
    "activation limit": "site-limits",
    localhost: "site-limits",
    "how do I rotate my API key?": "rotate-a-key",
    "rotating keys": "rotate-a-key",
    wordpress: "clients",
    "php client": "clients",
    nonce: "verify-signatures",
    ed25519: "verify-signatures",
    CORS: "authentication",
    "test key": "test-data",
    envato: "move-from-envato",
    gumroad: "move-from-envato",
    "ship key": "ship-a-key",
    deactivate: "release_site",
    deprecation: "versioning",
    balance: "objects",
    multisite: "clients",
    laravel: "clients",
    "api down": "offline",
    "server down what happens to my customers": "offline",
    "where do I get my api key": "authentication",
    "create api key": "ship-a-key",
    "how often should I validate": "rate-limits",
    "cron daily check": "rate-limits",
    "license check once a day": "rate-limits",
    "curl error timeout": "rate-limits",
    "transfer license to another site": "site-limits",
    "find item id": "list_items",
    "check if support expired": "clients",
    "nulled plugin": "verify-signatures",
    "license tampering": "verify-signatures",
    "refunded purchase": "errors",
    "429": "rate-limits",
    "gdpr what data is sent": "site-limits",
    "privacy personal data": "site-limits",
  },
  tr: {
    "istek sınırı": "rate-limits",
    "lisans anahtarı": "quickstart",
    "API anahtarı": "authentication",
    "hata kodları": "errors",
    iade: "errors",
    "webhook imzası": "webhooks",
    çevrimdışı: "offline",
    "hızlı başlangıç": "quickstart",
    "site siniri": "site-limits",
    "alan adı": "site-limits",
    "anahtarımı nasıl yenilerim": "rotate-a-key",
    wordpress: "clients",
    "imza doğrulama": "verify-signatures",
    "TEST ANAHTARI": "test-data",
    envato: "move-from-envato",
    sayfalama: "list_items",
    laravel: "clients",
    "çoklu site": "clients",
    "sunucu çökerse ne olur": "offline",
    "API anahtarımı nereden alırım": "ship-a-key",
    "ne sıklıkla doğrulamalıyım": "rate-limits",
    "lisansı başka siteye taşıma": "site-limits",
    "ürün id nerede": "list_items",
    "destek süresi doldu mu": "clients",
    "nulled eklenti": "verify-signatures",
    "kvkk hangi veriler gönderiliyor": "site-limits",
  },
} as const

const cases = (["en", "tr"] as const).flatMap((locale) =>
  Object.entries(queries[locale]).map(([query, id]) => [locale, query, id] as const),
)
test.each(cases)("%s: %p finds %s", (locale, query, id) => {
  const [first, second] = search[locale](query)
  expect([first?.page.id, second?.page.id]).toContain(id)
})

test("a result has the headings that match", () => {
  const errors = search.en("unknown_code").find(({ page }) => page.id === "errors")
  expect(errors?.headings[0]?.id).toBe("unknown_code")
})

test.each(["", "  ", "?!", "the", "qqqqqq"])("%p finds nothing", (query) => {
  expect(search.en(query)).toEqual([])
})

test("words after the longest query are ignored", () => {
  expect(search.en(`${" ".repeat(queryLengthMax)}quickstart`)).toEqual([])
})
