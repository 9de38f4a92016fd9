import { ipRangesMax } from "../../../domain/usage/usage.ts"
import { count, formatNumber } from "./plurals.ts"

/** Texts of the key table, the page of a key and the first request. */
const en = {
  find: {
    none: "This key is not yours. If you found it in public, report it to your marketplace.",
    publicTest: "This is the public test key of the docs. It does not belong to an account.",
    found: (name: string) => `This is your key “${name}”.`,
  },
  table: {
    kind: "Type",
    use: "Requests, 30 days",
    shipped: "Looks shipped",
    stillUsed: "Rotated, still used",
  },
  operations: {
    read_account: "Read the account",
    list_items: "List items",
    read_item: "Read an item",
    validate_purchase: "Validate a purchase",
    release_site: "Release a site",
    list_purchases: "List purchases",
    list_sites: "List sites",
    create_download: "Create a download link",
  },
  usage: {
    title: "Who uses this key?",
    ipRanges: (n: number) =>
      `Used from ${n < ipRangesMax ? "" : "at least "}${count(n, "IP range", "IP ranges")} this week.`,
    ipRangeCount: (n: number) => count(n, "IP range", "IP ranges"),
    noRequests: "No requests this week.",
    moreIpRanges: (n: number) => `Show ${n.toLocaleString("en")} more`,
    none: "No requests yet.",
    byOperation: "By operation",
    items: "Items it can validate",
    moreItems: (n: number) => `and ${n.toLocaleString("en")} more`,
  },
  inactive: {
    rotated: (when: string) => `Rotated on ${when}.`,
    validUntil: (when: string) => `Valid until ${when}.`,
    revoked: (when: string) => `Revoked on ${when}. Requests with this key are rejected.`,
    expired: (when: string) => `Expired on ${when}. Requests with this key are rejected.`,
    successor: "Replaced by",
  },
  leak: {
    link: "This key leaked",
    title: (name: string) => `Did “${name}” leak?`,
    danger: {
      sk: "Anyone who has this key can read your account and items, validate purchases and release sites.",
      vk: "Anyone who has this key can only validate purchases, release sites and create download links. It is safe to ship inside a product.",
      tk: "This key returns test data only.",
    },
    impact: (calls: number, ipRanges: number) =>
      calls === 0 && ipRanges === 0
        ? "This key was not used in the last 7 days."
        : `Requests with this key are then rejected immediately: ${count(calls, "request", "requests")} from ${count(ipRanges, "IP range", "IP ranges")} in the last 7 days.`,
    rotate: "Rotate now",
    revoke: "Revoke now",
    open: "Open the key",
    inactive: "This key is inactive. No action is needed.",
  },
  quickStart: {
    title: "Try it now",
    intro: "Ready to run: paste the curl command into a terminal, the other samples into a file.",
    introCode: (placeholder: string) =>
      `Replace ${placeholder} with one of your purchase codes, then run the sample. Test codes work with test keys only.`,
    pending: "Waiting for your first request…",
    again: "Check now",
    received: (when: string) => `First request received: ${when}.`,
  },
  /** Texts about requests with an inactive key. */
  inactiveRequests: {
    title: "Who still uses it?",
    pill: "Still used",
    summary: (calls: number) =>
      `This key is inactive but was sent with ${count(calls, "request", "requests")} in the last 7 days. All were rejected.`,
    none: "No requests with this key since it became inactive, or in the last 7 days.",
    attention: (name: string, calls: number) =>
      `“${name}” is inactive but still used: ${count(calls, "request", "requests")} in the last 7 days.`,
    see: "Show who uses it",
  },
}

