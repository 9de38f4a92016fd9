import { count, formatNumber } from "./plurals.ts"
import { requestErrors } from "./request-errors.ts"

const en = {
  title: "Failed requests",
  tabs: { all: "All", codes: "Invalid codes", errors: "Errors" },
  choices: "Type of failure",
  allKeys: "All except test keys",
  allErrors: "All errors",
  allIpRanges: "All IP ranges",
  none: "No failed requests match.",
  search: "Code, key or IP range",
  share: "Share",
  keys: "Keys",
  todo: "What to do",
  first: "First request",
  operation: "Operation",
  severalIpRanges: "several",
  otherItem: {
    what: "Item outside the key’s scope",
    todo: "The code is yours, but this key cannot validate its item.",
  },
  listed: (calls: number, listed: number) =>
    `${count(calls, "failed request", "failed requests")}${listed >= calls ? "." : `; ${listed.toLocaleString("en")} of them are listed. The log keeps 7 days and 500 entries.`} Codes of other authors are masked.`,
  seeWhy: "Show failed requests",
  ...requestErrors.en,
}

const tr: typeof en = {
  title: "Başarısız istekler",
  tabs: { all: "Tümü", codes: "Geçersiz kodlar", errors: "Hatalar" },
  choices: "Hata türü",
  allKeys: "Test anahtarları dışında tümü",
  allErrors: "Tüm hatalar",
  allIpRanges: "Tüm IP aralıkları",
  none: "Eşleşen başarısız istek yok.",
  search: "Kod, anahtar veya IP aralığı",
  share: "Pay",
  keys: "Anahtar",
  todo: "Ne yapmalı",
  first: "İlk istek",
  operation: "İşlem",
  severalIpRanges: "birden çok",
  otherItem: {
    what: "Ürün, anahtarın kapsamında değil",
    todo: "Kod sizin ama bu anahtar o ürünü doğrulayamaz.",
  },
  listed: (calls, listed) =>
    `${formatNumber(calls)} başarısız istek${listed >= calls ? "." : `; ${formatNumber(listed)} tanesi listeleniyor. Kayıtlar 7 gün ve 500 satırla sınırlıdır.`} Başka yazarların kodları maskelenir.`,
  seeWhy: "Başarısız istekleri göster",
  ...requestErrors.tr,
}

export const log = { en, tr }
