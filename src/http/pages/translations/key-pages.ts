import { ipRangesMax } from "../../../domain/usage/usage.ts"
import { count, counted, filled, formatNumber, text } from "./text.ts"

/** Texts of the key table, the page of a key and the first request. */
export const keyPages = {
  find: {
    none: text(
      "This key is not yours. If you found it in public, report it to your marketplace.",
      "Bu anahtar sizin değil. Herkese açık bir yerde bulduysanız pazaryerinize bildirin.",
    ),
    publicTest: text(
      "This is the public test key of the docs. It does not belong to an account.",
      "Bu, dokümantasyondaki herkese açık test anahtarı. Hiçbir hesaba ait değil.",
    ),
    found: filled("This is your key “{name}”.", "Bu sizin “{name}” anahtarınız."),
  },
  table: {
    kind: text("Type", "Tür"),
    use: text("Requests, 30 days", "İstek (30 gün)"),
    shipped: text("Looks shipped", "Ürün içinde mi?"),
    stillUsed: text("Rotated, still used", "Yenisiyle değiştirildi, hâlâ kullanılıyor"),
  },
  operations: {
    read_account: text("Read the account", "Hesap bilgileri"),
    list_items: text("List items", "Ürün listesi"),
    read_item: text("Read an item", "Tek ürün"),
    validate_purchase: text("Validate a purchase", "Satın alma doğrulama"),
    release_site: text("Release a site", "Site bırakma"),
    list_purchases: text("List purchases", "Satın almaları listeleme"),
    list_sites: text("List sites", "Siteleri listeleme"),
    create_download: text("Create a download link", "İndirme bağlantısı oluşturma"),
  },
  usage: {
    title: text("Who uses this key?", "Bu anahtarı kim kullanıyor?"),
    ipRanges: text(
      (n: number) =>
        `Used from ${n < ipRangesMax ? "" : "at least "}${count(n, "IP range", "IP ranges")} this week.`,
      (n) =>
        `Bu hafta ${n < ipRangesMax ? "" : "en az "}${formatNumber(n)} IP aralığından kullanıldı.`,
    ),
    ipRangeCount: counted("IP range", "IP ranges", "IP aralığı"),
    noRequests: text("No requests this week.", "Bu hafta istek yok."),
    moreIpRanges: text(
      (n: number) => `Show ${n.toLocaleString("en")} more`,
      (n) => `${formatNumber(n)} IP aralığı daha göster`,
    ),
    none: text("No requests yet.", "Henüz istek yok."),
    byOperation: text("By operation", "İşlemlere göre"),
    items: text("Items it can validate", "Doğrulayabildiği ürünler"),
    moreItems: text(
      (n: number) => `and ${n.toLocaleString("en")} more`,
      (n) => `ve ${formatNumber(n)} ürün daha`,
    ),
  },
  inactive: {
    rotated: filled("Rotated on {when}.", "{when} tarihinde yenisiyle değiştirildi."),
    validUntil: filled("Valid until {when}.", "{when} tarihine kadar geçerli."),
    revoked: filled(
      "Revoked on {when}. Requests with this key are rejected.",
      "{when} tarihinde iptal edildi. Bu anahtarla gelen istekler reddediliyor.",
    ),
    expired: filled(
      "Expired on {when}. Requests with this key are rejected.",
      "Süresi {when} tarihinde doldu. Bu anahtarla gelen istekler reddediliyor.",
    ),
    successor: text("Replaced by", "Yerine geçen anahtar:"),
  },
  leak: {
    link: text("This key leaked", "Anahtar sızdı"),
    title: filled("Did “{name}” leak?", "“{name}” sızdı mı?"),
    danger: {
      sk: text(
        "Anyone who has this key can read your account and items, validate purchases and release sites.",
        "Bu anahtarı ele geçiren herkes hesabınızı ve ürünlerinizi okuyabilir, satın almaları doğrulayabilir ve site bırakabilir.",
      ),
      vk: text(
        "Anyone who has this key can only validate purchases, release sites and create download links. It is safe to ship inside a product.",
        "Bu anahtarı ele geçiren yalnızca satın almaları doğrulayabilir ve site bırakabilir. Ürünün içinde güvenle dağıtılabilir.",
      ),
      tk: text("This key returns test data only.", "Bu anahtarla yalnızca test verisi döner."),
    },
    impact: text(
      (calls: number, ipRanges: number) =>
        calls === 0 && ipRanges === 0
          ? "This key was not used in the last 7 days."
          : `Requests with this key are then rejected immediately: ${count(calls, "request", "requests")} from ${count(ipRanges, "IP range", "IP ranges")} in the last 7 days.`,
      (calls, ipRanges) =>
        calls === 0 && ipRanges === 0
          ? "Bu anahtar son 7 günde kullanılmadı."
          : `Bu anahtarla gönderilen istekler hemen reddedilir: son 7 günde ${formatNumber(ipRanges)} IP aralığından ${formatNumber(calls)} istek.`,
    ),
    rotate: text("Rotate now", "Hemen yenile"),
    revoke: text("Revoke now", "Hemen iptal et"),
    open: text("Open the key", "Anahtarın sayfasını aç"),
    inactive: text(
      "This key is inactive. No action is needed.",
      "Bu anahtar devre dışı. Bir şey yapmanız gerekmez.",
    ),
  },
  quickStart: {
    title: text("Try it now", "Şimdi deneyin"),
    intro: text(
      "Ready to run: paste the curl command into a terminal, the other samples into a file.",
      "Çalıştırmaya hazır: curl komutunu terminale, diğer örnekleri bir dosyaya yapıştırın.",
    ),
    introCode: filled(
      "Replace {placeholder} with one of your purchase codes, then run the sample. Test codes work with test keys only.",
      "{placeholder} yerine kendi satın alma kodlarınızdan birini yazıp örneği çalıştırın. Test kodları yalnızca test anahtarlarıyla çalışır.",
    ),
    pending: text("Waiting for your first request…", "İlk isteğiniz bekleniyor…"),
    again: text("Check now", "Şimdi kontrol et"),
    received: filled("First request received: {when}.", "İlk istek alındı: {when}."),
  },
  /** Texts about requests with an inactive key. */
  inactiveRequests: {
    title: text("Who still uses it?", "Hâlâ kim kullanıyor?"),
    pill: text("Still used", "Hâlâ kullanılıyor"),
    summary: text(
      (calls: number) =>
        `This key is inactive but was sent with ${count(calls, "request", "requests")} in the last 7 days. All were rejected.`,
      (calls) =>
        `Bu anahtar devre dışı ama son 7 günde onunla ${formatNumber(calls)} istek gönderildi. Hepsi reddedildi.`,
    ),
    none: text(
      "No requests with this key since it became inactive, or in the last 7 days.",
      "Devre dışı kaldığından beri ya da son 7 günde bu anahtarla istek gönderilmedi.",
    ),
    attention: text(
      (name: string, calls: number) =>
        `“${name}” is inactive but still used: ${count(calls, "request", "requests")} in the last 7 days.`,
      (name, calls) =>
        `“${name}” devre dışı ama hâlâ kullanılıyor: son 7 günde ${formatNumber(calls)} istek.`,
    ),
    see: text("Show who uses it", "Kimin kullandığını göster"),
  },
}
