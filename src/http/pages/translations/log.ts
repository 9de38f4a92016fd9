import { count, formatNumber } from "./plurals.ts"
import { requestErrors } from "./request-errors.ts"

const en = {
  title: "Failed requests",
  intro:
    "The last 7 days, at most 500 entries. Requests of one day with the same values are one entry.",
  tabs: {
    all: "All",
    codes: "Invalid codes",
    errors: "Errors",
  },
  choices: "Type of failure",
  allDays: "All 7 days",
  allKeys: "All keys",
  allOperations: "All operations",
  none: "No failed requests match.",
  expired: "This day is more than 7 days ago. Entries are kept for 7 days.",
  when: "When",
  first: "First request",
  operation: "Operation",
  keyAndOperation: "Key, operation",
  reason: "Error and what to do",
  since: (when: string) => `since ${when}`,
  severalIpRanges: "several",
  noCode: "–",
  otherItem: {
    what: "Item outside the key’s scope",
    todo: "The code is yours, but this key cannot validate its item.",
  },
  masked: "Codes that are not yours are masked.",
  testKeys: "Requests with a test key are listed only if you select that key.",
  entries: (n: number) => count(n, "entry", "entries"),
  seeWhy: "Show failed requests",
  ...requestErrors.en,
}

const tr: typeof en = {
  title: "Başarısız istekler",
  intro: "Son 7 gün, en çok 500 kayıt. Bir günün değerleri aynı olan istekleri tek kayıttır.",
  tabs: {
    all: "Tümü",
    codes: "Geçersiz kodlar",
    errors: "Hatalar",
  },
  choices: "Hata türü",
  allDays: "7 günün tümü",
  allKeys: "Tüm anahtarlar",
  allOperations: "Tüm işlemler",
  none: "Eşleşen başarısız istek yok.",
  expired: "Bu günün üzerinden 7 günden fazla geçti. Kayıtlar 7 gün saklanır.",
  when: "Zaman",
  first: "İlk istek",
  operation: "İşlem",
  keyAndOperation: "Anahtar, işlem",
  reason: "Hata ve ne yapmalı",
  since: (when) => `ilki ${when}`,
  severalIpRanges: "birden çok",
  noCode: "–",
  otherItem: {
    what: "Ürün, anahtarın kapsamında değil",
    todo: "Kod sizin ama bu anahtar o ürünü doğrulayamaz.",
  },
  masked: "Size ait olmayan kodlar maskelenir.",
  testKeys: "Test anahtarıyla gönderilen istekler yalnızca o anahtarı seçerseniz listelenir.",
  entries: (n) => `${formatNumber(n)} kayıt`,
  seeWhy: "Başarısız istekleri göster",
  ...requestErrors.tr,
}

export const log = { en, tr }