const tr: typeof en = {
  find: {
    none: "Bu anahtar sizin değil. Herkese açık bir yerde bulduysanız pazaryerinize bildirin.",
    publicTest: "Bu, dokümantasyondaki herkese açık test anahtarı. Hiçbir hesaba ait değil.",
    found: (name) => `Bu sizin “${name}” anahtarınız.`,
  },
  table: {
    kind: "Tür",
    use: "İstek (30 gün)",
    shipped: "Ürün içinde mi?",
    stillUsed: "Yenisiyle değiştirildi, hâlâ kullanılıyor",
  },
  operations: {
    read_account: "Hesap bilgileri",
    list_items: "Ürün listesi",
    read_item: "Tek ürün",
    validate_purchase: "Satın alma doğrulama",
    release_site: "Site bırakma",
    list_purchases: "Satın almaları listeleme",
    list_sites: "Siteleri listeleme",
    create_download: "İndirme bağlantısı oluşturma",
  },
  usage: {
    title: "Bu anahtarı kim kullanıyor?",
    ipRanges: (n) =>
      `Bu hafta ${n < ipRangesMax ? "" : "en az "}${formatNumber(n)} IP aralığından kullanıldı.`,
    ipRangeCount: (n) => `${formatNumber(n)} IP aralığı`,
    noRequests: "Bu hafta istek yok.",
    moreIpRanges: (n) => `${formatNumber(n)} IP aralığı daha göster`,
    none: "Henüz istek yok.",
    byOperation: "İşlemlere göre",
    items: "Doğrulayabildiği ürünler",
    moreItems: (n) => `ve ${formatNumber(n)} ürün daha`,
  },
  inactive: {
    rotated: (when) => `${when} tarihinde yenisiyle değiştirildi.`,
    validUntil: (when) => `${when} tarihine kadar geçerli.`,
    revoked: (when) => `${when} tarihinde iptal edildi. Bu anahtarla gelen istekler reddediliyor.`,
    expired: (when) => `Süresi ${when} tarihinde doldu. Bu anahtarla gelen istekler reddediliyor.`,
    successor: "Yerine geçen anahtar:",
  },
  leak: {
    link: "Anahtar sızdı",
    title: (name) => `“${name}” sızdı mı?`,
    danger: {
      sk: "Bu anahtarı ele geçiren herkes hesabınızı ve ürünlerinizi okuyabilir, satın almaları doğrulayabilir ve site bırakabilir.",
      vk: "Bu anahtarı ele geçiren yalnızca satın almaları doğrulayabilir ve site bırakabilir. Ürünün içinde güvenle dağıtılabilir.",
      tk: "Bu anahtarla yalnızca test verisi döner.",
    },
    impact: (calls, ipRanges) =>
      calls === 0 && ipRanges === 0
        ? "Bu anahtar son 7 günde kullanılmadı."
        : `Bu anahtarla gönderilen istekler hemen reddedilir: son 7 günde ${formatNumber(ipRanges)} IP aralığından ${formatNumber(calls)} istek.`,
    rotate: "Hemen yenile",
    revoke: "Hemen iptal et",
    open: "Anahtarın sayfasını aç",
    inactive: "Bu anahtar devre dışı. Bir şey yapmanız gerekmez.",
  },
  quickStart: {
    title: "Şimdi deneyin",
    intro: "Çalıştırmaya hazır: curl komutunu terminale, diğer örnekleri bir dosyaya yapıştırın.",
    introCode: (placeholder) =>
      `${placeholder} yerine kendi satın alma kodlarınızdan birini yazıp örneği çalıştırın. Test kodları yalnızca test anahtarlarıyla çalışır.`,
    pending: "İlk isteğiniz bekleniyor…",
    again: "Şimdi kontrol et",
    received: (when) => `İlk istek alındı: ${when}.`,
  },
  inactiveRequests: {
    title: "Hâlâ kim kullanıyor?",
    pill: "Hâlâ kullanılıyor",
    summary: (calls) =>
      `Bu anahtar devre dışı ama son 7 günde onunla ${formatNumber(calls)} istek gönderildi. Hepsi reddedildi.`,
    none: "Devre dışı kaldığından beri ya da son 7 günde bu anahtarla istek gönderilmedi.",
    attention: (name, calls) =>
      `“${name}” devre dışı ama hâlâ kullanılıyor: son 7 günde ${formatNumber(calls)} istek.`,
    see: "Kimin kullandığını göster",
  },
}

export const keyPages = { en, tr }
