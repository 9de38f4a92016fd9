import { count, formatNumber } from "./plurals.ts"

/** Texts of the overview and its chart. */
const en = {
  title: "Overview",
  tiles: {
    requests: "Requests",
    successRate: "Success rate",
    codes: "Invalid codes",
    errors: "Errors",
    parts: (client: string, server: string) => `${client} client, ${server} server`,
    change: (change: string, days: number) => `${change} vs. ${count(days, "day", "days")} before`,
    noneBefore: (days: number) => `none in the ${count(days, "day", "days")} before`,
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
      text: "It can only validate purchases, release sites and create download links, so it is safe inside a product.",
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
  today: "Today",
  attention: "Needs attention",
  moreAttention: (n: number) => `${n.toLocaleString("en")} more`,
  shipped: (name: string, ipRanges: number) =>
    `“${name}” looks shipped in a product: it was used from ${count(ipRanges, "IP range", "IP ranges")} this week.`,
  expires: (name: string, when: string) => `“${name}” expires on ${when}.`,
  stillUsed: (name: string) =>
    `“${name}” was rotated, but the old key was used in the last 24 hours.`,
  seeKey: "Open the key",
  errorRise: (rate: string, before: string) =>
    `Error rate since yesterday: ${rate}; in the week before: ${before}.`,
  seeErrors: "Show errors",
  topErrors: "Failed requests by error",
  allErrors: "All failed requests",
  noErrors: "No failed requests on these days.",
  busiestKeys: "Busiest keys",
  asJson: "API response",
}

const tr: typeof en = {
  title: "Genel bakış",
  tiles: {
    requests: "İstekler",
    successRate: "Başarı oranı",
    codes: "Geçersiz kodlar",
    errors: "Hatalar",
    parts: (client, server) => `${client} istemci, ${server} sunucu`,
    change: (change, days) => `önceki ${formatNumber(days)} güne göre ${change}`,
    noneBefore: (days) => `önceki ${formatNumber(days)} günde yok`,
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
  today: "Bugün",
  attention: "İlgilenmeniz gerekenler",
  moreAttention: (n) => `${formatNumber(n)} tane daha`,
  shipped: (name, ipRanges) =>
    `“${name}” bir ürünün içinde kullanılıyor gibi görünüyor: bu hafta ${formatNumber(ipRanges)} IP aralığından kullanıldı.`,
  expires: (name, when) => `“${name}” anahtarının süresi ${when} tarihinde doluyor.`,
  stillUsed: (name) =>
    `“${name}” yenisiyle değiştirildi ama eski anahtar son 24 saat içinde kullanıldı.`,
  seeKey: "Anahtara git",
  errorRise: (rate, before) => `Dünden beri hata oranı: ${rate}; önceki hafta: ${before}.`,
  seeErrors: "Hataları göster",
  topErrors: "Hataya göre başarısız istekler",
  allErrors: "Tüm başarısız istekler",
  noErrors: "Bu günlerde başarısız istek yok.",
  busiestKeys: "En yoğun anahtarlar",
  asJson: "API yanıtı",
}

export const overview = { en, tr }
