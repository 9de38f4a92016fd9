import { count, formatNumber } from "./plurals.ts"

/** Texts of the overview and its chart. */
const en = {
  title: "Overview",
  figures: {
    today: "Requests today (UTC)",
    todayNote: (n: number) => `${n.toLocaleString("en")} in the last 30 days`,
    codesNote: "unknown, refunded or over the site limit; last 7 days",
    errorsNote: "other failed requests, last 7 days",
    keys: "Valid keys",
    keysNote: (validation: number, test: number) =>
      `${validation.toLocaleString("en")} safe to ship, ${test.toLocaleString("en")} for tests`,
  },
  start: {
    title: "Get started",
    done: "Done:",
    create: {
      title: "Create a key",
      text: "Your code sends it with every request.",
      action: "Create a key",
    },
    call: {
      title: "Send a request",
      text: "Run the sample on the page of your new key, or one from the docs with your key.",
      action: "Open the docs",
    },
    ship: {
      title: "Ship a validation key",
      text: "It can only validate purchases and release sites, so it is safe inside a product.",
      action: "Create a validation key",
    },
  },
  requests: "Requests",
  noRequests: "No requests on these days.",
  chart: (total: number, ok: number) =>
    `${count(total, "request", "requests")}, ${ok.toLocaleString("en")} successful.`,
  groups: {
    ok: "Successful",
    invalidCodes: "Invalid codes",
    clientErrors: "Client errors",
    serverErrors: "Server errors",
  },
  day: "Day",
  asTable: "Show as a table",
  countedRequests:
    "Invalid codes: unknown codes and sites, refunded codes, and codes over the site limit. Errors: all other failed requests. A bar of the last 7 days links to its failed requests. Requests with test keys are not counted.",
  testRequests: "The overview does not count requests with test keys.",
  today: "Today",
  attention: "Needs attention",
  moreAttention: (n: number) => `${n.toLocaleString("en")} more`,
  shipped: (name: string, ipRanges: number) =>
    `“${name}” looks shipped in a product: it was used from ${count(ipRanges, "IP range", "IP ranges")} this week.`,
  expires: (name: string, when: string) => `“${name}” expires on ${when}.`,
  stillUsed: (name: string) =>
    `“${name}” was rotated, but the old key was used in the last 24 hours.`,
  seeKey: "Open the key",
  account: "Your account",
  balance: "Balance",
  registered: "Member since",
  itemCount: (visible: number, hidden: number) =>
    hidden === 0
      ? `${visible.toLocaleString("en")} visible`
      : `${visible.toLocaleString("en")} visible, ${hidden.toLocaleString("en")} hidden`,
  asJson: "API response",
}

const tr: typeof en = {
  title: "Genel bakış",
  figures: {
    today: "Bugünkü istekler (UTC)",
    todayNote: (n) => `son 30 günde ${formatNumber(n)}`,
    codesNote: "bilinmeyen, iade edilmiş ya da site sınırını aşan; son 7 gün",
    errorsNote: "diğer başarısız istekler, son 7 gün",
    keys: "Geçerli anahtarlar",
    keysNote: (validation, test) =>
      `${formatNumber(validation)} tanesi ürüne konabilir, ${formatNumber(test)} tanesi test`,
  },
  start: {
    title: "Başlarken",
    done: "Tamamlandı:",
    create: {
      title: "Bir anahtar oluşturun",
      text: "Kodunuz her istekte bu anahtarı gönderir.",
      action: "Anahtar oluştur",
    },
    call: {
      title: "Bir istek gönderin",
      text: "Yeni anahtarınızın sayfasındaki örneği ya da dokümantasyondaki bir örneği kendi anahtarınızla çalıştırın.",
      action: "Dokümantasyonu aç",
    },
    ship: {
      title: "Ürününüze bir doğrulama anahtarı koyun",
      text: "Yalnızca satın almaları doğrular ve site bırakır; ürününüzün içine güvenle konur.",
      action: "Doğrulama anahtarı oluştur",
    },
  },
  requests: "İstekler",
  noRequests: "Bu günlerde istek yok.",
  chart: (total, ok) => `${formatNumber(total)} istek; ${formatNumber(ok)} tanesi başarılı.`,
  groups: {
    ok: "Başarılı",
    invalidCodes: "Geçersiz kod",
    clientErrors: "İstemci hatası",
    serverErrors: "Sunucu hatası",
  },
  day: "Gün",
  asTable: "Tablo olarak göster",
  countedRequests:
    "Geçersiz kod: bilinmeyen kodlar ve siteler, iade edilmiş kodlar ve site sınırını aşan kodlar. Hata: diğer tüm başarısız istekler. Son 7 günün sütunları o günün başarısız isteklerini açar. Test anahtarlarıyla gönderilen istekler sayılmaz.",
  testRequests: "Genel bakış, test anahtarlarıyla gönderilen istekleri saymaz.",
  today: "Bugün",
  attention: "İlgilenmeniz gerekenler",
  moreAttention: (n) => `${formatNumber(n)} tane daha`,
  shipped: (name, ipRanges) =>
    `“${name}” bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta ${formatNumber(ipRanges)} IP aralığından kullanıldı.`,
  expires: (name, when) => `“${name}” anahtarının süresi ${when} tarihinde doluyor.`,
  stillUsed: (name) =>
    `“${name}” yenisiyle değiştirildi ama eski anahtar son 24 saat içinde kullanıldı.`,
  seeKey: "Anahtara git",
  account: "Hesabınız",
  balance: "Bakiye",
  registered: "Üyelik başlangıcı",
  itemCount: (visible, hidden) =>
    hidden === 0
      ? `${formatNumber(visible)} yayında`
      : `${formatNumber(visible)} yayında, ${formatNumber(hidden)} yayında değil`,
  asJson: "API yanıtı",
}

export const overview = { en, tr }
