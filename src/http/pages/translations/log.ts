import { requestErrors } from "./request-errors.ts"
import { count, formatNumber, text } from "./text.ts"

export const log = {
  title: text("Failed requests", "Başarısız istekler"),
  tabs: {
    all: text("All", "Tümü"),
    codes: text("Invalid codes", "Geçersiz kodlar"),
    errors: text("Errors", "Hatalar"),
  },
  choices: text("Type of failure", "Hata türü"),
  allKeys: text("All except test keys", "Test anahtarları dışında tümü"),
  allErrors: text("All errors", "Tüm hatalar"),
  allIpRanges: text("All IP ranges", "Tüm IP aralıkları"),
  none: text("No failed requests match.", "Eşleşen başarısız istek yok."),
  search: text("Code, key or IP range", "Kod, anahtar veya IP aralığı"),
  share: text("Share", "Pay"),
  keys: text("Keys", "Anahtar"),
  todo: text("What to do", "Ne yapmalı"),
  first: text("First request", "İlk istek"),
  operation: text("Operation", "İşlem"),
  severalIpRanges: text("several", "birden çok"),
  otherItem: {
    what: text("Item outside the key’s scope", "Ürün, anahtarın kapsamında değil"),
    todo: text(
      "The code is yours, but this key cannot validate its item.",
      "Kod sizin ama bu anahtar o ürünü doğrulayamaz.",
    ),
  },
  listed: text(
    (calls: number, listed: number) =>
      `${count(calls, "failed request", "failed requests")}${listed >= calls ? "." : `; ${listed.toLocaleString("en")} of them are listed. The log keeps 7 days and 500 entries.`} Codes of other authors are masked.`,
    (calls, listed) =>
      `${formatNumber(calls)} başarısız istek${listed >= calls ? "." : `; ${formatNumber(listed)} tanesi listeleniyor. Kayıtlar 7 gün ve 500 satırla sınırlıdır.`} Başka yazarların kodları maskelenir.`,
  ),
  seeWhy: text("Show failed requests", "Başarısız istekleri göster"),
  ...requestErrors,
}
